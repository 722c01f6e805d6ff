#include "http/slow_work.h"

#include <atomic>
#include <future>
#include <set>
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

// One that takes long is not in the way of the others.
TEST(SlowWork, IsDoneByAsManyThreadsAsAreNeeded) {
  std::promise<void> goes_on;
  const auto goes = goes_on.get_future().share();
  std::atomic<int> over = 0;
  std::set<std::thread::id> threads;
  SlowWork work(
      8, [&] { ++over; }, 3);
  const auto job = [&](bool is_long) {
    return [&threads, goes, is_long]() -> SlowWork::Then {
      if (is_long) goes.wait();
      return [&threads, id = std::this_thread::get_id()] { threads.insert(id); };
    };
  };
  EXPECT_TRUE(work.begin(job(true)));
  EXPECT_TRUE(work.begin(job(true)));
  for (int i = 1; i <= 4; ++i) {
    EXPECT_TRUE(work.begin(job(false)));
    while (over < i) std::this_thread::yield();
  }
  goes_on.set_value();
  while (over < 6) std::this_thread::yield();
  while (const auto then = work.take()) then();
  EXPECT_EQ(threads.size(), 3U);
}

}  // namespace
}  // namespace reveal::http
