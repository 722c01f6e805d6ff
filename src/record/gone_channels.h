// How many of a recording's channels have had no value for a while: their devices and control
// groups are gone, and once they are many, the recording numbers those that are left anew.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/frame.h"

namespace reveal::record {

class GoneChannels {
 public:
  static constexpr std::size_t kFew = 512;  // are not worth a new segment

  // Takes the next frame.
  void see(const model::Frame& frame) {
    has_value_.resize(frame.bits.size(), 0);
    for (std::size_t i = 0; i < frame.bits.size(); ++i) {
      has_value_[i] |= static_cast<std::uint8_t>(frame.validity[i] != model::Validity::kMissing);
    }
  }

  // Returns whether of the channels more than kFew, and a third of all, have had no value since
  // the latest forget(), or ever.
  bool are_many() const {
    const auto gone = static_cast<std::size_t>(std::count(has_value_.begin(), has_value_.end(), 0));
    return gone > kFew && 3 * gone > has_value_.size();
  }

  void forget() { has_value_.clear(); }

 private:
  std::vector<std::uint8_t> has_value_;  // by channel
};

}  // namespace reveal::record
