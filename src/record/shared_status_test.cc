#include "record/shared_status.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace reveal::record {
namespace {

TEST(SharedStatus, SaysToAnotherProcessHowTheRecorderGetsOn) {
  auto ours = SharedStatus::create();
  ASSERT_TRUE(ours);
  auto theirs = SharedStatus::open(::dup(ours->fd()));
  ASSERT_TRUE(theirs);
  EXPECT_EQ(ours->read().frames, 0U);
  EXPECT_TRUE(ours->read().storing);
  theirs->write({.elapsed_ns = 5,
                 .channels = 700,
                 .frames = 12,
                 .missed = 3,
                 .bytes = 4096,
                 .storing = false});
  const auto seen = ours->read();
  EXPECT_EQ(seen.elapsed_ns, 5);
  EXPECT_EQ(seen.frames, 12U);
  EXPECT_EQ(seen.missed, 3U);
  EXPECT_EQ(seen.channels, 700U);
  EXPECT_EQ(seen.bytes, 4096U);
  EXPECT_FALSE(seen.storing);
}

TEST(SharedStatus, RefusesADescriptorThatIsSomethingElse) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  EXPECT_EQ(SharedStatus::open(ends[0]).error().kind, base::ErrorKind::kUsage);
  EXPECT_EQ(SharedStatus::open(999).error().kind, base::ErrorKind::kUsage);
  ::close(ends[0]);
  ::close(ends[1]);
}

}  // namespace
}  // namespace reveal::record
