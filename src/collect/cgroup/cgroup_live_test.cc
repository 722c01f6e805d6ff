// The collector against the running kernel: groups made here, in which a child burns CPU time or
// fills memory. What it says is held against getrusage of that child and against what the child
// was told to do. Needs root and a host whose hierarchies may be written; skipped elsewhere.
#include <array>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "collect/cgroup/testing/live_group.h"
#include "collect/registry.h"
#include "collect/tick_clock.h"

namespace reveal::collect {
namespace {

using model::Validity;

void burn(double seconds) {
  const auto enough = static_cast<std::int64_t>(seconds * 1e9);
  while (clock_ns(CLOCK_PROCESS_CPUTIME_ID) < enough) {
  }
}

class CgroupLive : public ::testing::Test {
 protected:
  void open() {
    ASSERT_TRUE(collector_->open({}, channels_));
    ASSERT_TRUE(detail_->open({}, channels_));
    tick();
  }
  void tick() {
    for (auto& validity : frame_.validity) validity = Validity::kMissing;
    FrameWriter writer(channels_, frame_);
    collector_->collect(writer);
    detail_->collect(writer);
  }
  std::optional<double> value(std::string_view metric, std::string_view part = "") {
    const auto id =
        channels_.find_channel(fmt::format("{}{{{}{}}}", metric, LiveGroup::instance(), part));
    if (!id || !frame_.was_read(*id)) return std::nullopt;
    return static_cast<double>(frame_.bits[id->index()]) * channels_.metric(*id).scale;
  }

