// The levels of the last five minutes of some quantities of a group: what people look at when a
// host is slow.
//
// Saturation signals are kept always, others for ten minutes after somebody asked for them. A level
// is kept as its code (wire/level_code.h) for the floor 1, whatever the floor of its host's
// dictionary, so that the codes of hosts can be compared; like levels have like codes. Seconds lie
// in blocks of up to fifty. Most hosts have the same level in most saturation signals, nearly
// always 0: a block says that one once, and the others by second and host. If too many are other,
// it has all of them. Bounded by kSeconds and, for all groups together, by whoever calls
// forget_block().
//
// Hosts have slots: a host that leaves frees its slot, which another gets only after its levels are
// forgotten. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wire/level_code.h"

namespace reveal::peers {

// A level's code for the floor 1, as 16 bits of two's complement.
using KeptCode = std::uint16_t;
inline constexpr KeptCode kNoLevel = 0xFFFF;

// Returns the code that a host's code is kept as, given its floor. The negative level next to 0,
// which no quantity has, would be kNoLevel; it becomes 0.
KeptCode kept_code(wire::Code code, std::uint16_t floor);
// Returns the level of a kept code; NaN if there is none.
float level_of(KeptCode code);

// Some seconds of one quantity, of the slots that there were.
class LevelBlock {
 public:
  static constexpr std::size_t kMostSeconds = 50;

  LevelBlock(std::int64_t begin_ns, std::size_t slots) : begin_ns_(begin_ns), slots_(slots) {}

  std::int64_t begin_ns() const { return begin_ns_; }
  std::size_t seconds() const { return seconds_; }
  std::size_t slots() const { return slots_; }

  // Appends a second. REQUIRES: there is one code a slot, and room for it.
  void add(std::span<const KeptCode> codes);
  // Returns the code of a slot that the block has, in its so manieth second.
  void copy(std::size_t second, std::span<KeptCode> to) const;
  // Gives back memory that it has not used. Nothing is added afterwards.
  void close() { data_.shrink_to_fit(); }

  // Returns what it takes.
  std::size_t bytes() const { return sizeof *this + data_.capacity() * sizeof(KeptCode); }

 private:
  void make_dense();

  std::int64_t begin_ns_;
  std::size_t slots_;
  std::size_t seconds_ = 0;
  KeptCode usual_ = kNoLevel;
  bool is_dense_ = false;
  // Dense: by second, then slot. Else three numbers for each code that is not usual_: second, slot
  // and code, in that order.
  std::vector<KeptCode> data_;
};

class KeptLevels {
 public:
  static constexpr std::size_t kSeconds = 300;
  static constexpr std::int64_t kAsked_ns = 600'000'000'000;
  static constexpr std::size_t kMostAsked = 16;  // quantities of a group that are no signals
  static constexpr std::size_t kMostSlots = 0xFFFF;

  // A quantity whose levels are kept.
  struct Series {
    std::string key;
    bool is_signal = false;
    std::int64_t until_ns = 0;   // of one that was asked for
    std::ptrdiff_t column = -1;  // of the group; -1: it has none now
    std::deque<LevelBlock> blocks{};
  };

  // Returns a slot for a host, at a time; kMostSlots if there is none.
  std::size_t take_slot(std::int64_t now_ns);
  void free_slot(std::size_t slot, std::int64_t now_ns);
  std::size_t slots() const { return slots_; }

  // Keeps a saturation signal from now on.
  void keep_signal(std::string_view key);
  // Keeps a quantity until kAsked_ns after that time. Of too many the one that was asked for first
  // is kept no more.
  void ask(std::string_view key, std::int64_t now_ns);
  // Returns null if the quantity is not kept.
  const Series* find(std::string_view key) const;
  std::vector<Series>& series() { return series_; }

  // Appends a second of a series. REQUIRES: there is one code a slot; seconds come in their order.
  void add(Series& series, std::int64_t begin_ns, std::span<const KeptCode> codes);
  // Forgets what is older than kSeconds before that time, and what nobody asked for lately.
  void forget(std::int64_t now_ns);
  // Forgets the oldest block of each series that has several.
  void forget_block();

  // Returns what the levels take.
  std::size_t bytes() const { return bytes_; }

 private:
  struct Free {
    std::size_t slot = 0;
    std::int64_t since_ns = 0;
  };

  void pop_block(Series& series);

  std::vector<Series> series_;
  std::deque<Free> free_;
  std::size_t slots_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace reveal::peers
