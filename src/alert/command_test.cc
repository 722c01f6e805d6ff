#include "alert/command.h"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <string>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/temp_dir.h"
#include "base/whole_file.h"

namespace reveal::alert {
namespace {

using std::chrono::milliseconds;
using ::testing::HasSubstr;

class CommandTest : public ::testing::Test {
 protected:
  // Runs a script of the shell, which is a program like any other here.
  CommandRun run(const std::string& script, milliseconds timeout = milliseconds(60'000)) {
    return run_command({"/bin/sh", "-c", script}, input_, timeout, stop_, [this] { ++begun_; });
  }

  void expect(const CommandRun& run, Outcome outcome, const std::string& error) {
    EXPECT_EQ(run.delivery.outcome, outcome) << run.delivery.error;
    EXPECT_THAT(run.delivery.error, HasSubstr(error));
  }

  std::string read(const std::string& name) {
    return base::read_whole_file(scratch_.path() / name, "file of the test").value_or("");
  }

  const base::TempDir scratch_;
  std::string input_ = R"({"version":"4"})";
  Stop stop_;
  int begun_ = 0;
};

TEST_F(CommandTest, ReadsTheEventOnItsInput) {
  const std::string file = (scratch_.path() / "got").string();
  expect(run("cat > " + file + "; pwd; echo done"), Outcome::kTaken, "");
  EXPECT_EQ(read("got"), input_);
  EXPECT_EQ(begun_, 1);
}

TEST_F(CommandTest, NeedsNoShell) {
  const auto run =
      run_command({"echo", "$HOME;", "two words"}, input_, milliseconds(60'000), stop_, [] {});
  EXPECT_EQ(run.delivery.outcome, Outcome::kTaken);
  EXPECT_EQ(run.last_line, "$HOME; two words");
}

TEST_F(CommandTest, KeepsTheLastLineOfBothStreams) {
  EXPECT_EQ(run("echo one; echo two >&2").last_line, "two");
  EXPECT_EQ(run("printf 'a\\033[31m\\n\\n'").last_line, "a?[31m");
  const auto flood = run("yes a long line | head -c 5000000; echo; echo end");
  expect(flood, Outcome::kTaken, "");
  EXPECT_EQ(flood.last_line, "end");
  EXPECT_LE(run("head -c 100000 /dev/zero | tr '\\0' x").last_line.size(), kLongestLastLine);
}

TEST_F(CommandTest, ThatFailsIsNotToBeRunAgain) {
  expect(run("echo no pager; exit 3"), Outcome::kRefused, "ended with status 3: no pager");
  expect(run("kill -TERM $$"), Outcome::kRefused, "died of signal 15");
}

TEST_F(CommandTest, ThatIsNotThereHasNotBegun) {
  const auto run =
      run_command({"/no/such/program"}, input_, milliseconds(1000), stop_, [this] { ++begun_; });
  expect(run, Outcome::kNotTaken, "/no/such/program: cannot run: No such file");
}

TEST_F(CommandTest, IsKilledWithAllItStartedWhenItsTimeIsUp) {
  const std::string file = (scratch_.path() / "pids").string();
  expect(run("sleep 1000 & echo $! > " + file + "; sleep 1000", milliseconds(500)),
         Outcome::kRefused, "its time of 500 ms was up");
  const int child = std::stoi("0" + read("pids"));
  ASSERT_GT(child, 1);
  // Its parent was killed with it, so nobody here waits for it; init does.
  for (int i = 0; i < 6000 && ::kill(child, 0) == 0; ++i) {
    const auto state = base::read_whole_file("/proc/" + std::to_string(child) + "/stat", "state");
    if (!state || state->find(") Z ") != std::string::npos) break;
    std::this_thread::sleep_for(milliseconds(10));
  }
  const auto state = base::read_whole_file("/proc/" + std::to_string(child) + "/stat", "state");
  EXPECT_TRUE(!state || state->find(") Z ") != std::string::npos) << *state;
}

TEST_F(CommandTest, MayLeaveItsInputUnread) {
  input_.assign(std::size_t{1} << 20, ' ');
  expect(run("exec <&-; echo closed"), Outcome::kTaken, "");
  expect(run("true"), Outcome::kTaken, "");
}

TEST_F(CommandTest, MayLeaveItsOutputToOthers) {
  const auto run = this->run("sleep 1000 & echo $!");
  expect(run, Outcome::kTaken, "");
  const int child = std::stoi("0" + run.last_line);
  ASSERT_GT(child, 1);
  ::kill(child, SIGKILL);
}

TEST_F(CommandTest, HasTheDefaultSignalsAndNothingOfSystemds) {
  ASSERT_EQ(::setenv("NOTIFY_SOCKET", "/run/systemd/notify", 1), 0);
  const auto before = std::signal(SIGHUP, SIG_IGN);
  const auto ignored = run("sed -n 's/^SigIgn:.//p' /proc/$$/status");
  const auto variable = run("echo \"socket: $NOTIFY_SOCKET.\"");
  std::signal(SIGHUP, before);
  ASSERT_EQ(::unsetenv("NOTIFY_SOCKET"), 0);
  EXPECT_EQ(std::stoull("0x" + ignored.last_line, nullptr, 16) &
                ((1ULL << (SIGHUP - 1)) | (1ULL << (SIGPIPE - 1))),
            0u);
  EXPECT_EQ(variable.last_line, "socket: .");
}

TEST_F(CommandTest, GetsLittleTimeOnceWeStop) {
  stop_.ask();
  expect(run("echo soon"), Outcome::kTaken, "");
  expect(run("sleep 1000"), Outcome::kRefused, "was killed");
}

}  // namespace
}  // namespace reveal::alert