  std::unique_ptr<Collector> collector_ = find_collector("cgroup")->make();
  std::unique_ptr<Collector> detail_ = find_collector("cgroup_detail")->make();
  model::ChannelTable channels_;
  model::Frame frame_;
};

// Returns how many files of the group this process has open.
std::size_t open_files_of(const LiveGroup& group) {
  std::size_t out = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code gone;
    const auto target = std::filesystem::read_symlink(entry.path(), gone).string();
    if (target.find("/" + group.name() + "/") != std::string::npos) ++out;
  }
  return out;
}

void skip_unless(const LiveGroup& group) {
  if (!group.made()) GTEST_SKIP() << "no such hierarchy of control groups may be written here";
}

class CgroupCpuTime : public CgroupLive, public ::testing::WithParamInterface<const char*> {};

TEST_P(CgroupCpuTime, AgreesWithGetrusage) {
  LiveGroup group(GetParam());
  skip_unless(group);
  if (IsSkipped()) return;
  open();
  const double before = value("cpu_cgroup_usage_seconds_total").value();
  Child child(group, [] { burn(0.3); });
  ASSERT_TRUE(child.wait_for_work());
  const double rusage = child.end();
  tick();
  const double used = value("cpu_cgroup_usage_seconds_total").value() - before;
  // The child enters the group a moment after it begins, and leaves it as it ends.
  EXPECT_NEAR(used, rusage, 0.02);
  EXPECT_GE(used, 0.29);
  const double split = value("cpu_cgroup_user_seconds_total").value() +
                       value("cpu_cgroup_system_seconds_total").value();
  // Version 1 samples, at each tick of a core, what runs there: on a busy one it may miss most.
  const double sampled = static_cast<double>(group.number_in("cpuacct.usage_user") +
                                             group.number_in("cpuacct.usage_sys")) *
                         1e-9;
  const bool unified = std::string_view(GetParam()).empty();
  EXPECT_NEAR(split, unified ? used : sampled, 0.02);
  group.remove();
  tick();
  EXPECT_FALSE(value("cpu_cgroup_usage_seconds_total"));
}

INSTANTIATE_TEST_SUITE_P(Versions, CgroupCpuTime, ::testing::Values("cpuacct", ""),
                         [](const auto& of) { return *of.param == 0 ? "Two" : "One"; });

TEST_F(CgroupLive, ThrottlingUnderAQuotaIsCounted) {
  LiveGroup group("cpu");
  skip_unless(group);
  if (IsSkipped()) return;
  ASSERT_TRUE(group.write("cpu.cfs_period_us", "20000"));
  ASSERT_TRUE(group.write("cpu.cfs_quota_us", "5000"));
  open();
  EXPECT_EQ(value("cpu_cgroup_quota_cores"), 0.25);
  EXPECT_EQ(value("cpu_cgroup_throttled_periods_total"), 0.0);
  // How much a child gets of a busy machine nobody knows, so it goes on until it was throttled.
  Child child(group, [&] {
    for (double until = 0.05; until < 5 && group.number_of("nr_throttled") < 5; until += 0.05) {
      burn(until);
    }
  });
  ASSERT_TRUE(child.wait_for_work());
  child.end();
  // A period may still end when the child is gone.
  const auto numbers = [&] {
    return std::array{static_cast<double>(group.number_of("nr_throttled")),
                      static_cast<double>(group.number_of("nr_periods")),
                      static_cast<double>(group.number_of("throttled_time")) * 1e-9};
  };
  const auto least = numbers();
  tick();
  const auto most = numbers();
  EXPECT_GE(least[0], 5);
  const std::array told{value("cpu_cgroup_throttled_periods_total"),
                        value("cpu_cgroup_periods_total"),
                        value("cpu_cgroup_throttled_seconds_total")};
  for (std::size_t i = 0; i < told.size(); ++i) {
    EXPECT_GE(told[i].value(), least[i] - 1e-9) << i;
    EXPECT_LE(told[i].value(), most[i] + 1e-9) << i;
  }
}

TEST_F(CgroupLive, MemoryOfAChildIsSeenAndItsLimit) {
  LiveGroup group("memory");
  skip_unless(group);
  if (IsSkipped()) return;
  constexpr std::size_t kBytes = 32U << 20;
  ASSERT_TRUE(group.write("memory.limit_in_bytes", "134217728"));
  open();
  EXPECT_EQ(value("memory_cgroup_limit_bytes"), 134217728.0);
  const double before = value("memory_cgroup_used_bytes").value();
  Child child(group, [] {
    auto* memory = static_cast<volatile char*>(std::malloc(kBytes));
    for (std::size_t i = 0; i < kBytes; i += 512) memory[i] = 1;
  });
  ASSERT_TRUE(child.wait_for_work());
  tick();
  const double held = value("memory_cgroup_used_bytes").value() - before;
  EXPECT_GE(held, 0.98 * kBytes);
  EXPECT_LE(held, 1.25 * kBytes);
  EXPECT_GE(value("memory_cgroup_anonymous_bytes").value(), 0.98 * kBytes);
  EXPECT_GE(value("memory_cgroup_node_anonymous_bytes", ",node=0").value(), 0.5 * kBytes);
  child.end();
  tick();
  EXPECT_LE(value("memory_cgroup_used_bytes").value() - before, 0.25 * kBytes);
}

TEST_F(CgroupLive, TasksAndTheirLimitAreCounted) {
  LiveGroup group("pids");
  skip_unless(group);
  if (IsSkipped()) return;
  ASSERT_TRUE(group.write("pids.max", "1"));
  open();
  EXPECT_EQ(value("cpu_cgroup_tasks"), 0.0);
  Child child(group, [] {
    if (::fork() == 0) ::_exit(0);  // fails: the group is full
  });
  ASSERT_TRUE(child.wait_for_work());
  tick();
  EXPECT_EQ(value("cpu_cgroup_tasks"), 1.0);
  EXPECT_EQ(value("cpu_cgroup_task_limit_hits_total"), 1.0);
}

class CgroupFreezer : public CgroupLive, public ::testing::WithParamInterface<bool> {};

TEST_P(CgroupFreezer, IsSeen) {
  const bool unified = GetParam();
  LiveGroup group(unified ? "" : "freezer");
  skip_unless(group);
  if (IsSkipped()) return;
  const std::string file = unified ? "cgroup.freeze" : "freezer.state";
  open();
  EXPECT_EQ(value("cpu_cgroup_frozen_flag"), 0.0);
  ASSERT_TRUE(group.write(file, unified ? "1" : "FROZEN"));
  tick();
  EXPECT_EQ(value("cpu_cgroup_frozen_flag"), 1.0);
  ASSERT_TRUE(group.write(file, unified ? "0" : "THAWED"));
  tick();
  EXPECT_EQ(value("cpu_cgroup_frozen_flag"), 0.0);
}

INSTANTIATE_TEST_SUITE_P(Versions, CgroupFreezer, ::testing::Bool(),
                         [](const auto& of) { return of.param ? "Two" : "One"; });

TEST_F(CgroupLive, GroupMadeAnewIsAReset) {
  LiveGroup group("pids");
  skip_unless(group);
  if (IsSkipped()) return;
  open();
  ASSERT_EQ(value("cpu_cgroup_tasks"), 0.0);
  ASSERT_EQ(::rmdir(group.path().c_str()), 0);
  ASSERT_EQ(::mkdir(group.path().c_str(), 0755), 0);
  tick();
  const auto id = channels_.find_channel(fmt::format("cpu_cgroup_tasks{{{}}}", group.instance()));
  EXPECT_EQ(frame_.validity[id.value().index()], Validity::kReset);
}

TEST_F(CgroupLive, FilesStayOpenUntilTheGroupGoes) {
  LiveGroup group("pids");
  skip_unless(group);
  if (IsSkipped()) return;
  open();
  const auto kept = open_files_of(group);
  EXPECT_GT(kept, 0u);
  tick();
  EXPECT_EQ(open_files_of(group), kept);
  EXPECT_EQ(value("cpu_cgroup_tasks"), 0.0);
  group.remove();
  tick();
  EXPECT_FALSE(value("cpu_cgroup_tasks"));
  // A file of the group that went is not read again: it is closed at once or with its group.
  tick();
  EXPECT_EQ(open_files_of(group), 0u);
}

TEST_F(CgroupLive, AFileThatGoesWhileItIsOpenIsMissing) {
  LiveGroup group("");
  skip_unless(group);
  if (IsSkipped()) return;
  open();
  if (!value("cpu_cgroup_pressure_some_seconds_total") || !group.write("cgroup.pressure", "0")) {
    GTEST_SKIP() << "this kernel cannot turn the pressure of a group off";
  }
  tick();
  EXPECT_FALSE(value("cpu_cgroup_pressure_some_seconds_total"));
  EXPECT_EQ(value("cpu_cgroup_frozen_flag"), 0.0);
  ASSERT_TRUE(group.write("cgroup.pressure", "1"));
  for (int i = 0; i < 100 && !value("cpu_cgroup_pressure_some_seconds_total"); ++i) {
    ::usleep(200'000);  // the next pass over the folders looks for it
    tick();
  }
  EXPECT_TRUE(value("cpu_cgroup_pressure_some_seconds_total"));
}

}  // namespace
}  // namespace reveal::collect
