#include "work/work_meter.h"

#include <cmath>
#include <functional>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/rng.h"
#include "work/testing/synthetic_job.h"

namespace reveal::work {
namespace {

// A job whose every step sends and receives a megabyte and frees 300 pages, on a host that has a
// timer's page faults of its own.
class Trainer {
 public:
  explicit Trainer(double step_s = 0.05) : steps_(step_s) {}

  // Runs so many seconds at that speed; a neighbor frees and receives so much beside it.
  Trainer& run(double seconds, double speed, double neighbor_pages = 0, double neighbor_bytes = 0) {
    for (int i = 0; i < static_cast<int>(std::lround(seconds * 10)); ++i) {
      const double steps = steps_.tick(speed) * 10;  // a second
      host[received] = steps * 1e6 + neighbor_bytes * (0.5 + rng_.uniform());
      host[sent] = steps * 1e6;
      host[packets] = steps * 700 + 3 * rng_.uniform();
      host[pages] = steps * 300 + 20 * rng_.uniform() + neighbor_pages * (0.5 + rng_.uniform());
      host[faults] = 100 + rng_.uniform();
      host.tick();
    }
    return *this;
  }
  // The recorder gets no processor; the job does.
  Trainer& starve(double seconds, int misses_of_ten) {
    for (int i = 0; i < static_cast<int>(std::lround(seconds * 10)); ++i) {
      if (i % 10 < misses_of_ten) {
        host.miss();
      } else {
        run(0.1, 1);
      }
    }
    return *this;
  }
  JobRate rate() { return host.meter().estimate().front(); }

  SyntheticHost host;
  std::size_t received = host.add("network_received_bytes_total", "dev=eth0", model::Scope::kNic);
  std::size_t sent = host.add("network_sent_bytes_total", "dev=eth0", model::Scope::kNic);
  std::size_t packets = host.add("network_sent_packets_total", "dev=eth0", model::Scope::kNic);
  std::size_t pages = host.add("memory_freed_pages_total");
  std::size_t faults = host.add("memory_page_faults_total");

