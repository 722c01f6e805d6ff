#include "agent/recorded_metrics.h"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace reveal::agent {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class RecordedMetricsTest : public testing::Test {
 protected:
  model::ChannelId add(std::string_view metric, model::Kind kind, std::string_view instance,
                       double scale = 1, model::Repr repr = model::Repr::kU64) {
    model::MetricDescriptor row;
    row.name = metric;
    row.label = "Some quantity";
    row.kind = kind;
    row.scale = scale;
    row.repr = repr;
    const auto known = channels_.find_metric(metric);
    const auto id = channels_.add_channel(known ? *known : channels_.add_metric(row), instance);
    frame_.resize(channels_.channel_count());
    return id;
  }
  std::string text(http::Exposition format = http::Exposition::kText) {
    metrics_.take(channels_, frame_);
    return metrics_.text(format);
  }

  model::ChannelTable channels_;
  model::Frame frame_;
  RecordedMetrics metrics_;
};

TEST_F(RecordedMetricsTest, ByHand) {
  EXPECT_EQ(metrics_.text(http::Exposition::kText), "");
  const auto dirty = add("memory_dirty_bytes", model::Kind::kGauge, "", 1024);
  const auto busy = add("cpu_user_seconds_total", model::Kind::kCounter, "cpu=0", 0.01);
  frame_.set_u64(dirty, 4);
  frame_.set_u64(busy, 3588095);
  EXPECT_EQ(text(),
            "# HELP memory_dirty_bytes Some quantity.\n"
            "# TYPE memory_dirty_bytes gauge\n"
            "memory_dirty_bytes 4096\n"
            "# HELP cpu_user_seconds_total Some quantity.\n"
            "# TYPE cpu_user_seconds_total counter\n"
            "cpu_user_seconds_total{cpu=\"0\"} 35880.95\n");
  EXPECT_THAT(text(http::Exposition::kOpenMetrics),
              HasSubstr("# TYPE cpu_user_seconds counter\ncpu_user_seconds_total{cpu=\"0\"}"));
}

TEST_F(RecordedMetricsTest, WhatIsNotKnownIsAbsentAndStaleIsTheLast) {
  const auto first = add("gpu_power_watts", model::Kind::kGauge, "gpu=0", 1, model::Repr::kF64);
  const auto second = add("gpu_power_watts", model::Kind::kGauge, "gpu=1", 1, model::Repr::kF64);
  add("gpu_power_watts", model::Kind::kGauge, "gpu=2", 1, model::Repr::kF64);
  frame_.set_f64(first, 71.5);
  frame_.validity[first.index()] = model::Validity::kStale;
  frame_.set_f64(second, std::numeric_limits<double>::quiet_NaN());
  EXPECT_THAT(text(), HasSubstr("gauge\ngpu_power_watts{gpu=\"0\"} 71.5\n"));
  EXPECT_THAT(text(), Not(HasSubstr("gpu=\"1\"")));
  EXPECT_THAT(text(), Not(HasSubstr("gpu=\"2\"")));
}

TEST_F(RecordedMetricsTest, ATotalBesideItsPartsIsLeftOut) {
  const auto total = add("cpu_interrupts_total", model::Kind::kCounter, "");
  frame_.set_u64(total, 7);
  EXPECT_THAT(text(), HasSubstr("\ncpu_interrupts_total 7\n"));
  const auto part = add("cpu_interrupts_total", model::Kind::kCounter, "cpu=1");
  frame_.set_u64(total, 7);
  frame_.set_u64(part, 3);
  EXPECT_THAT(text(), HasSubstr("\ncpu_interrupts_total{cpu=\"1\"} 3\n"));
  EXPECT_THAT(text(), Not(HasSubstr("total 7")));
}

TEST_F(RecordedMetricsTest, ACounterOfAnotherNameIsNoCounterOfTheirs) {
  frame_.set_u64(add("cpu_wakeups", model::Kind::kEvent, ""), 1);
  EXPECT_THAT(text(), HasSubstr("# TYPE cpu_wakeups untyped\n"));
  EXPECT_THAT(text(http::Exposition::kOpenMetrics), HasSubstr("# TYPE cpu_wakeups unknown\n"));
}

TEST(LabelsOf, Instances) {
  EXPECT_EQ(labels_of(""), "");
  EXPECT_EQ(labels_of("cpu=3,state=C6"), R"({cpu="3",state="C6"})");
  EXPECT_EQ(labels_of("cg=/a=b"), R"({cg="/a=b"})");
  EXPECT_EQ(labels_of("cg=/a,b,c"), R"({cg="/a",part="b",part_2="c"})");
  EXPECT_EQ(labels_of("a=1,a=2"), R"({a="1",a_2="2"})");
  EXPECT_EQ(labels_of("7-x=\"\\\n"), R"({_7_x="\"\\\n"})");
  EXPECT_EQ(labels_of("=,"), R"({_=""})");
}

}  // namespace
}  // namespace reveal::agent
