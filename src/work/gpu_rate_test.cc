#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/rng.h"
#include "work/slowdowns.h"
#include "work/testing/synthetic_job.h"

namespace reveal::work {
namespace {

// So many GPUs of one job.
class Gpus {
 public:
  // With GPM they also tell what their units do, and how much memory is held.
  explicit Gpus(std::size_t count, bool has_gpm = false) {
    for (std::size_t i = 0; i < count; ++i) {
      const auto name = "gpu=" + std::to_string(i);
      busy.push_back(host.add("gpu_busy_ratio", name, model::Scope::kGpu));
      clock.push_back(host.add("gpu_sm_clock_hertz", name, model::Scope::kGpu));
      power.push_back(host.add("gpu_power_watts", name, model::Scope::kGpu));
      nvlink.push_back(host.add("gpu_nvlink_sent_bytes_per_second", name, model::Scope::kGpu));
      if (!has_gpm) continue;
      sm.push_back(host.add("gpu_sm_busy_ratio", name, model::Scope::kGpu));
      tensor.push_back(host.add("gpu_tensor_busy_ratio", name, model::Scope::kGpu));
      floating.push_back(host.add("gpu_fp32_busy_ratio", name, model::Scope::kGpu));
      held.push_back(host.add("gpu_memory_used_bytes", name, model::Scope::kGpu));
      shared.push_back(host.add("gpu_shared_sm_busy_ratio", name, model::Scope::kGpu));
    }
  }
  struct Level {
    double busy = 0.9;
    double clock = 1.98e9;
    double power = 600;
    double nvlink = 100e9;
    double sm = 0.8;
    double tensor = 0.2;
    double floating = 0.02;
    double held = 40e9;
    double shared = std::numeric_limits<double>::quiet_NaN();  // not known
  };
  Gpus& run(double seconds, const Level& level) {
    for (int i = 0; i < static_cast<int>(std::lround(seconds * 10)); ++i) {
      for (std::size_t g = 0; g < busy.size(); ++g) {
        host[busy[g]] = level.busy * little();
        host[clock[g]] = level.clock;
        host[power[g]] = level.power * little();
        host[nvlink[g]] = level.nvlink * little();
        if (sm.empty()) continue;
        host[sm[g]] = level.sm * little();
        host[tensor[g]] = level.tensor * little();
        host[floating[g]] = level.floating * little();
        host[held[g]] = level.held;
        host[shared[g]] = i % 20 == 0 ? level.shared : std::nan("");
      }
      host.tick();
    }
    return *this;
  }
  JobRate rate() {
    for (auto& job : host.meter().estimate()) {
      if (job.kind == JobKind::kGpus) return job;
    }
    return {};
  }
  double little() { return 0.97 + 0.06 * rng_.uniform(); }

  SyntheticHost host;
  std::vector<std::size_t> busy;
  std::vector<std::size_t> clock;
  std::vector<std::size_t> power;
  std::vector<std::size_t> nvlink;
  std::vector<std::size_t> sm;
  std::vector<std::size_t> tensor;
  std::vector<std::size_t> floating;
  std::vector<std::size_t> held;
  std::vector<std::size_t> shared;

