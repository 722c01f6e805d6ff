#include "live/job_watch.h"

#include <cmath>

#include <gtest/gtest.h>

#include "work/testing/synthetic_job.h"

namespace reveal::live {
namespace {

// A job whose every step sends and receives a megabyte and frees 300 pages, looked at every second.
class WatchedJob {
 public:
  // Returns how often it was estimated anew in so many seconds at that speed.
  int run(int seconds, double speed, bool is_urgent = false) {
    int estimates = 0;
    for (int second = 0; second < seconds; ++second) {
      for (int tick = 0; tick < 10; ++tick) {
        const double steps = steps_.tick(speed) * 10;
        host_[sent_] = steps * 1e6;
        host_[received_] = steps * 1e6;
        host_[pages_] = steps * 300;
        host_.tick();
      }
      estimates += watch.update(host_.meter(), is_urgent) ? 1 : 0;
    }
    return estimates;
  }
  void keep_last(std::size_t blocks) { host_.meter().keep_last(blocks); }

  JobWatch watch;

 private:
  work::SyntheticHost host_;
  work::Steps steps_{0.05};
  std::size_t sent_ = host_.add("network_sent_bytes_total", "dev=eth0", model::Scope::kNic);
  std::size_t received_ = host_.add("network_received_bytes_total", "dev=eth0", model::Scope::kNic);
  std::size_t pages_ = host_.add("memory_freed_pages_total");
};

double latest_rate(const JobWatch& watch, int seconds) {
  const auto& job = watch.rates().front();
  const auto loss =
      work::lost(job, job.end_ns.back() - seconds * 1'000'000'000LL, job.end_ns.back());
  return loss ? loss->mean_rate : std::nan("");
}

TEST(JobWatch, KnowsNothingBeforeThereIsEnough) {
  WatchedJob job;
  EXPECT_EQ(job.run(19, 1), 0);
  EXPECT_TRUE(job.watch.rates().empty());
}

// Of 600 s a tenth is estimated in full or less, and one in five by the counters that are known.
TEST(JobWatch, EstimatesEveryFewSeconds) {
  WatchedJob job;
  job.run(40, 1);
  EXPECT_NEAR(job.run(100, 1), 100 / static_cast<int>(kBlocksWhileCalm), 3);
  EXPECT_EQ(job.run(100, 1, /*is_urgent=*/true), 100 / static_cast<int>(kBlocksWhileUrgent));
}

TEST(JobWatch, FollowsAJobThatBecomesSlow) {
  WatchedJob job;
  job.run(90, 1);
  EXPECT_NEAR(latest_rate(job.watch, 10), 1, 0.03);
  job.run(12, 0.4, /*is_urgent=*/true);
  EXPECT_NEAR(latest_rate(job.watch, 8), 0.4, 0.05);
  ASSERT_EQ(job.watch.jobs().size(), 1U);
  ASSERT_EQ(job.watch.jobs().front().slowdowns.size(), 1U);
  EXPECT_TRUE(job.watch.jobs().front().slowdowns.front().to_end);
  job.run(20, 1, /*is_urgent=*/true);
  const auto& slow = job.watch.jobs().front().slowdowns;
  ASSERT_EQ(slow.size(), 1U);
  EXPECT_FALSE(slow.front().to_end);
  EXPECT_NEAR(slow.front().loss.lost_s, 12 * 0.6, 0.7);  // by hand
}

// The newest blocks are told although the oldest are forgotten.
TEST(JobWatch, GoesOnWhenOldBlocksAreForgotten) {
  WatchedJob job;
  job.run(90, 1);
  for (int i = 0; i < 40; ++i) {
    job.run(5, 1);
    job.keep_last(60);
  }
  EXPECT_GT(job.run(20, 0.5), 2);
  EXPECT_NEAR(latest_rate(job.watch, 10), 0.5, 0.06);
}

}  // namespace
}  // namespace reveal::live
