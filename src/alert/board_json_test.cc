#include "alert/board_json.h"

#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>

#include "alert/board.h"
#include "alert/testing/made_alert.h"
#include "base/new_file.h"
#include "base/rng.h"
#include "base/temp_dir.h"
#include "base/whole_file.h"

namespace reveal::alert {
namespace {

namespace fs = std::filesystem;
using testing::at;
using ::testing::HasSubstr;
using testing::labeled;
using testing::made_alert;
using testing::take;

std::vector<Subscription> receivers() {
  return {{"hook", true, Severity::kWarning}, {"manager", false, Severity::kWarning}};
}

class StateFile : public ::testing::Test {
 protected:
  // Returns the board of a program that starts with what `before` has saved.
  Board restarted(const Board& before) {
    EXPECT_TRUE(write_state(file_, state_text(before.episodes())));
    auto saved = read_state(file_);
    EXPECT_FALSE(saved.damage) << saved.damage->message();
    Board out(BoardOptions{}, receivers());
    out.restore(std::move(saved.episodes));
    return out;
  }

  void expect_set_aside(const std::string& text, const std::string& why) {
    ASSERT_TRUE(base::write_new_file(file_, text));
    const auto saved = read_state(file_);
    ASSERT_TRUE(saved.damage) << text;
    EXPECT_THAT(saved.damage->message(), HasSubstr(why));
    EXPECT_THAT(saved.damage->message(), HasSubstr("alerts.json.damaged"));
    EXPECT_TRUE(saved.episodes.empty());
    EXPECT_FALSE(fs::exists(file_));
    EXPECT_EQ(base::read_whole_file(file_.string() + ".damaged", "test"), text);
  }

