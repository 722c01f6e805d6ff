// Jobs that come back on a host whose judge remembers what was usual of them.
#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/temp_dir.h"
#include "live/live_judge.h"
#include "live/testing/job_host.h"

namespace reveal::live {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr Load with_slow_disk(Load load) {
  load.io_wait = kSlowDisk;
  return load;
}

std::size_t files_in(const std::filesystem::path& folder) {
  std::size_t out = 0;
  for (const auto& one : std::filesystem::directory_iterator(folder)) {
    out += one.is_regular_file() ? 1U : 0U;
  }
  return out;
}

// A folder in which a judge that saw one healthy run of a job has kept what was usual.
class KnownJob : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    known_.emplace();
    JobHost host;
    LiveJudge judge{pipeline::PipelineConfig{}};
    judge.remember_workloads({.folder = known_->path()});
    ASSERT_TRUE(judge.begin(host.facts));
    feed(judge, host, 180, kJob);
    ASSERT_EQ(files_in(known_->path()), 0U) << "a minute to learn, and two to be sure";
    feed(judge, host, 10, kJob);
    ASSERT_EQ(files_in(known_->path()), 1U);
    ASSERT_THAT(judge.take_troubles(), IsEmpty());
  }
  static void TearDownTestSuite() { known_.reset(); }

  KnownJob() { std::filesystem::copy(known_->path(), folder_.path()); }

  // Feeds another run of a job to a judge that has just started.
  void start(LiveJudge& judge, JobHost& host, int seconds, const Load& load) {
    judge.remember_workloads({.folder = folder_.path()});
    ASSERT_TRUE(judge.begin(host.facts));
    feed(judge, host, seconds, load);
  }

  static std::optional<base::TempDir> known_;
  base::TempDir folder_;
};

std::optional<base::TempDir> KnownJob::known_;

TEST_F(KnownJob, IsComparedWithItsEarlierRunFromTheFirstWindowsOn) {
  JobHost host(7);
  LiveJudge judge{pipeline::PipelineConfig{}};
  start(judge, host, 14, kJob);
  const auto& history = judge.history();
  ASSERT_TRUE(history.looks_like);
  EXPECT_EQ(history.looks_like->begin_ns, JobHost::wall_ns(0));
  EXPECT_EQ(history.looks_like->runs, 1U);
  EXPECT_FALSE(history.not_judged);
  for (const auto& window : history.windows) EXPECT_TRUE(window.judged);
  EXPECT_THAT(history.findings, IsEmpty());
  feed(judge, host, 66, kJob);
  EXPECT_FALSE(history.looks_like) << "the run itself has taught enough";
  EXPECT_GT(history.learned_ns, 0);
  EXPECT_THAT(history.findings, IsEmpty());
}

TEST_F(KnownJob, AFaultFromItsFirstSecondOnIsFoundSoon) {
  JobHost host(7);
  LiveJudge judge{pipeline::PipelineConfig{}};
  start(judge, host, 14, with_slow_disk(kJob));
  ASSERT_THAT(judge.history().findings, SizeIs(1));
  const auto& finding = judge.history().findings.front();
  EXPECT_EQ(finding.subsystem(), model::Subsystem::kStorage);
  EXPECT_THAT(finding.claim, testing::HasSubstr("waited for the disk"));
  ASSERT_TRUE(finding.looks_like_ns);
  EXPECT_EQ(*finding.looks_like_ns, JobHost::wall_ns(0));
  EXPECT_LE(finding.windows_begin_ns(), JobHost::wall_ns(5)) << "all but the warm-up";
}

// The same without what was kept: the fault is in all that the judge learns from.
TEST(LiveWorkloads, WithoutAnEarlierRunAFaultFromTheFirstSecondOnIsUsual) {
  JobHost host(7);
  LiveJudge judge{pipeline::PipelineConfig{}};
  ASSERT_TRUE(judge.begin(host.facts));
  feed(judge, host, 200, with_slow_disk(kJob));
  EXPECT_THAT(judge.history().findings, IsEmpty());
}

TEST_F(KnownJob, WhatTheEarlierRunCallsAFindingIsUsualAfterTheLongestWaitOnly) {
  JobHost host(7);
  LiveJudge judge{pipeline::PipelineConfig{}};
  start(judge, host, 295, with_slow_disk(kJob));
  EXPECT_EQ(judge.history().learned_ns, 0);
  EXPECT_TRUE(judge.history().looks_like);
  EXPECT_THAT(judge.history().findings, SizeIs(1));
  feed(judge, host, 20, with_slow_disk(kJob));
  EXPECT_GT(judge.history().learned_ns, 0);
  EXPECT_FALSE(judge.history().looks_like);
}

