#include "feature/first_digits.h"

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <string>
#include <system_error>
#include <vector>

#include "stats/correlation.h"

namespace reveal::feature {

namespace {

// Powers of ten within which one digit's decimals are doubles of full precision.
constexpr int kMinPower = -300;
constexpr int kMaxPower = 308;

constexpr double kLog10Of2 = std::numbers::ln2 / std::numbers::ln10;

using Decade = std::array<double, 10>;  // the doubles nearest to d 10^power, by d

std::vector<Decade> make_decades() {
  std::vector<Decade> out;
  for (int power = kMinPower; power <= kMaxPower; ++power) {
    auto& decade = out.emplace_back();
    for (std::size_t digit = 1; digit < decade.size(); ++digit) {
      const std::string text = std::to_string(digit) + "e" + std::to_string(power);
      // 2e308 and more are beyond all doubles.
      if (std::from_chars(text.data(), text.data() + text.size(), decade[digit]).ec !=
          std::errc{}) {
        decade[digit] = std::numeric_limits<double>::infinity();
      }
    }
  }
  return out;
}

std::size_t first_printed_digit(double magnitude) {
  std::array<char, 32> text{};
  std::to_chars(text.data(), text.data() + text.size(), magnitude, std::chars_format::scientific);
  return static_cast<std::size_t>(text[0] - '0');
}

// Returns that of a power, from kMinPower to kMaxPower.
const Decade& decade_of(int power) {
  static const std::vector<Decade> decades = make_decades();
  return decades[static_cast<std::size_t>(power - kMinPower)];
}

}  // namespace

// The shortest decimal has the digit d or a higher one if and only if the value is not below the
// double nearest to d 10^power: if it is that double, then d 10^power itself is the shortest.
std::size_t first_digit(double value) {
  const double magnitude = std::abs(value);
  if (magnitude < 1e-299) return first_printed_digit(magnitude);  // zero, and few digits
  // What is before the point of its logarithm to the base 2, which are bits of a normal double.
  const auto log2 = static_cast<double>(std::bit_cast<std::uint64_t>(magnitude) >> 52U) - 1023.0;
  auto power = static_cast<int>(std::floor(log2 * kLog10Of2));
  if (power < kMaxPower && magnitude >= decade_of(power + 1)[1]) ++power;
  const Decade& decade = decade_of(power);
  std::size_t digit = 1;
  for (std::size_t d = 2; d < decade.size(); ++d) digit += magnitude >= decade[d] ? 1U : 0U;
  return digit;
}

double benford_correlation_of(const std::array<std::size_t, 10>& counts) {
  static const std::array law = [] {
    std::array<double, 9> out{};
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i] = std::log10(1.0 + 1.0 / static_cast<double>(i + 1));
    }
    return out;
  }();
  std::array<double, 9> seen{};
  for (std::size_t i = 0; i < seen.size(); ++i) seen[i] = static_cast<double>(counts[i + 1]);
  return stats::correlation(law, seen);
}

}  // namespace reveal::feature
