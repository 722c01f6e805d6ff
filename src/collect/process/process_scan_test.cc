#include "collect/process/process_scan.h"

#include <filesystem>
#include <fstream>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include "base/temp_dir.h"
#include "collect/registry.h"
#include "collect/testing/unprivileged.h"

namespace reveal::collect {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::int64_t kSecond_ns = 1'000'000'000;
std::int64_t now_ns = 0;  // of the tests' clock, since boot

// What the files of a process say; the clock ticks of Linux are 100 a second.
struct Process {
  std::string name = "sleep";
  std::uint64_t cpu = 0;
  std::uint64_t start = 100;
  std::uint64_t pages = 100;
  std::uint64_t faults = 0;
  char state = 'S';
};

class MadeProc {
 public:
  MadeProc() { now_ns = 1000 * kSecond_ns; }

  void set(std::uint32_t pid, const Process& one) const {
    write(pid, "stat",
          fmt::format("{} ({}) {} 1 {} 1 0 -1 0 0 0 {} 0 {} 0 0 0 20 0 1 0 {} 4096 {} 0 0\n", pid,
                      one.name, one.state, pid, one.faults, one.cpu, one.start, one.pages));
  }
  void set_io(std::uint32_t pid, std::uint64_t read, std::uint64_t written) const {
    write(pid, "io",
          fmt::format("rchar: 0\nwchar: 0\nsyscr: 0\nsyscw: 0\nread_bytes: {}\nwrite_bytes: {}\n"
                      "cancelled_write_bytes: 0\n",
                      read, written));
  }
  void set_cgroup(std::uint32_t pid, std::string_view path) const {
    write(pid, "cgroup", fmt::format("0::{}\n", path));
  }
  void end(std::uint32_t pid) const { fs::remove_all(dir_.path() / std::to_string(pid)); }
  fs::path file(std::uint32_t pid, std::string_view name) const {
    return dir_.path() / std::to_string(pid) / name;
  }

  procfs::HostRoot root() const { return {dir_.path().string(), "/nonexistent"}; }

 private:
  void write(std::uint32_t pid, std::string_view name, std::string_view text) const {
    fs::create_directories(dir_.path() / std::to_string(pid));
    std::ofstream(file(pid, name), std::ios::binary | std::ios::trunc) << text;
  }

  base::TempDir dir_;
};

constexpr ProcessLimits kTested{.cpu_time = {}, .clock = [] { return now_ns; }};

std::vector<std::string> names_of(const ProcessScan& scan) {
  std::vector<std::string> out;
  for (const auto& use : scan.largest()) out.push_back(use.name);
  return out;
}

TEST(ProcessScan, TellsWhatAProcessUsedSinceTheScanBefore) {
  const MadeProc proc;
  proc.set(7, {.name = "python3", .cpu = 500, .pages = 1000});
  proc.set_io(7, 0, 0);
  proc.set(8, {.name = "idle"});
  ProcessScan scan(proc.root(), kTested);
  ASSERT_TRUE(scan.open());
  EXPECT_EQ(scan.read(), 2u);
  EXPECT_THAT(scan.largest(), IsEmpty()) << "who used what before is not known";
  now_ns += 2 * kSecond_ns;
  proc.set(7, {.name = "python3", .cpu = 500 + 300, .pages = 1000 + 4096, .faults = 8});
  proc.set_cgroup(7, "/system.slice/cron.service");
  scan.scan();
  ASSERT_EQ(scan.largest().size(), 1u);
  const auto& use = scan.largest().front();
  EXPECT_EQ(use.name, "python3");
  EXPECT_EQ(use.pid, 7u);
  EXPECT_EQ(use.start, 100u);
  EXPECT_DOUBLE_EQ(use.seconds, 2);
  EXPECT_DOUBLE_EQ(use.cores, 1.5);
  const double page = static_cast<double>(::sysconf(_SC_PAGESIZE));
  EXPECT_DOUBLE_EQ(use.grown, 4096 * page / 2);
  EXPECT_DOUBLE_EQ(use.resident, (1000 + 4096) * page);
  EXPECT_DOUBLE_EQ(use.faults, 4);
  EXPECT_EQ(use.group, "/system.slice/cron.service");
}

TEST(ProcessScan, TellsTheIoOfTheBusy) {
  const MadeProc proc;
  proc.set(7, {.name = "dd"});
  proc.set_io(7, 0, 1000);
  ProcessScan scan(proc.root(), kTested);
  ASSERT_TRUE(scan.open());
  for (const std::uint64_t step : {1U, 2U}) {
    now_ns += kSecond_ns;
    proc.set(7, {.name = "dd", .cpu = 2 * step, .state = 'D'});
    proc.set_io(7, 0, 1000 + step * 5'000'000);
    scan.scan();
  }
  ASSERT_EQ(scan.largest().size(), 1u);
  EXPECT_EQ(scan.largest().front().read, 0);
  EXPECT_EQ(scan.largest().front().written, 5'000'000);
}

// A process of a job, and one that does next to nothing. Each scan is a second after the one
// before.
class StoppedProcesses : public ::testing::Test {
 protected:
  StoppedProcesses() {
    proc_.set(7, {.name = "python3"});
    proc_.set(8, {.name = "less"});
    EXPECT_TRUE(scan_.open());
  }

