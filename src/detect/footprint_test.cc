#include "detect/footprint.h"

#include <cmath>

#include <gtest/gtest.h>

namespace reveal::detect {
namespace {

constexpr double kMiB = 1 << 20;

Footprint made(double times) {
  Footprint out{20 * kMiB, 400 * kMiB, 4096 * kMiB, 300, 400, 0};
  for (auto& level : out) level *= times;
  return out;
}

TEST(Footprint, IsAlikeWithinAQuarterInEachLevel) {
  EXPECT_TRUE(are_alike(made(1), made(1.2)));
  EXPECT_TRUE(are_alike(made(1.2), made(1)));
  EXPECT_FALSE(are_alike(made(1), made(1.3)));
  EXPECT_EQ(levels_apart(made(1), made(1.3)), 5U);
  auto one_apart = made(1);
  one_apart[3] *= 1.5;
  EXPECT_EQ(levels_apart(made(1), one_apart), 1U);
  EXPECT_FALSE(are_alike(made(1), one_apart));
}

TEST(Footprint, WhatComesBesideAnyWorkloadDoesNotCount) {
  const Footprint small{kMiB, 20 * kMiB, 100 * kMiB, 8, 60, 0};
  const Footprint with_a_shell{2 * kMiB, 40 * kMiB, 200 * kMiB, 14, 65, 0};
  EXPECT_TRUE(are_alike(small, with_a_shell));
}

TEST(Footprint, AJobOnAGpuIsAnotherThanNone) {
  auto with_gpu = made(1);
  with_gpu[5] = 20'000 * kMiB;
  EXPECT_FALSE(are_alike(made(1), with_gpu));
  with_gpu[5] = std::nan("");
  EXPECT_TRUE(are_alike(made(1), with_gpu)) << "nothing is known of GPUs";
}

TEST(Footprint, OneLevelIsTooLittleToKnowAWorkloadBy) {
  Footprint one = kNoFootprint;
  one[0] = 20 * kMiB;
  EXPECT_FALSE(are_alike(one, one));
  one[1] = 400 * kMiB;
  EXPECT_TRUE(are_alike(one, one));
}

TEST(Footprint, TheDistanceIsThatOfTheFarthestLevel) {
  EXPECT_EQ(distance(made(1), made(1)), 0);
  auto other = made(1);
  other[1] *= 1.1;
  other[2] *= 0.9;
  EXPECT_NEAR(distance(made(1), other), -std::log(0.9), 1e-12);
}

TEST(Footprint, IsReadOfABaselineAsTheSumOfAMetricsChannels) {
  FittedBaseline baseline;
  const auto add = [&](const char* channel, const char* feature, double median) {
    baseline.columns.push_back({.channel = channel, .feature = feature, .median = median});
  };
  add("gpu_memory_used_bytes{gpu=0}", "mean", 3);
  add("gpu_memory_used_bytes{gpu=1}", "mean", 4);
  add("gpu_memory_used_bytes{gpu=1}", "maximum", 9);
  add("cpu_threads_tasks", "mean", 100);
  add("cpu_threads_tasks_of_others", "mean", 50);
  const auto footprint = footprint_of(baseline);
  EXPECT_EQ(footprint[*footprint_place("gpu_memory_used_bytes")], 7);
  EXPECT_EQ(footprint[*footprint_place("cpu_threads_tasks")], 100);
  EXPECT_TRUE(std::isnan(footprint[*footprint_place("memory_mapped_bytes")]));
}

TEST(Footprint, TheMedianIsTakenLevelByLevel) {
  const auto median = median_of({made(1), made(3), made(2), kNoFootprint});
  EXPECT_EQ(median, made(2));
}

}  // namespace
}  // namespace reveal::detect
