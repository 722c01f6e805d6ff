// Finds, among the columns of a block encoded so far, those that a further column may be told
// against: which moved at the same ticks, by the same amount, or by nearly the same. The search
// only affects how small a block becomes, never what it says.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace reveal::store {

// The steps of one column, and at which ticks they are not zero.
struct Moves {
  std::span<const std::int64_t> steps;  // by tick; that of tick 0 is 0
  std::vector<std::uint64_t> ticks;     // a bit a tick
  std::size_t count = 0;
  // REQUIRES: `of` outlives this object.
  explicit Moves(std::span<const std::int64_t> of);
};

class ReferenceSearch {
 public:
  explicit ReferenceSearch(std::size_t ticks);

  // Returns columns added before that are worth a try, the likeliest first.
  const std::vector<std::uint32_t>& candidates(const Moves& moves);

  // REQUIRES: the steps outlive this object.
  void add(std::uint32_t column, Moves moves);

  // Returns what was added as `column`.
  const Moves& moves(std::uint32_t column) const { return known_[place_[column]].moves; }

  // Returns about how many bits it takes to say where `moves` has steps, alone and once it is known
  // where `other` has.
  double bits_alone(const Moves& moves) const;
  double bits_given(const Moves& moves, const Moves& other) const;
  // Returns about how many bits it takes to say which `part` of `whole` ticks it was.
  double entropy(std::size_t part, std::size_t whole) const;

 private:
  struct Known {
    std::uint32_t column = 0;
    Moves moves;
  };

  void vote_by_equal_steps(const Moves& moves);
  void find_alike_in_time(const Moves& moves);
  void find_alike_in_size(const Moves& moves);
  void propose(std::uint32_t place);
  bool dense(const Moves& moves) const { return moves.count * 4 > ticks_; }
  std::size_t slot(std::size_t tick, std::int64_t step) const;

  std::size_t ticks_;
  std::vector<Known> known_;
  std::vector<std::uint32_t> place_;    // in known_, by column
  std::vector<std::uint32_t> dense_;    // places
  std::vector<std::uint32_t> by_step_;  // hash table: place + 1 of the latest with that step
  std::vector<double> n_log_n_;
  std::vector<std::uint32_t> candidates_;
};

}  // namespace reveal::store