  const base::TempDir scratch_;
  const fs::path file_ = scratch_.path() / "alerts.json";
};

TEST_F(StateFile, ARestartGoesOnWithWhatIsOpenAndTellsNobodyTwice) {
  Board before(BoardOptions{}, receivers());
  auto alert = made_alert("network", at(-2));
  alert.annotations["odd"] = "a \"quote\", a\nline, \xff and µ";
  before.update(std::vector{alert}, at(0));
  const auto told = take(before, "hook");
  ASSERT_TRUE(told);
  before.update(std::vector{made_alert("network", at(-2), "critical")}, at(1));

  Board after = restarted(before);
  after.update({},
               at(100));  // nothing is judged yet, and it was not seen for longer than keep-firing
  EXPECT_EQ(after.firing(), 1u);
  after.update(std::vector{made_alert("network", at(110))}, at(110));
  const auto due = after.due("manager");
  ASSERT_EQ(due.size(), 2u);  // and the severity that was left
  EXPECT_EQ(due[0].begin_ns, at(-2));
  EXPECT_EQ(due[0].labels.at("severity"), "critical");
  const auto rise = take(after, "hook");
  ASSERT_TRUE(rise);
  EXPECT_EQ(rise->kind, EventKind::kUpdate);
  EXPECT_EQ(rise->episode, told->episode);
  EXPECT_FALSE(after.has_event("hook"));
}

TEST_F(StateFile, AnAlertKeepsItsLabelsOverARestart) {
  Board before(BoardOptions{}, receivers());
  const auto alert = made_alert("storage", at(0));
  before.update(std::vector{alert}, at(0));
  const auto told = take(before, "hook");
  ASSERT_TRUE(told);
  Board after = restarted(before);
  const auto named = labeled(labeled(alert, "pattern", "disk_saturated"), "subsystem", "memory");
  for (int second = 10; second <= 60; ++second) after.update(std::vector{named}, at(second));
  EXPECT_FALSE(after.has_event("hook"));
  const auto due = after.due("manager");
  ASSERT_EQ(due.size(), 1u);
  EXPECT_EQ(due[0].labels, alert.labels);
  for (int second = 61; second <= 100; ++second) after.update({}, at(second));
  const auto close = take(after, "hook");
  ASSERT_TRUE(close);
  EXPECT_EQ(close->kind, EventKind::kClose);
  EXPECT_EQ(close->episode, told->episode);
  EXPECT_FALSE(after.has_event("hook"));
}

// A state of before "ids" goes on with the one id that it has.
TEST_F(StateFile, KnowsTheIdOfAnOlderState) {
  Board before(BoardOptions{}, receivers());
  const auto alert = labeled(made_alert("storage", at(0)), "pattern", "disk_saturated");
  before.update(std::vector{alert}, at(0));
  ASSERT_TRUE(take(before, "hook"));
  auto state = nlohmann::json::parse(state_text(before.episodes()));
  ASSERT_EQ(state.at("episodes").at(0).erase("ids"), 1u);
  auto episodes = episodes_from(state.dump());
  ASSERT_TRUE(episodes) << episodes.error().message();
  Board after(BoardOptions{}, receivers());
  after.restore(std::move(*episodes));
  after.update(std::vector{made_alert("storage", at(0))}, at(10));
  EXPECT_EQ(after.firing(), 1u);
  EXPECT_FALSE(after.has_event("hook"));
}

TEST_F(StateFile, WhatEndedMeanwhileIsToldWithTheTimeWhenItWasSeenLast) {
  Board before(BoardOptions{}, receivers());
  before.update(std::vector{made_alert("network", at(0))}, at(5));
  ASSERT_TRUE(take(before, "hook"));
  Board after = restarted(before);
  for (int second = 60; second <= 90; ++second) after.update({}, at(second));
  const auto close = take(after, "hook");
  ASSERT_TRUE(close);
  EXPECT_EQ(close->kind, EventKind::kClose);
  EXPECT_EQ(close->alert.end_ns, at(5));
}

// A judge that is killed again and again, of which each looks for a moment only.
TEST_F(StateFile, RestartsDoNotPutOffTheEndForEver) {
  Board board(BoardOptions{}, receivers());
  board.update(std::vector{made_alert("network", at(0))}, at(5));
  ASSERT_TRUE(take(board, "hook"));
  std::optional<Event> close;
  int second = 10;
  for (; second < 200 && !close; second += 10) {
    board = restarted(board);
    board.unknown(at(second));
    board.unknown(at(second + 3));
    for (int look = second + 4; look < second + 8; ++look) board.update({}, at(look));
    close = take(board, "hook");
  }
  ASSERT_TRUE(close);
  EXPECT_EQ(close->kind, EventKind::kClose);
  EXPECT_EQ(close->alert.end_ns, at(5));
  EXPECT_GE(close->at_ns, at(40)) << "30 s after the first restart";
  EXPECT_LT(close->at_ns, at(100));
}

// One that was seen again is as one that was never missed.
TEST_F(StateFile, WhatWasSeenAgainIsKeptGoingAnewAfterARestart) {
  Board board(BoardOptions{}, receivers());
  const std::vector alerts = {made_alert("network", at(0))};
  board.update(alerts, at(0));
  ASSERT_TRUE(take(board, "hook"));
  for (int second = 1; second < 20; ++second) board.update({}, at(second));
  const auto version = board.version();
  board.update(alerts, at(20));
  EXPECT_NE(board.version(), version) << "the disk must know";
  board = restarted(board);
  for (int second = 45; second < 75; ++second) board.update({}, at(second));
  EXPECT_FALSE(board.has_event("hook"));
  board.update({}, at(75));
  EXPECT_TRUE(board.has_event("hook"));
}

TEST_F(StateFile, AfterALongTimeItIsHistory) {
  Board before(BoardOptions{}, receivers());
  before.update(std::vector{made_alert("network", at(0)), made_alert("gpu", at(0))}, at(5));
  ASSERT_TRUE(take(before, "hook"));
  ASSERT_TRUE(take(before, "hook"));
  Board after = restarted(before);
  after.update(std::vector{made_alert("gpu", at(5000))}, at(5000));
  EXPECT_EQ(after.firing(), 1u);  // another one
  EXPECT_EQ(take(after, "hook")->kind, EventKind::kClose);
  EXPECT_EQ(take(after, "hook")->kind, EventKind::kClose);
  EXPECT_EQ(take(after, "hook")->kind, EventKind::kOpen);
}

TEST_F(StateFile, IsItsOwnersAlone) {
  ASSERT_TRUE(write_state(file_, state_text({})));
  struct stat status {};
  ASSERT_EQ(::stat(file_.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777U, 0600U);
}

TEST_F(StateFile, NoFileIsNoDamage) {
  const auto saved = read_state(file_);
  EXPECT_FALSE(saved.damage);
  EXPECT_TRUE(saved.episodes.empty());
}

TEST_F(StateFile, DamageCostsTheFileAlone) {
  expect_set_aside("", "is not a JSON object");
  expect_set_aside("[1, 2]", "is not a JSON object");
  expect_set_aside(std::string(100'000, '['), "is not a JSON object");
  expect_set_aside(R"({"format": "another", "version": 1, "episodes": []})",
                   "not a state of alerts");
  expect_set_aside(R"({"format": "reveal alerts", "version": 2, "episodes": []})",
                   "another version");
  expect_set_aside(R"({"format": "reveal alerts", "version": 1, "episodes": [{"labels": 3}]})",
                   "wrong member");
}

TEST_F(StateFile, AnythingElseOfThatNameIsNamed) {
  fs::create_directory(file_);
  const auto saved = read_state(file_);
  ASSERT_TRUE(saved.damage);
  EXPECT_THAT(saved.damage->message(), HasSubstr(file_.string()));
  EXPECT_TRUE(write_state(file_, state_text({})));  // it was moved away
}

TEST(StateText, IsNoStateWhereverItIsCutOff) {
  Board board(BoardOptions{}, receivers());
  board.update(std::vector{made_alert("network", at(-2))}, at(0));
  ASSERT_TRUE(take(board, "hook"));
  const std::string text = state_text(board.episodes());
  for (std::size_t size = 0; size + 2 < text.size(); ++size) {
    EXPECT_FALSE(episodes_from(text.substr(0, size))) << size;
  }
  EXPECT_TRUE(episodes_from(text));
}

// Alerts come and go, receivers fail, and the program is killed at any step: what was saved before
// an event was sent is what the next program knows. Each receiver hears each alert's open once, and
// its close once and after that.
TEST_F(StateFile, NoEventIsToldTwiceOverAThousandRestarts) {
  base::Rng rng(7);
  Board board(BoardOptions{}, receivers());
  std::set<std::string> told;
  std::set<std::string> open;
  int restarts = 0;
  int closes = 0;
  std::int64_t now_ns = at(0);
  std::string saved = state_text({});
  std::vector<std::int64_t> begins(5, 0);  // of each alert that is open
  while (restarts < 1000) {
    now_ns += 1'000'000'000 * static_cast<std::int64_t>(1 + rng.below(20));
    std::vector<Alert> alerts;
    for (std::size_t i = 0; i < begins.size(); ++i) {
      if (rng.below(4) == 0) begins[i] = begins[i] != 0 ? 0 : now_ns;
      if (begins[i] == 0) continue;
      alerts.push_back(made_alert("disk" + std::to_string(i), begins[i],
                                  rng.below(9) == 0 ? "critical" : "warning"));
    }
    board.update(alerts, now_ns);
    board.posted("manager", board.due("manager"));
    EXPECT_TRUE(board.due("manager").empty());
    while (rng.below(4) != 0) {
      const auto event = take(board, "hook");
      if (!event) break;
      saved = state_text(board.episodes());
      if (rng.below(8) == 0) break;  // killed before it was sent
      if (rng.below(3) == 0) {       // refused
        board.withdraw("hook", *event);
        saved = state_text(board.episodes());
        continue;
      }
      EXPECT_TRUE(told.insert(event->id).second) << event->id << " was told twice";
      if (event->kind == EventKind::kOpen) {
        EXPECT_TRUE(open.insert(event->episode).second);
      } else if (event->kind == EventKind::kClose) {
        ++closes;
        open.erase(event->episode);
      }
      if (rng.below(8) == 0) break;
    }
    if (rng.below(3) != 0) continue;
    ++restarts;
    auto episodes = episodes_from(saved);
    ASSERT_TRUE(episodes) << episodes.error().message();
    board = Board(BoardOptions{}, receivers());
    board.restore(std::move(*episodes));
  }
  EXPECT_GT(closes, 100);
  EXPECT_GT(told.size(), 300u);
}

}  // namespace
}  // namespace reveal::alert
