#include "exchange/blanks.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace reveal::exchange {
namespace {

constexpr double kNear = 1.0 / 128;
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();  // near nothing

// Sure samples at two ends, if there are any, and doubtful ones in between.
struct Stretch {
  double before = kNone;
  double after = kNone;
  std::size_t doubtful = 0;
};

double value_at(const Series& series, std::size_t at) {
  return series.real ? std::bit_cast<double>(series.bits[at])
                     : static_cast<double>(series.bits[at]);
}

bool is_near(double value, double other) {
  return std::abs(value - other) <= kNear * value;
}

bool is_value(double value, const Stretch& stretch) {
  const auto& [before, after, doubtful] = stretch;
  if (is_near(value, before) || is_near(value, after)) return true;
  return doubtful == 1 &&
         ((before <= value && value <= after) || (after <= value && value <= before));
}

void append(Series& series, const Doubtful& sample) {
  const auto& value = sample.value;
  if (!value.whole) series.make_real();
  series.times_ns.push_back(sample.time_ns);
  series.bits.push_back(series.real ? std::bit_cast<std::uint64_t>(value.real) : value.count);
}

}  // namespace

bool may_be_blank(const text::Number& value) {
  constexpr std::uint64_t kBlank = 0x7FFFFFF0;  // and up to 15 more
  constexpr std::uint64_t kLongBlank = 0x7FFFFFFFFFFFFFF0;
  constexpr double kRealBlank = 140'737'488'355'328.0;  // 2^47
  constexpr double kMost = 15;
  if (value.whole && value.count >= kLongBlank) {
    return value.count <= kLongBlank + 15;
  }
  if (value.whole && value.count == 0xFFFFFFFF) return true;
  if (value.whole && value.count >= kBlank && value.count <= kBlank + 15) return true;
  if (value.real >= kRealBlank && value.real <= kRealBlank + kMost) return true;
  return !value.whole && value.real == static_cast<double>(kLongBlank);
}

std::size_t settle_blanks(Series& series) {
  auto doubtful = std::exchange(series.doubtful, {});
  std::stable_sort(doubtful.begin(), doubtful.end(),
                   [](const Doubtful& a, const Doubtful& b) { return a.time_ns < b.time_ns; });
  std::vector<Doubtful> values;
  for (std::size_t first = 0; first < doubtful.size();) {
    const auto next =
        std::upper_bound(series.times_ns.begin(), series.times_ns.end(), doubtful[first].time_ns);
    const auto place = static_cast<std::size_t>(next - series.times_ns.begin());
    const bool is_last = next == series.times_ns.end();
    std::size_t end = first + 1;
    while (end < doubtful.size() && (is_last || doubtful[end].time_ns < *next)) ++end;
    Stretch stretch{.doubtful = end - first};
    if (place > 0) stretch.before = value_at(series, place - 1);
    if (!is_last) stretch.after = value_at(series, place);
    for (; first < end; ++first) {
      if (is_value(doubtful[first].value.real, stretch)) values.push_back(doubtful[first]);
    }
  }
  for (const auto& one : values) append(series, one);
  return doubtful.size() - values.size();
}

}  // namespace reveal::exchange
