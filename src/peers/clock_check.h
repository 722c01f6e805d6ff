// Tells by when a host's messages come whether its clock is that of the broker: the host itself may
// not know. A message comes within a second or two after the end of its second, so what comes
// earlier or later time and again has the time of another clock.
#pragma once

#include <cstdint>

namespace reveal::peers {

class ClockCheck {
 public:
  // A message that comes so long after the end of its second, or between, is in time.
  static constexpr std::int64_t kEarliest_ns = -500'000'000;
  static constexpr std::int64_t kLatest_ns = 1'700'000'000;
  // So many in turn that are not make the clock a wrong one.
  static constexpr int kOften = 5;
  // Messages that come closer together were kept back, which says nothing of a clock.
  static constexpr std::int64_t kTogether_ns = 500'000'000;

  // Takes when the second ended by the host's clock, and when the broker took the message on.
  // REQUIRES: both are less than a year apart.
  void take(std::int64_t end_ns, std::int64_t stored_ns);

  // Returns what is to be added to the host's times: whole seconds; 0 if its clock is right.
  std::int64_t shift_ns() const { return shift_ns_; }

 private:
  std::int64_t shift_ns_ = 0;
  std::int64_t stored_ns_ = 0;  // of the message before
  int wrong_ = 0;               // in turn
};

}  // namespace reveal::peers
