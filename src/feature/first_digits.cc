#include "feature/first_digits.h"

#include <charconv>
#include <cmath>
#include <vector>

#include "stats/correlation.h"

namespace reveal::feature {

std::size_t first_digit(double value) {
  std::array<char, 32> text{};
  std::to_chars(text.data(), text.data() + text.size(), std::abs(value),
                std::chars_format::scientific);
  return static_cast<std::size_t>(text[0] - '0');
}

double benford_correlation_of(const std::array<std::size_t, 10>& counts) {
  std::vector<double> law;
  std::vector<double> seen;
  for (std::size_t digit = 1; digit < counts.size(); ++digit) {
    law.push_back(std::log10(1.0 + 1.0 / static_cast<double>(digit)));
    seen.push_back(static_cast<double>(counts[digit]));
  }
  return stats::correlation(law, seen);
}

}  // namespace reveal::feature
