#include "feature/first_digits.h"

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "base/rng.h"

namespace reveal::feature {
namespace {

// By the standard library's shortest text.
std::size_t printed(double value) {
  std::array<char, 32> text{};
  std::to_chars(text.data(), text.data() + text.size(), std::abs(value),
                std::chars_format::scientific);
  return static_cast<std::size_t>(text[0] - '0');
}

TEST(FirstDigit, IsThatOfTheShortestDecimal) {
  EXPECT_EQ(first_digit(0.0), 0U);
  EXPECT_EQ(first_digit(-0.0), 0U);
  EXPECT_EQ(first_digit(-2.5), 2U);
  EXPECT_EQ(first_digit(5e-324), 5U);
  EXPECT_EQ(first_digit(std::numeric_limits<double>::max()), 1U);
  base::Rng rng(11);
  for (int i = 0; i < 200'000; ++i) {
    const auto value = std::bit_cast<double>(rng.next());
    if (!std::isfinite(value)) continue;
    ASSERT_EQ(first_digit(value), printed(value)) << value;
  }
}

// Where the digit changes: the nearest double, and those beside it.
TEST(FirstDigit, ChangesWhereTheDecimalDoes) {
  for (int power = -323; power <= 308; ++power) {
    for (int digit = 1; digit < 10; ++digit) {
      const double edge =
          std::strtod((std::to_string(digit) + "e" + std::to_string(power)).c_str(), nullptr);
      for (const double value : {std::nextafter(edge, 0.0), edge, std::nextafter(edge, 1e308)}) {
        if (!std::isfinite(value)) continue;
        ASSERT_EQ(first_digit(value), printed(value)) << value;
      }
    }
  }
}

}  // namespace
}  // namespace reveal::feature
