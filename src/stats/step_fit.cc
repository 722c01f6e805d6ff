#include "stats/step_fit.h"

#include <algorithm>

#include "stats/quantile.h"

namespace reveal::stats {
namespace {

// The sums that every stretch's fit follows from, of values with mean 0.
class Sums {
 public:
  explicit Sums(std::span<const double> values) : sum_(values.size() + 1, 0.0) {
    double total = 0;
    for (const double value : values) total += value;
    if (!values.empty()) mean_ = total / static_cast<double>(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double centered = values[i] - mean_;
      sum_[i + 1] = sum_[i] + centered;
      squares_ += centered * centered;
    }
  }

  std::size_t size() const { return sum_.size() - 1; }

  // Returns whether the values differ by no more than rounding does.
  bool is_flat() const { return squares_ <= 1e-20 * mean_ * mean_ * static_cast<double>(size()); }

  // Returns by how much two levels lower the sum of squares: s^2 / n + s^2 / (N - n) for the sum s
  // of n of the N samples, as all of them sum to 0.
  double gain(std::size_t begin, std::size_t end) const {
    const double sum = sum_[end] - sum_[begin];
    if (!(sum > 0)) return 0;
    const auto count = static_cast<double>(end - begin);
    const auto all = static_cast<double>(size());
    return sum * sum * all / (count * (all - count));
  }

  Pulse pulse(std::size_t begin, std::size_t end) const {
    const double sum = sum_[end] - sum_[begin];
    const auto count = static_cast<double>(end - begin);
    const auto rest = static_cast<double>(size()) - count;
    return {begin, end, mean_ + sum / count, mean_ - sum / rest,
            squares_ > 0 ? std::min(gain(begin, end) / squares_, 1.0) : 0};
  }

 private:
  std::vector<double> sum_;
  double mean_ = 0;
  double squares_ = 0;
};

}  // namespace

std::optional<Pulse> fit_pulse(std::span<const double> values, std::size_t least) {
  const std::size_t size = values.size();
  if (size < 2 * least) return std::nullopt;
  const Sums sums(values);
  if (sums.is_flat()) return std::nullopt;
  double best = 0;
  std::size_t begin = 0;
  std::size_t end = 0;
  for (std::size_t from = 0; from + least <= size; ++from) {
    const std::size_t last = std::min(size, from + size - least);
    for (std::size_t to = from + least; to <= last; ++to) {
      const double gain = sums.gain(from, to);
      if (gain <= best) continue;
      best = gain;
      begin = from;
      end = to;
    }
  }
  if (!(best > 0)) return std::nullopt;
  return sums.pulse(begin, end);
}

std::optional<Pulse> fit_rise(std::span<const double> values, std::size_t least) {
  const std::size_t size = values.size();
  if (size < 2 * least) return std::nullopt;
  const Sums sums(values);
  if (sums.is_flat()) return std::nullopt;
  double best = 0;
  std::size_t begin = 0;
  for (std::size_t from = least; from + least <= size; ++from) {
    const double gain = sums.gain(from, size);
    if (gain <= best) continue;
    best = gain;
    begin = from;
  }
  if (!(best > 0)) return std::nullopt;
  return sums.pulse(begin, size);
}

void clip_outliers(std::vector<double>& values, double tail) {
  if (values.empty()) return;
  auto sorted = values;
  std::sort(sorted.begin(), sorted.end());
  const double low = quantile(sorted, tail);
  const double high = quantile(sorted, 1 - tail);
  for (auto& value : values) value = std::clamp(value, low, high);
}

}  // namespace reveal::stats
