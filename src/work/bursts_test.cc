#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/rng.h"
#include "work/slowdowns.h"
#include "work/testing/synthetic_job.h"

namespace reveal::work {
namespace {

// A job that computes for seconds, then exchanges 40 MB within two ticks.
class LongSteps {
 public:
  explicit LongSteps(double step_s) : step_s_(step_s), left_s_(step_s) {}

  LongSteps& run(double seconds, double speed) {
    for (int i = 0; i < static_cast<int>(std::lround(seconds * 10)); ++i) {
      left_s_ -= 0.1 * speed;
      double bytes = 2000 * rng_.uniform();
      if (is_second_half_) bytes += 1.5e8;
      is_second_half_ = false;
      if (left_s_ <= 0) {
        bytes += 2.5e8;
        is_second_half_ = true;
        left_s_ += step_s_ * (0.96 + 0.08 * rng_.uniform());
      }
      host[sent] = bytes;
      host[received] = bytes;
      host[packets] = bytes / 1400;
      host[pages] = 500 * rng_.uniform();
      host.tick();
    }
    return *this;
  }
  JobRate rate() { return host.meter().estimate().front(); }

  SyntheticHost host;
  std::size_t sent = host.add("network_sent_bytes_total", "dev=eth0", model::Scope::kNic);
  std::size_t received = host.add("network_received_bytes_total", "dev=eth0", model::Scope::kNic);
  std::size_t packets = host.add("network_sent_packets_total", "dev=eth0", model::Scope::kNic);
  std::size_t pages = host.add("memory_freed_pages_total");

 private:
  double step_s_;
  double left_s_;
  bool is_second_half_ = false;
  base::Rng rng_{2};
};

double mean(const JobRate& job, double from_s, double until_s) {
  const auto loss = lost(job, SyntheticHost::at(from_s), SyntheticHost::at(until_s));
  return loss ? loss->mean_rate : std::nan("");
}

TEST(Bursts, AreTheStepsOfALongStep) {
  const auto job = LongSteps(2.5).run(60, 1).run(15, 0.5).run(60, 1).rate();
  ASSERT_EQ(job.not_known, "");
  ASSERT_TRUE(job.period_s);
  EXPECT_NEAR(*job.period_s, 2.5, 0.15);
  // Steps are up to 4 % longer or shorter, and end up to a tick later than they seem to: some 3 %,
  // by 2.5 blocks a step.
  EXPECT_GT(job.block_error, 0.01);
  EXPECT_LT(job.block_error, 0.1);
  EXPECT_NEAR(mean(job, 5, 58), 1, 0.02);
  // A step reaches over the edge at each end.
  EXPECT_NEAR(mean(job, 62, 73), 0.5, 0.05);
  const auto slow = slowdowns(job);
  ASSERT_EQ(slow.size(), 1u);
  EXPECT_NEAR(static_cast<double>(slow[0].begin_ns - SyntheticHost::at(60)) / 1e9, 0, 3);
  EXPECT_NEAR(static_cast<double>(slow[0].end_ns - SyntheticHost::at(75)) / 1e9, 0, 3);
}

TEST(Bursts, TellWhereTheJobStandsStill) {
  const auto job = LongSteps(3).run(90, 1).run(40, 0).rate();
  ASSERT_EQ(job.not_known, "");
  EXPECT_NEAR(mean(job, 100, 130), 0, 0.01);
  EXPECT_THAT(slowdowns(job), testing::IsEmpty());
}

// Something that happens every few seconds, of a few packets.
TEST(Bursts, AreNotANetworksHousekeeping) {
  SyntheticHost host;
  const auto sent = host.add("network_sent_bytes_total", "dev=eth0", model::Scope::kNic);
  const auto packets = host.add("network_sent_packets_total", "dev=eth0", model::Scope::kNic);
  for (int i = 0; i < 1200; ++i) {
    host[sent] = i % 40 == 0 ? 840 : 0;
    host[packets] = i % 40 == 0 ? 20 : 0;
    host.tick();
  }
  EXPECT_FALSE(host.meter().estimate().front().is_known());
}

}  // namespace
}  // namespace reveal::work
