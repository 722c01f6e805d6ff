#include "stats/mean_error.h"

#include <cmath>

#include "stats/student_t.h"

namespace reveal::stats {

MeanError mean_error(std::span<const double> values, std::size_t batch) {
  MeanError out;
  const std::size_t n = values.size();
  if (n == 0) return out;
  const auto count = static_cast<double>(n);
  // From the first: a number far from 0 that hardly moves would lose what it moves by.
  double sum = 0;
  for (const double value : values) sum += value - values[0];
  const double from_first = sum / count;
  out.mean = values[0] + from_first;
  if (n < 2 * batch) return out;
  const auto length = static_cast<double>(batch);
  double stretch = 0;
  for (std::size_t i = 0; i < batch; ++i) stretch += values[i] - values[0] - from_first;
  double squares = stretch * stretch;
  for (std::size_t i = batch; i < n; ++i) {
    stretch += values[i] - values[i - batch];
    squares += stretch * stretch;
  }
  const double variance = squares / (length * (count - length + 1) * (count - length));
  out.error = std::sqrt(variance);
  out.freedom = 1.5 * (count / length - 1);
  return out;
}

MeanError difference(const MeanError& first, const MeanError& second) {
  MeanError out;
  out.mean = second.mean - first.mean;
  const double one = first.error * first.error;
  const double other = second.error * second.error;
  out.error = std::sqrt(one + other);
  if (std::isnan(out.error)) return out;
  const double weight = one * one / first.freedom + other * other / second.freedom;
  out.freedom = weight > 0 ? (one + other) * (one + other) / weight : first.freedom;
  return out;
}

double half_width(const MeanError& of, double confidence) {
  if (std::isnan(of.error) || !(of.freedom > 0)) return std::numeric_limits<double>::quiet_NaN();
  if (of.error == 0) return 0;
  return of.error * student_t_beyond(1 - confidence, of.freedom);
}

}  // namespace reveal::stats
