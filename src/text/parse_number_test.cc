#include "text/parse_number.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace reveal::text {
namespace {

TEST(ParseNumber, TakesForeignNumbers) {
  EXPECT_TRUE(parse_number("18446744073709551615")->whole);
  EXPECT_EQ(parse_number("18446744073709551615")->count, 18446744073709551615u);
  EXPECT_FALSE(parse_number("-3")->whole);
  EXPECT_EQ(parse_number(" -3 ")->real, -3);
  EXPECT_EQ(parse_number("+Inf")->real, std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(parse_number("NaN")->real));
  EXPECT_EQ(parse_number("1.5e3")->real, 1500);
  for (const char* text : {"", "-", "+", "+-1", "1 2", "12%", "true", "0x10"}) {
    EXPECT_FALSE(parse_number(text)) << text;
  }
}

}  // namespace
}  // namespace reveal::text
