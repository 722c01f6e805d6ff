// Our counts against those of `perf stat` over the same stretch of time, nested so that no
// tolerance is needed: what we count while perf counts is at most perf's number, and what we count
// from before it starts to after it ends is at least that.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>

#include <gmock/gmock.h>
#include <linux/perf_event.h>
#include <sys/stat.h>
#include <unistd.h>

#include "perf/event_group.h"

namespace reveal::perf {
namespace {

constexpr EventCode kSwitches{.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_CONTEXT_SWITCHES};

class WholeHost {
 public:
  // Returns why this user may not count; empty if it may.
  std::string open() {
    const auto cpus = static_cast<std::uint32_t>(::sysconf(_SC_NPROCESSORS_ONLN));
    for (std::uint32_t cpu = 0; cpu < cpus; ++cpu) {
      auto group = EventGroup::open(cpu, {&kSwitches, 1});
      if (!group) return group.error().message();
      groups_.push_back(std::move(*group));
    }
    return "";
  }
  std::uint64_t count() {
    std::uint64_t sum = 0;
    for (auto& group : groups_) {
      std::array<ScaledCount, 1> counts;
      EXPECT_TRUE(group.read(counts));
      sum += counts[0].value_or(0);
    }
    return sum;
  }

 private:
  std::vector<EventGroup> groups_;
};

// Two threads hand a byte to and fro: at least one switch a hand-over on whatever cores they are.
void switch_often(int hand_overs) {
  std::array<int, 2> there{};
  std::array<int, 2> back{};
  ASSERT_EQ(::pipe(there.data()), 0);
  ASSERT_EQ(::pipe(back.data()), 0);
  std::thread other([&] {
    char byte = 0;
    while (::read(there[0], &byte, 1) == 1 && ::write(back[1], &byte, 1) == 1) {
    }
  });
  char byte = 'x';
  for (int i = 0; i < hand_overs; ++i) {
    ASSERT_EQ(::write(there[1], &byte, 1), 1);
    ASSERT_EQ(::read(back[0], &byte, 1), 1);
  }
  ::close(there[1]);
  other.join();
  for (const int fd : {there[0], back[0], back[1]}) ::close(fd);
}

// perf stat over the whole host, from start() to finish().
class PerfStat {
 public:
  explicit PerfStat(std::string folder) : folder_(std::move(folder)) {
    ::mkfifo((folder_ + "/begun").c_str(), 0600);
    ::mkfifo((folder_ + "/end").c_str(), 0600);
  }
  // Returns when perf counts: it starts its command only then.
  void start() {
    const std::string command = "perf stat -a -x, -o " + folder_ +
                                "/counts -e context-switches -- sh -c 'echo > " + folder_ +
                                "/begun; cat " + folder_ + "/end' >/dev/null 2>&1";
    thread_ = std::thread([command, this] { status_ = std::system(command.c_str()); });
    std::ifstream(folder_ + "/begun").get();
  }
  // Returns the count, or nothing if perf failed.
  std::optional<std::uint64_t> finish() {
    std::ofstream(folder_ + "/end") << "\n";
    thread_.join();
    if (status_ != 0) return std::nullopt;
    std::ifstream in(folder_ + "/counts");
    for (std::string line; std::getline(in, line);) {
      if (line.find("context-switches") != std::string::npos) return std::stoull(line);
    }
    return std::nullopt;
  }

 private:
  std::string folder_;
  std::thread thread_;
  int status_ = -1;
};

TEST(Agreement, ContextSwitchesAreThoseOfPerfStat) {
  if (std::system("perf stat -a -e context-switches true >/dev/null 2>&1") != 0) {
    GTEST_SKIP() << "perf is not installed, or may not count the whole host";
  }
  WholeHost outer;
  WholeHost inner;
  if (const auto why = outer.open() + inner.open(); !why.empty()) GTEST_SKIP() << why;
  std::string folder = ::testing::TempDir() + "agreement_XXXXXX";
  ASSERT_NE(::mkdtemp(folder.data()), nullptr);
  PerfStat perf(folder);

  const std::uint64_t outer_before = outer.count();
  perf.start();
  const std::uint64_t inner_before = inner.count();
  switch_often(5000);
  const std::uint64_t within = inner.count() - inner_before;
  const auto theirs = perf.finish();
  const std::uint64_t around = outer.count() - outer_before;

  ASSERT_TRUE(theirs);
  EXPECT_GE(within, 5000u);
  EXPECT_LE(within, *theirs);
  EXPECT_LE(*theirs, around);
  (void)std::system(("rm -r " + folder).c_str());
}

}  // namespace
}  // namespace reveal::perf
