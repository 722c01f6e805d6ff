// The process that calls the GPU driver's library for a recorder (gpu/reader.h). Recorders start
// it; it is of no use to people, and help does not list it.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.h"
#include "gpu/reader.h"
#include "text/bounded_number.h"

namespace reveal::cli {
namespace {

constexpr int kMaxFd = 1 << 20;
constexpr unsigned kMaxGpus = 1 << 16;
constexpr std::int64_t kShortestInterval_ns = 1'000'000;
constexpr std::int64_t kLongestInterval_ns = 60'000'000'000;

struct GpuReaderArguments {
  gpu::ReaderOptions reader;
  std::int64_t interval_ns = 100'000'000;
};

// Numbers with commas between.
base::Result<void> read_list(const std::string& text, std::vector<unsigned>& out) {
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const auto number =
        text::number_within(std::string_view(text).substr(begin, end - begin), 0u, kMaxGpus);
    if (!number) return base::pass(number);
    out.push_back(*number);
    begin = end + 1;
  }
  return {};
}

}  // namespace

Action declare_gpu_reader(OptionSet& set) {
  auto options = std::make_shared<GpuReaderArguments>();
  set.number("--shared-fd", options->reader.shared_fd, 0, kMaxFd, "memory to write to").required();
  set.number("--parent-fd", options->reader.parent_fd, 0, kMaxFd, "closes with the recorder")
      .required();
  set.number("--interval-ns", options->interval_ns, kShortestInterval_ns, kLongestInterval_ns,
             "between sweeps");
  set.number("--only", options->reader.only, 0u, kMaxGpus, "number of the one GPU to read");
  set.parsed(
      "--except",
      [options](const std::string& text) { return read_list(text, options->reader.except); },
      "numbers of GPUs to leave alone");
  return [options](const Invocation&) {
    options->reader.interval = std::chrono::nanoseconds(options->interval_ns);
    return gpu::run_reader(options->reader);
  };
}

}  // namespace reveal::cli
