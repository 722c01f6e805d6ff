// Curves and bars in one line of text.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace reveal::text {

// Returns at most `width` characters. Each shows the largest value of its part of `values`, on a
// scale of eight heights from the smallest to the largest value. Equal values give the lowest
// height.
std::string sparkline(std::span<const double> values, std::size_t width);

// Returns a bar of `width` characters of which `share` (0-1) is filled.
std::string bar(double share, std::size_t width);

// Returns the part (see sparkline) in which the value number `index` of `count` lies.
std::size_t part_of(std::size_t index, std::size_t count, std::size_t width);

}  // namespace reveal::text
