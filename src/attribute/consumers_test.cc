#include "attribute/consumers.h"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "feature/feature.h"

namespace reveal::attribute {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// Thirty windows of control groups, each with its usual level and the one in the last two windows.
class Groups {
 public:
  void add(std::string_view metric, std::string_view instance, double usual, double then) {
    model::MetricDescriptor descriptor;
    descriptor.name = metric;
    descriptor.label = metric;
    descriptor.scope = model::Scope::kCgroup;
    const auto known = channels_.find_metric(metric);
    const auto id = channels_.add_channel(known ? *known : channels_.add_metric(descriptor),
                                          std::string(instance));
    matrix_.add_column({id, feature::find_feature("mean").value()});
    levels_.emplace_back(usual, then);
  }

  std::optional<GroupLevel> culprit(model::Subsystem subsystem) {
    fill();
    return ConsumerReader(channels_, matrix_).culprit({28, 29}, subsystem);
  }

  std::optional<GroupLevel> sufferer(const std::optional<GroupLevel>& culprit) {
    fill();
    return ConsumerReader(channels_, matrix_).sufferer({28, 29}, culprit);
  }

  std::string name(const std::optional<GroupLevel>& level) const {
    return level ? std::string(channels_.channel(level->channel).instance) : "nobody";
  }

  const model::ChannelTable& channels() const { return channels_; }

 private:
  void fill() {
    for (std::size_t row = matrix_.row_count(); row < 30; ++row) {
      auto& values = matrix_.add_row({});
      for (std::size_t i = 0; i < levels_.size(); ++i) {
        values[i] = row < 28 ? levels_[i].first : levels_[i].second;
      }
    }
  }

