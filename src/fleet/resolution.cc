#include "fleet/resolution.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace reveal::fleet {
namespace {

using model::Kind;
using model::Subsystem;

// Of a level: rates depend on what a job happens to do, the rest less so.
constexpr double kOfRate = 0.05;
constexpr double kOfGauge = 0.02;

constexpr double kOfMemory = 0.002;
// Shares of packets matter by the thousandth, shares of time and memory do not.
constexpr double kOfPackets = 0.001;
constexpr double kOfWhole = 0.005;
constexpr double kBytes = 65536;
constexpr double kBytesPerSecond = 10240;

// Of units that have a scale of their own.
struct Least {
  std::string_view unit;
  double value;
};
constexpr std::array<Least, 6> kMin{{{"seconds", 20e-6},
                                     {"celsius", 1.0},
                                     {"watts", 2.0},
                                     {"hertz", 10e6},
                                     {"volts", 0.01},
                                     {"bytes/s", kBytesPerSecond}}};

bool is_rate(const Quantity& quantity) {
  return quantity.kind == Kind::kCounter || quantity.kind == Kind::kEvent;
}

double smallest(const Quantity& quantity, double level, const Surroundings& around) {
  if (quantity.unit == "ratio") {
    return quantity.subsystem == Subsystem::kNetwork ? kOfPackets : kOfWhole;
  }
  for (const auto& row : kMin) {
    if (row.unit == quantity.unit) return row.value;
  }
  if (quantity.unit == "bytes") {
    return quantity.subsystem == Subsystem::kMemory && around.memory_bytes > 0
               ? kOfMemory * around.memory_bytes
               : kBytes;
  }
  if (!is_rate(quantity)) return 0.5;  // of things that are counted one by one
  // A count of n in a window varies by its root, if its things come independently.
  return std::sqrt(std::max(std::abs(level) * around.window_s, 1.0)) / around.window_s;
}

}  // namespace

double resolution(const Quantity& quantity, double level, const Surroundings& around) {
  const double relative = (is_rate(quantity) ? kOfRate : kOfGauge) * std::abs(level);
  return std::max(relative, smallest(quantity, level, around));
}

}  // namespace reveal::fleet
