#include "gpu/signals.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "gpu/health_signals.h"
#include "gpu/link_signals.h"
#include "gpu/load_signals.h"

namespace reveal::gpu {
namespace {

// What drivers and their tools return instead of a number that they do not have.
constexpr std::uint64_t kLies[] = {0xFFFFFFFF, 0x7FFFFFFF,
                                   std::numeric_limits<std::uint64_t>::max(), 0xFFFFFFFF00000000};
constexpr std::uint64_t kBlank = 0x7FFFFFF0;              // and up to 15 more
constexpr std::uint64_t kLongBlank = 0x7FFFFFFFFFFFFFF0;  // likewise

template <std::size_t... sizes>
constexpr auto join(const Signal (&... tables)[sizes]) {
  std::array<Signal, (sizes + ...)> out{};
  auto* at = out.data();
  ((at = std::copy(tables, tables + sizes, at)), ...);
  return out;
}

constexpr auto kAll =
    join(kLoad, kGpmSignals, kClocks, kPowerAndHeat, kMemoryErrors, kPcie, kNvlink, kState);
static_assert(kAll.size() == kGpuSignals);
static_assert(std::size(kLinkSignalRows) == kLinkSignals);
static_assert(std::size(kInstanceSignalRows) == kInstanceSignals);

}  // namespace

bool is_plausible(const Signal& signal, std::uint64_t raw) {
  if (std::find(std::begin(kLies), std::end(kLies), raw) != std::end(kLies)) return false;
  if (raw >= kBlank && raw <= kBlank + 15) return false;
  if (raw >= kLongBlank) return false;
  return signal.most == 0 || static_cast<double>(raw) <= signal.most;
}

bool is_plausible(const Signal& signal, double raw) {
  return std::isfinite(raw) && std::abs(raw) < 1e15 &&
         (signal.most == 0 || std::abs(raw) <= signal.most);
}

std::span<const Signal> gpu_signals() {
  return kAll;
}

std::span<const Signal> link_signals() {
  return kLinkSignalRows;
}

std::span<const Signal> instance_signals() {
  return kInstanceSignalRows;
}

}  // namespace reveal::gpu
