#include "text/parse_time.h"

#include <gtest/gtest.h>

namespace reveal::text {
namespace {

constexpr std::int64_t kS = 1'000'000'000;

// Expected seconds are those of `date -u -d TEXT +%s`.
TEST(TimeText, ReadsDates) {
  EXPECT_EQ(parse_date("2026-11-20T14:03:07Z"), 1795183387 * kS);
  EXPECT_EQ(parse_date("2026-11-20 14:03:07"), 1795183387 * kS);
  EXPECT_EQ(parse_date("2026-11-20 14:03:07 UTC"), 1795183387 * kS);
  EXPECT_EQ(parse_date("2026-11-20 14:03:07 gmt"), 1795183387 * kS);
  EXPECT_EQ(parse_date("2026/11/20 14:03:07UTC"), 1795183387 * kS);
  EXPECT_EQ(parse_date("20261120 14:03:07"), 1795183387 * kS);
  EXPECT_EQ(parse_date("20261120T140307"), std::nullopt);
  EXPECT_EQ(parse_date("20261120"), std::nullopt);
  EXPECT_EQ(parse_date("2026-1120 14:03:07"), std::nullopt);
  EXPECT_EQ(parse_date("2026-11-20 14:03:07 CET"), std::nullopt);
  EXPECT_EQ(parse_date("2026/11/20 14:03:07.250"), 1795183387 * kS + 250'000'000);
  EXPECT_EQ(parse_date("2026-11-20T15:03:07+01:00"), 1795183387 * kS);
  EXPECT_EQ(parse_date("2026-11-20T08:33:07-0530"), 1795183387 * kS);
  EXPECT_EQ(parse_date(" 2026-11-20t14:03:07.1234567891z "), 1795183387 * kS + 123'456'789);
  EXPECT_EQ(parse_date("2026-11-20 14:03:07 +00:00"), 1795183387 * kS);
  EXPECT_EQ(parse_date("2026-11-20 14:03"), 1795183380 * kS);
  EXPECT_EQ(parse_date("2026-11-20"), 1795132800 * kS);
  EXPECT_EQ(parse_date("2024-02-29T00:00:00Z"), 1709164800 * kS);
  EXPECT_EQ(parse_date("1969-12-31T23:59:59.5Z"), -kS / 2);
}

TEST(TimeText, RefusesWhatIsNoDate) {
  for (const char* text :
       {"", "now", "2026", "2026-11", "2026-13-01", "2025-02-29", "2026-11-20T24:00:00Z",
        "2026-11-20T14:60:00Z", "2026-11-20T14:03:07X", "2026-11-20T14:03:07+25:00",
        "20-11-2026 14:03:07", "1795183387", "0001-01-01", "2026-11-20T14:03:07Z."}) {
    EXPECT_FALSE(parse_date(text)) << text;
  }
}

TEST(TimeText, KeepsDecimalsExactly) {
  EXPECT_EQ(parse_decimal_time("1700000000.123456789", TimeUnit::kS), 1700000000123456789);
  EXPECT_EQ(parse_decimal_time("1700000000123.25", TimeUnit::kMs), 1700000000123250000);
  EXPECT_EQ(parse_decimal_time("1700000000123456789", TimeUnit::kNs), 1700000000123456789);
  EXPECT_EQ(parse_decimal_time("-1.5", TimeUnit::kS), -1'500'000'000);
  EXPECT_EQ(parse_decimal_time("1.7e9", TimeUnit::kS), 1700000000 * kS);
  for (const char* text :
       {"", "x", "1.2.3", "1e300", "18446744073709551615", "inf", "nan", "1 s"}) {
    EXPECT_FALSE(parse_decimal_time(text, TimeUnit::kS)) << text;
  }
}

TEST(TimeText, GuessesTheUnitByMagnitude) {
  EXPECT_EQ(likely_unit(1.7e9), TimeUnit::kS);
  EXPECT_EQ(likely_unit(0), TimeUnit::kS);
  EXPECT_EQ(likely_unit(1.7e12), TimeUnit::kMs);
  EXPECT_EQ(likely_unit(1.7e15), TimeUnit::kUs);
  EXPECT_EQ(likely_unit(1.7e18), TimeUnit::kNs);
}

}  // namespace
}  // namespace reveal::text
