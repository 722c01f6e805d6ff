#include "base/backoff.h"

#include <algorithm>
#include <chrono>

#include <gtest/gtest.h>

namespace reveal::base {
namespace {

using std::chrono::milliseconds;

TEST(Backoff, StaysWithinItsCaps) {
  Backoff backoff(1, milliseconds(1000), milliseconds(55'000));
  milliseconds cap(1000);
  milliseconds sum(0);
  for (int i = 0; i < 1000; ++i) {
    const auto pause = backoff.failed();
    EXPECT_GE(pause, milliseconds(0));
    EXPECT_LE(pause, cap);
    cap = std::min(cap * 2, milliseconds(55'000));
    sum += pause;
  }
  // Of a uniform distribution, by far more than five standard errors.
  EXPECT_NEAR(static_cast<double>(sum.count()) / 1000, 27'500, 3'000);
  backoff.succeeded();
  EXPECT_LE(backoff.failed(), milliseconds(1000));
}

}  // namespace
}  // namespace reveal::base
