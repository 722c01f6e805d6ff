#include "serve/state_board.h"

#include <chrono>
#include <memory>

#include <gtest/gtest.h>

namespace reveal::serve {
namespace {

using std::chrono::seconds;

std::shared_ptr<const AgentState> with_ticks(std::optional<std::uint64_t> ticks) {
  AgentState state;
  state.recorder.ticks = ticks;
  return std::make_shared<const AgentState>(state);
}

TEST(StateBoard, BeginsWithAStateInWhichNothingIsKnown) {
  const StateBoard::Clock::time_point begin;
  const StateBoard board(begin);
  const auto found = board.read(begin + seconds(2));
  ASSERT_NE(found.state, nullptr);
  EXPECT_EQ(found.state->state, RunState::kLearning);
  EXPECT_FALSE(found.state->recorder.ticks);
  EXPECT_EQ(found.tick_age, seconds(2));
}

TEST(StateBoard, TheAgeIsThatOfTheLastTickNotOfTheLastState) {
  const StateBoard::Clock::time_point begin;
  StateBoard board(begin);
  board.publish(with_ticks(10), begin + seconds(1));
  board.publish(with_ticks(10), begin + seconds(5));
  EXPECT_EQ(board.read(begin + seconds(6)).tick_age, seconds(5));
  board.publish(with_ticks(11), begin + seconds(7));
  EXPECT_EQ(board.read(begin + seconds(8)).tick_age, seconds(1));
  board.publish(with_ticks(3), begin + seconds(9));  // a recorder that began anew
  EXPECT_EQ(board.read(begin + seconds(9)).tick_age, seconds(0));
}

TEST(StateBoard, AReaderKeepsTheStateThatItFound) {
  StateBoard board;
  board.publish(with_ticks(1));
  const auto found = board.read();
  board.publish(with_ticks(2));
  EXPECT_EQ(found.state->recorder.ticks, 1U);
  EXPECT_EQ(board.read().state->recorder.ticks, 2U);
}

}  // namespace
}  // namespace reveal::serve
