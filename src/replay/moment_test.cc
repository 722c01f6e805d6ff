#include "replay/moment.h"

#include <gtest/gtest.h>

namespace reveal::replay {
namespace {

constexpr std::int64_t kS = 1'000'000'000;
constexpr std::int64_t kBegin = 1795183387 * kS;  // date -u -d 2026-11-20T14:03:07Z +%s
constexpr std::int64_t kEnd = kBegin + 600 * kS;

void expect(std::string_view text, std::int64_t ns) {
  const auto moment = parse_moment(text, kBegin, kEnd);
  ASSERT_TRUE(moment) << moment.error().message();
  EXPECT_EQ(*moment, ns) << text;
}

TEST(Moment, IsADateANumberOrADistance) {
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

TEST(Moment, RefusesTheRest) {
  for (const char* text :
       {"", "+", "-", "+5", "5m", "tomorrow", "25:00", "14:03:07:1", "+-5m", "1e400"}) {
    const auto moment = parse_moment(text, kBegin, kEnd);
    ASSERT_FALSE(moment) << text;
    EXPECT_EQ(moment.error().kind, base::ErrorKind::kUsage);
  }
}

}  // namespace
}  // namespace reveal::replay
