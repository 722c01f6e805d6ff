#include "retention/age_clock.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/temp_dir.h"
#include "retention/recording_end.h"

namespace reveal::retention {
namespace {

using testing::HasSubstr;

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::int64_t kHour = 3600 * kSecond;
constexpr std::int64_t kStart = 1'700'000'000 * kSecond;

// Records one frame.
void record(const std::filesystem::path& dir, std::int64_t mono_ns) {
  auto created = store::SegmentWriter::create(dir, appending());
  ASSERT_TRUE(created) << created.error().message();
  auto& writer = *created;
  model::RunFacts facts;
  facts.host = "h";
  facts.interval_ns = kSecond;
  ASSERT_TRUE(writer.begin(facts));
  model::Frame frame;
  frame.wall_ns = kStart;
  frame.mono_ns = mono_ns;
  ASSERT_TRUE(writer.write(model::ChannelTable(), frame));
  ASSERT_TRUE(writer.finish());
}

TEST(AgeClock, TheNewestFrameIsFoundWhereverItWent) {
  const base::TempDir dir;
  EXPECT_FALSE(newest_frame(dir.path() / "r").value());
  record(dir.path() / "r", 4 * kSecond);
  record(dir.path() / "r" / "1min", 3 * kSecond);
  EXPECT_EQ((*newest_frame(dir.path() / "r"))->mono_ns, 4 * kSecond);
  record(dir.path() / "r" / "1s", 5 * kSecond);
  EXPECT_EQ((*newest_frame(dir.path() / "r"))->mono_ns, 5 * kSecond);
}

// Lets ages count with a clock that is so far ahead of the newest frame.
DownsampleOptions counted(std::int64_t ahead_ns, std::optional<std::string>& remark) {
  model::Frame newest;
  newest.wall_ns = kStart;
  newest.mono_ns = 7 * kSecond;
  DownsampleOptions out;
  out.now_ns = kStart + ahead_ns;
  remark = count_from(newest, out);
  EXPECT_EQ(out.newest_mono_ns, newest.mono_ns);
  return out;
}

TEST(AgeClock, TheEarlierOfClockAndFrameCounts) {
  std::optional<std::string> remark;
  EXPECT_EQ(counted(kHour, remark).now_ns, kStart);
  EXPECT_EQ(remark, std::nullopt);
  EXPECT_EQ(counted(-kHour, remark).now_ns, kStart - kHour);
  EXPECT_EQ(remark, std::nullopt);
  EXPECT_EQ(counted(kHour + 1, remark).now_ns, kStart);
  EXPECT_THAT(remark.value(), HasSubstr("--trust-clock"));
  EXPECT_EQ(counted(-kHour - 1, remark).now_ns, kStart - kHour - 1);
  EXPECT_THAT(remark.value(), HasSubstr("before the newest frame"));
}

}  // namespace
}  // namespace reveal::retention
