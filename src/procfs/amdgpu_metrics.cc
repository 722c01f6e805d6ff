#include "procfs/amdgpu_metrics.h"

#include <cstddef>

namespace reveal::procfs {
namespace {

std::uint64_t little_endian(std::string_view table, std::size_t at, std::size_t bytes) {
  std::uint64_t out = 0;
  for (std::size_t i = 0; i < bytes; ++i) {
    out |= std::uint64_t{static_cast<unsigned char>(table[at + i])} << (8 * i);
  }
  return out;
}

// Where a revision has the 64-bit status, behind all fields before it.
struct Layout {
  std::uint64_t format;
  std::uint64_t content;
  std::size_t status_at;
};
constexpr Layout kLayouts[] = {{1, 3, 112}, {2, 2, 120}};
constexpr std::size_t kHeader = 2 + 1 + 1;
constexpr std::uint64_t kNotReported = ~0ULL;  // the table is filled with ones before it is written

// Where a revision has the six counters of 32 bits. There are two layouts of revision 1.6, of
// older kernels and of later ones, which only the size tells apart.
struct CounterLayout {
  std::uint64_t size;
  std::uint64_t content;
  std::size_t counters_at;
};
constexpr CounterLayout kCounterLayouts[] = {
    {384, 6, 104}, {1664, 6, 32}, {2208, 7, 40}, {3360, 8, 40}};

AmdgpuResidency counters_at(std::string_view table, std::size_t at) {
  const auto counter = [&](std::size_t i) { return little_endian(table, at + 4 * i, 4); };
  return {counter(0), counter(1), counter(2), counter(3), counter(4), counter(5)};
}

}  // namespace

std::optional<AmdgpuThrottle> parse_amdgpu_throttle(std::string_view table) {
  if (table.size() < kHeader || little_endian(table, 0, 2) > table.size()) return std::nullopt;
  for (const Layout& layout : kLayouts) {
    if (little_endian(table, 2, 1) != layout.format) continue;
    if (little_endian(table, 3, 1) != layout.content) continue;
    if (little_endian(table, 0, 2) < layout.status_at + sizeof(std::uint64_t)) return std::nullopt;
    const auto status = little_endian(table, layout.status_at, sizeof(std::uint64_t));
    if (status == kNotReported) return std::nullopt;
    const auto any = [status](unsigned first) { return (status >> first & 0xffff) != 0; };
    return AmdgpuThrottle{any(0), any(16), any(32), any(48)};
  }
  return std::nullopt;
}

std::optional<AmdgpuResidency> parse_amdgpu_residency(std::string_view table) {
  if (table.size() < kHeader || little_endian(table, 0, 2) > table.size()) return std::nullopt;
  if (little_endian(table, 2, 1) != 1) return std::nullopt;
  for (const CounterLayout& layout : kCounterLayouts) {
    if (little_endian(table, 3, 1) != layout.content) continue;
    if (little_endian(table, 0, 2) != layout.size) continue;
    const auto out = counters_at(table, layout.counters_at);
    if (out.ticks == 0xffffffff) return std::nullopt;
    return out;
  }
  return std::nullopt;
}

}  // namespace reveal::procfs