  void second(char state, std::uint64_t ticks = 0) {
    cpu_ += ticks;
    now_ns += kSecond_ns;
    proc_.set(7, {.name = "python3", .cpu = cpu_, .state = state});
    scan_.scan();
  }

  std::uint64_t cpu_ = 0;
  MadeProc proc_;
  ProcessScan scan_{proc_.root(), kTested};
};

TEST_F(StoppedProcesses, AreCountedAndToldIfTheyWereBusy) {
  second('R', 95);
  EXPECT_EQ(scan_.stopped(), 0u);
  proc_.set(8, {.name = "less", .state = 'T'});
  second('T', 40);
  EXPECT_EQ(scan_.stopped(), 1u) << "nobody waits for less";
  second('T');
  EXPECT_EQ(scan_.stopped(), 1u);
  ASSERT_THAT(names_of(scan_), ElementsAre("python3"));
  EXPECT_TRUE(scan_.largest().front().stopped);
  EXPECT_EQ(scan_.largest().front().cores, 0);
  second('S', 95);
  EXPECT_EQ(scan_.stopped(), 0u);
  ASSERT_THAT(names_of(scan_), ElementsAre("python3"));
  EXPECT_FALSE(scan_.largest().front().stopped);
}

TEST_F(StoppedProcesses, ByATracerCount) {
  second('R', 95);
  second('t');
  EXPECT_EQ(scan_.stopped(), 1u);
}

TEST_F(StoppedProcesses, ThatHadBeenIdleForLongerThanTenScansDoNotCount) {
  second('R', 95);
  for (int i = 0; i < 10; ++i) second('S');
  second('T');
  EXPECT_EQ(scan_.stopped(), 0u);
}

TEST_F(StoppedProcesses, CountForAsLongAsTheyAreAndAreToldForAMinute) {
  second('R', 95);
  for (int i = 0; i < 60; ++i) {
    second('T');
    ASSERT_THAT(names_of(scan_), ElementsAre("python3")) << i;
  }
  second('T');
  EXPECT_EQ(scan_.stopped(), 1u);
  EXPECT_THAT(scan_.largest(), IsEmpty());
  proc_.end(7);
  now_ns += kSecond_ns;
  scan_.scan();
  EXPECT_EQ(scan_.stopped(), 0u) << "it was killed";
}

TEST_F(StoppedProcesses, AreReadInEachScanOfManyProcesses) {
  ProcessLimits few = kTested;
  few.reads = 4;
  for (std::uint32_t pid = 100; pid < 160; ++pid) proc_.set(pid, {});
  ProcessScan scan(proc_.root(), few);
  ASSERT_TRUE(scan.open());
  for (std::uint64_t i = 1; i < 40; ++i) {  // until it has had its turn
    now_ns += kSecond_ns;
    proc_.set(7, {.name = "python3", .cpu = 95 * i});
    scan.scan();
  }
  for (int i = 0; i < 30; ++i) {
    now_ns += kSecond_ns;
    proc_.set(7, {.name = "python3", .cpu = 95 * 39, .state = 'T'});
    scan.scan();
    ASSERT_EQ(scan.stopped(), 1u) << i;
  }
}

TEST(ProcessScan, GoesOnWhenAnotherProcIsMounted) {
  MadeProc proc;
  proc.set(7, {});
  ProcessScan scan(proc.root(), kTested);
  ASSERT_TRUE(scan.open());
  fs::remove_all(proc.root().proc);
  scan.scan();
  EXPECT_EQ(scan.read(), 0u);
  proc.set(7, {});
  proc.set(8, {});
  scan.scan();
  scan.scan();
  EXPECT_EQ(scan.read(), 2u);
}

TEST(ProcessScan, TellsAllOfAProcessWhoseStartItSaw) {
  const MadeProc proc;
  proc.set(7, {});
  ProcessScan scan(proc.root(), kTested);
  ASSERT_TRUE(scan.open());
  now_ns += kSecond_ns;
  // It began half a second ago, at 1000.5 s.
  proc.set(900, {.name = "burst", .cpu = 50, .start = 100'050});
  proc.set_io(900, 0, 10'000'000);
  scan.scan();
  ASSERT_THAT(names_of(scan), ElementsAre("burst"));
  EXPECT_DOUBLE_EQ(scan.largest().front().seconds, 0.5);
  EXPECT_DOUBLE_EQ(scan.largest().front().cores, 1);
  EXPECT_EQ(scan.largest().front().written, 20'000'000);
}

TEST(ProcessScan, APidThatIsUsedAgainIsAnotherProcess) {
  const MadeProc proc;
  proc.set(7, {.name = "old", .cpu = 100'000});
  ProcessScan scan(proc.root(), kTested);
  ASSERT_TRUE(scan.open());
  now_ns += kSecond_ns;
  // Its time is below the old one's, and it began too long ago to be told from its start.
  proc.set(7, {.name = "new", .cpu = 90, .start = 50'000});
  scan.scan();
  EXPECT_THAT(scan.largest(), IsEmpty());
  now_ns += kSecond_ns;
  proc.set(7, {.name = "new", .cpu = 190, .start = 50'000});
  scan.scan();
  ASSERT_THAT(names_of(scan), ElementsAre("new"));
  EXPECT_DOUBLE_EQ(scan.largest().front().cores, 1);
}

TEST(ProcessScan, ProcessesVanishAtAnyMoment) {
  const MadeProc proc;
  for (const std::uint32_t pid : {7U, 8U, 9U}) proc.set(pid, {.name = fmt::format("p{}", pid)});
  ProcessScan scan(proc.root(), kTested);
  ASSERT_TRUE(scan.open());
  now_ns += kSecond_ns;
  proc.end(7);                       // gone before the scan
  fs::remove(proc.file(8, "stat"));  // gone between listing and reading
  proc.set(9, {.name = "p9", .cpu = 50});
  scan.scan();
  EXPECT_THAT(names_of(scan), ElementsAre("p9"));
  EXPECT_EQ(scan.read(), 1u);
  EXPECT_EQ(scan.unread(), 0u);
  proc.end(9);
  now_ns += kSecond_ns;
  scan.scan();
  EXPECT_THAT(scan.largest(), IsEmpty());
  EXPECT_EQ(scan.read(), 0u);
}

TEST(ProcessScan, KeepsTheLargestByEachMeasure) {
  const MadeProc proc;
  const auto set_all = [&](std::uint64_t step) {
    for (std::uint32_t i = 1; i <= 20; ++i) {
      proc.set(i, {.name = fmt::format("p{:02}", i), .cpu = step * i});
    }
    proc.set(50, {.name = "grower", .pages = 100 + step * 10'000});
  };
  set_all(1);
  ProcessScan scan(proc.root(), kTested);
  ASSERT_TRUE(scan.open());
  now_ns += kSecond_ns;
  set_all(3);
  scan.scan();
  EXPECT_THAT(names_of(scan),
              ElementsAre("p13", "p14", "p15", "p16", "p17", "p18", "p19", "p20", "grower"));
}

// A scan that may read ten processes comes to each of a hundred, and reads the busy one each time.
TEST(ProcessScan, ManyProcessesTakeTurnsAndTheBusyDoNot) {
  const MadeProc proc;
  for (std::uint32_t pid = 1; pid <= 100; ++pid) proc.set(pid, {});
  auto limits = kTested;
  limits.reads = 10;
  ProcessScan scan(proc.root(), limits);
  ASSERT_TRUE(scan.open());
  std::uint64_t told = 0;
  for (std::uint64_t step = 1; step <= 40; ++step) {
    now_ns += kSecond_ns;
    proc.set(77, {.name = "busy", .cpu = 80 * step});
    scan.scan();
    EXPECT_LE(scan.read(), 10u);
    if (scan.largest().empty()) continue;
    ++told;
    EXPECT_THAT(names_of(scan), ElementsAre("busy"));
    EXPECT_NEAR(scan.largest().front().cores, 0.8, 1e-9);
  }
  EXPECT_GE(told, 15u) << "once it is found it is read in each scan";
  EXPECT_EQ(scan.read() + scan.unread(), 100u);
}

TEST(ProcessScan, RefusedIoIsSaidAndTheRestIsTold) {
  const MadeProc proc;
  fs::permissions(proc.root().proc, fs::perms::all);
  proc.set(7, {.name = "secret"});
  proc.set_io(7, 0, 0);
  fs::permissions(proc.file(7, "io"), fs::perms::none);
  ProcessScan scan(proc.root(), kTested);
  ASSERT_TRUE(scan.open());
  EXPECT_FALSE(scan.io_refused());
  now_ns += kSecond_ns;
  proc.set(7, {.name = "secret", .cpu = 100});
  {
    const Unprivileged nobody;
    if (!nobody.done()) GTEST_SKIP() << "this user cannot become another";
    scan.scan();
  }
  EXPECT_TRUE(scan.io_refused());
  ASSERT_THAT(names_of(scan), ElementsAre("secret"));
  EXPECT_FALSE(scan.largest().front().read);
}

TEST(ProcessScan, NoProcessesAreAnAbsentSource) {
  const base::TempDir empty;
  ProcessScan scan({empty.path().string(), ""}, kTested);
  const auto opened = scan.open();
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().kind, base::ErrorKind::kAbsent);
}

TEST(ProcessCollector, SaysOnceWhatIsRecordedAndThenEvents) {
  const auto collector = find_collector("process")->make();
  const MadeProc proc;
  proc.set(7, {.name = "python3"});
  model::ChannelTable channels;
  ASSERT_TRUE(collector->open(proc.root(), channels));
  model::Frame frame;
  FrameWriter writer(channels, frame, "process");
  collector->collect(writer);
  ASSERT_EQ(frame.notes.size(), 1u);
  EXPECT_EQ(frame.notes.front().kind, model::Note::Kind::kFact);
  EXPECT_EQ(frame.notes.front().subject, "processes");
  EXPECT_THAT(frame.notes.front().text, HasSubstr("never their environment or arguments"));
  const auto read = channels.find_channel("cpu_recorder_processes_read");
  ASSERT_TRUE(read);
  EXPECT_EQ(frame.bits[read->index()], 1u);
  frame.notes.clear();
  ::usleep(50'000);  // by the real clock: a use needs some time
  proc.set(7, {.name = "python3", .cpu = 1'000});
  collector->collect(writer);
  ASSERT_EQ(frame.notes.size(), 1u);
  const auto use = model::process_use_of(frame.notes.front());
  ASSERT_TRUE(use);
  EXPECT_EQ(use->name, "python3");
  EXPECT_EQ(use->pid, 7u);
  const auto stopped = channels.find_channel("cpu_stopped_processes");
  ASSERT_TRUE(stopped);
  EXPECT_EQ(frame.bits[stopped->index()], 0u);
  proc.set(7, {.name = "python3", .cpu = 1'000, .state = 'T'});
  collector->collect(writer);
  EXPECT_EQ(frame.bits[stopped->index()], 1u);
}

}  // namespace
}  // namespace reveal::collect
