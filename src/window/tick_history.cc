#include "window/tick_history.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace reveal::window {

void TickHistory::Column::add(std::uint64_t tick, double value) {
  const auto rounded = static_cast<float>(value);
  if (!std::isfinite(rounded)) return;
  if (values.empty()) first = tick;
  values.resize(static_cast<std::size_t>(tick - first), std::numeric_limits<float>::quiet_NaN());
  values.push_back(rounded);
}

// What was no number is forgotten with what was before it.
void TickHistory::Column::drop_before(std::uint64_t tick) {
  while (!values.empty() && (first < tick || !std::isfinite(values.front()))) {
    values.pop_front();
    ++first;
  }
}

void TickHistory::grow(const model::ChannelTable& channels, std::size_t count) {
  for (std::size_t i = column_of_.size(); i < count; ++i) {
    column_of_.push_back(kNotKept);
    if (keeps_(channels.metric(model::ChannelId(i)))) waiting_.push_back(i);
  }
}

void TickHistory::add(const model::ChannelTable& channels, std::uint64_t sequence,
                      std::int64_t wall_ns, std::int64_t interval_ns, std::span<const double> row) {
  if (keeps_ == nullptr) return;
  interval_ns_ = interval_ns;
  grow(channels, row.size());
  ticks_.push_back({sequence, wall_ns});
  const std::uint64_t tick = gone_ + ticks_.size() - 1;
  for (auto& column : columns_) column.add(tick, row[column.place]);
  begin_columns(row);
}

// Channels have a column from their first value on.
void TickHistory::begin_columns(std::span<const double> row) {
  std::erase_if(waiting_, [&](std::size_t place) {
    if (columns_.size() >= kMaxChannels || !std::isfinite(row[place])) return false;
    column_of_[place] = columns_.size();
    columns_.push_back({place, 0, {}});
    columns_.back().add(gone_ + ticks_.size() - 1, row[place]);
    return true;
  });
}

void TickHistory::drop_before(std::uint64_t sequence) {
  const std::uint64_t before = gone_;
  while (!ticks_.empty() && ticks_.front().sequence < sequence) {
    ticks_.pop_front();
    ++gone_;
  }
  if (gone_ == before) return;
  for (auto& column : columns_) column.drop_before(gone_);
  drop_empty_columns();
}

// Control groups come and go for months: of those that are gone nothing is left to be asked for.
void TickHistory::drop_empty_columns() {
  std::size_t at = 0;
  while (at < columns_.size()) {
    if (!columns_[at].values.empty()) {
      ++at;
      continue;
    }
    column_of_[columns_[at].place] = kNotKept;
    waiting_.push_back(columns_[at].place);
    if (at + 1 < columns_.size()) {
      columns_[at] = std::move(columns_.back());
      column_of_[columns_[at].place] = at;
    }
    columns_.pop_back();
  }
}

std::size_t TickHistory::value_count() const {
  std::size_t out = 0;
  for (const auto& column : columns_) out += column.values.size();
  return out;
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
  const auto& [place, begin, values] = columns_[column_of_[channel.index()]];
  const std::uint64_t end_of_values = begin + values.size();
  std::int64_t last_ns = 0;
  for (auto tick = std::max(gone_ + place_of(first), begin); tick < end_of_values; ++tick) {
    const auto& [sequence, wall_ns] = ticks_[static_cast<std::size_t>(tick - gone_)];
    if (sequence >= end) break;
    const auto value = static_cast<double>(values[static_cast<std::size_t>(tick - begin)]);
    if (!std::isfinite(value)) continue;
    out.push_back({out.empty() ? wall_ns - interval_ns_ : last_ns, wall_ns, value});
    last_ns = wall_ns;
  }
  return out;
}

}  // namespace reveal::window
