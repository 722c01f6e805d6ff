// The scan against the running kernel: this process, and processes made here.
#include <csignal>
#include <string>

#include <gtest/gtest.h>
#include <linux/sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collect/process/process_scan.h"

namespace reveal::collect {
namespace {

constexpr std::int64_t kSecond_ns = 1'000'000'000;

// This test's own process, and its burning of CPU time.
TEST(ProcessScanLive, SeesThisProcessBurn) {
  ProcessScan scan({}, {.cpu_time = {}});
  ASSERT_TRUE(scan.open());
  const auto own = [&]() -> const model::ProcessUse* {
    for (const auto& use : scan.largest()) {
      if (use.pid == static_cast<std::uint64_t>(::getpid())) return &use;
    }
    return nullptr;
  };
  const model::ProcessUse* found = nullptr;
  for (int i = 0; i < 100 && found == nullptr; ++i) {
    const auto until = boot_time_ns() + kSecond_ns / 5;
    while (boot_time_ns() < until) {
    }
    scan.scan();
    found = own();
  }
  ASSERT_NE(found, nullptr);
  EXPECT_GT(found->cores, 0);
  EXPECT_GT(found->resident, 1e6);
}

TEST(ProcessScanLive, KeepsAsManyFilesOpenAsItMay) {
  ProcessScan scan({}, {.cpu_time = {}, .keep = 1});
  ASSERT_TRUE(scan.open());
  scan.scan();
  EXPECT_GT(scan.read(), 1u);
  EXPECT_EQ(scan.kept(), 1u);
}

void end(::pid_t pid) {
  ::kill(pid, SIGKILL);
  ::waitpid(pid, nullptr, 0);
}

// Makes a process with that number, which burns CPU time. Returns -1 if this user may not.
::pid_t burn_as(::pid_t pid, const char* name) {
  ::clone_args args{};
  args.exit_signal = SIGCHLD;
  args.set_tid = reinterpret_cast<std::uint64_t>(&pid);
  args.set_tid_size = 1;
  const auto made = ::syscall(SYS_clone3, &args, sizeof args);
  if (made != 0) return static_cast<::pid_t>(made);
  ::prctl(PR_SET_NAME, name);
  for (volatile bool forever = true; forever;) {
  }
  ::_exit(0);
}

TEST(ProcessScanLive, APidThatIsUsedAgainIsAnotherProcessThoughItsFileIsOpen) {
  const ::pid_t first = ::fork();
  if (first == 0) {
    for (;;) ::pause();
  }
  ProcessScan scan({}, {.cpu_time = {}});
  ASSERT_TRUE(scan.open());
  EXPECT_GE(scan.kept(), 1u);
  end(first);
  const ::pid_t second = burn_as(first, "second");
  if (second < 0) GTEST_SKIP() << "this user cannot choose the number of a process";
  std::string name;
  for (int i = 0; i < 100 && name.empty(); ++i) {
    ::usleep(200'000);
    scan.scan();
    for (const auto& use : scan.largest()) {
      if (use.pid == static_cast<std::uint64_t>(first)) name = use.name;
    }
  }
  end(second);
  EXPECT_EQ(name, "second");
  const auto kept = scan.kept();
  scan.scan();
  EXPECT_LE(scan.kept(), kept);
}

}  // namespace
}  // namespace reveal::collect
