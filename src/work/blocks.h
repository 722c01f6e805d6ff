// The candidates' means by block of a second, kept while ticks come, and the ticks of those that
// are the host's. Memory: some 6 bytes for each candidate and block and 40 more for a host's, that
// is 9 MB an hour for 60 of them; bounded by kMostCandidates and by who calls keep_last(). A tick
// costs a few nanoseconds a candidate.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/channel_table.h"
#include "work/counters.h"

namespace reveal::work {

// A host of very many control groups: what comes after so many candidates is left out, until groups
// that no kept block knows have made room.
inline constexpr std::size_t kMostCandidates = 1024;

// One channel that may count work.
struct Candidate {
  model::ChannelId channel;
  Quantity quantity = Quantity::kPages;
  model::Scope scope = model::Scope::kHost;
  std::string instance;  // "" for the host, else "dev=eth0", "cg=/job1"
  std::string group;     // of a control group's channel: "cg=/job1"; else empty
};

// Part of a run: one block by row.
struct Block {
  std::int64_t begin_ns = 0;  // wall clock
  std::int64_t end_ns = 0;
  bool is_whole = false;               // no tick is missing
  std::vector<float> level;            // by candidate: the mean of its samples, NaN if it has none
  std::vector<std::uint16_t> samples;  // by candidate: how many there were
  // Of the candidates that are no control group's, tick by tick, `tick_width` values each
  // (Blocks::ticks_of() knows whose); NaN if it was not read. Steps that last seconds show here.
  std::vector<float> ticks;
  std::size_t tick_width = 0;
};

class Blocks {
 public:
  // Takes the next derived row. REQUIRES: as WorkMeter::add().
  void add(const model::ChannelTable& channels, std::uint64_t sequence, std::int64_t wall_ns,
           std::int64_t interval_ns, std::span<const double> row);

  // Forgets all blocks but the last `blocks`.
  void keep_last(std::size_t blocks);

  const std::vector<Candidate>& candidates() const { return candidates_; }
  // The finished ones, in order of time. A block has as many levels as there were candidates then.
  const std::deque<Block>& finished() const { return finished_; }
  // Returns how many blocks were finished, those that are forgotten included.
  std::size_t so_far() const { return forgotten_ + finished_.size(); }
  // Returns a candidate's level by finished block; NaN if ticks of the block are missing, or if the
  // candidate has fewer samples in it. REQUIRES: least_samples >= 1.
  std::vector<double> levels_of(std::size_t candidate, std::size_t least_samples) const;
  // Returns a candidate's ticks in blocks `first` to `first` + `count` - 1, NaN where they are not
  // known; all NaN if it has none.
  std::vector<double> ticks_of(std::size_t candidate, std::size_t first, std::size_t count) const;
  std::size_t ticks_per_block() const { return ticks_per_block_; }
  std::int64_t interval_ns() const { return interval_ns_; }

 private:
  std::optional<std::size_t> tick_place(std::size_t candidate) const;
  void grow(const model::ChannelTable& channels, std::size_t count);
  void consider(const model::ChannelTable& channels, std::size_t place);
  void admit(const model::ChannelTable& channels, std::span<const double> row);
  void drop_gone();
  bool is_known(std::size_t candidate) const;
  void keep_only(const std::vector<std::size_t>& candidates);
  void open(std::uint64_t sequence, std::int64_t wall_ns);
  void close();
  void add_absent(std::uint64_t count);

  std::vector<Candidate> candidates_;
  std::vector<std::size_t> place_;     // by candidate: its index in a row
  std::vector<std::size_t> in_ticks_;  // candidates that Block::ticks has
  std::size_t seen_ = 0;               // channels of the table that were looked at
  std::vector<std::size_t> waiting_;   // of these, those that found no room, or that have gone
  std::int64_t interval_ns_ = 0;
  std::size_t ticks_per_block_ = 1;
  bool is_open_ = false;
  std::uint64_t number_ = 0;  // of the open block
  std::size_t ticks_ = 0;     // of the open block
  std::int64_t begin_ns_ = 0;
  std::int64_t end_ns_ = 0;
  std::vector<double> sum_;             // by candidate, of the open block
  std::vector<std::uint16_t> samples_;  // likewise
  std::vector<float> ticks_of_block_;   // as Block::ticks
  std::size_t tick_width_ = 0;
  std::deque<Block> finished_;
  std::size_t forgotten_ = 0;
};

}  // namespace reveal::work
