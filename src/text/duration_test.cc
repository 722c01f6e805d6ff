#include "text/duration.h"

#include <gtest/gtest.h>

namespace reveal::text {
namespace {

TEST(Duration, UnitsOfEverydayUse) {
  const auto check = [](std::string_view text, std::int64_t ns) {
    const auto parsed = parse_duration(text);
    ASSERT_TRUE(parsed) << text;
    EXPECT_EQ(*parsed, ns) << text;
  };
  check("1ns", 1);
  check("250us", 250'000);
  check("100ms", 100'000'000);
  check("3s", 3'000'000'000);
  check("0.5s", 500'000'000);
  check("2m", 120'000'000'000);
  check("1.5h", 5'400'000'000'000);
  check("90d", 7'776'000'000'000'000);
}

TEST(Duration, RefusesWhatCouldMeanAnything) {
  for (const auto* text : {"", "s", "3", "-1s", "0s", "3 s", "3sec", "1e400s", "nans", "infs",
                           "9e20h", "3s5", "0x10s"}) {
    const auto parsed = parse_duration(text);
    ASSERT_FALSE(parsed) << text;
    EXPECT_EQ(parsed.error().kind, base::ErrorKind::kUsage) << text;
    EXPECT_FALSE(parsed.error().remedy.empty());
  }
}

}  // namespace
}  // namespace reveal::text
