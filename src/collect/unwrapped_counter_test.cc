#include "collect/unwrapped_counter.h"

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
  expect(counter, 90, 100, 90, false);
  expect(counter, 95, 100, 95, false);
  expect(counter, 5, 100, 105, false);
  expect(counter, 5, 100, 105, false);
  expect(counter, 0, 100, 200, false);
  expect(counter, 100, 100, 300, false);
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
