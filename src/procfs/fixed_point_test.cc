// Not fuzzed here: the cases of loadavg_test.cc and pressure_test.cc reach it.
#include "procfs/fixed_point.h"

#include <gtest/gtest.h>

namespace reveal::procfs {
namespace {

TEST(FixedPoint, IsWholeHundredths) {
  EXPECT_EQ(parse_hundredths("0.00"), 0u);
  EXPECT_EQ(parse_hundredths("0.93"), 93u);
  EXPECT_EQ(parse_hundredths("1024.07"), 102407u);
}

TEST(FixedPoint, AnyOtherShapeIsNoNumber) {
  for (const auto* word : {"", ".", "1", "1.", ".93", "1.2", "1.234", "-0.10", "1.-5", "1.5e",
                           "N/A", "99999999999999999999.00", "18446744073709551615.00"}) {
    EXPECT_FALSE(parse_hundredths(word)) << word;
  }
}

}  // namespace
}  // namespace reveal::procfs