  model::ChannelTable channels_;
  feature::FeatureMatrix matrix_;
  std::vector<std::pair<double, double>> levels_;
};

constexpr auto kCpuTime = "cpu_cgroup_usage_seconds_total";

TEST(ConsumerReader, AGroupThatIsNewUsedNothingBefore) {
  Groups host;
  host.add(kCpuTime, "cg=/job", 1.5, 1.1);
  host.add(kCpuTime, "cg=/noisy", kNone, 0.85);
  const auto found = host.culprit(model::Subsystem::kCpu);
  ASSERT_EQ(host.name(found), "cg=/noisy");
  EXPECT_EQ(found->observed, 0.85);
  EXPECT_EQ(found->usual, 0);
  EXPECT_EQ(phrase_of(host.channels(), *found), "used 0.85 of a core (usually 0.00)");
}

TEST(ConsumerReader, NobodyIsNamedWhoUsesWhatIsUsual) {
  Groups host;
  host.add(kCpuTime, "cg=/job", 1.5, 1.6);     // a tenth of a core, but no quarter more
  host.add(kCpuTime, "cg=/idle", 0.01, 0.09);  // nine times as much, and nothing
  host.add(kCpuTime, "cg=/gone", 0.8, kNone);
  EXPECT_EQ(host.name(host.culprit(model::Subsystem::kCpu)), "nobody");
}

TEST(ConsumerReader, TheInnermostGroupThatHasMostOfTheRiseIsNamed) {
  Groups host;
  host.add(kCpuTime, "cg=/", 1.0, 1.95);
  host.add(kCpuTime, "cg=/kubepods", 0.1, 1.0);
  host.add(kCpuTime, "cg=/kubepods/pod1", 0.1, 0.15);
  host.add(kCpuTime, "cg=/kubepods/pod2", 0.0, 0.8);
  host.add(kCpuTime, "cg=/kubepods/pod2/c1", 0.0, 0.4);  // half of it: not one of its parts
  host.add(kCpuTime, "cg=/kubepods/pod22", 0.0, 0.1);
  EXPECT_EQ(host.name(host.culprit(model::Subsystem::kCpu)), "cg=/kubepods/pod2");
}

TEST(ConsumerReader, TheResourceAtFaultTellsBeforeTheProcessor) {
  Groups host;
  host.add(kCpuTime, "cg=/busy", 0.0, 0.9);
  host.add("storage_cgroup_written_bytes_total", "cg=/writer", 1e4, 3e8);
  EXPECT_EQ(host.name(host.culprit(model::Subsystem::kStorage)), "cg=/writer");
  EXPECT_EQ(host.name(host.culprit(model::Subsystem::kNetwork)), "cg=/busy");
}

TEST(ConsumerReader, ALittleCpuTimeIsNoTraffic) {
  Groups host;
  host.add(kCpuTime, "cg=/beside", 0.0, 0.22);
  EXPECT_EQ(host.name(host.culprit(model::Subsystem::kNetwork)), "nobody");
  EXPECT_EQ(host.name(host.culprit(model::Subsystem::kStorage)), "cg=/beside");
}

constexpr auto kTraffic = "network_cgroup_traffic_bytes_per_second";

TEST(ConsumerReader, WhoseTrafficRoseMostTellsBeforeTheProcessor) {
  Groups host;
  host.add(kCpuTime, "cg=/busy", 0.0, 0.9);
  host.add(kTraffic, "cg=/kubepods/pod1", 2e6, 9e6);
  host.add(kTraffic, "cg=/kubepods/pod2", 1e5, 3e8);
  host.add(kTraffic, "cg=/kubepods/pod3", 9e8, 9.1e8);
  EXPECT_EQ(host.name(host.culprit(model::Subsystem::kNetwork)), "cg=/kubepods/pod2");
  EXPECT_EQ(host.name(host.culprit(model::Subsystem::kCpu)), "cg=/busy");
}

TEST(ConsumerReader, WhoSendsAgainSuffersUnlessItDidIt) {
  Groups host;
  host.add(kTraffic, "cg=/kubepods/pod1", 1e5, 3e8);
  host.add("network_cgroup_tcp_retransmit_ratio", "cg=/kubepods/pod1", 0.0, 0.3);
  host.add("network_cgroup_tcp_retransmit_ratio", "cg=/kubepods/pod2", 0.0, 0.05);
  const auto culprit = host.culprit(model::Subsystem::kNetwork);
  ASSERT_EQ(host.name(culprit), "cg=/kubepods/pod1");
  EXPECT_EQ(host.name(host.sufferer(culprit)), "cg=/kubepods/pod2");
}

constexpr auto kGpuUse = "gpu_cgroup_sm_busy_ratio";

TEST(ConsumerReader, WhoCameToAGpuThatAJobUsesIsNamedWithIt) {
  Groups host;
  host.add(kCpuTime, "cg=/gpu_neighbor", kNone, 1.0);
  host.add(kGpuUse, "cg=/gpu_job,gpu=0000:06:00.0", 0.97, 0.5);
  host.add(kGpuUse, "cg=/gpu_neighbor,gpu=0000:06:00.0", kNone, 0.48);
  host.add(kGpuUse, "cg=/elsewhere,gpu=0000:07:00.0", 0.1, 0.9);
  const auto found = host.culprit(model::Subsystem::kGpu);
  ASSERT_EQ(host.name(found), "cg=/gpu_neighbor,gpu=0000:06:00.0");
  EXPECT_EQ(phrase_of(host.channels(), *found), "used 48 % of GPU 0000:06:00.0 (usually 0 %)");
}

// Its turns grow, though it gets less done.
TEST(ConsumerReader, AJobWhoseShareRisesTooDidNotCome) {
  Groups host;
  host.add(kGpuUse, "cg=/gpu_job,gpu=0000:06:00.0", 0.17, 0.6);
  host.add(kGpuUse, "cg=/gpu_neighbor,gpu=0000:06:00.0", 0.0, 0.38);
  EXPECT_EQ(host.name(host.culprit(model::Subsystem::kGpu)), "cg=/gpu_neighbor,gpu=0000:06:00.0");
}

TEST(ConsumerReader, WhoHasAGpuAloneTakesItFromNobody) {
  Groups host;
  host.add(kGpuUse, "cg=/gpu_job,gpu=0000:06:00.0", 0.2, 0.97);
  host.add(kGpuUse, "cg=/idle,gpu=0000:06:00.0", 0.0, 0.01);
  host.add(kGpuUse, "cg=/other,gpu=0000:07:00.0", 0.9, 0.9);
  EXPECT_EQ(host.name(host.culprit(model::Subsystem::kGpu)), "nobody");
}

TEST(ConsumerReader, AGpuTellsOfProcessorsOnlyIfTheyDoNot) {
  Groups host;
  host.add(kGpuUse, "cg=/gpu_job,gpu=0000:06:00.0", 0.97, 0.5);
  host.add(kGpuUse, "cg=/gpu_neighbor,gpu=0000:06:00.0", 0.0, 0.48);
  EXPECT_EQ(host.name(host.culprit(model::Subsystem::kCpu)), "cg=/gpu_neighbor,gpu=0000:06:00.0");
  EXPECT_EQ(host.name(host.culprit(model::Subsystem::kStorage)), "nobody");
}

TEST(ConsumerReader, WhoCameToAGpuIsNotBlamedForADisk) {
  Groups host;
  host.add(kCpuTime, "cg=/busy", 0.0, 0.9);
  host.add(kGpuUse, "cg=/gpu_job,gpu=0000:06:00.0", 0.97, 0.5);
  host.add(kGpuUse, "cg=/gpu_neighbor,gpu=0000:06:00.0", 0.0, 0.48);
  EXPECT_EQ(host.name(host.culprit(model::Subsystem::kCpu)), "cg=/busy");
  EXPECT_EQ(host.name(host.culprit(model::Subsystem::kStorage)), "cg=/busy");
}

// It can hold no more than before.
TEST(ConsumerReader, OfMemoryWhoHitsItsLimitTellsBeforeWhoHoldsMore) {
  Groups host;
  host.add("memory_cgroup_used_bytes", "cg=/build", 1e8, 4e8);
  host.add("memory_cgroup_limit_hits_total", "cg=/thrash", 0, 4669);
  EXPECT_EQ(host.name(host.culprit(model::Subsystem::kMemory)), "cg=/thrash");
}

TEST(ConsumerReader, WhoWaitsIsNotWhoDidIt) {
  Groups host;
  constexpr auto kWaits = "cpu_cgroup_pressure_some_seconds_total";
  host.add(kCpuTime, "cg=/noisy", 0.0, 0.9);
  host.add(kWaits, "cg=/", 0.05, 0.8);
  host.add(kWaits, "cg=/noisy", 0.0, 0.7);
  host.add(kWaits, "cg=/web", 0.03, 0.42);
  host.add(kWaits, "cg=/calm", 0.03, 0.05);
  const auto culprit = host.culprit(model::Subsystem::kCpu);
  const auto found = host.sufferer(culprit);
  // The root waits because those in it do.
  ASSERT_EQ(host.name(found), "cg=/web");
  EXPECT_EQ(phrase_of(host.channels(), *found), "waited for a CPU 42 % of the time (usually 3 %)");
  EXPECT_EQ(host.name(host.sufferer(std::nullopt)), "cg=/noisy");
}

}  // namespace
}  // namespace reveal::attribute
