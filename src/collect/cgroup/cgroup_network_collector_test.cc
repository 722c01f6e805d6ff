// Networks of groups that come, go, are shared and change hands, on a tree that the test changes
// under the collector.
#include "collect/cgroup/cgroup_network_collector.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include "base/temp_dir.h"
#include "collect/testing/unprivileged.h"

namespace reveal::collect {
namespace {

namespace fs = std::filesystem;
using model::Validity;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::uint64_t kOwn = 4026531840;
constexpr std::uint64_t kOther = 4026532811;
constexpr std::uint64_t kThird = 4026532907;
constexpr std::string_view kReceived = "network_cgroup_received_bytes_total";
constexpr std::string_view kRetransmits = "network_cgroup_tcp_retransmits_total";

using Interfaces = std::map<std::string, std::uint64_t>;  // bytes received

// A host with version 2 of control groups, and a collector on it that is driven as the sampler
// does.
class NetworkHost : public ::testing::Test {
 protected:
  NetworkHost() {
    write(top() / "cgroup.controllers", "cpu memory\n");
    link("self", kOwn);
    link("1", kOwn);
  }

  fs::path top() const { return dir_.path() / "sys/fs/cgroup"; }
  fs::path proc(std::string_view below) const { return dir_.path() / "proc" / below; }

  static void write(const fs::path& file, std::string_view text) {
    fs::create_directories(file.parent_path());
    std::ofstream(file, std::ios::trunc) << text;
  }
  void link(std::string_view process, std::uint64_t number) const {
    const fs::path path = proc(process) / "ns/net";
    fs::create_directories(path.parent_path());
    fs::remove(path);
    fs::create_symlink(fmt::format("net:[{}]", number), path);
  }
  void group(const std::string& path, const std::vector<int>& pids) const {
    write(top() / path / "cgroup.procs", fmt::format("{}\n", fmt::join(pids, "\n")));
  }
  // Makes a process in a network, or changes what that counted.
  void process(int pid, std::uint64_t number, const Interfaces& interfaces,
               std::uint64_t retransmits = 0) const {
    link(std::to_string(pid), number);
    std::string text =
        "Inter-|   Receive                            |  Transmit\n"
        " face |bytes packets errs drop fifo frame compressed multicast|bytes packets errs drop "
        "fifo colls carrier compressed\n"
        "    lo: 999999 9 9 9 0 0 0 0 999999 9 9 9 0 0 0 0\n";
    for (const auto& [name, bytes] : interfaces) {
      text += fmt::format("{:>6}: {} 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n", name, bytes);
    }
    write(proc(std::to_string(pid)) / "net/dev", text);
    write(proc(std::to_string(pid)) / "net/snmp",
          fmt::format("Tcp: OutSegs RetransSegs\nTcp: 5000 {}\n", retransmits));
  }
  void end(int pid) const { fs::remove_all(proc(std::to_string(pid))); }

  base::Result<void> try_open(CgroupNamespaceLimits limits = {}) {
    collector_.emplace(limits);
    return collector_->open({proc("").string(), (dir_.path() / "sys").string()}, channels_);
  }
  void open(CgroupNamespaceLimits limits = {}) {
    limits.groups.rescan = {};
    const auto opened = try_open(limits);
    ASSERT_TRUE(opened) << opened.error().message();
    tick();
  }
  void tick() {
    for (auto& validity : frame_.validity) validity = Validity::kMissing;
    frame_.notes.clear();
    FrameWriter writer(channels_, frame_, "cgroup_network");
    collector_->collect(writer);
  }

  std::optional<model::ChannelId> find(std::string_view group, std::string_view metric) {
    return channels_.find_channel(fmt::format("{}{{cg={}}}", metric, group));
  }
  Validity validity(std::string_view group, std::string_view metric = kReceived) {
    const auto id = find(group, metric);
    const bool read = id && id->index() < frame_.validity.size();
    return read ? frame_.validity[id->index()] : Validity::kMissing;
  }
  std::uint64_t value(std::string_view group, std::string_view metric = kReceived) {
    return frame_.bits.at(find(group, metric).value().index());
  }
  // Returns the groups that have a value now.
  std::vector<std::string> groups() {
    std::vector<std::string> out;
    for (std::size_t i = 0; i < channels_.channel_count(); ++i) {
      const model::ChannelId id(i);
      if (channels_.metric(id).name != kReceived || !frame_.was_read(id)) continue;
      out.emplace_back(channels_.channel(id).instance.substr(3));
    }
    std::sort(out.begin(), out.end());
    return out;
  }

