// Least, greatest and mean of the values that one channel had within a tick of a tier, and the
// metrics under which a tier keeps them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "model/channel_table.h"

namespace reveal::tier {

enum class Statistic : std::uint8_t { kMin, kMax, kMean };
inline constexpr std::size_t kStatistics = 3;

// Returns "_min", "_max" or "_mean": what follows the metric's name.
std::string_view suffix(Statistic statistic);

// Significant bits that a tier keeps of what it computes. More of a rate would be the jitter of the
// ticks, and would take most of the tier's room; a mean level may vary little beside its height.
inline constexpr int kRateBits = 16;
inline constexpr int kLevelBits = 24;

// Returns the value with so many significant bits, at least 1 and at most 53. Rises with `value`.
double rounded(double value, int bits);

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

}  // namespace reveal::tier
