#include "serve/process_sums.h"

#include <algorithm>
#include <functional>
#include <optional>

namespace reveal::serve {
namespace {

template <typename Value, typename Join>
std::optional<Value> joined(std::span<const ProcessUsage> processes,
                            std::optional<Value> ProcessUsage::*member, Join join) {
  std::optional<Value> out;
  for (const auto& process : processes) {
    const auto& value = process.*member;
    if (!value) return {};
    out = out ? join(*out, *value) : *value;
  }
  return out;
}

}  // namespace

ProcessUsage sum_of(std::span<const ProcessUsage> processes) {
  const std::plus<> plus;
  const auto earlier = [](std::int64_t a, std::int64_t b) { return std::min(a, b); };
  return {.name = "",
          .cpu_s = joined(processes, &ProcessUsage::cpu_s, plus),
          .resident_bytes = joined(processes, &ProcessUsage::resident_bytes, plus),
          .open_files = joined(processes, &ProcessUsage::open_files, plus),
          .most_files = joined(processes, &ProcessUsage::most_files, plus),
          .start_wall_ns = joined(processes, &ProcessUsage::start_wall_ns, earlier)};
}

}  // namespace reveal::serve
