// Frames of a recording to the fewer frames of a rollup. A rollup's frame stands for all ticks
// within its own and has the time of the last of them. In it
//
//   a channel's value    is the latest that was read, raw: counters stay counters, so that rates
//                        over the rollup's interval come out exactly
//   its validity         is reset if any reading was one, else fresh if there was any reading, else
//                        stale if the value still stood, else missing
//   min, max and mean    are of the readings: a gauge's values, and the rates of counters and
//                        events between one reading and the next, as derive tells them
//                        (rates and means rounded, see summary.h)
//   notes                are all that were said, facts that hold already left out; what processes
//                        used is left out of rollups of more than 10 s, which it would outgrow
//   gap                  is why ticks within it, or before it, are not there
//
// In a rollup of a rollup min, max and mean are those of the finer rollup's values; of the mean,
// each of the finer ticks counts alike.
//
// What a frame is depends on nothing but the finer frames within it and the two frames of the
// rollup before it, from which counters go on. So a rollup that is made in parts is the same as one
// made at once. (What derive remembers of a counter for longer, to tell a wrap from a reset, it
// does not know here; the raw values keep the wrap for the rollup's reader to see.) For one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "derive/signal.h"
#include "model/fact_table.h"
#include "model/frame.h"
#include "retention/rollup_axis.h"
#include "retention/rollup_channels.h"
#include "retention/summary.h"

namespace reveal::retention {

class Downsampler {
 public:
  // How many of its latest frames a rollup goes on from.
  static constexpr std::size_t kMemory = 2;

  // REQUIRES: interval_ns > facts.interval_ns.
  Downsampler(const model::RunFacts& facts, std::int64_t interval_ns, FineSource fine);

  // Goes on with a rollup: its channels, its latest kMemory frames, oldest first, and the facts
  // that hold after them. Frames that are in the rollup already are passed over from here on.
  void resume(const model::ChannelTable& channels, std::vector<model::Frame> latest,
              model::FactTable stated);

  // Returns the run facts of the rollup, and its channels.
  const model::RunFacts& facts() const { return facts_; }
  const model::ChannelTable& channels() const { return channels_.table(); }

  // Takes the finer recording's next frame. Returns the rollup's frame that ends before it, if one
  // does, valid until the next call; else nullptr.
  const model::Frame* step(const model::ChannelTable& fine, const model::Frame& frame);
  // Returns the frame of the ticks since, if no more will come; nullptr if there are none.
  const model::Frame* finish();

  // Returns the rollup's tick to which the finer recording's tick belongs.
  std::uint64_t tick_of(std::uint64_t fine_sequence) const { return axis_.tick_of(fine_sequence); }
  // Returns whether the rollup has that tick.
  bool has(std::uint64_t tick) const { return !memory_.empty() && tick <= memory_.back().sequence; }

 private:
  // One channel of the finer recording, within the open tick.
  struct Column {
    std::optional<derive::Signal> unread;  // before its first reading; of what gets statistics
    std::optional<derive::Signal> signal;
    std::size_t source = 0;  // the rollup's
    Summary summary;
    std::uint64_t bits = 0;
    bool read = false;
    bool reset = false;
    bool stood = false;
  };

  void begin(std::uint64_t tick);
  void grow(const model::ChannelTable& fine, std::size_t count);
  void restart(std::size_t index);
  void prime(std::size_t index, derive::Signal& signal) const;
  void take(const model::ChannelTable& fine, const model::Frame& frame);
  void take_sample(std::size_t index, const model::Frame& frame, std::int64_t read_ns);
  const model::Frame* close();
  void close_column(std::size_t index);
  void close_beside(std::size_t index, model::Validity latest);
  void set(model::ChannelId id, std::uint64_t bits, model::Validity validity);
  std::uint64_t latest_bits(model::ChannelId id) const;

  model::RunFacts facts_;
  RollupAxis axis_;
  RollupChannels channels_;
  std::vector<Column> columns_;       // by the finer recording's channels
  std::deque<model::Frame> memory_;   // the latest of the rollup, oldest first
  std::optional<model::Frame> open_;  // of the tick that is not over; values come at its end
  model::FactTable stated_;
};

}  // namespace reveal::retention
