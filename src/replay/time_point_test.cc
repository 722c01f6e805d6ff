#include "replay/time_point.h"

#include <gtest/gtest.h>

namespace reveal::replay {
namespace {

constexpr std::int64_t kS = 1'000'000'000;
constexpr std::int64_t kBegin = 1795183387 * kS;  // date -u -d 2026-11-20T14:03:07Z +%s
constexpr std::int64_t kEnd = kBegin + 600 * kS;

void expect(std::string_view text, std::int64_t ns) {
  const auto time = parse_time_point(text, kBegin, kEnd);
  ASSERT_TRUE(time) << time.error().message();
  EXPECT_EQ(*time, ns) << text;
}

TEST(TimePoint, IsADateANumberOrADistance) {
  expect("2026-11-20T14:03:07Z", kBegin);
  expect("1795183387.5", kBegin + kS / 2);
  expect("+90s", kBegin + 90 * kS);
  expect("-5m", kEnd - 300 * kS);
  expect("+0s", kBegin);
  expect("-0s", kEnd);
  expect("14:03:07", kBegin);
  expect("14:03:07.5", kBegin + kS / 2);
  expect("14:04", kBegin + 53 * kS);
}

TEST(TimePoint, RefusesTheRest) {
  for (const char* text :
       {"", "+", "-", "+5", "5m", "tomorrow", "25:00", "14:03:07:1", "+-5m", "1e400"}) {
    const auto time = parse_time_point(text, kBegin, kEnd);
    ASSERT_FALSE(time) << text;
    EXPECT_EQ(time.error().kind, base::ErrorKind::kUsage);
  }
}

}  // namespace
}  // namespace reveal::replay
