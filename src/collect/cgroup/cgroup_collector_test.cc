// Groups that come, go, are made anew and are far too many, on a tree that the test changes under
// the collector.
#include "collect/cgroup/cgroup_collector.h"

#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <unistd.h>

namespace reveal::collect {
namespace {

namespace fs = std::filesystem;
using model::Validity;

constexpr std::string_view kUsage = "cpu_cgroup_usage_seconds_total";
const std::string kId(64, 'a');

fs::path scratch() {
  const fs::path memory = "/dev/shm";
  const fs::path folder =
      ::access(memory.c_str(), W_OK | X_OK) == 0 ? memory : fs::path(::testing::TempDir());
  return folder / ("reveal_cgroup_" + std::to_string(::getpid()));
}

// A host with version 2, and a collector on it that is driven as the sampler does.
class CgroupHost : public ::testing::Test {
 protected:
  CgroupHost() : path_(scratch()) {
    fs::remove_all(path_);
    fs::create_directories(path_ / "proc");
    write("cgroup.controllers", "cpu memory\n");
  }
  ~CgroupHost() override { fs::remove_all(path_); }

  fs::path top() const { return path_ / "sys/fs/cgroup"; }
  void write(const std::string& file, std::string_view text) const {
    fs::create_directories((top() / file).parent_path());
    std::ofstream(top() / file, std::ios::trunc) << text;
  }
  void make(const std::string& group, int usage_us) const {
    write(group + "/cpu.stat", fmt::format("usage_usec {}\n", usage_us));
  }
  void remove(const std::string& group) const { fs::remove_all(top() / group); }

  void open(CgroupPlan plan = {.counts_groups = true}) {
    plan.counts_groups = true;
    collector_.emplace(cgroup_rows(), plan);
    const auto opened =
        collector_->open({(path_ / "proc").string(), (path_ / "sys").string()}, channels_);
    ASSERT_TRUE(opened) << opened.error().message();
  }

  void tick() {
    for (auto& validity : frame_.validity) validity = Validity::kMissing;
    frame_.notes.clear();
    FrameWriter writer(channels_, frame_, "cgroup");
    collector_->collect(writer);
    for (const auto& note : frame_.notes) notes_.push_back(note.subject + ": " + note.text);
  }

  Validity validity(std::string_view instance, std::string_view metric = kUsage) {
    const auto id = find(instance, metric);
    const bool read = id && id->index() < frame_.validity.size();
    return read ? frame_.validity[id->index()] : Validity::kMissing;
  }
  std::uint64_t value(std::string_view instance, std::string_view metric = kUsage) {
    return frame_.bits.at(find(instance, metric).value().index());
  }
  std::optional<model::ChannelId> find(std::string_view instance, std::string_view metric) {
    return channels_.find_channel(fmt::format("{}{{{}}}", metric, instance));
  }
  std::uint64_t not_followed() {
    return frame_.bits.at(channels_.find_channel("cpu_cgroups_not_followed").value().index());
  }
  // Returns how many groups have a value of that kind.
  int count(Validity wanted) {
    int out = 0;
    for (std::size_t i = 0; i < channels_.channel_count(); ++i) {
      const model::ChannelId id(i);
      out += channels_.metric(id).name == kUsage && frame_.validity[i] == wanted ? 1 : 0;
    }
    return out;
  }

