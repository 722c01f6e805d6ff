// What must be known of every channel of a window before its features are computed.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "window/window_view.h"

namespace reveal::feature {

// By channel.
struct Survey {
  std::vector<double> valid;  // how many samples are finite
  std::vector<double> due;    // how many there should be: ticks in which the channel was to be read
  std::vector<double> moves;  // 0 where all samples are there and equal
};

void survey(const window::WindowView& window, Survey& out);

}  // namespace reveal::feature
