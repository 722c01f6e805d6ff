// Least, greatest and mean of the values that one channel had within a tick of a rollup, and the
// metrics under which a rollup keeps them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "model/channel_table.h"

namespace reveal::retention {

enum class Statistic : std::uint8_t { kMin, kMax, kMean };
inline constexpr std::size_t kStatistics = 3;

// Returns "_min", "_max" or "_mean": what follows the metric's name.
std::string_view suffix(Statistic statistic);

// Significant bits that a rollup keeps of a rate (0.05 %). The next ones are the jitter of the
// ticks, and would take most of the rollup's room; raw counters give the rate over a whole tick
// exactly.
inline constexpr int kRateBits = 10;

// Into so many steps at least the room between the least and the greatest level is divided, for the
// mean.
inline constexpr double kMeanSteps = 64;

// Returns the value with so many significant bits, at least 1 and at most 53. Rises with `value`.
double rounded(double value, int bits);

// Returns the value as a multiple of the largest power of two of which `spread` has kMeanSteps; if
// there is no spread, as it is.
double rounded_within(double value, double spread);

class Summary {
 public:
  // Takes one more value; one that is not finite counts as none.
  void add(double value);
  void clear() { *this = {}; }
  bool empty() const { return count_ == 0; }
  // Returns the statistic; of `kind`'s readings, as they are, or of its rates, rounded. A mean is
  // rounded in any case, and never out of its place. REQUIRES: !empty().
  double value(Statistic statistic, model::Kind kind) const;

 private:
  std::uint64_t count_ = 0;
  double min_ = 0;
  double max_ = 0;
  double mean_ = 0;  // a running one: a sum of many large values would lose their last digits
};

// Adds the metrics for the three statistics of `raw` to `table`: gauges in base units, of counters
// and events in base units a second. REQUIRES: no metric of `table` has one of their names.
std::array<model::MetricId, kStatistics> add_summary_metrics(model::ChannelTable& table,
                                                             const model::MetricDescriptor& raw);

}  // namespace reveal::retention
