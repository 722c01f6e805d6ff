#include "probes/command_run.h"

#include <csignal>
#include <thread>

#include <gmock/gmock.h>

#include "base/temp_dir.h"
#include "base/whole_file.h"

namespace reveal::probes {
namespace {

using ::testing::HasSubstr;
using Clock = CommandRun::Clock;
using std::chrono::milliseconds;
using std::chrono::seconds;

Command shell(const std::string& script, std::chrono::nanoseconds timeout = seconds(20)) {
  return {{"/bin/sh", "-c", script}, seconds(60), timeout};
}

// Steps until an outcome, as a collector does, but faster.
std::optional<CommandRun::Outcome> outcome_of(CommandRun& run) {
  const auto deadline = Clock::now() + seconds(30);
  while (Clock::now() < deadline) {
    if (auto outcome = run.step(Clock::now())) return outcome;
    std::this_thread::sleep_for(milliseconds(5));
  }
  return std::nullopt;
}

TEST(CommandRun, HasWhatTheProgramPrints) {
  CommandRun run(shell("echo steps_total 7; echo to nobody >&2"));
  const auto outcome = outcome_of(run);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->output, "steps_total 7\n");
  EXPECT_EQ(outcome->problem, "");
}

TEST(CommandRun, TellsHowItFailed) {
  CommandRun status(shell("echo steps_total 7; exit 3"));
  EXPECT_EQ(outcome_of(status)->problem, "ended with status 3");
  CommandRun killed(shell("kill -9 $$"));
  EXPECT_EQ(outcome_of(killed)->problem, "died of signal 9");
  CommandRun absent({{"/nonexistent/program"}, seconds(60), seconds(5)});
  EXPECT_THAT(outcome_of(absent)->problem, HasSubstr("cannot be run"));
}

TEST(CommandRun, IsRunAgainWhenItIsTime) {
  CommandRun run(shell("echo 1"));
  const auto begin = Clock::now();
  ASSERT_TRUE(outcome_of(run));
  EXPECT_FALSE(run.step(begin + seconds(59)));
  EXPECT_FALSE(run.step(begin + seconds(59))) << "nothing was started";
  EXPECT_FALSE(run.step(Clock::now() + seconds(61))) << "it begins";
  EXPECT_TRUE(outcome_of(run));
}

bool is_running(pid_t child) {
  const auto stat = base::read_whole_file("/proc/" + std::to_string(child) + "/stat", "file");
  return stat && stat->find(") Z ") == std::string::npos;
}

// Waits for the script to write its child's id.
pid_t child_in(const std::filesystem::path& file) {
  for (int i = 0; i < 2000; ++i) {
    const auto text = base::read_whole_file(file, "file");
    if (text && text->ends_with('\n')) return std::stoi(*text);
    std::this_thread::sleep_for(milliseconds(5));
  }
  return 0;
}

bool ends(pid_t child) {
  for (int i = 0; i < 2000 && is_running(child); ++i) {
    std::this_thread::sleep_for(milliseconds(5));
  }
  return !is_running(child);
}

TEST(CommandRun, IsKilledWithItsChildrenWhenItsTimeIsUp) {
  const base::TempDir folder;
  const auto file = folder.path() / "child";
  CommandRun run(shell("sleep 300 & echo $! > " + file.string() + "; wait", milliseconds(500)));
  const auto outcome = outcome_of(run);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->problem, "was killed: its time of 0.5 s was up");
  EXPECT_EQ(outcome->output, "");
  const auto child = child_in(file);
  ASSERT_GT(child, 0);
  EXPECT_TRUE(ends(child));
  // Its end is not an outcome of its own.
  EXPECT_FALSE(run.step(Clock::now()));
  std::this_thread::sleep_for(milliseconds(100));
  EXPECT_FALSE(run.step(Clock::now()));
}

TEST(CommandRun, IsKilledWithItsOwner) {
  const base::TempDir folder;
  const auto file = folder.path() / "child";
  pid_t child = 0;
  {
    CommandRun run(shell("sleep 300 & echo $! > " + file.string() + "; wait"));
    EXPECT_FALSE(run.step(Clock::now()));
    child = child_in(file);
    ASSERT_GT(child, 0);
    EXPECT_TRUE(is_running(child));
  }
  EXPECT_TRUE(ends(child));
}

TEST(CommandRun, DoesNotWaitForWhatItHasLeftBehind) {
  CommandRun run(shell("echo steps_total 7; sleep 20 & exit 0"));
  const auto begin = Clock::now();
  const auto outcome = outcome_of(run);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->output, "steps_total 7\n");
  EXPECT_LT(Clock::now() - begin, seconds(15));
}

TEST(CommandRun, AProgramThatNeverStopsTalkingIsKilled) {
  CommandRun run(shell("exec yes"));
  const auto outcome = outcome_of(run);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->problem, "was killed: it said more than 1048576 bytes");
  EXPECT_EQ(outcome->output, "");
}

}  // namespace
}  // namespace reveal::probes
