#include "text/time_text.h"

#include <gtest/gtest.h>

namespace reveal::text {
namespace {

TEST(TimeText, IsUtc) {
  EXPECT_EQ(iso_time(0), "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(iso_time(951'782'400'250'000'000), "2000-02-29T00:00:00.250Z");
  EXPECT_EQ(iso_time(-1), "1969-12-31T23:59:59.999Z");
  EXPECT_EQ(clock_time(951'782'399'999'999'999), "23:59:59.9");
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
