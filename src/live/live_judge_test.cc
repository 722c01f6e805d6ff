// A host that goes on for minutes, judged as it does.
#include "live/live_judge.h"

#include <chrono>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "live/testing/feed.h"
#include "pipeline/testing/synthetic_host.h"

namespace reveal::live {
namespace {

TEST(LiveJudge, LearnsThenFindsABurstWhileItLastsAndBlamesStorage) {
  pipeline::SyntheticHost host;
  LiveJudge judge{pipeline::PipelineConfig{}};
  ASSERT_TRUE(judge.begin(host.facts));
  EXPECT_EQ(judge.history().learning, "learning, 60 s to go");
  feed(judge, host, 32);
  EXPECT_EQ(judge.history().learning, "learning, 30 s to go");  // the first window takes 3 s
  EXPECT_FALSE(judge.history().windows.back().judged);
  feed(judge, host, 60);
  EXPECT_EQ(judge.history().learning, "");
  EXPECT_TRUE(judge.history().windows.back().judged);
  EXPECT_TRUE(judge.history().findings.empty());
  feed(judge, host, 4, true);
  ASSERT_EQ(judge.history().findings.size(), 1u);  // it is not over yet
  feed(judge, host, 10);
  const auto& history = judge.history();
  ASSERT_EQ(history.findings.size(), 1u);
  const auto& finding = history.findings.front();
  EXPECT_EQ(finding.subsystem, model::Subsystem::kStorage);
  EXPECT_THAT(finding.claim, testing::HasSubstr("storage_"));
  EXPECT_GE(finding.agreement, 2u);
  for (const auto& window : history.windows) {
    const bool in_burst = window.span.end_ns > finding.begin_ns + 2'000'000'000 &&
                          window.span.begin_ns < finding.end_ns - 2'000'000'000;
    // The flag may outlast the burst, which ends at 96 s, by a window with nothing to blame.
    if (window.span.id.value() < 96) {
      EXPECT_EQ(window.flagged.value_or(model::Subsystem::kStorage), model::Subsystem::kStorage);
    }
    EXPECT_TRUE(in_burst || !window.flagged);
  }
  EXPECT_EQ(history.trouble, "");
}

// Feeds it as many windows as the first fit takes, which then goes on beside.
void begin_first_fit(LiveJudge& judge, pipeline::SyntheticHost& host) {
  judge.fit_in_background();
  ASSERT_TRUE(judge.begin(host.facts));
  feed(judge, host, 63);
  EXPECT_FALSE(judge.history().windows.back().judged);
  EXPECT_EQ(judge.history().learning, "learning, nearly done");
}

TEST(LiveJudge, FitsBesideWhatGoesOnAndKnowsTheSameLater) {
  pipeline::SyntheticHost host;
  LiveJudge judge{pipeline::PipelineConfig{}};
  begin_first_fit(judge, host);
  for (int i = 0; i < 400 && !judge.history().windows.back().judged; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    feed(judge, host, 1);
  }
  ASSERT_TRUE(judge.history().windows.back().judged);
  EXPECT_EQ(judge.history().learning, "");
  EXPECT_TRUE(judge.history().findings.empty());
  feed(judge, host, 5, true);
  ASSERT_EQ(judge.history().findings.size(), 1u);
  EXPECT_EQ(judge.history().findings.front().subsystem, model::Subsystem::kStorage);
}

// A fault of seven seconds is one finding, also where a fit is ready in its midst.
TEST(LiveJudge, UsesNoNewFitWhileAFindingGoesOn) {
  pipeline::SyntheticHost host;
  host.stay();  // or it shows more than the fault, the later the slower a fit is
  LiveJudge judge{pipeline::PipelineConfig{}};
  ASSERT_TRUE(judge.begin(host.facts));
  feed(judge, host, 91);
  judge.fit_in_background();
  feed(judge, host, 1);  // the second fit is due
  const auto learnt = judge.history().learnt_ns;
  feed(judge, host, 3, true);
  ASSERT_EQ(judge.history().findings.size(), 1u);
  std::this_thread::sleep_for(std::chrono::seconds(3));
  feed(judge, host, 4, true);
  EXPECT_EQ(judge.history().learnt_ns, learnt);
  EXPECT_EQ(judge.history().findings.size(), 1u);
  for (int i = 0; i < 400 && judge.history().learnt_ns == learnt; ++i) {
    feed(judge, host, 1);
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  EXPECT_GT(judge.history().learnt_ns, learnt);
  EXPECT_EQ(judge.history().findings.size(), 1u);
}

TEST(LiveJudge, EndsWhileItFits) {
  pipeline::SyntheticHost host;
  LiveJudge judge{pipeline::PipelineConfig{}};
  begin_first_fit(judge, host);
}

std::size_t findings_after_a_burst(bool waits_in_it) {
  pipeline::SyntheticHost host;
  host.tell_what_waits(waits_in_it);
  LiveJudge judge{pipeline::PipelineConfig{}};
  EXPECT_TRUE(judge.begin(host.facts));
  feed(judge, host, 92);
  EXPECT_TRUE(judge.history().findings.empty());
  feed(judge, host, 5, true);
  EXPECT_EQ(judge.history().votes, 6);
  return judge.history().findings.size();
}

TEST(LiveJudge, WhatHoldsNothingUpIsNoFinding) {
  EXPECT_EQ(findings_after_a_burst(/*waits_in_it=*/false), 0u);
  EXPECT_EQ(findings_after_a_burst(/*waits_in_it=*/true), 1u);
}

// Returns at which second of the run what is usual was learnt last.
std::int64_t learnt_s(const LiveJudge& judge) {
  return (judge.history().learnt_ns - judge.history().begin_ns + 999'999'999) / 1'000'000'000;
}

TEST(LiveJudge, LearnsAnewSeldomWhereNothingMoves) {
  pipeline::SyntheticHost host;
  host.stay();
  LiveJudge judge{pipeline::PipelineConfig{}};
  ASSERT_TRUE(judge.begin(host.facts));
  feed(judge, host, 700);
  const auto last_of_the_first = learnt_s(judge);
  EXPECT_GT(last_of_the_first, 600);  // from then on it is ten minutes
  feed(judge, host, 870);
  EXPECT_EQ(learnt_s(judge), last_of_the_first);
  feed(judge, host, 30);
  EXPECT_EQ(learnt_s(judge), last_of_the_first + static_cast<std::int64_t>(kOldestFit));
}

TEST(LiveJudge, LearnsAnewWhenWhatIsUsualHasMoved) {
  pipeline::SyntheticHost host;
  host.tell_what_waits(/*in_bursts=*/false);
  host.stay();
  LiveJudge judge{pipeline::PipelineConfig{}};
  ASSERT_TRUE(judge.begin(host.facts));
  feed(judge, host, 1000);
  EXPECT_LT(learnt_s(judge), 700);
  feed(judge, host, 245, true);  // twice as long as it takes to tell
  EXPECT_GT(learnt_s(judge), 1000);
  EXPECT_TRUE(judge.history().findings.empty());
}

TEST(LiveJudge, LearnsWhatIsUnusualOnlyWhenItLasts) {
  pipeline::SyntheticHost host;
  host.tell_what_waits(/*in_bursts=*/true);
  host.stay();
  LiveJudge judge{pipeline::PipelineConfig{}};
  ASSERT_TRUE(judge.begin(host.facts));
  feed(judge, host, 80);
  feed(judge, host, 290, true);
  EXPECT_EQ(learnt_s(judge), 62);
  EXPECT_EQ(judge.history().findings.size(), 1u);
  feed(judge, host, 15, true);
  EXPECT_GT(learnt_s(judge), 370);
}

// Where the recorder was late, a frame may end several windows, and a fit may be due at any of
// them.
TEST(LiveJudge, NoWindowIsLostWhereSeveralComeAtOnce) {
  for (int before = 660; before < 665; ++before) {
    pipeline::SyntheticHost host;
    host.stay();
    LiveJudge judge{pipeline::PipelineConfig{}};
    ASSERT_TRUE(judge.begin(host.facts));
    feed(judge, host, before);
    for (int i = 0; i < 10; ++i) {
      feed(judge, host, 3);
      host.skip(12);
    }
    feed(judge, host, 1);
    const auto& windows = judge.history().windows;
    EXPECT_GT(learnt_s(judge), before);
    EXPECT_EQ(windows.back().span.id.value() + 1, windows.size()) << before;
  }
}

TEST(LiveJudge, AnHourTakesNoMoreThanTenMinutesOfFeatures) {
  pipeline::SyntheticHost host;
  LiveJudge judge{pipeline::PipelineConfig{}};
  ASSERT_TRUE(judge.begin(host.facts));
  feed(judge, host, 900);
  EXPECT_LE(judge.history().features->row_count(), kMostKept + 60);
  EXPECT_GE(judge.history().features->row_count(), kMostKept);
  EXPECT_EQ(judge.history().windows.size(), 898u);
  EXPECT_EQ(judge.history().features->window(judge.history().features->row_count() - 1).id,
            judge.history().windows.back().span.id);
}

}  // namespace
}  // namespace reveal::live
