#include "fleet/host_levels.h"

#include <cmath>
#include <utility>

#include "stats/quantile.h"

namespace reveal::fleet {

double LevelSeries::buckets_a_reading() const {
  return read == 0 ? 1.0 : static_cast<double>(present) / static_cast<double>(read);
}

base::Result<void> HostLevels::begin(const model::RunFacts& facts) {
  facts_ = facts;
  levels_.begin(facts.interval_ns);
  return {};
}

base::Result<void> HostLevels::write(const model::ChannelTable& channels,
                                     const model::Frame& frame) {
  const std::int64_t bucket = grid_.bucket_of(frame.wall_ns);
  if (bucket >= static_cast<std::int64_t>(grid_.buckets)) return {};
  if (bucket != open_) close_bucket();
  open_ = bucket;
  for (const auto& note : frame.notes) notes_.apply(note);
  levels_.take(channels, frame);
  const auto& quantities = levels_.quantities();
  while (series_.size() < quantities.size()) series_.push_back({quantities[series_.size()], {}});
  return {};
}

base::Result<void> HostLevels::finish() {
  close_bucket();
  return {};
}

void HostLevels::close_bucket() {
  if (levels_.frames() == 0) return;
  const auto levels = levels_.close(open_);
  if (open_ < 0) return;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    if (!levels[i]) continue;
    auto& series = series_[i];
    if (series.levels.empty()) {
      series.levels.assign(grid_.buckets, std::numeric_limits<float>::quiet_NaN());
    }
    series.levels[static_cast<std::size_t>(open_)] = levels[i]->value;
    ++series.present;
    if (levels[i]->was_read) ++series.read;
  }
}

double installed_memory(std::span<const HostLevels> hosts) {
  std::vector<double> found;
  for (const auto& host : hosts) {
    const double bytes = installed_memory(host.statics());
    if (std::isfinite(bytes)) found.push_back(bytes);
  }
  return found.empty() ? 0 : stats::median(std::move(found));
}

}  // namespace reveal::fleet