// Another job, which waits again and again, has the same footprint. What comes again and again is
// usual.
TEST_F(KnownJob, WhatOnlyLooksLikeAnEarlierRunMakesFindingsForSomeMinutesAlone) {
  JobHost host(7);
  LiveJudge judge{pipeline::PipelineConfig{}};
  start(judge, host, 20, kJob);
  const auto go_on = [&](int rounds) {
    for (int i = 0; i < rounds; ++i) {
      feed(judge, host, 14, with_slow_disk(kJob));
      feed(judge, host, 16, kJob);
    }
  };
  const auto in_findings = [&] {
    return std::ranges::count_if(judge.history().windows,
                                 [](const JudgedWindow& one) { return one.flagged.has_value(); });
  };
  go_on(16);
  EXPECT_TRUE(judge.history().looks_like);
  const auto before = in_findings();
  EXPECT_GT(before, 200);
  go_on(10);
  EXPECT_FALSE(judge.history().looks_like);
  EXPECT_LE(in_findings(), before + 150);
  const auto by_then = in_findings();
  go_on(20);
  EXPECT_EQ(in_findings(), by_then);
}

// The same for a job that comes often and is gone again before its own windows are enough.
TEST_F(KnownJob, OneThatComesOftenAndOnlyLooksLikeItIsNotComparedForEver) {
  JobHost host(7);
  LiveJudge judge{pipeline::PipelineConfig{}};
  start(judge, host, 90, kIdle);
  bool is_compared = false;
  const auto go_on = [&](int rounds) {
    is_compared = false;
    for (int i = 0; i < rounds; ++i) {
      feed(judge, host, 30, with_slow_disk(kJob));
      is_compared = is_compared || judge.history().looks_like;
      feed(judge, host, 30, kIdle);
    }
  };
  go_on(2);
  EXPECT_TRUE(is_compared);
  go_on(20);
  go_on(5);
  EXPECT_FALSE(is_compared);
}

// It goes over. What is learned then has a fifth of such windows at most, which hide no fault.
TEST_F(KnownJob, AFaultAtTheStartThatGoesOverIsNotLearned) {
  JobHost host(7);
  LiveJudge judge{pipeline::PipelineConfig{}};
  start(judge, host, 20, with_slow_disk(kJob));
  feed(judge, host, 100, kJob);
  EXPECT_EQ(judge.history().learned_ns, 0);
  feed(judge, host, 60, kJob);
  EXPECT_GT(judge.history().learned_ns, 0);
  ASSERT_THAT(judge.history().findings, SizeIs(1));
  feed(judge, host, 10, with_slow_disk(kJob));
  EXPECT_THAT(judge.history().findings, SizeIs(2));
}

TEST_F(KnownJob, HealthyRunsWithOtherLevelsMakeNoFinding) {
  std::size_t findings = 0;
  for (std::uint64_t seed = 100; seed < 130; ++seed) {
    JobHost host(seed);
    LiveJudge judge{pipeline::PipelineConfig{}};
    start(judge, host, 70, kJob);
    findings += judge.history().findings.size();
  }
  EXPECT_EQ(findings, 0U);
}

TEST_F(KnownJob, RunsWithAFaultMakeOneOfTheRightSubsystem) {
  for (std::uint64_t seed = 100; seed < 120; ++seed) {
    JobHost host(seed);
    LiveJudge judge{pipeline::PipelineConfig{}};
    start(judge, host, 25, with_slow_disk(kJob));
    ASSERT_THAT(judge.history().findings, SizeIs(1)) << seed;
    EXPECT_EQ(judge.history().findings.front().subsystem(), model::Subsystem::kStorage) << seed;
  }
}

TEST_F(KnownJob, AnotherJobIsNotTakenForIt) {
  for (const Load& other : {kIdle, kBusyJob}) {
    JobHost host(7);
    LiveJudge judge{pipeline::PipelineConfig{}};
    start(judge, host, 30, other);
    EXPECT_FALSE(judge.history().looks_like);
    EXPECT_FALSE(judge.history().windows.back().judged);
  }
}