 private:
  Steps steps_;
  base::Rng rng_{7};
};

double mean(const JobRate& job, double from_s, double until_s) {
  const auto loss = lost(job, SyntheticHost::at(from_s), SyntheticHost::at(until_s));
  return loss ? loss->mean_rate : std::nan("");
}

TEST(WorkMeter, SeesHowMuchAJobGetsDone) {
  const auto job = Trainer().run(40, 1).run(10, 0.4).run(40, 1).run(8, 0.75).run(30, 1).rate();
  ASSERT_EQ(job.not_known, "");
  EXPECT_NEAR(mean(job, 0, 40), 1, 0.01);
  EXPECT_NEAR(mean(job, 40, 50), 0.4, 0.02);
  EXPECT_NEAR(mean(job, 90, 98), 0.75, 0.02);
  EXPECT_THAT(job.resources,
              testing::ElementsAre(model::Subsystem::kMemory, model::Subsystem::kNetwork));
}

// Followed by the counters that were found before the job was slow, its rate is what an estimate of
// all of it says.
TEST(WorkMeter, FollowsAJobByTheCountersThatItHas) {
  Trainer trainer;
  const auto before = trainer.run(60, 1).host.meter().estimate();
  ASSERT_EQ(before.front().not_known, "");
  trainer.run(10, 0.4, 60'000).run(30, 1);
  const auto followed = trainer.host.meter().follow(before);
  const auto anew = trainer.host.meter().estimate();
  ASSERT_EQ(followed.size(), 1U);
  EXPECT_EQ(followed.front().begin_ns, anew.front().begin_ns);
  EXPECT_NEAR(mean(followed.front(), 60, 70), 0.4, 0.02);
  EXPECT_NEAR(mean(followed.front(), 60, 70), mean(anew.front(), 60, 70), 0.01);
  EXPECT_NEAR(followed.front().block_error, anew.front().block_error, 0.01);
  // By the same counters of the same blocks it is the same.
  const auto same = trainer.host.meter().follow(anew);
  ASSERT_EQ(same.size(), anew.size());
  for (std::size_t i = 0; i < anew.front().rate.size(); ++i) {
    EXPECT_NEAR(same.front().rate[i], anew.front().rate[i], 1e-12) << i;
  }
  EXPECT_EQ(same.front().members, anew.front().members);
  EXPECT_EQ(same.front().lead, anew.front().lead);
}

TEST(WorkMeter, TakesNoTimerForWork) {
  Trainer trainer;
  const auto job = trainer.run(60, 1).run(10, 0.5).run(30, 1).rate();
  EXPECT_THAT(job.members, testing::Not(testing::Contains(model::ChannelId(trainer.faults))));
  EXPECT_THAT(job.members, testing::Contains(model::ChannelId(trainer.sent)));
}

// Ten times the job's pages, and half as many bytes again, come from somebody else, just while the
// job is at half of its rate.
TEST(WorkMeter, IsNotMisledByANeighborThatAdds) {
  const auto job = Trainer().run(50, 1).run(10, 0.5, 60'000, 10e6).run(50, 1).rate();
  ASSERT_EQ(job.not_known, "");
  EXPECT_NEAR(mean(job, 50, 60), 0.5, 0.03);
}

TEST(WorkMeter, HasNoRateWhereTicksAreMissing) {
  const auto job = Trainer().run(40, 1).starve(10, 6).run(3, 0.5).run(40, 1).rate();
  ASSERT_EQ(job.not_known, "");
  EXPECT_TRUE(std::isnan(mean(job, 40, 50)));
  EXPECT_NEAR(mean(job, 50, 53), 0.5, 0.05);
  ASSERT_EQ(job.rate.size(), job.begin_ns.size());
  for (std::size_t i = 1; i < job.begin_ns.size(); ++i) {
    EXPECT_EQ(job.begin_ns[i], job.end_ns[i - 1]) << i;
  }
}

// A gap of many blocks is as long as it was.
TEST(WorkMeter, CountsBlocksThatHaveNoTickAtAll) {
  const auto job = Trainer().run(30, 1).starve(12, 10).run(30, 1).rate();
  ASSERT_EQ(job.not_known, "");
  EXPECT_EQ(job.rate.size(), 71u);  // the last one is still open
  EXPECT_TRUE(std::isnan(mean(job, 30, 42)));
  EXPECT_NEAR(mean(job, 42, 71), 1, 0.02);
}

// What was slow from the start shows against what came later.
TEST(WorkMeter, TakesTheRunsOwnGoodLevelForUsual) {
  const auto job = Trainer().run(105, 0.65).run(65, 1).rate();
  ASSERT_EQ(job.not_known, "");
  EXPECT_NEAR(mean(job, 1, 104), 0.65, 0.02);
  EXPECT_NEAR(mean(job, 106, 169), 1, 0.02);
}

TEST(WorkMeter, SaysThatAJobThatOnlyComputesLeavesNothing) {
  SyntheticHost host;
  const auto pages = host.add("memory_freed_pages_total");
  const auto faults = host.add("memory_page_faults_total");
  base::Rng rng(3);
  for (int i = 0; i < 900; ++i) {
    host[pages] = 100 * rng.uniform();
    host[faults] = 100 * rng.uniform();
    host.tick();
  }
  const auto job = host.meter().estimate().front();
  EXPECT_FALSE(job.is_known());
  EXPECT_THAT(job.not_known, testing::HasSubstr("moves with its steps"));
  EXPECT_TRUE(job.rate.empty());
}

// Somebody reads much for 10 s of each half minute, and the same counters have housekeeping in them
// meanwhile: what comes and goes is no job.
TEST(WorkMeter, TakesNoDisturbancesForAJob) {
  SyntheticHost host;
  const auto bytes = host.add("storage_paged_in_bytes_total");
  const auto faults = host.add("memory_page_faults_total");
  Steps steps(0.05);
  base::Rng rng(3);
  for (int cycle = 0; cycle < 6; ++cycle) {
    for (int i = 0; i < 100; ++i) {
      const double done = steps.tick(1) * 10;
      host[bytes] = done * 1e6;
      host[faults] = done * 300;
      host.tick();
    }
    const double other_bytes = 1e4 * std::exp(3 * rng.uniform());
    const double other_faults = 10 * std::exp(3 * rng.uniform());
    for (int i = 0; i < 200; ++i) {
      host[bytes] = other_bytes * (0.5 + rng.uniform());
      host[faults] = other_faults * (0.5 + rng.uniform());
      host.tick();
    }
  }
  const auto job = host.meter().estimate().front();
  EXPECT_THAT(job.not_known, testing::HasSubstr("moves with its steps"));
  EXPECT_TRUE(job.rate.empty());
}

// It is there for less than half of the run, and before and after it others send a little.
TEST(WorkMeter, TakesTheUsualOfAJobFromTheTimeInWhichItIsThere) {
  Trainer trainer;
  const auto idle = [&](int seconds) { trainer.run(seconds, 0, 60, 200); };
  idle(60);
  trainer.run(30, 1).run(10, 0.5).run(20, 1);
  idle(40);
  const auto job = trainer.rate();
  ASSERT_EQ(job.not_known, "");
  EXPECT_NEAR(mean(job, 61, 89), 1, 0.02);
  EXPECT_NEAR(mean(job, 90, 100), 0.5, 0.03);
  EXPECT_LT(mean(job, 1, 59), 0.05);
}

TEST(WorkMeter, SaysThatARunIsTooShort) {
  EXPECT_THAT(Trainer().run(15, 1).rate().not_known, testing::HasSubstr("too short"));
}

TEST(WorkMeter, TakesChannelsThatAppearLater) {
  SyntheticHost host;
  const auto pages = host.add("memory_freed_pages_total");
  Steps steps(0.05);
  for (int i = 0; i < 200; ++i) {
    host[pages] = 10 * 300 * steps.tick(1);
    host.tick();
  }
  const auto sent = host.add("network_sent_bytes_total", "dev=eth1", model::Scope::kNic);
  for (int i = 0; i < 800; ++i) {
    const double done = 10 * steps.tick(i >= 300 && i < 400 ? 0.5 : 1);
    host[pages] = 300 * done;
    host[sent] = 1e6 * done;
    host.tick();
  }
  const auto job = host.meter().estimate().front();
  ASSERT_EQ(job.not_known, "");
  EXPECT_NEAR(mean(job, 50, 60), 0.5, 0.02);
}

// A job that reads a disk, of which a neighbor of half the time reads smaller pieces.
class Reader {
 public:
  Reader& run(double seconds, double speed, double neighbor_reads = 0) {
    for (int i = 0; i < static_cast<int>(std::lround(seconds * 10)); ++i) {
      const double steps = steps_.tick(speed) * 10;
      host[sectors] = 4096 * steps + 256 * neighbor_reads;
      host[reads] = 4 * steps + neighbor_reads;
      host[pins] = 512 * steps + 32 * neighbor_reads;
      host.tick();
    }
    return *this;
  }
  JobRate rate() { return host.meter().estimate().front(); }

  SyntheticHost host;
  std::size_t sectors = host.add("storage_read_sectors_total", "dev=sda", model::Scope::kDisk);
  std::size_t reads = host.add("storage_reads_total", "dev=sda", model::Scope::kDisk);
  std::size_t pins = host.add("memory_pins_acquired_total");

 private:
  Steps steps_{0.03};
};

TEST(WorkMeter, TakesADiskThatIsReadAllTheTime) {
  const auto job = Reader().run(40, 1).run(10, 0.4).run(40, 1).rate();
  ASSERT_EQ(job.not_known, "");
  EXPECT_NEAR(mean(job, 40, 50), 0.4, 0.02);
}

// Whose reads they are cannot be told, so there is no rate; it comes back with the job's own.
TEST(WorkMeter, HasNoRateWhereSomebodyElseReads) {
  const auto job = Reader().run(40, 1).run(10, 0.8, 500).run(40, 1).rate();
  ASSERT_EQ(job.not_known, "");
  EXPECT_TRUE(std::isnan(mean(job, 41, 49)));
  EXPECT_NEAR(mean(job, 52, 90), 1, 0.02);
}

TEST(WorkMeter, TakesNoDiskThatIsReadNowAndThen) {
  Reader reader;
  for (int i = 0; i < 6; ++i) reader.run(5, 1).run(12, 0);
  EXPECT_FALSE(reader.rate().is_known());
}

// Two jobs, one on the network and one on the disk, and each slows down at another time. The
// groups' CPU time says whose is whose.
TEST(WorkMeter, TellsTwoJobsApart) {
  SyntheticHost host;
  const auto sent = host.add("network_sent_bytes_total", "dev=lo", model::Scope::kNic);
  const auto received = host.add("network_received_packets_total", "dev=lo", model::Scope::kNic);
  const auto sectors = host.add("storage_read_sectors_total", "dev=sda", model::Scope::kDisk);
  const auto reads = host.add("storage_reads_total", "dev=sda", model::Scope::kDisk);
  const auto one = host.add("cpu_cgroup_usage_seconds_total", "cg=/one", model::Scope::kCgroup);
  const auto other = host.add("cpu_cgroup_usage_seconds_total", "cg=/two", model::Scope::kCgroup);
  const auto all = host.add("cpu_cgroup_usage_seconds_total", "cg=/", model::Scope::kCgroup);
  Steps network(0.05);
  Steps disk(0.07, 9);
  base::Rng rng(4);
  for (int i = 0; i < 1200; ++i) {
    const double a = 10 * network.tick(i >= 300 && i < 400 ? 0.3 : 1);
    const double b = 10 * disk.tick(i >= 700 && i < 800 ? 0.5 : 1);
    host[sent] = 1e6 * a;
    host[received] = 20 * a;
    host[sectors] = 4096 * b;
    host[reads] = 4 * b;
    host[one] = 0.03 * a + 0.05 * rng.uniform();
    host[other] = 0.02 * b + 0.05 * rng.uniform();
    host[all] = 0.03 * a + 0.02 * b;
    host.tick();
  }
  const auto jobs = host.meter().estimate();
  ASSERT_EQ(jobs.size(), 2u);
  const auto& first = jobs[0].job == "cg=/one" ? jobs[0] : jobs[1];
  const auto& second = jobs[0].job == "cg=/one" ? jobs[1] : jobs[0];
  EXPECT_EQ(first.job, "cg=/one");
  EXPECT_EQ(second.job, "cg=/two");
  EXPECT_NEAR(mean(first, 30, 40), 0.3, 0.02);
  EXPECT_NEAR(mean(first, 70, 80), 1, 0.03);
  EXPECT_NEAR(mean(second, 30, 40), 1, 0.03);
  EXPECT_NEAR(mean(second, 70, 80), 0.5, 0.03);
}

// What a neighbor reads is in the host's counters and not in the group's.
TEST(WorkMeter, PrefersAGroupsOwnCounters) {
  SyntheticHost host;
  const auto sectors = host.add("storage_read_sectors_total", "dev=sda", model::Scope::kDisk);
  const auto reads = host.add("storage_reads_total", "dev=sda", model::Scope::kDisk);
  const auto bytes =
      host.add("storage_cgroup_read_bytes_total", "cg=/job,dev=sda", model::Scope::kCgroup);
  const auto own = host.add("storage_cgroup_reads_total", "cg=/job,dev=sda", model::Scope::kCgroup);
  Steps steps(0.04);
  double done = 0;
  for (int i = 0; i < 1000; ++i) {
    const bool disturbed = i >= 400 && i < 500;
    const double a = 10 * steps.tick(disturbed ? 0.6 : 1);
    host[sectors] = 4096 * a + (disturbed ? 1e5 : 0);
    host[reads] = 4 * a + (disturbed ? 400 : 0);
    done += a;
    // Groups are read once a second.
    host[bytes] = i % 10 == 9 ? 4096 * 512 * done / 10 : std::nan("");
    host[own] = i % 10 == 9 ? 4 * done / 10 : std::nan("");
    if (i % 10 == 9) done = 0;
    host.tick();
  }
  const auto jobs = host.meter().estimate();
  ASSERT_EQ(jobs.size(), 1u);
  EXPECT_EQ(jobs[0].kind, JobKind::kGroup);
  EXPECT_EQ(jobs[0].job, "cg=/job");
  EXPECT_NEAR(mean(jobs[0], 40, 50), 0.6, 0.03);
}

TEST(WorkMeter, ForgetsWhatIsOld) {
  Trainer trainer;
  trainer.run(100, 1);
  trainer.host.meter().keep_last(30);
  EXPECT_EQ(trainer.host.meter().block_count(), 30u);
  EXPECT_EQ(trainer.rate().rate.size(), 30u);
}

}  // namespace
}  // namespace reveal::work
