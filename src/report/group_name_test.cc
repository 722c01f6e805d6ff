#include "report/group_name.h"

#include <memory>

#include <gtest/gtest.h>

namespace reveal::report {
namespace {

TEST(GroupName, IsTheLatestThatTheNotesGaveIt) {
  Report report;
  report.channel_table = std::make_shared<const model::ChannelTable>();
  const auto fact = model::Note::Kind::kFact;
  report.notes = {{10, {fact, "cgroup", "cg=/a", "slurm job 7"}},
                  {20, {fact, "cgroup", "cg=/b", "service web"}},
                  {30, {fact, "cgroup", "cg=/a", ""}},
                  {40, {fact, "cgroup", "cg=/a", "slurm job 8"}}};
  EXPECT_EQ(group_name(report, "cg=/a", 35), "slurm job 7");
  EXPECT_EQ(group_name(report, "cg=/a", 40), "slurm job 8");
  EXPECT_EQ(group_name(report, "cg=/b", 5), "service web");
  EXPECT_EQ(group_name(report, "cg=/c/d", 40), "/c/d");
  EXPECT_EQ(group_name(report, "", 40), "the host");
}

// What a group does on one disk is a channel of its own.
TEST(GroupName, HasNoDisk) {
  Report report;
  const auto table = std::make_shared<model::ChannelTable>();
  model::MetricDescriptor metric;
  metric.name = "storage_cgroup_written_bytes_total";
  const auto channel = table->add_channel(table->add_metric(metric), "cg=/a,dev=sda");
  report.channel_table = table;
  EXPECT_EQ(group_name(report, channel, 0), "/a");
  report.notes = {{10, {model::Note::Kind::kFact, "cgroup", "cg=/a", "slurm job 7"}}};
  EXPECT_EQ(group_name(report, channel, 20), "slurm job 7");
}

}  // namespace
}  // namespace reveal::report
