#include "study/result.h"

#include <algorithm>
#include <cmath>

#include "stats/moments.h"
#include "stats/quantile.h"

namespace reveal::study {

double number_of(const Cell& cell) {
  const auto* amount = std::get_if<Amount>(&cell);
  return amount != nullptr ? amount->value : std::get<double>(cell);
}

std::size_t column_of(const Table& table, std::string_view name) {
  const auto found = std::ranges::find(table.columns, name, &Column::name);
  return static_cast<std::size_t>(found - table.columns.begin());
}

Summary summary(std::vector<double> values) {
  std::erase_if(values, [](double value) { return std::isnan(value); });
  const auto moments = stats::moments(values);
  return {values.size(), moments.mean, stats::median(values), moments.standard_deviation()};
}

}  // namespace reveal::study
