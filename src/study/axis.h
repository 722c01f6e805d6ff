// An axis of a picture: where values lie on it, and the round numbers beside it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace reveal::study {

class Axis {
 public:
  struct Range {
    double low = 0;
    double high = 0;
  };

  // Values from places.low to places.high, which may be the greater one of the two. `unit` is as
  // text::format_quantity() takes it, and must outlive this. The axis begins at 0 if that is below
  // the values and takes no more than half of it, and it has at least a twentieth of the largest
  // value, so that numbers beside it differ. REQUIRES: values.low <= values.high, both finite.
  Axis(Range values, Range places, std::string_view unit);

  double place(double value) const;
  // Returns round numbers on it, two to six of them.
  std::vector<double> ticks() const;
  // Returns such a number with its unit, if that has words of its own (bytes, seconds, ratio).
  std::string label(double tick) const;
  // Returns the unit that label() leaves out; empty if it leaves none out.
  std::string_view unit_beside() const;

 private:
  double step() const;

  Range values_;
  Range places_;
  std::string_view unit_;
};

}  // namespace reveal::study
