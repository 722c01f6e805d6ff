#include "text/time_text.h"

#include <cstdlib>
#include <ctime>

#include <gtest/gtest.h>

namespace reveal::text {
namespace {

TEST(TimeText, IsUtc) {
  EXPECT_EQ(iso_time(0), "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(iso_time(951'782'400'250'000'000), "2000-02-29T00:00:00.250Z");
  EXPECT_EQ(iso_time(-1), "1969-12-31T23:59:59.999Z");
  EXPECT_EQ(clock_time(951'782'399'999'999'999), "23:59:59.9");
}

// 2000-02-29 is in winter time, 2000-07-01 in summer time.
TEST(TimeText, AClockShowsLocalTimesWithTheirOffset) {
  ::setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1);
  ::tzset();
  const Clock local(Zone::kLocal);
  EXPECT_EQ(local.date_time(951'782'400'250'000'000), "2000-02-29T01:00:00.250+01:00");
  EXPECT_EQ(local.time(962'409'600'000'000'000), "02:00:00.0");
  EXPECT_EQ(local.date_time(962'409'600'000'000'000), "2000-07-01T02:00:00.000+02:00");
  EXPECT_EQ(local.name(), "local time");
  ::setenv("TZ", "NST3:30NDT,M3.2.0,M11.1.0", 1);
  ::tzset();
  EXPECT_EQ(local.date_time(0), "1969-12-31T20:30:00.000-03:30");
  EXPECT_EQ(local.stretch(0, 600'000'000'000),
            "1969-12-31, 20:30:00.0 to 20:40:00.0 local time (10 min 0 s)");
  EXPECT_EQ(Clock().date_time(0), "1970-01-01T00:00:00.000Z");
}

TEST(TimeText, AClockMayTellTheDay) {
  const auto clock = Clock().with_day();
  EXPECT_EQ(clock.time(1'700'000'000'250'000'000), "2023-11-14 22:13:20.2");
  EXPECT_EQ(clock.stretch(1'700'000'000'000'000'000, 1'700'000'001'000'000'000),
            "2023-11-14, 22:13:20.0 to 22:13:21.0 UTC (1.0 s)");
}

TEST(TimeText, SpansChooseTheirUnits) {
  EXPECT_EQ(span_text(0), "0 ms");
  EXPECT_EQ(span_text(850'000'000), "850 ms");
  EXPECT_EQ(span_text(59'900'000'000), "59.9 s");
  EXPECT_EQ(span_text(723'000'000'000), "12 min 3 s");
  EXPECT_EQ(span_text(10'920'000'000'000), "3 h 2 min");
}

}  // namespace
}  // namespace reveal::text
