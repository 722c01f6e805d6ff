#include "http/slow_work.h"

#include <atomic>
#include <future>
#include <string>
#include <thread>

#include <gtest/gtest.h>

namespace reveal::http {
namespace {

TEST(SlowWork, IsDoneInItsOrderAndBounded) {
  std::atomic<int> over = 0;
  std::promise<void> goes_on;
  const auto goes = goes_on.get_future().share();
  std::string text;
  SlowWork work(2, [&] { ++over; });
  const auto job = [&](char letter) {
    return [&text, goes, letter]() -> SlowWork::Then {
      goes.wait();
      return [&text, letter] { text += letter; };
    };
  };
  EXPECT_FALSE(work.take());
  EXPECT_TRUE(work.begin(job('a')));
  EXPECT_TRUE(work.begin(job('b')));
  EXPECT_FALSE(work.begin(job('c')));
  goes_on.set_value();
  while (over < 2) std::this_thread::yield();
  EXPECT_FALSE(work.begin(job('d'))) << "they count until they are taken";
  while (const auto then = work.take()) then();
  EXPECT_EQ(text, "ab");
  EXPECT_TRUE(work.begin(job('e')));
}

}  // namespace
}  // namespace reveal::http