  fs::path path_;
  std::optional<CgroupCollector> collector_;
  model::ChannelTable channels_;
  model::Frame frame_;
  std::vector<std::string> notes_;
};

TEST_F(CgroupHost, GroupComesAndGoes) {
  make("docker", 1);
  open();
  tick();
  EXPECT_EQ(validity("cg=/docker/aaaaaaaaaaaa"), Validity::kMissing);
  make("docker/" + kId, 7);
  tick();
  EXPECT_EQ(validity("cg=/docker/aaaaaaaaaaaa"), Validity::kFresh);
  EXPECT_EQ(value("cg=/docker/aaaaaaaaaaaa"), 7000u);
  remove("docker/" + kId);
  tick();
  EXPECT_EQ(validity("cg=/docker/aaaaaaaaaaaa"), Validity::kMissing);
  EXPECT_THAT(notes_, ::testing::ElementsAre("cg=/docker/aaaaaaaaaaaa: docker container " + kId,
                                             "cg=/docker/aaaaaaaaaaaa: "));
}

TEST_F(CgroupHost, GroupThatWasGoneComesBackAsAReset) {
  make("training", 5);
  open();
  tick();
  const auto channels = channels_.channel_count();
  EXPECT_EQ(validity("cg=/training"), Validity::kFresh);
  remove("training");
  tick();
  make("training", 9);
  tick();
  EXPECT_EQ(validity("cg=/training"), Validity::kReset);
  EXPECT_EQ(value("cg=/training"), 9000u);
  tick();
  EXPECT_EQ(validity("cg=/training"), Validity::kFresh);
  EXPECT_EQ(channels_.channel_count(), channels);
}

TEST_F(CgroupHost, GroupMadeAnewBetweenTwoReadingsIsAReset) {
  make("training", 5);
  open();
  tick();
  // Made before the old one is gone, so that the file system cannot give it the same number.
  make("next", 9);
  remove("training");
  fs::rename(top() / "next", top() / "training");
  tick();
  EXPECT_EQ(validity("cg=/training"), Validity::kReset);
  tick();
  EXPECT_EQ(validity("cg=/training"), Validity::kFresh);
}

TEST_F(CgroupHost, WithoutInotifyThePassesFindWhatIsNew) {
  open({.limits = {.watches = 0, .rescan = {}}});
  tick();
  make("a/b/c", 3);
  tick();
  EXPECT_EQ(value("cg=/a/b/c"), 3000u);
}

TEST_F(CgroupHost, GroupBelowALeafIsFoundByTheNextPass) {
  make("a", 1);
  open({.limits = {.rescan = {}}});
  make("a/b", 2);
  tick();
  EXPECT_EQ(validity("cg=/a/b"), Validity::kFresh);
}

TEST_F(CgroupHost, TenThousandGroupsCostABoundedAmountOfWork) {
  constexpr int kGroups = 10'000;
  for (int i = 0; i < kGroups; ++i) fs::create_directories(top() / fmt::format("s.slice/{}", i));
  make("docker/" + kId, 7);
  open();
  const CgroupPlan plan;
  EXPECT_EQ(collector_->followed(), plan.limits.followed);
  EXPECT_EQ(validity("cg=/docker/aaaaaaaaaaaa"), Validity::kMissing);  // opening is no reading
  std::uint64_t opened = collector_->opened();
  std::uint64_t looked = collector_->looked();
  for (int i = 0; i < 30; ++i) {
    if (i == 3) fs::create_directories(top() / "s.slice/another");
    tick();
    EXPECT_EQ(validity("cg=/docker/aaaaaaaaaaaa"), Validity::kFresh);
    // The last group that is begun is read to its end: a folder and at most 64 files more.
    EXPECT_LE(collector_->opened() - opened, plan.opens + 65);
    EXPECT_LE(collector_->looked() - looked, 2 * plan.limits.looks);
    opened = collector_->opened();
    looked = collector_->looked();
  }
  EXPECT_EQ(not_followed(), kGroups + 1u + 3 - plan.limits.followed);  // and s.slice, docker, kId
  const auto left_out = fmt::format("control groups: {} are not followed", kGroups + 2 + 1 - 256);
  EXPECT_THAT(notes_, ::testing::Contains(::testing::StartsWith(left_out)).Times(1));
  EXPECT_THAT(notes_, ::testing::Contains(::testing::StartsWith("control groups: ")).Times(1));
}

// Twenty jobs end and twenty begin between two readings, in each hierarchy on its own.
TEST_F(CgroupHost, TenThousandGroupsOfVersionOneThatComeAndGo) {
  constexpr int kGroups = 10'000;
  constexpr int kTurnover = 20;
  const std::string hierarchies[] = {"cpu,cpuacct/", "memory/", "pids/"};
  fs::remove(top() / "cgroup.controllers");
  for (const auto& hierarchy : hierarchies) {
    for (int i = 0; i < kGroups; ++i) fs::create_directories(top() / hierarchy / std::to_string(i));
  }
  write("memory/docker/" + kId + "/memory.usage_in_bytes", "4096\n");
  open({.limits = {.rescan = {}}});
  const CgroupPlan plan;
  EXPECT_EQ(collector_->followed(), plan.limits.followed);
  std::uint64_t opened = collector_->opened();
  std::uint64_t looked = collector_->looked();
  constexpr int kTurns = 200;  // a pass over all takes some sixty
  for (int turn = 0; turn < kTurns; ++turn) {
    for (int i = turn * kTurnover; turn < 20 && i < (turn + 1) * kTurnover; ++i) {
      for (const auto& hierarchy : hierarchies) {
        fs::remove(top() / hierarchy / std::to_string(kGroups - 1 - i));
        fs::create_directories(top() / hierarchy / fmt::format("late{}", i));
      }
    }
    tick();
    ASSERT_EQ(validity("cg=/docker/aaaaaaaaaaaa", "memory_cgroup_used_bytes"), Validity::kFresh);
    EXPECT_LE(collector_->opened() - opened, plan.opens + 65);
    EXPECT_LE(collector_->looked() - looked, 2 * plan.limits.looks);
    opened = collector_->opened();
    looked = collector_->looked();
  }
  EXPECT_LE(collector_->followed(), plan.limits.followed);
  EXPECT_EQ(not_followed() + collector_->followed(), kGroups + 2u);  // docker and what is in it
  EXPECT_THAT(notes_, ::testing::Contains(::testing::HasSubstr("limit of 256")).Times(1));
}

TEST_F(CgroupHost, MoreGroupsThanAreToldApartAreCounted) {
  for (int i = 0; i < 50; ++i) make(fmt::format("g{}", i), 1);
  open({.limits = {.followed = 4, .known = 20}});
  tick();
  EXPECT_EQ(not_followed(), 46u);
}

TEST_F(CgroupHost, ContainerThatComesLateTakesThePlaceOfAService) {
  for (int i = 0; i < 10; ++i) make(fmt::format("system.slice/{}.service", i), 1);
  open({.limits = {.followed = 5}, .others = 10});
  tick();
  EXPECT_EQ(count(Validity::kFresh), 5);
  make("docker/" + kId, 7);
  tick();
  EXPECT_EQ(validity("cg=/docker/aaaaaaaaaaaa"), Validity::kFresh);
  EXPECT_EQ(count(Validity::kFresh), 5);
}

TEST_F(CgroupHost, ServicesTakeTurnsAndKeepTheirValuesMeanwhile) {
  for (int i = 0; i < 20; ++i) make(fmt::format("system.slice/{}.service", i), i);
  make("system.slice", 99);
  make("training", 7);
  open();
  std::set<std::string> read;
  for (int turn = 0; turn < 3; ++turn) {
    tick();
    EXPECT_EQ(count(Validity::kFresh), 1 + 8);
    EXPECT_EQ(validity("cg=/training"), Validity::kFresh);
    for (int i = 0; i < 20; ++i) {
      const std::string instance = fmt::format("cg=/system.slice/{}.service", i);
      if (validity(instance) == Validity::kFresh) read.insert(instance);
      if (validity(instance) != Validity::kMissing) {
        EXPECT_EQ(value(instance), static_cast<std::uint64_t>(i) * 1000);
      }
    }
  }
  EXPECT_EQ(read.size(), 20u);
  EXPECT_EQ(count(Validity::kStale), 21 - 8);  // the slice too
}

TEST_F(CgroupHost, AGroupThatEndedGivesItsPlaceAndItsChannelsBack) {
  open({.limits = {.followed = 3}});
  std::size_t channels = 0;
  for (int i = 0; i < 3000; ++i) {
    const auto name = fmt::format("g{}", i);
    make(name, i);
    tick();
    ASSERT_EQ(value("cg=/" + name), static_cast<std::uint64_t>(i) * 1000);
    remove(name);
    if (i == 2) channels = channels_.channel_count();
  }
  EXPECT_EQ(channels_.channel_count(), channels);
  EXPECT_LE(channels_.instance_count(), 2u);
  EXPECT_EQ(not_followed(), 0u);
  EXPECT_THAT(notes_, ::testing::Not(::testing::Contains(::testing::HasSubstr("limit"))));
}

TEST_F(CgroupHost, IdsThatBeginAlikeHaveTwoChannels) {
  const std::string twin = kId.substr(0, 63) + "b";
  make("docker/" + kId, 1);
  make("docker/" + twin, 2);
  open();
  tick();
  EXPECT_EQ(count(Validity::kFresh), 2);
}

TEST_F(CgroupHost, HybridHostTakesEachNumberFromOnePlace) {
  fs::remove(top() / "cgroup.controllers");
  write("unified/cgroup.controllers", "\n");
  write("unified/job/cpu.stat", "usage_usec 1\nuser_usec 2\n");
  write("unified/job/cpu.pressure", "some avg10=0.00 avg60=0.00 avg300=0.00 total=40\n");
  write("cpu,cpuacct/job/cpuacct.usage", "5000\n");
  write("cpu,cpuacct/job/cpuacct.stat", "user 6\nsystem 7\n");
  write("memory/job/memory.usage_in_bytes", "4096\n");
  open();
  tick();
  EXPECT_EQ(value("cg=/job"), 5000u);
  EXPECT_EQ(value("cg=/job", "cpu_cgroup_user_seconds_total"), 60'000'000u);
  EXPECT_EQ(value("cg=/job", "memory_cgroup_used_bytes"), 4096u);
  EXPECT_EQ(value("cg=/job", "cpu_cgroup_pressure_some_seconds_total"), 40u);
  // In one hierarchy less, the number comes from elsewhere, and does not go on from the one before.
  remove("cpu,cpuacct/job");
  tick();
  EXPECT_EQ(value("cg=/job"), 1000u);
  EXPECT_EQ(validity("cg=/job"), Validity::kReset);
}

TEST_F(CgroupHost, FrozenGroupsAreToldOfEitherVersion) {
  constexpr std::string_view kFrozen = "cpu_cgroup_frozen_flag";
  write("two/cgroup.events", "populated 1\nfrozen 1\n");
  open();
  tick();
  EXPECT_EQ(value("cg=/two", kFrozen), 1u);
  write("two/cgroup.events", "populated 1\nfrozen 0\n");
  tick();
  EXPECT_EQ(value("cg=/two", kFrozen), 0u);
}

TEST_F(CgroupHost, OfVersionOneAGroupIsFrozenOnceAllItsTasksAre) {
  constexpr std::string_view kFrozen = "cpu_cgroup_frozen_flag";
  fs::remove(top() / "cgroup.controllers");
  write("freezer/job/freezer.state", "FREEZING\n");
  open();
  tick();
  EXPECT_EQ(value("cg=/job", kFrozen), 0u);
  write("freezer/job/freezer.state", "FROZEN\n");
  tick();
  EXPECT_EQ(value("cg=/job", kFrozen), 1u);
}

TEST_F(CgroupHost, ContainersMountShowsWhatIsAboveIt) {
  fs::create_directories(path_ / "proc/self");
  std::ofstream(path_ / "proc/self/mountinfo")
      << "35 23 0:29 /docker/" << kId << " /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n";
  make("inner", 1);
  open();
  tick();
  // A part of the container that Reveal runs in: counted, and followed by nobody.
  EXPECT_EQ(not_followed(), 1u);
}

TEST_F(CgroupHost, HostWithoutGroupsHasTheCountOnly) {
  open();
  tick();
  EXPECT_EQ(not_followed(), 0u);
  EXPECT_EQ(channels_.channel_count(), 1u);
  EXPECT_EQ(collector_->why_absent(cgroup_rows()[0].metric).what, "no control group to follow");
}

TEST_F(CgroupHost, WhatOnlyVersionTwoHasIsSaidWithItsRemedy) {
  fs::remove(top() / "cgroup.controllers");
  write("memory/job/memory.usage_in_bytes", "4096\n");
  open();
  for (const auto& row : cgroup_rows()) {
    const auto error = collector_->why_absent(row.metric);
    const bool only_two = row.metric.source.find("pressure") != std::string_view::npos ||
                          row.metric.source.find("swap") != std::string_view::npos ||
                          row.key == CgroupQuantity::kMemoryHigh ||
                          row.key == CgroupQuantity::kMemoryOom;
    EXPECT_EQ(!error.remedy.empty(), only_two) << row.metric.name;
  }
}

}  // namespace
}  // namespace reveal::collect
