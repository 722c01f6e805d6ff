// The samples of some channels, tick by tick, for those who look closer than windows do: where
// within a window something began.
//
// Memory: 4 bytes a tick for each channel that is kept, from its first value to its latest, that is
// 144 KB an hour at 100 ms; bounded by kMaxChannels and by who calls drop_before(). Values are
// rounded to 24 bits. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "model/channel_table.h"

namespace reveal::window {

// A value and the time that it tells of: from the channel's value before to the tick it came with.
struct TickSample {
  std::int64_t begin_ns = 0;  // wall clock
  std::int64_t end_ns = 0;
  double value = 0;
};

class TickHistory {
 public:
  // Of very many control groups, those that came first are kept. Those that are gone give way.
  static constexpr std::size_t kMaxChannels = 2048;
  using Keeps = bool (*)(const model::MetricDescriptor&);

  // `which` says which metrics' channels are kept; null: none.
  explicit TickHistory(Keeps which = nullptr) : keeps_(which) {}

  // Takes the next tick's derived row. REQUIRES: ticks come in order; `channels` only grows;
  // `interval_ns` is the same in all calls.
  void add(const model::ChannelTable& channels, std::uint64_t sequence, std::int64_t wall_ns,
           std::int64_t interval_ns, std::span<const double> row);

  // Forgets the ticks before that one.
  void drop_before(std::uint64_t sequence);

  // Returns whether there is something to be asked for.
  bool keeps(model::ChannelId channel) const;

  // Returns the channel's values of the ticks [first, end), oldest first, without those that are
  // not there.
  std::vector<TickSample> samples(model::ChannelId channel, std::uint64_t first,
                                  std::uint64_t end) const;

  // Returns how many of the ticks [first, end) never came, of those not yet forgotten.
  std::uint64_t missing(std::uint64_t first, std::uint64_t end) const;

  std::int64_t interval_ns() const { return interval_ns_; }
  std::size_t tick_count() const { return ticks_.size(); }
  // Returns of how many channels there are values.
  std::size_t channel_count() const { return columns_.size(); }
  // Returns for how many values of 4 bytes it holds memory, for tests of its bounds.
  std::size_t value_count() const;

 private:
  static constexpr std::size_t kNotKept = ~std::size_t{0};
  struct Tick {
    std::uint64_t sequence = 0;
    std::int64_t wall_ns = 0;
  };
  // The values from the first that is a number to the latest one: ticks before the channel came
  // and after it went have none.
  struct Column {
    std::size_t place = 0;    // in a row
    std::uint64_t first = 0;  // tick of the first of these, counted from the first that ever came
    std::deque<float> values;

    void add(std::uint64_t tick, double value);
    void drop_before(std::uint64_t tick);
  };

  void grow(const model::ChannelTable& channels, std::size_t count);
  void begin_columns(std::span<const double> row);
  void drop_empty_columns();
  std::size_t place_of(std::uint64_t sequence) const;

  Keeps keeps_;
  std::int64_t interval_ns_ = 0;
  std::deque<Tick> ticks_;
  std::uint64_t gone_ = 0;  // ticks that are forgotten
  std::vector<Column> columns_;
  std::vector<std::size_t> column_of_;  // by ChannelId
  std::vector<std::size_t> waiting_;    // places of channels to be kept that have no value
};

}  // namespace reveal::window
