#include "peers/leave_one_out.h"

#include <algorithm>
#include <cstddef>
#include <optional>

namespace reveal::peers {
namespace {

// Returns the value that more than half of the others have, whichever is left out; nothing if there
// is none. If the three that are looked at differ, one that is there may not be seen.
std::optional<float> common_value(std::span<const float> values) {
  const float first = values.front();
  const float middle = values[values.size() / 2];
  const float last = values.back();
  if (first != middle && first != last && middle != last) return std::nullopt;
  const float value = first == middle ? first : last;
  const auto count = static_cast<std::size_t>(std::ranges::count(values, value));
  return count >= (values.size() - 1) / 2 + 2 ? std::optional(value) : std::nullopt;
}

}  // namespace

LeaveOneOut::LeaveOneOut(std::span<float> values) : is_odd_(values.size() % 2 == 1) {
  if (const auto common = common_value(values)) {
    below_ = middle_ = above_ = *common;
    return;
  }
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::nth_element(values.begin(), middle, values.end());
  middle_ = *middle;
  // What nth_element() left on both sides is ordered against the middle, not in itself.
  above_ = *std::min_element(middle + 1, values.end());
  if (is_odd_) below_ = *std::max_element(values.begin(), middle);
}

double LeaveOneOut::without(float value) const {
  if (!is_odd_) return value <= middle_ ? above_ : middle_;
  if (value < middle_) return (middle_ + above_) / 2;
  if (value > middle_) return (below_ + middle_) / 2;
  return (below_ + above_) / 2;
}

double LeaveOneOut::median() const {
  return is_odd_ ? middle_ : (middle_ + above_) / 2;
}

}  // namespace reveal::peers
