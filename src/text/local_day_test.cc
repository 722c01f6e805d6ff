// Days of made-up time zones. Their rules are those of POSIX' TZ; seconds since the epoch are
// Python's (datetime, zoneinfo).
#include "text/local_day.h"

#include <cstdlib>
#include <ctime>

#include <gmock/gmock.h>

namespace reveal::text {
namespace {

using ::testing::HasSubstr;

constexpr std::int64_t kSecond_ns = 1'000'000'000;
constexpr std::int64_t kHour_ns = 3600 * kSecond_ns;

void live_in(const char* zone) {
  ::setenv("TZ", zone, 1);
  ::tzset();
}

constexpr const char* kBerlin = "CET-1CEST,M3.5.0,M10.5.0/3";
constexpr std::int64_t kNoon_ns = 1'795'604'400 * kSecond_ns;  // 2026-11-25T11:00:00Z

TEST(LocalDay, BeginsAtLocalMidnight) {
  live_in(kBerlin);
  EXPECT_EQ(local_day(kNoon_ns), kNoon_ns - 12 * kHour_ns);
  EXPECT_EQ(local_day(kNoon_ns, -1), kNoon_ns - 36 * kHour_ns);
  EXPECT_EQ(local_day(kNoon_ns, 1), kNoon_ns + 12 * kHour_ns);
  EXPECT_EQ(local_day(local_day(kNoon_ns)), local_day(kNoon_ns));
  EXPECT_EQ(local_date(kNoon_ns - 12 * kHour_ns), "2026-11-25");
  EXPECT_EQ(local_date(kNoon_ns - 12 * kHour_ns - 1), "2026-11-24");
  EXPECT_EQ(local_hour(kNoon_ns), 12);
  live_in("UTC0");
  EXPECT_EQ(local_day(kNoon_ns), kNoon_ns - 11 * kHour_ns);
}

TEST(LocalDay, HasTwentyThreeOrTwentyFiveHoursWhenTheClockIsSet) {
  live_in(kBerlin);
  const std::int64_t spring_ns = 1'774'780'200 * kSecond_ns;  // 2026-03-29T10:30:00Z
  EXPECT_EQ(local_day(spring_ns, 1) - local_day(spring_ns), 23 * kHour_ns);
  const std::int64_t autumn_ns = 1'792'924'200 * kSecond_ns;  // 2026-10-25T10:30:00Z
  EXPECT_EQ(local_day(autumn_ns, 1) - local_day(autumn_ns), 25 * kHour_ns);
}

// There, on the first Sunday of October, 00:00 is 01:00.
TEST(LocalDay, BeginsAnHourLaterIfThereIsNoMidnight) {
  live_in("XXX3YYY,M10.1.0/0,M2.3.0/0");
  const std::int64_t noon_ns = 1'791'126'000 * kSecond_ns;  // 2026-10-04T15:00:00Z
  const auto begin_ns = local_day(noon_ns);
  EXPECT_EQ(local_date(begin_ns), "2026-10-04");
  EXPECT_EQ(local_hour(begin_ns), 1);
  EXPECT_EQ(local_date(begin_ns - 1), "2026-10-03");
}

TEST(LocalDay, WhenIsSaidInSeveralWays) {
  live_in(kBerlin);
  const auto when = [](const char* text) { return parse_when(text, kNoon_ns).value_or(-1); };
  EXPECT_EQ(when("now"), kNoon_ns);
  EXPECT_EQ(when("today"), kNoon_ns - 12 * kHour_ns);
  EXPECT_EQ(when("yesterday"), kNoon_ns - 36 * kHour_ns);
  EXPECT_EQ(when("24h"), kNoon_ns - 24 * kHour_ns);
  EXPECT_EQ(when("2026-11-25"), kNoon_ns - 12 * kHour_ns);
  EXPECT_EQ(when("2026-11-25T10:00:00Z"), kNoon_ns - kHour_ns);
  EXPECT_EQ(when("2026-11-25T10:00:00+01:00"), kNoon_ns - 2 * kHour_ns);
  for (const char* wrong : {"", "tomorrow", "24", "-1h", "2026-13-01", "25.11.2026"}) {
    const auto refused = parse_when(wrong, kNoon_ns);
    ASSERT_FALSE(refused) << wrong;
    EXPECT_EQ(refused.error().kind, base::ErrorKind::kUsage) << wrong;
    EXPECT_THAT(refused.error().message(), HasSubstr("is not a time")) << wrong;
  }
}

}  // namespace
}  // namespace reveal::text
