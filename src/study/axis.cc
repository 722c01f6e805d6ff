#include "study/axis.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "text/quantity.h"

namespace reveal::study {
namespace {

constexpr double kLeast = 0.05;     // of the largest value
constexpr double kMostSteps = 5;    // on an axis
constexpr double kRounding = 1e-9;  // of a step

constexpr std::array<std::string_view, 5> kWithWords{"bytes", "bytes/s", "seconds", "ratio",
                                                     "flag"};

// A unit of time that an axis of more than `from` seconds is told in.
struct TimeUnit {
  double from;
  double seconds;
  std::string_view name;
};
constexpr std::array<TimeUnit, 3> kTimes{
    {{4 * 86'400, 86'400, "d"}, {4 * 3'600, 3'600, "h"}, {10 * 60, 60, "min"}}};

const TimeUnit* time_unit(double seconds) {
  const auto found =
      std::ranges::find_if(kTimes, [seconds](const TimeUnit& one) { return seconds > one.from; });
  return found == kTimes.end() ? nullptr : &*found;
}

Axis::Range widened(Axis::Range values) {
  const double largest = std::max(std::fabs(values.low), std::fabs(values.high));
  if (largest == 0) return {0, 1};
  if (values.low >= 0 && values.low <= values.high / 2) return {0, values.high};
  const double missing = kLeast * largest - (values.high - values.low);
  if (missing <= 0) return values;
  return {values.low - missing / 2, values.high + missing / 2};
}

// Returns 1, 2 or 5 times a power of ten, at least `least`.
double round_from(double least) {
  const double power = std::pow(10.0, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= least * (1 - kRounding)) return factor * power;
  }
  return 10 * power;
}

}  // namespace

Axis::Axis(Range values, Range places, std::string_view unit)
    : values_(widened(values)), places_(places), unit_(unit) {}

double Axis::place(double value) const {
  const double share = (value - values_.low) / (values_.high - values_.low);
  return places_.low + share * (places_.high - places_.low);
}

double Axis::step() const {
  const double least = (values_.high - values_.low) / kMostSteps;
  if (unit_.starts_with("bytes")) return std::exp2(std::ceil(std::log2(least) - kRounding));
  const auto* time = unit_ == "seconds" ? time_unit(values_.high) : nullptr;
  const double unit = time == nullptr ? 1 : time->seconds;
  return unit * round_from(least / unit);
}

std::vector<double> Axis::ticks() const {
  const double by = step();
  std::vector<double> out;
  const double first = std::ceil(values_.low / by - kRounding);
  const double last = std::floor(values_.high / by + kRounding);
  for (int i = 0; first + i <= last; ++i) out.push_back((first + i) * by);
  return out;
}

std::string Axis::label(double tick) const {
  if (unit_ == "seconds") {
    const auto* time = time_unit(values_.high);
    if (time == nullptr) return text::format_quantity(tick, unit_);
    return fmt::format("{} {}", text::format_number(tick / time->seconds), time->name);
  }
  return unit_beside().empty() ? text::format_quantity(tick, unit_) : text::format_number(tick);
}

std::string_view Axis::unit_beside() const {
  return std::ranges::find(kWithWords, unit_) == kWithWords.end() ? unit_ : std::string_view();
}

}  // namespace reveal::study
