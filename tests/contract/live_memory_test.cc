// A channel that is gone costs a live judge little: it is there for a few windows of hundreds.
#include <gtest/gtest.h>

#include "judge_memory.h"

namespace {

TEST(LiveMemoryContract, AChannelThatIsGoneCostsLittleAlsoWhileAFitGoesOn) {
  // The last of four fits comes just before the end.
  const auto memory = judge_memory(4, 206);
  ASSERT_GT(memory.gone_channels, 4000u);
  EXPECT_LE(memory.held, 4500);
  EXPECT_LE(memory.most, 5000);
}

}  // namespace
