// The broker's time, and how far behind it this program is, from the messages alone: the clocks of
// the two need not agree.
//
// A message comes some time after the broker took it on, never before. So the broker's time is at
// least this program's steady clock plus the largest difference that a message had. That is exact
// to the shortest delay of the last minutes. As long as the broker has more messages than it has
// sent, it says so with each: then this program is behind, whatever the time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace reveal::analyser {

class StreamClock {
 public:
  // Behind by more than this nobody is to be accused.
  static constexpr std::int64_t kLongestLag_ns = 3'000'000'000;
  // A difference is remembered for one to two times this, as clocks drift.
  static constexpr std::int64_t kMemory_ns = 60'000'000'000;

  // Takes a message: when the broker took it on, how many come after it, as the broker saw it when
  // it sent it, and the steady clock now.
  void take(std::int64_t stored_ns, std::uint64_t pending, std::int64_t steady_ns);

  // Returns the broker's time, as far as messages have told it; nothing before the first one.
  std::optional<std::int64_t> broker_ns(std::int64_t steady_ns) const;
  // Returns the time until which all messages have come; nothing before the first one, and while
  // more are to come than came: what is not there yet says nothing.
  std::optional<std::int64_t> now_ns(std::int64_t steady_ns) const;

  // Returns whether the last message came too late.
  bool is_late() const { return is_late_; }

 private:
  std::int64_t ahead_ns() const;

  // The largest stored time less the steady clock, in this part of the time and in the last one.
  std::optional<std::int64_t> ahead_;
  std::optional<std::int64_t> ahead_before_;
  std::int64_t part_since_ns_ = 0;
  std::uint64_t pending_ = 0;
  bool is_late_ = false;
  // Messages of the last seconds of the broker's time, by second.
  std::array<std::uint64_t, 4> counts_{};
  std::int64_t second_ = -1;
};

}  // namespace reveal::analyser
