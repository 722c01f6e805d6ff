#include "collect/reading_crew.h"

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace reveal::collect {
namespace {

using Turn = ReadingCrew::Turn;
using std::chrono::milliseconds;
using std::chrono::seconds;

// Work that goes on until it is let go.
class Gate {
 public:
  auto work() {
    return [this] {
      ++entered_;
      is_open_.wait();
      ++left_;
    };
  }
  void open() { opened_.set_value(); }
  int entered() const { return entered_; }
  int left() const { return left_; }

 private:
  std::promise<void> opened_;
  std::shared_future<void> is_open_ = opened_.get_future().share();
  std::atomic<int> entered_ = 0;
  std::atomic<int> left_ = 0;
};

// Returns whether it comes true within a time that is long on any machine; tends as a sampler does.
template <typename Condition>
bool comes_true(ReadingCrew& crew, Condition condition) {
  const auto deadline = std::chrono::steady_clock::now() + seconds(30);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(milliseconds(5));
    crew.tend();
  }
  return true;
}

TEST(ReadingCrew, OneThreadDoesWhatIsAskedForInOrder) {
  ReadingCrew crew;
  EXPECT_EQ(crew.threads(), 0u);
  std::vector<int> done;
  std::promise<void> all;
  for (int i = 0; i < 10; ++i) {
    ASSERT_TRUE(crew.submit(
        [&, i] {
          done.push_back(i);  // of one thread
          if (i == 9) all.set_value();
        },
        Turn::kInOrder));
  }
  ASSERT_EQ(all.get_future().wait_for(seconds(30)), std::future_status::ready);
  EXPECT_EQ(done, (std::vector{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
  EXPECT_EQ(crew.threads(), 1u);
}

TEST(ReadingCrew, WorkThatHangsHoldsNobodyUp) {
  Gate gate;
  ReadingCrew crew;
  ASSERT_TRUE(crew.submit(gate.work(), Turn::kInOrder));
  ASSERT_TRUE(comes_true(crew, [&] { return gate.entered() == 1; }));
  std::atomic<int> done = 0;
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(crew.submit([&] { ++done; }, Turn::kInOrder));
  EXPECT_TRUE(comes_true(crew, [&] { return done == 3; }));
  EXPECT_EQ(crew.threads(), 2u);
  gate.open();
  // One of them has nothing to do any more.
  EXPECT_TRUE(comes_true(crew, [&] { return gate.left() == 1 && crew.threads() == 1; }));
}

TEST(ReadingCrew, WhatIsToBeDoneAtOnceHasThreadsOfItsOwn) {
  Gate gate;
  ReadingCrew crew;
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(crew.submit(gate.work(), Turn::kAtOnce));
  const auto deadline = std::chrono::steady_clock::now() + seconds(30);
  while (gate.entered() < 5 && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(milliseconds(5));  // without tend()
  }
  EXPECT_EQ(gate.entered(), 5);
  gate.open();
  EXPECT_TRUE(comes_true(crew, [&] { return gate.left() == 5 && crew.threads() == 1; }));
}

TEST(ReadingCrew, CanBeLeftWhileWorkHangs) {
  auto gate = std::make_shared<Gate>();
  {
    ReadingCrew crew;
    ASSERT_TRUE(crew.submit([gate, work = gate->work()] { work(); }, Turn::kInOrder));
    ASSERT_TRUE(comes_true(crew, [&] { return gate->entered() == 1; }));
  }
  gate->open();
  const auto deadline = std::chrono::steady_clock::now() + seconds(30);
  while (gate->left() < 1 && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(milliseconds(5));
  }
  EXPECT_EQ(gate->left(), 1);
}

}  // namespace
}  // namespace reveal::collect
