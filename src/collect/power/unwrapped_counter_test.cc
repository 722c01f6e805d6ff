#include "collect/power/unwrapped_counter.h"

#include <gtest/gtest.h>

namespace reveal::collect {
namespace {

void expect(UnwrappedCounter& counter, std::uint64_t value, std::optional<std::uint64_t> largest,
            std::uint64_t total, bool reset) {
  const auto step = counter.step(value, largest);
  EXPECT_EQ(step.total, total) << value;
  EXPECT_EQ(step.reset, reset) << value;
}

TEST(UnwrappedCounter, GrowsAcrossEveryWrap) {
  UnwrappedCounter counter;
  expect(counter, 60, 100, 60, false);
  expect(counter, 95, 100, 95, false);
  expect(counter, 5, 100, 105, false);
  expect(counter, 5, 100, 105, false);
  expect(counter, 0, 100, 200, false);
  expect(counter, 100, 100, 300, false);
}

// A package of 200 W, whose range is 262 kJ, read ten times a second; energies in uJ.
TEST(UnwrappedCounter, WhatIsSetBackIsNoWrap) {
  constexpr std::uint64_t kRange = 262'143'328'850;
  constexpr std::uint64_t kStep = 20'000'000;
  for (const std::uint64_t from : {100'000'000'000U, 180'000'000'000U, 240'000'000'000U}) {
    for (const std::uint64_t to : {std::uint64_t{0}, kStep, std::uint64_t{from} / 2}) {
      UnwrappedCounter counter;
      expect(counter, from, kRange, from, false);
      expect(counter, from + kStep, kRange, from + kStep, false);
      expect(counter, to, kRange, to, true);
      expect(counter, to + kStep, kRange, to + kStep, false);
    }
  }
  UnwrappedCounter wraps;
  expect(wraps, kRange - kStep, kRange, kRange - kStep, false);
  expect(wraps, kStep / 2, kRange, kRange + kStep / 2, false);  // no step is known yet
}

TEST(UnwrappedCounter, StepBackWithoutAKnownRangeIsAReset) {
  UnwrappedCounter counter;
  expect(counter, 90, {}, 90, false);
  expect(counter, 5, {}, 5, true);
  expect(counter, 200, 100, 200, false);  // above what was said to be the largest
  expect(counter, 1, 100, 1, true);
}

TEST(UnwrappedCounter, WrapsThatWentUnseenAreAReset) {
  UnwrappedCounter counter;
  expect(counter, 90, 100, 90, false);
  counter.miss();
  expect(counter, 95, 100, 95, true);
  expect(counter, 99, 100, 99, false);
}

TEST(UnwrappedCounter, RangeOfAllBitsDoesNotOverflow) {
  UnwrappedCounter counter;
  expect(counter, ~0ULL, ~0ULL, ~0ULL, false);
  expect(counter, 1, ~0ULL, 0, false);  // the total itself has 64 bits
}

}  // namespace
}  // namespace reveal::collect
