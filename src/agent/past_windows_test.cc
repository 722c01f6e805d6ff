#include "agent/past_windows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace reveal::agent {
namespace {

using ::testing::SizeIs;

constexpr std::int64_t kSecond_ns = 1'000'000'000;

live::JudgedWindow window(std::int64_t end_s, double strength, bool judged = true) {
  live::JudgedWindow out;
  out.span.end_ns = end_s * kSecond_ns;
  out.judged = judged;
  out.strength = strength;
  out.shares[1] = strength / 2;
  return out;
}

TEST(PastWindows, TheStrongestOfAStretchSpeaks) {
  PastWindows past;
  past.add(window(100, 0.5));
  past.add(window(105, 0.9));
  past.add(window(109, 0.25));
  EXPECT_EQ(past.past(), nullptr) << "the stretch goes on";
  past.add(window(110, 0.75));
  const auto first = past.past();
  ASSERT_THAT(first->stretches, SizeIs(1));
  EXPECT_EQ(first->stretches[0].begin_wall_ns, 100 * kSecond_ns);
  EXPECT_EQ(first->stretches[0].strength, 0.9);
  EXPECT_FLOAT_EQ(first->stretches[0].shares[1], 0.45F);
  EXPECT_EQ(first->subsystems[1], "gpu");
  past.add(window(140, 0.125));
  ASSERT_THAT(past.past()->stretches, SizeIs(2));
  EXPECT_EQ(past.past()->stretches[1].strength, 0.75);
  EXPECT_THAT(first->stretches, SizeIs(1)) << "a reader keeps what it found";
}

TEST(PastWindows, WindowsWithoutAVerdictAreNoStretch) {
  PastWindows past;
  past.add(window(100, 0, false));
  past.add(window(110, 0, false));
  EXPECT_EQ(past.past(), nullptr);
  past.add(window(120, 0));
  past.add(window(130, 0, false));
  EXPECT_THAT(past.past()->stretches, SizeIs(1)) << "quiet is a verdict";
}

TEST(PastWindows, SixHoursAreKept) {
  PastWindows past;
  for (int i = 0; i < 2200; ++i) past.add(window(10 * i, 0.5));
  ASSERT_THAT(past.past()->stretches, SizeIs(2160));
  EXPECT_EQ(past.past()->stretches.back().begin_wall_ns, 21'980 * kSecond_ns);
}

}  // namespace
}  // namespace reveal::agent
