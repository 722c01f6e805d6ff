#include "exchange/number_text.h"

#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>

#include <gtest/gtest.h>

#include "base/rng.h"

namespace reveal::exchange {
namespace {

using model::Repr;

std::string real(double value) {
  std::string out;
  append_sample(out, std::bit_cast<std::uint64_t>(value), Repr::kF64);
  return out;
}

std::string json_of(double value) {
  std::string out;
  append_json_sample(out, std::bit_cast<std::uint64_t>(value), Repr::kF64);
  return out;
}

TEST(NumberText, WritesWholeNumbersInFull) {
  std::string out;
  append_sample(out, std::numeric_limits<std::uint64_t>::max(), Repr::kU64);
  EXPECT_EQ(out, "18446744073709551615");
}

TEST(NumberText, WritesTheShortestDecimal) {
  EXPECT_EQ(real(0.1), "0.1");
  EXPECT_EQ(real(-0.0), "-0");
  EXPECT_EQ(real(3), "3");
  EXPECT_EQ(real(1e22), "1e+22");
  EXPECT_EQ(real(std::numeric_limits<double>::infinity()), "inf");
  EXPECT_EQ(real(std::bit_cast<double>(0x7FF8'0000'0000'0000)), "nan");
  EXPECT_EQ(real(std::bit_cast<double>(0xFFF8'0000'0000'0001)), "nan(0xfff8000000000001)");
}

TEST(NumberText, WritesJsonThatIsNoInteger) {
  EXPECT_EQ(json_of(3), "3.0");
  EXPECT_EQ(json_of(-0.0), "-0.0");
  EXPECT_EQ(json_of(1e22), "1e+22");
  EXPECT_EQ(json_of(std::nan("")), "\"nan\"");
  EXPECT_EQ(json_of(-std::numeric_limits<double>::infinity()), "\"-inf\"");
}

// The C library reads what we write, to the same bits.
TEST(NumberText, IsWhatTheCLibraryReads) {
  base::Rng rng(7);
  for (int i = 0; i < 20000; ++i) {
    const auto value = std::bit_cast<double>(rng.next());
    const double read = std::strtod(real(value).c_str(), nullptr);
    if (std::isnan(value)) {
      EXPECT_TRUE(std::isnan(read));
    } else {
      EXPECT_EQ(std::bit_cast<std::uint64_t>(read), std::bit_cast<std::uint64_t>(value));
    }
  }
}

TEST(NumberText, GivesTheSameBitsBack) {
  base::Rng rng(8);
  for (int i = 0; i < 20000; ++i) {
    const std::uint64_t bits = i % 4 == 0 ? rng.next() | 0x7FF0'0000'0000'0000 : rng.next();
    for (const Repr repr : {Repr::kU64, Repr::kF64}) {
      std::string text;
      append_sample(text, bits, repr);
      EXPECT_EQ(parse_sample(text, repr), bits) << text;
    }
  }
}

TEST(NumberText, RefusesWhatItDoesNotWrite) {
  for (const char* text : {"", " 1", "1 ", "-1", "+1", "1.0", "0x1", "18446744073709551616"}) {
    EXPECT_FALSE(parse_sample(text, Repr::kU64)) << text;
  }
  for (const char* text :
       {"", "x", "1,5", "nan(", "nan(0x1)", "nan()", "nan(0xzz)", "NaN", "infinit", "--1"}) {
    EXPECT_FALSE(parse_sample(text, Repr::kF64)) << text;
  }
}

}  // namespace
}  // namespace reveal::exchange
