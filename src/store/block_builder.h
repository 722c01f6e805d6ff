// The frames of the open block, by column: what BlockEncoder turns into bytes. A column takes
// memory only once it has changed, which most do not within a minute.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "model/frame.h"

namespace reveal::store {

// The columns of a block that every frame has; channels and reading times follow them.
enum class TickColumn : std::uint8_t { kSequence, kWall, kMono, kCost, kGap, kChannels, kTimes };
inline constexpr std::size_t kTickColumns = 7;

// A value for each tick so far.
class OpenColumn {
 public:
  // Adds the value of the tick after `ticks` ones. Of those, what was not added is what was added
  // last, or zero before anything was.
  void add(std::size_t ticks, std::uint64_t value);
  // Fills up to `ticks` values, and returns them: one if all are the same.
  std::span<std::uint64_t> finish(std::size_t ticks);

 private:
  std::uint64_t first_ = 0;
  std::vector<std::uint64_t> values_;  // none while all are the same
};

// Rows of small numbers, one row a tick, most of which are like an earlier one.
class RowSet {
 public:
  void add(std::span<const std::uint8_t> row);
  std::size_t ticks() const { return row_of_.size(); }
  const std::vector<std::vector<std::uint8_t>>& distinct() const { return rows_; }
  // Returns which of the distinct rows each tick has.
  const std::vector<std::uint16_t>& row_of() const { return row_of_; }

 private:
  std::vector<std::vector<std::uint8_t>> rows_;
  std::vector<std::uint16_t> row_of_;
};

struct TickNotes {
  std::size_t tick;
  std::vector<model::Note> notes;
};

class BlockBuilder {
 public:
  // Adds a frame, with `gap` and `notes` in place of its own. REQUIRES: ticks() < kMaxTicks.
  void add(const model::Frame& frame, std::uint8_t gap, const std::vector<model::Note>& notes);

  std::size_t ticks() const { return validity_.ticks(); }
  std::int64_t first_mono_ns() const { return first_mono_ns_; }
  const std::vector<TickNotes>& notes() const { return notes_; }

 private:
  friend class BlockEncoder;
  void add_tick(TickColumn column, std::uint64_t value);
  void add_values(const model::Frame& frame);
  void add_times(const model::Frame& frame);

  std::int64_t first_mono_ns_ = 0;
  std::array<OpenColumn, kTickColumns> tick_columns_;
  std::vector<OpenColumn> channels_;
  std::vector<std::uint64_t> latest_;  // by channel, added last
  std::vector<OpenColumn> times_;      // of collectors: reading time less the frame's
  std::vector<std::int64_t> read_ns_;
  RowSet validity_;  // by channel
  RowSet read_;      // by collector: 1 where it was read since the frame before
  std::vector<TickNotes> notes_;
  std::vector<std::uint8_t> row_;
};

}  // namespace reveal::store
