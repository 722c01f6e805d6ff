#include "feature/ricker.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>
#include <vector>

#include "feature/ridge_lines.h"

namespace reveal::feature {
namespace {

using Wavelet = std::vector<double>;

Wavelet make_wavelet(std::size_t points, double width) {
  const double scale = 2.0 / (std::sqrt(3.0 * width) * std::pow(std::numbers::pi, 0.25));
  Wavelet out;
  for (std::size_t i = 0; i < points; ++i) {
    const double place = static_cast<double>(i) - (static_cast<double>(points) - 1.0) / 2.0;
    const double square = place * place / (width * width);
    out.push_back(scale * (1.0 - square) * std::exp(-square / 2.0));
  }
  return out;
}

// Returns the wavelet of a width for n samples, computed once for each thread.
const Wavelet& wavelet_of(std::size_t width, std::size_t n) {
  thread_local std::map<std::pair<std::size_t, std::size_t>, Wavelet> known;
  const std::size_t points = std::min(10 * width, n);
  auto& out = known[{width, points}];
  if (out.empty()) out = make_wavelet(points, static_cast<double>(width));
  return out;
}

double coefficient_at(std::span<const double> x, const Wavelet& wavelet, std::size_t place) {
  const std::size_t middle = place + (wavelet.size() - 1) / 2;
  const std::size_t begin = middle + 1 > wavelet.size() ? middle + 1 - wavelet.size() : 0;
  const std::size_t end = std::min(middle + 1, x.size());
  double sum = 0.0;
  for (std::size_t t = begin; t < end; ++t) sum += x[t] * wavelet[middle - t];
  return sum;
}

std::vector<double> transform_row(std::span<const double> x, std::size_t width) {
  std::vector<double> out;
  out.reserve(x.size());
  const Wavelet& wavelet = wavelet_of(width, x.size());
  for (std::size_t t = 0; t < x.size(); ++t) out.push_back(coefficient_at(x, wavelet, t));
  return out;
}

}  // namespace

void compute_ricker(std::span<const double> samples, std::span<double> out) {
  for (std::size_t w = 0; w < kRickerWidths.size(); ++w) {
    const Wavelet& wavelet = wavelet_of(kRickerWidths[w], samples.size());
    for (std::size_t k = 0; k < std::min(kRickerCoefficients, samples.size()); ++k) {
      out[k * kRickerWidths.size() + w] = coefficient_at(samples, wavelet, k);
    }
  }
  std::vector<std::vector<double>> rows;
  for (std::size_t i = 0; i < kPeakWidths.size(); ++i) {
    while (rows.size() < kPeakWidths[i]) rows.push_back(transform_row(samples, rows.size() + 1));
    out[kRickerFeatures - kPeakWidths.size() + i] = static_cast<double>(count_ridge_lines(rows));
  }
}

}  // namespace reveal::feature
