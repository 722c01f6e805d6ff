#include "collect/gpu/gpu_groups.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/temp_dir.h"

namespace reveal::collect {
namespace {

namespace fs = std::filesystem;
using model::Validity;

constexpr std::int64_t kSecondNs = 1'000'000'000;
constexpr std::uint64_t kMiB = 1024 * 1024;

// A GPU whose users are said, and processes whose groups are.
class GpuGroupsTest : public ::testing::Test {
 protected:
  void put(std::uint32_t pid, const std::string& group) {
    fs::create_directories(proc_.path() / std::to_string(pid));
    std::ofstream(proc_.path() / std::to_string(pid) / "cgroup") << "0::" << group << "\n";
  }
  void end(std::uint32_t pid) { fs::remove_all(proc_.path() / std::to_string(pid)); }

  // The reader asks who uses the GPU, a second after it did before.
  void say(const std::vector<gpu::SharedProcessUse>& uses, bool shares_too = true) {
    now_ns_ += kSecondNs;
    use_.generation.fetch_add(1);
    use_.count = static_cast<std::uint32_t>(uses.size());
    std::copy(uses.begin(), uses.end(), use_.processes);
    if (shares_too) use_.shares_ns = now_ns_;
    use_.read_ns.store(now_ns_);
    use_.generation.fetch_add(1);
  }

  void tick() {
    for (auto& validity : frame_.validity) validity = Validity::kMissing;
    FrameWriter writer(channels_, frame_, "nvml");
    groups_.collect(writer, use_, now_ns_);
  }

  Validity validity(std::string_view channel) const {
    const auto id = channels_.find_channel(channel);
    return id ? frame_.validity[id->index()] : Validity::kMissing;
  }
  // Returns the raw number; nothing if it is missing.
  std::optional<std::uint64_t> raw(std::string_view channel) const {
    if (validity(channel) == Validity::kMissing) return std::nullopt;
    return frame_.bits[channels_.find_channel(channel)->index()];
  }
  std::optional<std::uint64_t> share(std::string_view group) const {
    return raw(fmt::format("gpu_cgroup_sm_busy_ratio{{cg={},gpu=0000:06:00.0}}", group));
  }
  std::optional<std::uint64_t> memory(std::string_view group) const {
    return raw(fmt::format("gpu_cgroup_memory_used_bytes{{cg={},gpu=0000:06:00.0}}", group));
  }
  std::optional<std::uint64_t> others() const {
    return raw("gpu_shared_sm_busy_ratio{gpu=0000:06:00.0}");
  }

