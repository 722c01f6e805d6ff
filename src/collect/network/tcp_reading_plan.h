// How the TCP sockets of a host are to be read in a turn, so that reading them every second stays
// cheap.
//
// To find sockets the kernel walks over its whole table of them, 0.2 to 1 ms by the host's memory,
// however few there are. To ask for one whose address is known takes 2 us. So a walk is made at
// least every ten seconds, and as soon as a socket has come or gone; in between the known ones are
// asked for. What readings take is bounded besides: on average 0.3 ms a second, with what was not
// taken saved for bursts. A host whose sockets cost more is read less often, but every ten seconds
// in any case.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>

namespace reveal::collect {

enum class TcpReading : std::uint8_t {
  kNone,   // the values of the last reading stand
  kKnown,  // those of the last walk, asked for one by one
  kAll,    // by a walk
};

class TcpReadingPlan {
 public:
  static constexpr double kShare = 0.0003;  // of one core
  static constexpr std::chrono::nanoseconds kMostSaved = std::chrono::milliseconds(10);
  // What ten seconds save: a walk that was due and cost more is not paid for by later ones.
  static constexpr std::chrono::nanoseconds kMostOwed = std::chrono::milliseconds(3);
  // Turns are some ms early or late: this makes it the tenth turn of a second each.
  static constexpr std::chrono::nanoseconds kLongest = std::chrono::milliseconds(9500);

  // Returns what to do at that time of CLOCK_MONOTONIC. `in_use`: how many TCP sockets the host
  // has, by which it is noticed that one came; nothing if that is not known. `can_ask`: the known
  // ones are all that there were, and few enough.
  TcpReading next(std::int64_t now_ns, std::optional<std::uint64_t> in_use, bool can_ask);

  // Says that a walk succeeded, begun at that time with so many in use.
  void note_walk(std::int64_t now_ns, std::optional<std::uint64_t> in_use);

  // Takes the CPU time of a turn.
  void charge(std::chrono::nanoseconds cost) { saved_ = std::max(saved_ - cost, -kMostOwed); }

 private:
  void save(std::int64_t now_ns);

  std::chrono::nanoseconds saved_ = kMostSaved;  // below zero: taken in advance
  std::optional<std::int64_t> saved_until_ns_;
  std::optional<std::int64_t> walked_ns_;
  std::optional<std::uint64_t> in_use_;
};

}  // namespace reveal::collect
