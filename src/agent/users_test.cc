#include "agent/users.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "feature/feature.h"

namespace reveal::agent {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

class UsersTest : public testing::Test {
 protected:
  void add(std::string_view metric, std::string_view unit, std::string_view instance,
           double amount) {
    model::MetricDescriptor row;
    row.name = metric;
    row.unit = unit;
    const auto id = channels_.add_channel(channels_.add_metric(row), instance);
    matrix_.add_column({id, feature::find_feature("mean").value()});
    amounts_.push_back(amount);
  }
  std::vector<serve::Users> read() {
    matrix_.add_row({}) = amounts_;
    history_.features = &matrix_;
    history_.channels = &channels_;
    return reader_.read(history_);
  }

  model::ChannelTable channels_;
  feature::FeatureMatrix matrix_;
  std::vector<double> amounts_;
  live::History history_;
  UserReader reader_;
};

TEST_F(UsersTest, BeforeTheFirstWindowNobodyIsKnown) {
  EXPECT_THAT(reader_.read(history_), IsEmpty());
}

TEST_F(UsersTest, TheLargestComeFirst) {
  add("cpu_cgroup_usage_seconds_total", "ratio", "cg=/", 9);
  add("cpu_cgroup_usage_seconds_total", "ratio", "cg=/a", 0.25);
  add("cpu_cgroup_usage_seconds_total", "ratio", "cg=/b", 0.5);
  add("cpu_cgroup_usage_seconds_total", "ratio", "cg=/idle", 0);
  add("network_sent_bytes_total", "bytes/s", "dev=eth0", 1000);
  add("cpu_busy_ratio", "ratio", "cpu=1", 1);
  const auto users = read();
  ASSERT_THAT(users, SizeIs(2));
  EXPECT_EQ(users[0].what, "CPU time");
  ASSERT_THAT(users[0].users, SizeIs(2)) << "neither the root nor who is idle";
  EXPECT_EQ(users[0].users[0].name, "/b");
  EXPECT_EQ(users[0].users[0].channel, "cpu_cgroup_usage_seconds_total{cg=/b}");
  EXPECT_EQ(users[0].users[1].amount, 0.25);
  EXPECT_EQ(users[1].unit, "bytes/s");
  EXPECT_EQ(users[1].users[0].name, "eth0");
}

TEST_F(UsersTest, TrafficOfGroupsStandsBesideThatOfInterfaces) {
  add("network_cgroup_traffic_bytes_per_second", "bytes/s", "cg=/pod1", 500);
  add("network_cgroup_traffic_bytes_per_second", "bytes/s", "cg=/pod2", 900);
  add("network_received_bytes_total", "bytes/s", "dev=eth0", 1000);
  const auto users = read();
  ASSERT_THAT(users, SizeIs(2));
  EXPECT_EQ(users[0].users[0].name, "/pod2");
  EXPECT_EQ(users[0].unit, "bytes/s");
  EXPECT_EQ(users[1].users[0].name, "eth0");
}

TEST_F(UsersTest, AGroupOnAGpuIsNamedWithIt) {
  add("gpu_cgroup_sm_busy_ratio", "ratio", "cg=/job,gpu=0000:17:00.0", 0.5);
  add("gpu_cgroup_sm_busy_ratio", "ratio", "cg=/,gpu=0000:ca:00.0", 0.25);
  const auto users = read();
  ASSERT_THAT(users, SizeIs(1));
  EXPECT_EQ(users[0].what, "GPU");
  ASSERT_THAT(users[0].users, SizeIs(2));
  EXPECT_EQ(users[0].users[0].name, "/job on 0000:17:00.0");
  EXPECT_EQ(users[0].users[1].name, "/ on 0000:ca:00.0");
}

TEST_F(UsersTest, FiveAreNamed) {
  for (int i = 0; i < 8; ++i) {
    add("memory_cgroup_used_bytes", "bytes", "cg=/g" + std::to_string(i), 1 + i);
  }
  const auto users = read();
  ASSERT_THAT(users[0].users, SizeIs(5));
  EXPECT_EQ(users[0].users[0].name, "/g7");
  add("memory_cgroup_used_bytes", "bytes", "cg=/late", 100);
  EXPECT_EQ(read()[0].users[0].name, "/late");
}

}  // namespace
}  // namespace reveal::agent
