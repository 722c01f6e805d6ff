#include "feature/sparse_row.h"

#include <algorithm>

namespace reveal::feature {
namespace {

// A stretch costs as much as a value. So a few absent ones within it cost no more than another.
constexpr std::size_t kLeastGap = 4;

// Returns the end of the stretch that begins at `first`.
std::size_t end_of_stretch(std::span<const double> values, std::size_t first) {
  std::size_t end = first + 1;
  for (std::size_t next = end; next < values.size() && next - end < kLeastGap; ++next) {
    if (!SparseRow::is_absent(values[next])) end = next + 1;
  }
  return end;
}

}  // namespace

SparseRow::SparseRow(std::span<const double> values) {
  std::size_t kept = 0;
  for (std::size_t column = 0; column < values.size(); ++column) {
    if (is_absent(values[column])) continue;
    const std::size_t end = end_of_stretch(values, column);
    stretches_.push_back({static_cast<std::uint32_t>(column), static_cast<std::uint32_t>(kept)});
    kept += end - column;
    column = end;  // which is absent, if it is there at all
  }
  stretches_.shrink_to_fit();
  values_.resize(kept);
  for (std::size_t i = 0; i < stretches_.size(); ++i) {
    const auto [column, place] = stretches_[i];
    std::ranges::copy(values.subspan(column, end_of(i) - place),
                      values_.begin() + static_cast<std::ptrdiff_t>(place));
  }
}

void SparseRow::read(std::size_t first, std::span<double> out) const {
  std::ranges::fill(out, kAbsent);
  const auto after = std::ranges::upper_bound(stretches_, first, {}, &Stretch::column);
  auto i = static_cast<std::size_t>(after - stretches_.begin());
  if (i > 0) --i;
  for (; i < stretches_.size() && stretches_[i].column < first + out.size(); ++i) {
    const auto [column, place] = stretches_[i];
    const std::size_t begin = std::max<std::size_t>(column, first);
    const std::size_t end = std::min(column + end_of(i) - place, first + out.size());
    for (std::size_t next = begin; next < end; ++next) {
      out[next - first] = values_[place + next - column];
    }
  }
}

SparseRow SparseRow::with_columns(std::span<const std::size_t> columns) const {
  std::vector<double> values;
  values.reserve(columns.size());
  for (const std::size_t column : columns) values.push_back(at(column));
  return SparseRow(values);
}

}  // namespace reveal::feature