  base::TempDir dir_;
  std::optional<CgroupNetworkCollector> collector_;
  model::ChannelTable channels_;
  model::Frame frame_;
};

TEST_F(NetworkHost, SumsTheInterfacesOfAnotherNetworkWithoutLo) {
  group("job", {70});
  group("here", {80});
  process(70, kOther, {{"eth0", 1000}, {"eth1", 200}}, 30);
  process(80, kOwn, {{"eth0", 5}});
  open();
  EXPECT_THAT(groups(), ElementsAre("/job")) << "who lives in the recorder's network has none";
  EXPECT_EQ(value("/job"), 1200u);
  EXPECT_EQ(value("/job", kRetransmits), 30u);
  process(70, kOther, {{"eth0", 1500}, {"eth1", 200}}, 31);
  tick();
  EXPECT_EQ(value("/job"), 1700u);
  EXPECT_EQ(validity("/job"), Validity::kFresh);
}

// A recorder in a network of its own, such as a container's: the host's is nobody's.
TEST_F(NetworkHost, TheNetworkOfProcessOneIsTheHosts) {
  link("1", kThird);
  group("service", {80});
  group("job", {70});
  process(80, kThird, {{"eth0", 5}});
  process(70, kOther, {{"eth0", 6}});
  open();
  EXPECT_THAT(groups(), ElementsAre("/job"));
}

// One group is looked at in its turn in each reading, so that most of these ends are noticed by the
// reading of the counters.
TEST_F(NetworkHost, WhenAProcessEndsAnotherOfTheNetworkTakesOver) {
  group("job", {70});
  process(70, kOther, {{"eth0", 1000}});
  for (int i = 0; i < 3; ++i) group(fmt::format("group{}", i), {});
  open({.looks = 1});
  for (int i = 1; i <= 8; ++i) {
    end(69 + i);
    group("job", {70 + i});
    process(70 + i, kOther, {{"eth0", 1000U + static_cast<unsigned>(i)}});
    tick();
    EXPECT_EQ(validity("/job"), Validity::kFresh) << "the network goes on";
    EXPECT_EQ(value("/job"), 1000U + static_cast<unsigned>(i));
  }
}

TEST_F(NetworkHost, ANumberGivenToAProcessOfAnotherNetworkIsNoticed) {
  group("job", {70});
  process(70, kOther, {{"eth0", 1000}}, 7);
  open();
  process(70, kThird, {{"eth0", 9'000'000}}, 8);
  tick();
  EXPECT_EQ(value("/job"), 9'000'000u);
  EXPECT_EQ(validity("/job"), Validity::kReset) << "else 9 MB were traffic";
  EXPECT_EQ(validity("/job", kRetransmits), Validity::kReset);
  process(70, kOwn, {{"eth0", 3}});
  tick();
  EXPECT_EQ(validity("/job"), Validity::kMissing);
}

TEST_F(NetworkHost, ANetworkThatVanishesAndComesBackIsAnother) {
  group("job", {70});
  process(70, kOther, {{"eth0", 1000}});
  open();
  const auto channels = channels_.channel_count();
  end(70);
  group("job", {});
  tick();
  EXPECT_EQ(validity("/job"), Validity::kMissing);
  group("job", {72});
  process(72, kOther, {{"eth0", 2000}});
  tick();
  EXPECT_EQ(validity("/job"), Validity::kReset) << "numbers of namespaces are used again";
  tick();
  EXPECT_EQ(validity("/job"), Validity::kFresh);
  EXPECT_EQ(channels_.channel_count(), channels);
}

TEST_F(NetworkHost, AnInterfaceThatComesWithItsCountsIsNoTraffic) {
  group("job", {70});
  process(70, kOther, {{"eth0", 1000}}, 5);
  open();
  process(70, kOther, {{"eth0", 1000}, {"eth1", 1'000'000'000}}, 6);
  tick();
  EXPECT_EQ(validity("/job"), Validity::kReset);
  EXPECT_EQ(validity("/job", kRetransmits), Validity::kFresh) << "TCP knows no interfaces";
  process(70, kOther, {{"eth1", 1'000'000'000}}, 6);
  tick();
  EXPECT_EQ(validity("/job"), Validity::kReset);
}

TEST_F(NetworkHost, ContainersShareTheNetworkOfTheirPod) {
  const std::string pod = "kubepods/burstable/pod8a1f2b3c-4d5e-6f70-8192-a3b4c5d6e7f8";
  group(pod + "/" + std::string(64, 'a'), {70});
  process(70, kOther, {{"eth0", 1000}});
  open();
  ASSERT_EQ(groups().size(), 1u);
  const std::string name = groups().front();
  EXPECT_THAT(name, HasSubstr("pod8a1f2b3c"));
  EXPECT_EQ(name.find("aaaa"), std::string::npos) << name;
  group(pod + "/" + std::string(64, 'b'), {71});
  process(71, kOther, {{"eth0", 1001}});
  tick();
  EXPECT_THAT(groups(), ElementsAre(name));
  EXPECT_EQ(validity(name), Validity::kFresh);
}

TEST_F(NetworkHost, ASharedNetworkBelongsToTheNearestGroupAround) {
  group("work/a", {70});
  group("work/b", {71});
  process(70, kOther, {{"eth0", 1}});
  process(71, kOther, {{"eth0", 1}});
  open();
  EXPECT_THAT(groups(), ElementsAre("/work"));
}

// /docker only holds others, and which of them uses its own network is what one wants to know.
TEST_F(NetworkHost, ASharedNetworkIsNoSlices) {
  const std::string first(64, 'a');
  group("docker/" + first, {70});
  process(70, kOther, {{"eth0", 1}});
  open();
  ASSERT_THAT(groups(), ElementsAre("/docker/aaaaaaaaaaaa"));
  group("docker/" + std::string(64, 'b'), {71});
  process(71, kOther, {{"eth0", 2}});
  tick();
  EXPECT_THAT(groups(), ElementsAre("/docker/aaaaaaaaaaaa"));
  EXPECT_EQ(validity("/docker/aaaaaaaaaaaa"), Validity::kFresh);
}

TEST_F(NetworkHost, AGroupMayHaveSeveralNetworks) {
  group("job", {70, 71});
  process(70, kOther, {{"eth0", 1000}}, 1);
  process(71, kThird, {{"eth0", 500}}, 2);
  open();
  EXPECT_EQ(value("/job"), 1500u);
  EXPECT_EQ(value("/job", kRetransmits), 3u);
  end(71);
  group("job", {70});
  tick();
  EXPECT_EQ(value("/job"), 1000u);
  EXPECT_EQ(validity("/job"), Validity::kReset);
}

TEST_F(NetworkHost, HalfASumIsNone) {
  group("job", {70, 71});
  process(70, kOther, {{"eth0", 1000}});
  process(71, kThird, {{"eth0", 500}}, 2);
  open();
  fs::remove(proc("71/net/dev"));
  tick();
  EXPECT_EQ(validity("/job"), Validity::kMissing);
  EXPECT_EQ(value("/job", kRetransmits), 2u);
  process(71, kThird, {{"eth0", 600}}, 2);
  tick();
  EXPECT_EQ(validity("/job"), Validity::kFresh);
  EXPECT_EQ(value("/job"), 1600u);
}

TEST_F(NetworkHost, AnotherNetworkIsNoticedWhenItsCountersCanBeRead) {
  group("job", {70});
  process(70, kOther, {{"eth0", 1000}}, 1);
  open();
  process(70, kThird, {{"eth0", 8'000'000}}, 9000);
  fs::remove(proc("70/net/snmp"));
  tick();
  EXPECT_EQ(validity("/job"), Validity::kReset);
  EXPECT_EQ(validity("/job", kRetransmits), Validity::kMissing);
  process(70, kThird, {{"eth0", 8'000'001}}, 9001);
  tick();
  EXPECT_EQ(validity("/job"), Validity::kFresh);
  EXPECT_EQ(validity("/job", kRetransmits), Validity::kReset);
}

TEST_F(NetworkHost, ProcessesOfAJobStepAreBelowIt) {
  group("slurm/uid_1000/job_7/step_0/task_0", {70});
  process(70, kOther, {{"eth0", 1000}});
  open();
  EXPECT_THAT(groups(), ElementsAre("/slurm/uid_1000/job_7/step_0"));
}

// In version 1 a process may be in another group in each hierarchy.
TEST_F(NetworkHost, WhoHasTheCpuTimeHasTheNetwork) {
  fs::remove(top() / "cgroup.controllers");
  group("memory/tenant", {70});
  group("cpu,cpuacct/job", {70});
  process(70, kOther, {{"eth0", 1000}});
  open();
  EXPECT_THAT(groups(), ElementsAre("/job"));
}

TEST_F(NetworkHost, MoreNetworksThanTheLimitAreSaid) {
  for (int i = 0; i < 3; ++i) {
    group(fmt::format("job{}", i), {70 + i});
    process(70 + i, kOther + static_cast<std::uint64_t>(i), {{"eth0", 1}});
  }
  open({.namespaces = 2});
  EXPECT_EQ(groups().size(), 2u);
  ASSERT_EQ(frame_.notes.size(), 1u);
  EXPECT_EQ(frame_.notes.front().subject, "network namespaces read");
  EXPECT_EQ(frame_.notes.front().text, "2, and no more: that is the limit");
  tick();
  EXPECT_TRUE(frame_.notes.empty());
}

TEST_F(NetworkHost, ManyGroupsTakeTurns) {
  for (int i = 0; i < 40; ++i) group(fmt::format("group{:02}", i), {100 + i});
  for (int i = 0; i < 40; ++i) process(100 + i, kOwn, {});
  open({.looks = 4});
  EXPECT_TRUE(groups().empty());
  process(100 + 39, kOther, {{"eth0", 7}});
  int ticks = 0;
  while (groups().empty() && ticks < 100) {
    tick();
    ++ticks;
  }
  EXPECT_GT(ticks, 0);
  EXPECT_LE(ticks, 10) << "four of forty in each reading";
}

TEST_F(NetworkHost, WithoutANetworkOfItsOwnNoGroupHasChannels) {
  group("here", {80});
  process(80, kOwn, {});
  ASSERT_TRUE(try_open());
  EXPECT_EQ(channels_.channel_count(), 0u);
  const model::MetricDescriptor any{};
  EXPECT_THAT(collector_->why_absent(any).message(), HasSubstr("no followed control group"));
  group("here", {0});
  tick();
  EXPECT_THAT(collector_->why_absent(any).message(), HasSubstr("cannot be seen from here"));
}

TEST_F(NetworkHost, AHostWithoutNamespacesIsAnAbsentSource) {
  fs::remove(proc("self/ns/net"));
  const auto opened = try_open();
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().kind, base::ErrorKind::kAbsent);
}

TEST_F(NetworkHost, ARefusalIsSaidWithItsRemedy) {
  group("job", {70});
  process(70, kOther, {{"eth0", 1}});
  fs::permissions(dir_.path(), fs::perms::all);
  fs::permissions(proc("70/ns"), fs::perms::none);
  {
    const Unprivileged nobody;
    if (!nobody.done()) GTEST_SKIP() << "this user cannot become another";
    const auto opened = try_open();
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().kind, base::ErrorKind::kPermission);
    EXPECT_THAT(opened.error().where, HasSubstr("/PID/ns/net"));
    EXPECT_THAT(opened.error().remedy, HasSubstr("CAP_SYS_PTRACE"));
  }
  fs::permissions(proc("70/ns"), fs::perms::owner_all);
}

TEST_F(NetworkHost, WhatIsRefusedOfSomeIsSaidOnce) {
  group("job", {70});
  process(70, kOther, {{"eth0", 1}});
  group("other", {71});
  process(71, kThird, {{"eth0", 1}});
  fs::permissions(dir_.path(), fs::perms::all);
  fs::permissions(proc("71/ns"), fs::perms::none);
  {
    const Unprivileged nobody;
    if (!nobody.done()) GTEST_SKIP() << "this user cannot become another";
    open();
    EXPECT_THAT(groups(), ElementsAre("/job"));
    ASSERT_EQ(frame_.notes.size(), 1u);
    EXPECT_EQ(frame_.notes.front().subject, "network namespaces known");
    EXPECT_THAT(frame_.notes.front().text, HasSubstr("CAP_SYS_PTRACE"));
    tick();
    EXPECT_TRUE(frame_.notes.empty());
  }
  fs::permissions(proc("71/ns"), fs::perms::owner_all);
}

}  // namespace
}  // namespace reveal::collect