  base::TempDir proc_;
  ProcessGroups processes_{procfs::HostRoot{.proc = proc_.path(), .sys = "/nonexistent"}};
  GpuGroups groups_{"0000:06:00.0", processes_};
  model::ChannelTable channels_;
  model::Frame frame_;
  gpu::SharedUse use_{};
  std::int64_t now_ns_ = kSecondNs;
};

TEST_F(GpuGroupsTest, EachGroupHasTheSumOverItsProcesses) {
  put(10, "/job");
  put(11, "/job");
  put(20, "/neighbor");
  say({{10, 30, 4 * kMiB}, {20, 45, 2 * kMiB}, {11, 15, kMiB}});
  tick();
  EXPECT_EQ(share("/job"), 45u);
  EXPECT_EQ(memory("/job"), 5 * kMiB);
  EXPECT_EQ(share("/neighbor"), 45u);
  EXPECT_EQ(memory("/neighbor"), 2 * kMiB);
  EXPECT_EQ(others(), 45u);
}

TEST_F(GpuGroupsTest, WhoIsAloneSharesWithNobody) {
  put(10, "/job");
  say({{10, 96, kMiB}});
  tick();
  EXPECT_EQ(share("/job"), 96u);
  EXPECT_EQ(others(), 0u);
}

TEST_F(GpuGroupsTest, NobodyIsNobodyToShareWith) {
  say({});
  tick();
  EXPECT_EQ(others(), 0u);
}

TEST_F(GpuGroupsTest, AGroupComesWithItsProcessesAndGoesWithThem) {
  put(10, "/job");
  say({{10, 96, kMiB}});
  tick();
  put(20, "/neighbor");
  say({{10, 50, kMiB}, {20, 48, kMiB}});
  tick();
  EXPECT_EQ(share("/neighbor"), 48u);
  EXPECT_EQ(others(), 48u);
  end(20);
  say({{10, 97, kMiB}});
  tick();
  EXPECT_EQ(share("/neighbor"), std::nullopt);
  EXPECT_EQ(memory("/neighbor"), std::nullopt);
  EXPECT_EQ(share("/job"), 97u);
  EXPECT_EQ(others(), 0u);
}

TEST_F(GpuGroupsTest, WhoComesLaterSharesHoweverMuchItTakes) {
  put(10, "/job");
  put(20, "/neighbor");
  say({{10, 19, kMiB}});
  tick();
  say({{10, 4, kMiB}, {20, 95, kMiB}});
  tick();
  EXPECT_EQ(others(), 95u);
  say({{10, 0, kMiB}, {20, 100, kMiB}});  // the job waits
  tick();
  EXPECT_EQ(others(), 100u);
  end(20);
  say({{10, 20, kMiB}});
  tick();
  EXPECT_EQ(others(), 0u);
}

TEST_F(GpuGroupsTest, WhoDoesNothingForLongOrHasEndedIsNotTheMainGroup) {
  put(10, "/notebook");
  put(20, "/job");
  say({{10, 60, kMiB}});
  tick();
  for (int second = 0; second < 30; ++second) say({{10, 0, kMiB}, {20, 90, kMiB}});
  tick();
  EXPECT_EQ(others(), 90u);
  say({{10, 0, kMiB}, {20, 90, kMiB}});
  tick();
  EXPECT_EQ(others(), 0u);
  put(30, "/next");
  say({{20, 10, 0}, {30, 80, kMiB}});  // the job has ended, and is told to have worked
  tick();
  EXPECT_EQ(others(), 10u);
  say({{30, 85, kMiB}});
  tick();
  EXPECT_EQ(others(), 0u);
}

TEST_F(GpuGroupsTest, WorkThatIsToldAfterAProcessEndedIsItsGroups) {
  put(10, "/job");
  put(20, "/neighbor");
  say({{10, 50, kMiB}, {20, 48, kMiB}});
  tick();
  end(20);
  say({{10, 60, kMiB}, {20, 35, 0}});
  tick();
  EXPECT_EQ(share("/neighbor"), 35u);
  EXPECT_EQ(memory("/neighbor"), 0u);
}

TEST_F(GpuGroupsTest, AProcessThatIsNotKnownIsInNoGroupButSharesTheGpu) {
  put(10, "/job");
  say({{10, 60, kMiB}, {99, 35, kMiB}});
  tick();
  EXPECT_EQ(share("/job"), 60u);
  EXPECT_EQ(others(), 35u);
  EXPECT_EQ(channels_.channel_count(), 3u);  // the job's two, and the GPU's
}

// In a container of its own a recorder knows none of them: they may all be of one job.
TEST_F(GpuGroupsTest, OfProcessesThatAreAllUnknownNobodyKnowsWhetherTheyShare) {
  say({{98, 60, kMiB}, {99, 35, kMiB}});
  tick();
  EXPECT_EQ(channels_.channel_count(), 0u);
}

TEST_F(GpuGroupsTest, APartOfAContainerCountsForIt) {
  const std::string id(64, 'a');
  put(10, "/docker/" + id + "/system.slice/nginx.service");
  put(11, "/docker/" + id);
  put(12, "/");
  put(13, "/gone (deleted)");
  say({{10, 20, 0}, {11, 10, 0}, {12, 5, 0}, {13, 2, 0}});
  tick();
  EXPECT_EQ(share("/docker/" + std::string(12, 'a')), 30u);
  EXPECT_EQ(share("/"), 5u);
  EXPECT_EQ(share("/gone"), 2u);
}

TEST_F(GpuGroupsTest, OfMoreGroupsThanTheLimitThoseThatUseMostAreTold) {
  std::vector<gpu::SharedProcessUse> uses;
  for (std::uint32_t i = 0; i < 20; ++i) {
    put(100 + i, fmt::format("/job{}", i));
    uses.push_back({100 + i, i / 4, i});
  }
  say(uses);
  tick();
  EXPECT_EQ(share("/job3"), std::nullopt);
  EXPECT_EQ(share("/job4"), 1u);
  EXPECT_EQ(share("/job19"), 4u);
  EXPECT_EQ(channels_.channel_count(), 2 * GpuGroups::kMost + 1);
  EXPECT_EQ(others(), 36u);  // all of them but one of those with 4
}

TEST_F(GpuGroupsTest, GroupsThatLeftGiveTheirChannelsBack) {
  for (std::uint32_t i = 0; i < 10 * GpuGroups::kMostKept; ++i) {
    put(10, fmt::format("/job{}", i));
    say({{10, 50, kMiB}});
    tick();
    ASSERT_EQ(share(fmt::format("/job{}", i)), 50u);
  }
  EXPECT_LE(channels_.channel_count(), 2 * GpuGroups::kMostKept + 1);
  EXPECT_EQ(others(), 0u);
}

// The unknown ones may all be of one job: that it is alone is not known.
TEST_F(GpuGroupsTest, AKnownGroupThatDoesNothingSaysNothingOfThoseThatWork) {
  put(10, "/exporter");
  say({{10, 0, kMiB}, {20, 60, kMiB}, {21, 35, kMiB}});
  tick();
  EXPECT_EQ(share("/exporter"), 0u);
  EXPECT_EQ(others(), std::nullopt);
  say({{10, 1, kMiB}, {20, 60, kMiB}, {21, 35, kMiB}});
  tick();
  EXPECT_EQ(others(), 1u);
}

TEST_F(GpuGroupsTest, WhereNobodyWorksNothingIsShared) {
  put(10, "/exporter");
  say({{10, 0, kMiB}, {20, 0, kMiB}});
  tick();
  EXPECT_EQ(others(), 0u);
  say({{20, 0, kMiB}});
  tick();
  EXPECT_EQ(others(), 0u);
}

TEST_F(GpuGroupsTest, WhatWasNotReadAnewIsStaleAndThenMissing) {
  put(10, "/job");
  say({{10, 50, kMiB}});
  tick();
  const std::string share_of_job = "gpu_cgroup_sm_busy_ratio{cg=/job,gpu=0000:06:00.0}";
  const std::string memory_of_job = "gpu_cgroup_memory_used_bytes{cg=/job,gpu=0000:06:00.0}";
  EXPECT_EQ(validity(share_of_job), Validity::kFresh);
  tick();
  EXPECT_EQ(validity(share_of_job), Validity::kStale);
  EXPECT_EQ(validity(memory_of_job), Validity::kStale);
  say({{10, 50, 2 * kMiB}}, /*shares_too=*/false);
  tick();
  EXPECT_EQ(validity(share_of_job), Validity::kStale);
  EXPECT_EQ(validity(memory_of_job), Validity::kFresh);
  EXPECT_EQ(memory("/job"), 2 * kMiB);
  now_ns_ += 10 * kSecondNs;
  tick();
  EXPECT_EQ(validity(share_of_job), Validity::kMissing);
  EXPECT_EQ(validity(memory_of_job), Validity::kMissing);
}

TEST_F(GpuGroupsTest, WhatTheDriverDoesNotTellIsMissing) {
  put(10, "/job");
  say({{10, gpu::kUnknownShare, gpu::kUnknownMemory}}, /*shares_too=*/false);
  tick();
  EXPECT_EQ(share("/job"), std::nullopt);
  EXPECT_EQ(memory("/job"), std::nullopt);
  EXPECT_EQ(others(), std::nullopt);
}

TEST_F(GpuGroupsTest, AListThatIsBeingWrittenIsNotRead) {
  put(10, "/job");
  say({{10, 50, kMiB}});
  tick();
  use_.generation.fetch_add(1);
  use_.processes[0].sm_percent = 77;
  use_.read_ns.store(now_ns_ + 1);
  tick();
  EXPECT_EQ(share("/job"), 50u);
  use_.generation.fetch_add(1);
  use_.shares_ns = now_ns_ + 1;
  tick();
  EXPECT_EQ(share("/job"), 77u);
}

}  // namespace
}  // namespace reveal::collect
