#include "detect/drift.h"

#include <algorithm>
#include <numeric>
#include <random>

#include <gtest/gtest.h>

namespace reveal::detect {
namespace {

// Of two detectors: one whose scores are 0 to 99, and one that has nearly always 0.
FittedBaseline two_detectors() {
  FittedBaseline out;
  out.detectors.resize(2);
  out.detectors[0].scores.resize(100);
  std::iota(out.detectors[0].scores.begin(), out.detectors[0].scores.end(), 0.0);
  out.detectors[1].scores.assign(100, 0.0);
  out.detectors[1].scores.back() = 3.0;
  return out;
}

void add(Drift& drift, double first, double second, std::size_t windows = kDriftWindows) {
  const auto baseline = two_detectors();
  for (std::size_t i = 0; i < windows; ++i) drift.add(baseline, {first, second});
}

TEST(Drift, ScoresAsBeforeHaveNotMoved) {
  Drift drift;
  add(drift, 50, 0);
  EXPECT_FALSE(drift.moved());
  add(drift, 74, 0);  // a rank of .745
  EXPECT_FALSE(drift.moved());
  add(drift, 26, 0);
  EXPECT_FALSE(drift.moved());
}

TEST(Drift, TwoMinutesOfHigherOrLowerScoresHave) {
  for (const double score : {80.0, 20.0}) {
    Drift drift;
    add(drift, score, 0, kDriftWindows - 1);
    EXPECT_FALSE(drift.moved());
    add(drift, score, 0, 1);
    EXPECT_TRUE(drift.moved());
    add(drift, 50, 0);  // what has moved stays so until it is learned
    EXPECT_TRUE(drift.moved());
  }
  Drift of_the_second;
  add(of_the_second, 50, 1);
  EXPECT_TRUE(of_the_second.moved());
}

TEST(Drift, AFewSecondsFarOutHaveNot) {
  Drift drift;
  add(drift, 1e6, 3, 9);
  add(drift, 50, 0, kDriftWindows - 9);
  EXPECT_FALSE(drift.moved());
}

// A property: later scores of the same distribution, if three windows on end are alike as windows
// that overlap are, move in hardly any of a thousand stretches.
TEST(Drift, WhatIsDistributedAlikeSeldomMoves) {
  std::mt19937_64 random(7);
  std::lognormal_distribution<double> any(0, 1.5);
  FittedBaseline baseline;
  baseline.detectors.resize(1);
  auto& scores = baseline.detectors[0].scores;
  for (int i = 0; i < 600; ++i) scores.push_back(any(random));
  std::sort(scores.begin(), scores.end());
  int moved = 0;
  for (int stretch = 0; stretch < 1000; ++stretch) {
    Drift drift;
    double score = 0;
    for (std::size_t i = 0; i < kDriftWindows; ++i) {
      if (i % 3 == 0) score = any(random);
      drift.add(baseline, {score});
    }
    moved += drift.moved();
  }
  EXPECT_LE(moved, 3);
}

}  // namespace
}  // namespace reveal::detect
