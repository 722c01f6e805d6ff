// The channels of a rollup, and from which channel of the finer recording each comes. Every channel
// keeps its latest raw value under its own name; one that is not static has its least, greatest and
// mean value beside it:
//
//   storage_read_sectors_total{dev=sda}        counter, as it was read
//   storage_read_sectors_total_min{dev=sda}    gauge, sectors/s
//   storage_read_sectors_total_max{dev=sda}
//   storage_read_sectors_total_mean{dev=sda}
//
// In a rollup of a rollup nothing is beside what is summarized already: the least of the least
// values stays the least value.
//
// The finer recording's channels, in their order, fix the rollup's numbering. So it is the same
// whether a rollup is made at once or in parts, and grows as that recording's does, until that one
// numbers channels anew (rollup_recording.h).
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "model/channel_table.h"
#include "retention/summary.h"

namespace reveal::retention {

// Whether frames come from the recorder, or from a rollup.
enum class FineSource { kRecorded, kRollup };

class RollupChannels {
 public:
  struct Route {
    model::ChannelId latest;
    std::optional<std::array<model::ChannelId, kStatistics>> beside;
    // Of a rollup's rollup: which statistic of another channel this one is.
    std::optional<Statistic> is;
  };

  explicit RollupChannels(FineSource fine) : fine_(fine) {}

  // Goes on with the channels that the rollup has.
  void resume(const model::ChannelTable& table);

  // Takes the finer recording's first `count` channels. REQUIRES: always the same table.
  void grow(const model::ChannelTable& fine, std::size_t count);

  // By the finer recording's channels.
  const std::vector<Route>& routes() const { return routes_; }
  const model::ChannelTable& table() const { return table_; }

 private:
  struct Metrics {
    model::MetricId latest;
    std::optional<std::array<model::MetricId, kStatistics>> beside;
    std::optional<Statistic> is;
  };

  Metrics add(const model::ChannelTable& fine, model::MetricId id);
  const Metrics& metrics_of(const model::ChannelTable& fine, model::MetricId id);

  FineSource fine_;
  model::ChannelTable table_;
  std::vector<std::optional<Metrics>> metrics_;  // by the finer recording's
  std::vector<Route> routes_;
};

}  // namespace reveal::retention
