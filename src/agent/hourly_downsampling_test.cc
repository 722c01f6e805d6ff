#include "agent/hourly_downsampling.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace reveal::agent {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(HourlyDownsampling, IsTheCommandWithTheAgesThatHold) {
  settings::Settings settings;
  EXPECT_THAT(downsampling_words(settings, {"/var/lib/reveal"}), IsEmpty());
  settings.agent.downsample = true;
  settings.retention.full_ns = std::int64_t{90} * 60 * 1'000'000'000;
  EXPECT_THAT(downsampling_words(settings, {"/var/lib/reveal"}),
              ElementsAre("downsample", "/var/lib/reveal/recording", "--quiet", "--full", "90m",
                          "--1s", "7d", "--1min", "90d"));
}

TEST(HourlyDownsampling, HasAShareOfTheSizeOrLessIfThatIsAsked) {
  settings::Settings settings;
  settings.agent.downsample = true;
  settings.record.max_bytes = std::uint64_t{8} << 30;
  EXPECT_EQ(downsampling_words(settings, {"/var/lib/reveal"}).back(), "1GiB");
  settings.retention.max_bytes = std::uint64_t{2} << 30;
  EXPECT_EQ(downsampling_words(settings, {"/var/lib/reveal"}).back(), "1GiB");
  settings.retention.max_bytes = std::uint64_t{300} << 20;
  EXPECT_EQ(downsampling_words(settings, {"/var/lib/reveal"}).back(), "300MiB");
  settings.record.max_bytes = 0;
  EXPECT_EQ(downsampling_words(settings, {"/var/lib/reveal"}).back(), "300MiB");
}

}  // namespace
}  // namespace reveal::agent
