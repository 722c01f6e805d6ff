// How a send went.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace reveal::alert {

enum class Outcome : std::uint8_t {
  kTaken,     // the receiver has it
  kRefused,   // the receiver will never take it: not to be sent again
  kNotTaken,  // the receiver surely did not take it
  kUnknown,   // it was sent, and no answer came
};

struct Delivery {
  Outcome outcome = Outcome::kTaken;
  std::string error;  // what happened, as one line; empty if it was taken
};

// Called when all is ready and before the first byte leaves: from then on the receiver may have it.
// Its time does not count against the time-out.
using BeforeSending = std::function<void()>;

}  // namespace reveal::alert
