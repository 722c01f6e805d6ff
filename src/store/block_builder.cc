#include "store/block_builder.h"

#include <algorithm>

namespace reveal::store {
namespace {

constexpr std::size_t kRowsLookedAt = 16;
constexpr std::size_t kUsualTicks = 600;  // of a block

}  // namespace

void OpenColumn::add(std::size_t ticks, std::uint64_t value) {
  if (ticks == 0) {
    first_ = value;
    return;
  }
  if (values_.empty()) {
    if (value == first_) return;
    values_.reserve(kUsualTicks);
    values_.assign(ticks, first_);
  }
  values_.resize(ticks, values_.back());
  values_.push_back(value);
}

std::span<std::uint64_t> OpenColumn::finish(std::size_t ticks) {
  if (values_.empty()) return {&first_, 1};
  values_.resize(ticks, values_.back());
  return values_;
}

void RowSet::add(std::span<const std::uint8_t> row) {
  const std::size_t from = rows_.size() - std::min(rows_.size(), kRowsLookedAt);
  for (std::size_t i = rows_.size(); i > from; --i) {
    if (!std::equal(row.begin(), row.end(), rows_[i - 1].begin(), rows_[i - 1].end())) continue;
    row_of_.push_back(static_cast<std::uint16_t>(i - 1));
    return;
  }
  row_of_.push_back(static_cast<std::uint16_t>(rows_.size()));
  rows_.emplace_back(row.begin(), row.end());
}

void BlockBuilder::add_tick(TickColumn column, std::uint64_t value) {
  tick_columns_[static_cast<std::size_t>(column)].add(ticks(), value);
}

void BlockBuilder::add(const model::Frame& frame, std::uint8_t gap,
                       const std::vector<model::Note>& notes) {
  const std::size_t tick = ticks();
  if (tick == 0) first_mono_ns_ = frame.mono_ns;
  add_tick(TickColumn::kSequence, frame.sequence);
  add_tick(TickColumn::kWall, static_cast<std::uint64_t>(frame.wall_ns));
  add_tick(TickColumn::kMono, static_cast<std::uint64_t>(frame.mono_ns));
  add_tick(TickColumn::kCost, frame.cost_ns);
  add_tick(TickColumn::kGap, gap);
  add_tick(TickColumn::kChannels, frame.bits.size());
  add_tick(TickColumn::kTimes, frame.read_ns.size());

  add_values(frame);
  if (!notes.empty()) notes_.push_back({tick, notes});
  add_times(frame);

  row_.resize(frame.validity.size());
  for (std::size_t i = 0; i < row_.size(); ++i) {
    row_[i] = static_cast<std::uint8_t>(frame.validity[i]);
  }
  validity_.add(row_);
}

// Most values are those of the tick before, which columns need not be told. They lie far apart, and
// to fetch each from memory costs more than all the rest.
void BlockBuilder::add_values(const model::Frame& frame) {
  const std::size_t tick = ticks();
  if (channels_.size() < frame.bits.size()) {
    channels_.resize(frame.bits.size());
    latest_.resize(frame.bits.size(), 0);
  }
  for (std::size_t i = 0; i < frame.bits.size(); ++i) {
    if (frame.bits[i] == latest_[i]) continue;
    channels_[i].add(tick, frame.bits[i]);
    latest_[i] = frame.bits[i];
  }
}

// What was not read since the frame before keeps its offset, so that nothing is to be told of it.
void BlockBuilder::add_times(const model::Frame& frame) {
  const std::size_t tick = ticks();
  const std::size_t known = read_ns_.size();
  if (times_.size() < frame.read_ns.size()) times_.resize(frame.read_ns.size());
  row_.assign(frame.read_ns.size(), 0);
  for (std::size_t i = 0; i < frame.read_ns.size(); ++i) {
    if (i < known && tick > 0 && frame.read_ns[i] == read_ns_[i]) continue;
    row_[i] = 1;
    times_[i].add(tick, static_cast<std::uint64_t>(frame.read_ns[i]) -
                            static_cast<std::uint64_t>(frame.mono_ns));
  }
  read_ns_ = frame.read_ns;
  read_.add(row_);
}

}  // namespace reveal::store
