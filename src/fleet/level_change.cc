#include "fleet/level_change.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "detect/saturation_signals.h"
#include "fleet/difference.h"
#include "stats/mean_error.h"

namespace reveal::fleet {
namespace {

using stats::MeanError;

std::vector<double> present(std::span<const float> levels) {
  std::vector<double> out;
  out.reserve(levels.size());
  for (const float level : levels) {
    if (!std::isnan(level)) out.push_back(level);
  }
  return out;
}

bool is_constant(const std::vector<double>& one, const std::vector<double>& other) {
  const auto same = [&](double level) { return level == one.front(); };
  return std::ranges::all_of(one, same) && std::ranges::all_of(other, same);
}

// A batch holds some readings of a source that is read seldom.
MeanError level_of(const std::vector<double>& levels, double buckets_a_reading) {
  const std::size_t quarter = (levels.size() + kBatchesInRun - 1) / kBatchesInRun;
  const auto readings = static_cast<std::size_t>(std::ceil(kFewestReadings * buckets_a_reading));
  const bool seldom = buckets_a_reading > kReadOften;
  return stats::mean_error(levels, std::max(quarter, seldom ? readings : 1));
}

Interval interval_of(const MeanError& of) {
  const double half = stats::half_width(of, kChangeConfidence);
  return {of.mean, of.mean - half, of.mean + half};
}

double least_change(const Quantity& quantity, double before, const Surroundings& around) {
  const auto* signal = detect::find_saturation_signal(quantity.metric);
  if (signal == nullptr) return kLimit * resolution(quantity, before, around);
  // Events are counted in a window there.
  return quantity.kind == model::Kind::kEvent ? signal->least / around.window_s : signal->least;
}

// The normal number beyond which |x| lies with 1 - kChangeConfidence.
constexpr double kNormal = 3.2905;

// Returns how many events there were. Levels are events by the second.
double count_of(const std::vector<double>& levels, double bucket_s) {
  double out = 0;
  for (const double level : levels) out += level * bucket_s;
  return std::round(out);
}

// The interval of the rate of so many events in so many seconds, by Anscombe's roots; of none, the
// exact one.
Interval rate_of(double events, double seconds) {
  const double root = std::sqrt(events);
  const double low = std::max(root - kNormal / 2, 0.0);
  const double most = events > 0 ? (root + kNormal / 2) * (root + kNormal / 2)
                                 : -std::log((1 - kChangeConfidence) / 2);
  return {events / seconds, low * low / seconds, most / seconds};
}

// Events come together: those of one bucket count as one occasion.
std::size_t occasions_of(const std::vector<double>& levels) {
  return static_cast<std::size_t>(
      std::ranges::count_if(levels, [](double level) { return level > 0; }));
}

// Whether one run has events and the other none, although by chance it would hardly: each of n
// occasions falls into either run by its length (Przyborowski and Wilenski 1940).
std::optional<LevelChange> first_seen(const std::vector<double>& before,
                                      const std::vector<double>& after, double bucket_s) {
  const double before_s = static_cast<double>(before.size()) * bucket_s;
  const double after_s = static_cast<double>(after.size()) * bucket_s;
  const double gone = count_of(before, bucket_s);
  const double come = count_of(after, bucket_s);
  if ((gone > 0) == (come > 0) || gone + come < kFewestEvents) return std::nullopt;
  const double some_s = come > 0 ? after_s : before_s;
  const auto occasions = static_cast<double>(occasions_of(come > 0 ? after : before));
  const double by_chance = 2 * std::pow(some_s / (before_s + after_s), occasions);
  if (by_chance > 1 - kChangeConfidence) return std::nullopt;
  LevelChange out;
  out.is_first_seen = true;
  out.before = rate_of(gone, before_s);
  out.after = rate_of(come, after_s);
  out.change = out.after;
  if (gone > 0) out.change = {-out.before.value, -out.before.high, -out.before.low};
  out.least = kFewestEvents / some_s;
  return out;
}

}  // namespace

double LevelChange::effect() const {
  return std::abs(change.value) / least;
}

ChangeResult change_of(const ComparedQuantity& compared, std::int64_t bucket_ns,
                       const Surroundings& around) {
  ChangeResult out;
  const auto before = present(compared.levels[0]);
  const auto after = present(compared.levels[1]);
  if (before.empty() || after.empty()) return out;
  out.moved = !is_constant(before, after);
  if (!out.moved) return out;
  const auto first = level_of(before, compared.buckets_a_reading);
  const auto second = level_of(after, compared.buckets_a_reading);
  const auto change = stats::difference(first, second);
  LevelChange told;
  told.before = interval_of(first);
  told.after = interval_of(second);
  told.change = interval_of(change);
  told.least = least_change(compared.quantity, first.mean, around);
  const bool excludes_none = told.change.low > 0 || told.change.high < 0;  // false for NaN
  if (excludes_none && told.effect() >= 1) out.change = told;
  if (!out.change && compared.quantity.kind == model::Kind::kEvent) {
    out.change = first_seen(before, after, static_cast<double>(bucket_ns) * 1e-9);
  }
  if (out.change) out.change->quantity = compared.quantity;
  return out;
}

}  // namespace reveal::fleet