 private:
  base::Rng rng_{11};
};

double mean(const JobRate& job, double from_s, double until_s) {
  const auto loss = lost(job, SyntheticHost::at(from_s), SyntheticHost::at(until_s));
  return loss ? loss->mean_rate : std::nan("");
}

// Two GPUs that go from 90 % to 25 % for 8 s, as where one waits for data; 25/90 is 0.278.
TEST(GpuRate, FallsWhereGpusWait) {
  const auto job =
      Gpus(2).run(40, {}).run(8, {.busy = 0.25, .power = 250, .nvlink = 28e9}).run(40, {}).rate();
  ASSERT_FALSE(job.rate.empty());
  EXPECT_NEAR(mean(job, 0, 40), 1, 0.01);
  EXPECT_NEAR(mean(job, 40, 48), 0.278, 0.02);
  const auto slow = slowdowns(job);
  ASSERT_EQ(slow.size(), 1u);
  EXPECT_EQ(slow[0].begin_ns, SyntheticHost::at(40));
  EXPECT_EQ(slow[0].end_ns, SyntheticHost::at(48));
  EXPECT_NEAR(slow[0].loss.lost_s, 8 * (1 - 0.278), 0.2);
}

// A clock at two thirds, by heat or a power limit, is two thirds of the work at full use.
TEST(GpuRate, FallsWithTheClock) {
  const auto job = Gpus(1).run(40, {}).run(8, {.clock = 1.32e9}).run(40, {}).rate();
  EXPECT_NEAR(mean(job, 40, 48), 2.0 / 3, 0.02);
}

// A GPU that waits for its peers in a collective says that it is busy; its links and power tell.
TEST(GpuRate, FallsWhereACollectiveSpins) {
  const auto job =
      Gpus(4).run(40, {}).run(8, {.busy = 1, .power = 300, .nvlink = 40e9}).run(40, {}).rate();
  EXPECT_LT(mean(job, 40, 48), 0.55);
}

TEST(GpuRate, IsOfTheGpusThatAreUsed) {
  Gpus gpus(2);
  for (int i = 0; i < 900; ++i) {
    gpus.host[gpus.busy[0]] = (i >= 500 && i < 600 ? 0.45 : 0.9) * gpus.little();
    gpus.host[gpus.busy[1]] = 0.01 * gpus.little();
    gpus.host.tick();
  }
  const auto job = gpus.rate();
  EXPECT_NEAR(mean(job, 50, 60), 0.5, 0.02);
  EXPECT_THAT(job.members, testing::ElementsAre(model::ChannelId(gpus.busy[0])));
}

TEST(GpuRate, IsNoneOfGpusThatAreIdle) {
  EXPECT_TRUE(Gpus(2).run(60, {.busy = 0.01, .power = 70, .nvlink = 0}).rate().rate.empty());
}

// Another program multiplies matrices on the same GPU: it is as busy as before, its tensor cores do
// three times as much, and the job's own units do half.
TEST(GpuRate, FallsBesideAnotherProgramOnTheGpu) {
  const Gpus::Level beside{.busy = 1, .power = 690, .tensor = 0.6, .floating = 0.01};
  const auto job = Gpus(1, true).run(40, {}).run(8, beside).run(40, {}).rate();
  EXPECT_NEAR(mean(job, 0, 40), 1, 0.02);
  EXPECT_NEAR(mean(job, 40, 48), 0.5, 0.04);
  EXPECT_EQ(slowdowns(job).size(), 1u);
}

// It also adds to everything, but the job is not told to be slow before and after.
TEST(GpuRate, UsualIsWithoutAnotherProgram) {
  const Gpus::Level little{.busy = 0.18, .power = 150, .sm = 0.08, .tensor = 0.004};
  const Gpus::Level beside{.busy = 1, .power = 690, .sm = 0.8, .tensor = 0.6, .floating = 0.025};
  const auto job = Gpus(1, true).run(40, little).run(6, beside).run(40, little).rate();
  EXPECT_NEAR(mean(job, 0, 40), 1, 0.02);
  EXPECT_THAT(slowdowns(job), testing::IsEmpty());
}

// Kernels of another kind, with nobody else on the GPU.
TEST(GpuRate, DoesNotFallWithTheFloatingPointUnitsAlone) {
  const auto job = Gpus(1, true).run(40, {}).run(8, {.floating = 0.01}).run(40, {}).rate();
  EXPECT_NEAR(mean(job, 40, 48), 1, 0.02);
}

// The job itself does something else for a while: nobody else is on the GPU.
TEST(GpuRate, IsThatOfTheMultiprocessorsWhereNobodyElseIsOnTheGpu) {
  const Gpus::Level usual{.shared = 0};
  const Gpus::Level other{.tensor = 0.6, .floating = 0.005, .shared = 0};
  const auto job = Gpus(1, true).run(60, usual).run(10, other).run(60, usual).rate();
  EXPECT_NEAR(mean(job, 60, 70), 1, 0.02);
  EXPECT_THAT(slowdowns(job), testing::IsEmpty());
}

// A driver that says nothing of the multiprocessors but zeros.
TEST(GpuRate, IsByBusyTimeIfTheMultiprocessorsTellNothing) {
  const auto job =
      Gpus(1, true).run(40, {.sm = 0}).run(8, {.busy = 0.45, .sm = 0}).run(40, {.sm = 0}).rate();
  ASSERT_FALSE(job.rate.empty());
  EXPECT_NEAR(mean(job, 40, 48), 0.5, 0.03);
}

constexpr Gpus::Level kStill{
    .busy = 0, .power = 120, .nvlink = 0, .sm = 0, .tensor = 0, .floating = 0};

Gpus::Level still_with(double held) {
  auto out = kStill;
  out.held = held;
  return out;
}

TEST(GpuRate, AWaitIsASlowdown) {
  const auto job = Gpus(2, true).run(40, {}).run(6, kStill).run(40, {}).rate();
  const auto slow = slowdowns(job);
  ASSERT_EQ(slow.size(), 1u);
  EXPECT_EQ(slow[0].begin_ns, SyntheticHost::at(40));
  EXPECT_EQ(slow[0].end_ns, SyntheticHost::at(46));
  EXPECT_NEAR(slow[0].loss.lost_s, 6, 0.1);
}

TEST(GpuRate, ALongPauseIsNone) {
  EXPECT_THAT(slowdowns(Gpus(1, true).run(60, {}).run(70, kStill).run(60, {}).rate()),
              testing::IsEmpty());
}

// One job ends, and the next begins.
TEST(GpuRate, AnotherJobIsNoWait) {
  EXPECT_THAT(slowdowns(Gpus(1, true).run(40, {}).run(6, still_with(0)).run(40, {}).rate()),
              testing::IsEmpty());
}

// What is left of another's memory is not this job's.
TEST(GpuRate, MostOfTheMemoryMustBeHeld) {
  EXPECT_THAT(slowdowns(Gpus(1, true).run(40, {}).run(6, still_with(24e9)).run(40, {}).rate()),
              testing::IsEmpty());
}

TEST(GpuRate, NobodyKnowsOfAWaitWithoutTheMemory) {
  const Gpus::Level still{.busy = 0, .power = 120, .nvlink = 0};
  EXPECT_THAT(slowdowns(Gpus(1).run(40, {}).run(6, still).run(40, {}).rate()), testing::IsEmpty());
}

// A server that has nothing to do now and then.
TEST(GpuRate, SeveralWaitsAreTheJobsOwnPauses) {
  EXPECT_THAT(slowdowns(Gpus(1, true)
                            .run(40, {})
                            .run(6, kStill)
                            .run(25, {})
                            .run(11, kStill)
                            .run(60, {})
                            .run(20, kStill)
                            .run(40, {})
                            .rate()),
              testing::IsEmpty());
}

// Checkpoints.
TEST(GpuRate, RegularWaitsAreThePhasesOfTheJob) {
  Gpus gpus(1, true);
  for (int i = 0; i < 4; ++i) gpus.run(20, {}).run(4, kStill);
  EXPECT_THAT(slowdowns(gpus.run(20, {}).rate()), testing::IsEmpty());
}

// A quiet run with links that stutter.
TEST(GpuRate, HasNoSlowdownInAQuietRun) {
  Gpus gpus(8);
  for (int i = 0; i < 60; ++i) {
    gpus.run(1, {.power = 600 - 5.0 * (i % 7), .nvlink = 100e9 * (0.5 + 0.1 * (i * 7 % 11))});
  }
  EXPECT_THAT(slowdowns(gpus.rate()), testing::IsEmpty());
}

}  // namespace
}  // namespace reveal::work
