// Rollups that may take so much and no more.
#include <algorithm>
#include <filesystem>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/temp_dir.h"
#include "retention/downsampling.h"
#include "retention/old_segments.h"
#include "retention/testing/downsampled.h"

namespace reveal::retention {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr auto kSecond = Recorder::kSecond;
constexpr std::int64_t kNever = 1'000'000 * kSecond;

std::uint64_t rollup_bytes(const fs::path& dir) {
  return bytes_of_recording(dir / "1s") + bytes_of_recording(dir / "1min");
}

// Downsamples a recording that grows, ten minutes at a time, all of it at once.
class LimitedRollups : public testing::Test {
 protected:
  DownsampleResult round(std::uint64_t most, std::int64_t second_ns = kNever) {
    recorder_.ticks(6000);
    return downsample_at(dir_.path(), recorder_.now(), {kSecond, second_ns, 2 * kNever, most});
  }

  base::TempDir dir_;
  Recorder recorder_{dir_.path()};
};

TEST_F(LimitedRollups, BecomeCoarserBeforeTheirAgeAndTheOldestGoLast) {
  constexpr std::uint64_t kMost = 200'000;
  std::uint64_t removed = 0;
  for (int i = 0; i < 16; ++i) {
    const auto result = round(kMost);
    EXPECT_LE(rollup_bytes(dir_.path()), kMost) << i;
    EXPECT_TRUE(result.too_large.empty()) << result.too_large;
    for (const auto& step : result.steps) removed += step.to.empty() ? step.segments : 0;
  }
  const auto seconds = sequences(dir_.path() / "1s");
  const auto minutes = sequences(dir_.path() / "1min");
  ASSERT_FALSE(seconds.empty());
  ASSERT_FALSE(minutes.empty());
  EXPECT_GT(seconds.front(), 0U) << "the limit had no effect";
  EXPECT_GE(seconds.back(), 16 * 600 - 25U) << "the newest stay";
  EXPECT_EQ(minutes.front(), 0U) << "nothing has gone while a second is kept";
  EXPECT_EQ(removed, 0U);
  // A minute that is over is kept, and no second before the next is missing.
  EXPECT_LE(seconds.front() / 60, minutes.back() + 1);
}

TEST_F(LimitedRollups, GoFromTheOldestMinuteOnOnceNothingIsFiner) {
  std::uint64_t removed = 0;
  std::vector<std::uint64_t> first;
  constexpr std::uint64_t kMost = 24'000;
  for (int i = 0; i < 15; ++i) {
    const auto result = round(kMost);
    EXPECT_LE(rollup_bytes(dir_.path()), kMost) << i;
    for (const auto& step : result.steps) removed += step.to.empty() ? step.segments : 0;
    const auto minutes = sequences(dir_.path() / "1min");
    if (!minutes.empty()) first.push_back(minutes.front());
  }
  EXPECT_GT(removed, 0U);
  EXPECT_TRUE(std::is_sorted(first.begin(), first.end()));
  EXPECT_GT(first.back(), 0U);
}

TEST_F(LimitedRollups, LeaveOldFramesAsTheyAreIfOneSegmentHasNoRoom) {
  const auto result = round(1000);
  EXPECT_THAT(result.too_large, HasSubstr("stay as they are"));
  EXPECT_EQ(rollup_bytes(dir_.path()), 0U);
  EXPECT_EQ(sequences(dir_.path()).size(), 6000U);
}

TEST_F(LimitedRollups, WithoutALimitAreAsBefore) {
  for (int i = 0; i < 3; ++i) round(0);
  EXPECT_EQ(sequences(dir_.path() / "1s").front(), 0U);
  EXPECT_FALSE(fs::exists(dir_.path() / "1min"));
}

}  // namespace
}  // namespace reveal::retention
