#include "window/tick_history.h"

#include <algorithm>
#include <cmath>

namespace reveal::window {

void TickHistory::grow(const model::ChannelTable& channels, std::size_t count) {
  for (std::size_t i = column_of_.size(); i < count; ++i) {
    const bool kept =
        columns_.size() < kMaxChannels && keeps_(channels.metric(model::ChannelId(i)));
    column_of_.push_back(kept ? columns_.size() : kNotKept);
    if (kept) columns_.push_back({i, {}});
  }
}

void TickHistory::add(const model::ChannelTable& channels, std::uint64_t sequence,
                      std::int64_t wall_ns, std::int64_t interval_ns, std::span<const double> row) {
  if (keeps_ == nullptr) return;
  interval_ns_ = interval_ns;
  grow(channels, row.size());
  ticks_.push_back({sequence, wall_ns});
  for (auto& column : columns_) column.values.push_back(static_cast<float>(row[column.place]));
}

void TickHistory::drop_before(std::uint64_t sequence) {
  while (!ticks_.empty() && ticks_.front().sequence < sequence) {
    for (auto& column : columns_) {
      if (column.values.size() == ticks_.size()) column.values.pop_front();
    }
    ticks_.pop_front();
  }
}

bool TickHistory::keeps(model::ChannelId channel) const {
  return channel.index() < column_of_.size() && column_of_[channel.index()] != kNotKept;
}

// Returns the place of the first tick that is not before that one.
std::size_t TickHistory::place_of(std::uint64_t sequence) const {
  const auto from =
      std::lower_bound(ticks_.begin(), ticks_.end(), sequence,
                       [](const Tick& tick, std::uint64_t other) { return tick.sequence < other; });
  return static_cast<std::size_t>(from - ticks_.begin());
}

std::uint64_t TickHistory::missing(std::uint64_t first, std::uint64_t end) const {
  if (ticks_.empty()) return 0;
  const std::uint64_t begin = std::max(first, ticks_.front().sequence);
  return end > begin ? end - begin - (place_of(end) - place_of(begin)) : 0;
}

std::vector<TickSample> TickHistory::samples(model::ChannelId channel, std::uint64_t first,
                                             std::uint64_t end) const {
  std::vector<TickSample> out;
  if (!keeps(channel)) return out;
  const auto& values = columns_[column_of_[channel.index()]].values;
  const std::size_t before = ticks_.size() - values.size();
  const auto begin = std::max(place_of(first), before);
  std::int64_t last_ns = 0;
  for (std::size_t i = begin; i < ticks_.size() && ticks_[i].sequence < end; ++i) {
    const auto value = static_cast<double>(values[i - before]);
    if (!std::isfinite(value)) continue;
    const auto wall_ns = ticks_[i].wall_ns;
    out.push_back({out.empty() ? wall_ns - interval_ns_ : last_ns, wall_ns, value});
    last_ns = wall_ns;
  }
  return out;
}

}  // namespace reveal::window
