#include "feature/least_squares.h"

namespace reveal::feature {
namespace {

// A column of which this share of its square is left depends on the others.
constexpr double kDependentShare = 1e-18;

double dot_product(std::span<const double> a, std::span<const double> b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

void subtract(std::span<const double> column, double share, std::span<double> from) {
  for (std::size_t i = 0; i < from.size(); ++i) from[i] -= share * column[i];
}

}  // namespace

std::optional<std::vector<double>> least_squares(std::vector<std::vector<double>>& columns,
                                                 std::vector<double>& target) {
  const std::size_t count = columns.size();
  std::vector<double> before;
  before.reserve(count);
  for (const auto& column : columns) before.push_back(dot_product(column, column));
  std::vector<double> shares(count * count);  // of column j in what was column k: [j * count + k]
  std::vector<double> along(count);           // of column j in the target
  for (std::size_t j = 0; j < count; ++j) {
    const double square = dot_product(columns[j], columns[j]);
    if (!(square > kDependentShare * before[j])) return std::nullopt;
    for (std::size_t k = j + 1; k < count; ++k) {
      shares[j * count + k] = dot_product(columns[j], columns[k]) / square;
      subtract(columns[j], shares[j * count + k], columns[k]);
    }
    along[j] = dot_product(columns[j], target) / square;
    subtract(columns[j], along[j], target);
  }
  for (std::size_t j = count; j-- > 0;) {
    for (std::size_t k = j + 1; k < count; ++k) along[j] -= shares[j * count + k] * along[k];
  }
  return along;
}

}  // namespace reveal::feature
