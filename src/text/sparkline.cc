#include "text/sparkline.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>
#include <vector>

namespace reveal::text {
namespace {

constexpr std::array<std::string_view, 8> kHeights{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};

}  // namespace

std::size_t part_of(std::size_t index, std::size_t count, std::size_t width) {
  return count <= width ? index : index * width / count;
}

std::string sparkline(std::span<const double> values, std::size_t width) {
  constexpr double kNothing = -std::numeric_limits<double>::infinity();
  std::vector<double> parts(std::min(width, values.size()), kNothing);
  double low = std::numeric_limits<double>::infinity();
  double high = kNothing;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) continue;
    auto& part = parts[part_of(i, values.size(), width)];
    part = std::max(part, values[i]);
    low = std::min(low, values[i]);
    high = std::max(high, values[i]);
  }
  std::string out;
  for (const double part : parts) {
    if (part == kNothing) {
      out += ' ';
      continue;
    }
    const double height = high > low ? (part - low) / (high - low) : 0.0;
    out += kHeights[static_cast<std::size_t>(std::lround(height * (kHeights.size() - 1)))];
  }
  return out;
}

std::string bar(double share, std::size_t width) {
  const auto filled = static_cast<std::size_t>(
      std::lround(std::clamp(share, 0.0, 1.0) * static_cast<double>(width)));
  std::string out;
  for (std::size_t i = 0; i < width; ++i) out += i < filled ? "█" : "░";
  return out;
}

}  // namespace reveal::text
