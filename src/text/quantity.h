// Numbers as people read them in a report: "41 943 sectors/s", "1.3 GiB", "93 %", "4.2 ms".
#pragma once

#include <string>
#include <string_view>

namespace reveal::text {

// Returns `value` of `unit` in words. Bytes and seconds get a readable prefix. A ratio is told in
// percent up to 100 %, and beyond that as a factor: "1.13x". A flag is told as the share of the
// time in which it is set. Any other unit follows the number as it is. NaN is "undefined".
std::string format_quantity(double value, std::string_view unit);

// Returns CPU time over time as "0.85 of a core", or from one core on as "1.90 cores".
std::string format_cores(double cores);

// Returns `value` with thousands grouped by spaces from 10 000 on and about three significant
// digits below 100.
std::string format_number(double value);

}  // namespace reveal::text
