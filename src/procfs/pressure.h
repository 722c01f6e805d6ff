// /proc/pressure/{cpu,memory,io,irq}: how long tasks stood still for want of a resource.
// https://docs.kernel.org/accounting/psi.html
//
//   some avg10=0.07 avg60=0.44 avg300=0.43 total=8139969
//
// The totals are in us, the averages in percent. Of the averages only avg10 is read, for those who
// know it by name: all are smoothed, and hide what the totals of a window of 3 s show. Since Linux
// 4.20; cpu has a "full" line since 5.13; irq, "full" only, since 6.1.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "procfs/text_cursor.h"

namespace reveal::procfs {

struct Pressure {
  Value some_us;     // at least one task stood still
  Value full_us;     // all tasks that were not idle stood still
  Value some_avg10;  // in hundredths of a percent of the last 10 s
  Value full_avg10;
};

Pressure parse_pressure(std::string_view text);

// The same as a layout of the keys "some", "full", "some avg10" and "full avg10".
class PressureLayout {
 public:
  explicit PressureLayout(std::vector<std::string_view> keys) : keys_(std::move(keys)) {}
  std::size_t size() const { return keys_.size(); }
  void read(std::string_view text, std::span<Value> values) const;

 private:
  std::vector<std::string_view> keys_;
};

}  // namespace reveal::procfs