// What waited a little more in each run is usual after some: the latest runs count most.
TEST_F(KnownJob, LearnsEachRunThatItSees) {
  Load load = kJob;
  for (int run = 0; run < 6; ++run) {
    load.io_wait += 0.03;
    JobHost host(200 + static_cast<std::uint64_t>(run));
    LiveJudge judge{pipeline::PipelineConfig{}};
    start(judge, host, 200, load);
    EXPECT_THAT(judge.history().findings, IsEmpty()) << run;
    EXPECT_EQ(files_in(folder_.path()), 1U);
  }
  JobHost host(300);
  LiveJudge judge{pipeline::PipelineConfig{}};
  start(judge, host, 20, load);
  ASSERT_TRUE(judge.history().looks_like);
  EXPECT_EQ(judge.history().looks_like->runs, 7U);
  EXPECT_THAT(judge.history().findings, IsEmpty());
}

TEST_F(KnownJob, NothingIsKeptBesideASavedBaseline) {
  JobHost host;
  pipeline::Pipeline first{pipeline::PipelineConfig{}};
  ASSERT_TRUE(first.begin(host.facts));
  feed(first, host, 90, kBusyJob);
  pipeline::PipelineConfig config;
  config.saved =
      std::make_shared<const detect::FittedBaseline>(first.copy_for_fit().value().fit().value());
  LiveJudge judge{config};
  start(judge, host, 200, kBusyJob);
  EXPECT_EQ(files_in(folder_.path()), 1U) << "that of the other job";
}

// A host that is idle, then has a job that waits for cores by itself, and is idle again.
class BusyDay : public ::testing::Test {
 protected:
  BusyDay() {
    judge_.remember_workloads({.folder = folder_.path()});
    EXPECT_TRUE(judge_.begin(host_.facts));
    feed(judge_, host_, 200, kIdle);
    begin_run(kBusyJob, 480);
    begin_run(kIdle, 200);
  }

  void begin_run(const Load& load, int seconds) {
    host_.new_run();
    began_ns_ = judge_.history().end_ns;
    feed(judge_, host_, seconds, load);
  }

  // Returns how many windows of this run are in a finding.
  std::size_t in_findings() const {
    return static_cast<std::size_t>(std::ranges::count_if(
        judge_.history().windows,
        [&](const JudgedWindow& one) { return one.flagged && one.span.begin_ns >= began_ns_; }));
  }

  base::TempDir folder_;
  JobHost host_;
  LiveJudge judge_{pipeline::PipelineConfig{}};
  std::int64_t began_ns_ = 0;
};

TEST_F(BusyDay, TheHostIsKnownAsIdleAgain) {
  EXPECT_EQ(files_in(folder_.path()), 2U);
  EXPECT_EQ(in_findings(), 0U);
}

TEST_F(BusyDay, AJobIsNoFindingForLongWhenItComesBack) {
  begin_run(kBusyJob, 40);
  ASSERT_TRUE(judge_.history().looks_like);
  EXPECT_EQ(judge_.history().looks_like->begin_ns, JobHost::wall_ns(200));
  const auto while_it_came = in_findings();
  EXPECT_LE(while_it_came, 12U);
  feed(judge_, host_, 200, kBusyJob);
  EXPECT_EQ(in_findings(), while_it_came);
}

TEST_F(BusyDay, AFaultFromItsFirstSecondOnIsToldByTheEarlierRun) {
  const auto before = judge_.history().findings.size();
  begin_run(with_slow_disk(kBusyJob), 40);
  ASSERT_TRUE(judge_.history().looks_like);
  ASSERT_THAT(judge_.history().findings, SizeIs(before + 1));
  const auto& finding = judge_.history().findings.back();
  EXPECT_EQ(finding.subsystem(), model::Subsystem::kStorage);
  EXPECT_TRUE(finding.looks_like_ns);
  EXPECT_NEAR(static_cast<double>(finding.windows_begin_ns() - began_ns_) / 1e9, 5, 5);
}

// Another job of which nothing is known is judged by what the host itself has taught.
TEST_F(BusyDay, AnUnknownJobIsJudgedAsWithoutAMemory) {
  begin_run(kBusyJob, 40);
  ASSERT_TRUE(judge_.history().looks_like);
  Load other = kJob;
  other.footprint = 6;
  begin_run(other, 30);
  EXPECT_FALSE(judge_.history().looks_like);
  EXPECT_TRUE(judge_.history().windows.back().judged);
}

}  // namespace
}  // namespace reveal::live
