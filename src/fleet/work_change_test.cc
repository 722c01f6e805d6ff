#include "fleet/work_change.h"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/rng.h"
#include "work/testing/synthetic_job.h"

namespace reveal::fleet {
namespace {

using testing::HasSubstr;

constexpr std::int64_t kTick_ns = 100'000'000;

// A run of a job whose every step exchanges a megabyte and frees 300 pages. Its channels are in
// another order from run to run, and one counts no work.
class JobRun {
 public:
  JobRun(std::uint64_t seed, bool turned) : steps_(0.05, seed), rng_(seed) {
    const std::vector<std::string> metrics{"network_received_bytes_total",
                                           "network_sent_bytes_total", "cpu_busy_ratio",
                                           "memory_freed_pages_total"};
    for (std::size_t i = 0; i < metrics.size(); ++i) {
      model::MetricDescriptor metric;
      metric.name = turned ? metrics[metrics.size() - 1 - i] : metrics[i];
      channels_.add_channel(channels_.add_metric(metric));
    }
    row_.assign(metrics.size(), std::numeric_limits<double>::quiet_NaN());
  }

  void feed(JoinedWork& work, double seconds, double speed) {
    for (int i = 0; i < static_cast<int>(std::lround(seconds * 10)); ++i) {
      const double steps = 10 * steps_.tick(speed);
      set("network_received_bytes_total", 1e6 * steps);
      set("network_sent_bytes_total", 1e6 * steps);
      set("memory_freed_pages_total", 300 * steps + 20 * rng_.uniform());
      set("cpu_busy_ratio", rng_.uniform());
      work.add(channels_, sequence_++, row_);
    }
  }

 private:
  void set(const std::string& name, double value) {
    row_[channels_.find_channel(name)->index()] = value;
  }

  model::ChannelTable channels_;
  std::vector<double> row_;
  work::Steps steps_;
  base::Rng rng_;
  std::uint64_t sequence_ = 123;  // a part does not begin with 0
};

WorkChange change(double before, double after, double seconds = 120) {
  JoinedWork work;
  work.begin_run(kTick_ns);
  JobRun(1, false).feed(work, seconds, before);
  work.begin_run(kTick_ns);
  JobRun(2, true).feed(work, seconds, after);
  return work.result().front();
}

TEST(WorkChange, OfASlowerJobIsItsShare) {
  const auto slower = change(1, 0.8);
  ASSERT_TRUE(slower.is_known()) << slower.not_known;
  EXPECT_NEAR(slower.rate.value, 0.8, 0.01);
  EXPECT_LT(slower.rate.low, 0.8);
  EXPECT_GT(slower.rate.high, 0.8);
  EXPECT_LT(slower.rate.high - slower.rate.low, 0.1);
  EXPECT_FALSE(slower.counted.empty());
}

TEST(WorkChange, OfAFasterJobIsAboveOne) {
  const auto faster = change(0.5, 1);
  ASSERT_TRUE(faster.is_known()) << faster.not_known;
  EXPECT_NEAR(faster.rate.value, 2, 0.02);
}

TEST(WorkChange, OfAJobThatGoesOnHoldsOne) {
  for (const double speed : {1.0, 0.6}) {
    const auto same = change(speed, speed);
    ASSERT_TRUE(same.is_known()) << same.not_known;
    EXPECT_LE(same.rate.low, 1);
    EXPECT_GE(same.rate.high, 1);
    EXPECT_NEAR(same.rate.value, 1, 0.02);
  }
}

TEST(WorkChange, OfAJobThatIsGoneIsNotKnown) {
  const auto gone = change(1, 0);
  EXPECT_FALSE(gone.is_known() && gone.rate.value > 0.05);
}

TEST(WorkChange, SaysWhyItIsNotKnown) {
  const auto brief = change(1, 1, 5);
  EXPECT_THAT(brief.not_known, HasSubstr("too short"));

  JoinedWork unlike;
  unlike.begin_run(kTick_ns);
  JobRun(1, false).feed(unlike, 60, 1);
  unlike.begin_run(2 * kTick_ns);
  JobRun(2, false).feed(unlike, 60, 1);
  EXPECT_THAT(unlike.result().front().not_known, HasSubstr("different intervals"));

  JoinedWork nothing;
  nothing.begin_run(kTick_ns);
  nothing.begin_run(kTick_ns);
  ASSERT_EQ(nothing.result().size(), 1U);
  EXPECT_FALSE(nothing.result().front().is_known());
}

}  // namespace
}  // namespace reveal::fleet
