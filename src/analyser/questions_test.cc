#include "analyser/questions.h"

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace reveal::analyser {
namespace {

using std::chrono::milliseconds;

constexpr std::chrono::seconds kLong{60};

// Answers until it is told to end.
class LoopThread {
 public:
  explicit LoopThread(Questions& questions)
      : thread_([this, &questions] {
          while (!is_over_) {
            questions.answer(fleet_);
            std::this_thread::sleep_for(milliseconds(1));
          }
        }) {}
  ~LoopThread() {
    is_over_ = true;
    thread_.join();
  }
  LoopThread(const LoopThread&) = delete;
  LoopThread& operator=(const LoopThread&) = delete;

 private:
  peers::Fleet fleet_;
  std::atomic<bool> is_over_ = false;
  std::thread thread_;
};

TEST(Questions, AreAnsweredByTheLoop) {
  Questions questions;
  const LoopThread loop(questions);
  std::thread::id answered_by;
  ASSERT_TRUE(questions.ask(
      [&](peers::Fleet& fleet) {
        EXPECT_EQ(fleet.hosts(), 0U);
        answered_by = std::this_thread::get_id();
      },
      kLong));
  EXPECT_NE(answered_by, std::this_thread::get_id());
}

TEST(Questions, AreForgottenIfTheLoopHasNoTime) {
  Questions questions;
  bool was_run = false;
  EXPECT_FALSE(questions.ask([&](peers::Fleet&) { was_run = true; }, milliseconds(1)));
  peers::Fleet fleet;
  questions.answer(fleet);
  EXPECT_FALSE(was_run);
}

TEST(Questions, EndWithTheAnalyser) {
  Questions questions;
  std::thread asks([&] { EXPECT_FALSE(questions.ask([](peers::Fleet&) {}, kLong)); });
  std::this_thread::sleep_for(milliseconds(20));
  questions.close();
  asks.join();
  EXPECT_FALSE(questions.ask([](peers::Fleet&) {}, kLong));
}

TEST(Questions, OfManyThreadsEachGetsItsAnswer) {
  Questions questions;
  const LoopThread loop(questions);
  std::atomic<int> right = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] {
      for (int k = 0; k < 50; ++k) {
        int got = -1;
        if (questions.ask([&](peers::Fleet&) { got = i * 100 + k; }, kLong) && got == i * 100 + k) {
          ++right;
        }
      }
    });
  }
  for (auto& one : threads) one.join();
  EXPECT_EQ(right, 400);
}

}  // namespace
}  // namespace reveal::analyser
