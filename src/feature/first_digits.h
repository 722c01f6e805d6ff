// Benford's law: in data that span several orders of magnitude the first digit d comes with the
// frequency log10(1 + 1 / d).
#pragma once

#include <array>
#include <cstddef>

namespace reveal::feature {

// Returns the first digit of |value| as the shortest decimal that gives the same bits has it; 0 for
// zero. REQUIRES: finite.
std::size_t first_digit(double value);

// Returns the correlation of the frequencies of the digits 1 to 9 with the law's; NaN if all are
// alike. `counts` is by digit; zeros do not count.
double benford_correlation_of(const std::array<std::size_t, 10>& counts);

}  // namespace reveal::feature
