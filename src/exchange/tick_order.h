// Ticks of a recording come one after another; a file that says otherwise is damaged.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <fmt/format.h>

namespace reveal::exchange {

class TickOrder {
 public:
  // Takes the next tick's number. Returns what is wrong with it, if anything is.
  std::optional<std::string> step(std::uint64_t sequence) {
    if (last_ && sequence <= *last_) {
      return fmt::format("tick {} does not come after tick {}", sequence, *last_);
    }
    last_ = sequence;
    return std::nullopt;
  }

 private:
  std::optional<std::uint64_t> last_;
};

}  // namespace reveal::exchange
