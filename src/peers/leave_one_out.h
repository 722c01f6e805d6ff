// The median of all hosts but one, for each host, from three order statistics: exact, and found
// without sorting. If nearly all hosts have the same value, that is all three.
#pragma once

#include <span>

namespace reveal::peers {

class LeaveOneOut {
 public:
  // Reorders the values. REQUIRES: two or more, all finite.
  explicit LeaveOneOut(std::span<float> values);

  // Returns the median of the others. REQUIRES: the value is one of those that were given.
  double without(float value) const;

  // Returns the median of all.
  double median() const;

 private:
  bool is_odd_;  // the number of values
  // About the middle of all; of an even number `above_` is the upper one of the middle two, and
  // `below_` is not used.
  double below_ = 0;
  double middle_ = 0;
  double above_ = 0;
};

}  // namespace reveal::peers
