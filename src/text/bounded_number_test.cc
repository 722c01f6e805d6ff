#include "text/bounded_number.h"

#include <limits>

#include <gtest/gtest.h>

namespace reveal::text {
namespace {

TEST(BoundedNumber, TakesWhatLiesWithin) {
  EXPECT_EQ(number_within<int>("7", 1, 7), 7);
  EXPECT_EQ(number_within<int>("-3", -3, 7), -3);
  EXPECT_EQ(number_within<std::uint64_t>("18446744073709551615", 0, ~std::uint64_t{0}),
            ~std::uint64_t{0});
  EXPECT_EQ(number_within<double>("1e-6", 1e-6, 0.5), 1e-6);
}

TEST(BoundedNumber, RefusesTheRestAndSaysWhatItMustBe) {
  const auto said = [](const auto& result) { return result ? "" : result.error().message(); };
  EXPECT_EQ(said(number_within<int>("8", 1, 7)), "8: must be a whole number from 1 to 7");
  EXPECT_EQ(said(number_within<unsigned>("-1", 0, 7)), "-1: must be a whole number from 0 to 7");
  EXPECT_EQ(said(number_within<double>("2", 0.0, 0.5)), "2: must be a number from 0 to 0.5");
  for (const char* text : {"", "x", "1x", "1 2", "0x1", "nan", "inf", "1e999", "-1"}) {
    EXPECT_FALSE(number_within<double>(text, 0, std::numeric_limits<double>::max())) << text;
    EXPECT_FALSE(number_within<std::uint64_t>(text, 0, ~std::uint64_t{0})) << text;
  }
}

TEST(BoundedNumber, DoesNotSpeakOfTheTypesOwnBounds) {
  const auto real = number_within<double>("-1", 0, std::numeric_limits<double>::max());
  EXPECT_EQ(real.error().what, "must be a number from 0");
  const auto count = number_within<unsigned>("x", 0, std::numeric_limits<std::uint32_t>::max());
  EXPECT_EQ(count.error().what, "must be a whole number from 0 to 4294967295");
}

}  // namespace
}  // namespace reveal::text
