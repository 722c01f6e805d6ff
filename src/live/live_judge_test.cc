// A host that goes on for minutes, judged as it does.
#include "live/live_judge.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

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
  EXPECT_EQ(judge.history().learning, "60 s to go");
  feed(judge, host, 32);
  EXPECT_EQ(judge.history().learning, "30 s to go");  // the first window takes 3 s
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
  EXPECT_EQ(finding.subsystem(), model::Subsystem::kStorage);
  EXPECT_THAT(finding.claim, testing::HasSubstr("storage_"));
  EXPECT_GE(finding.agreement, 2u);
  for (const auto& window : history.windows) {
    const bool in_burst = window.span.end_ns > finding.begin_ns() + 2'000'000'000 &&
                          window.span.begin_ns < finding.end_ns() - 2'000'000'000;
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
  EXPECT_EQ(judge.history().learning, "nearly done");
}

TEST(LiveJudge, TellsTheSourcesThatAreMissingNow) {
  pipeline::SyntheticHost host;
  host.facts.unseen = {{"nvml", "no NVIDIA driver", "install it", 127}};
  LiveJudge judge{pipeline::PipelineConfig{}};
  ASSERT_TRUE(judge.begin(host.facts));
  EXPECT_EQ(judge.history().unseen, host.facts.unseen);
  judge.take_unseen({});
  feed(judge, host, 2);
  EXPECT_EQ(judge.history().unseen, std::vector<model::Unseen>{});
}

TEST(LiveJudge, ASecondFaultIsAFindingOfItsOwnWhileTheFirstGoesOver) {
  pipeline::SyntheticHost host;
  host.tell_what_waits(true);
  LiveJudge judge{pipeline::PipelineConfig{}};
  ASSERT_TRUE(judge.begin(host.facts));
  feed(judge, host, 90);
  feed(judge, host, 10, true);
  ASSERT_EQ(judge.history().findings.size(), 1u);
  const auto begin_ns = judge.history().findings.front().windows_begin_ns();
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(judge.write(host.channels, host.tick(false, true)));
  feed(judge, host, 20);
  const auto& findings = judge.history().findings;
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(findings[0].subsystem(), model::Subsystem::kStorage);
  EXPECT_EQ(findings[0].windows_begin_ns(), begin_ns);
  EXPECT_EQ(findings[1].subsystem(), model::Subsystem::kCpu);
  EXPECT_NEAR(static_cast<double>(findings[1].begin_ns() - begin_ns) / 1e9, 10, 3.0);
  EXPECT_GE(findings[1].windows_begin_ns(), findings[0].windows.back().span.begin_ns);
}

// Two minutes and a half in ten: learned from, they would be what is usual.
TEST(LiveJudge, FindsAFaultAgainAfterALongOne) {
  pipeline::SyntheticHost host;
  host.tell_what_waits(true);
  LiveJudge judge{pipeline::PipelineConfig{}};
  ASSERT_TRUE(judge.begin(host.facts));
  feed(judge, host, 120);
  feed(judge, host, 150, true);
  feed(judge, host, 60);
  const auto before = judge.history().findings.size();
  ASSERT_GE(before, 1u);
  feed(judge, host, 200);  // what is usual is fitted anew
  EXPECT_EQ(judge.history().findings.size(), before);
  feed(judge, host, 10, true);
  feed(judge, host, 10);
  ASSERT_EQ(judge.history().findings.size(), before + 1);
  EXPECT_EQ(judge.history().findings.back().subsystem(), model::Subsystem::kStorage);
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
  EXPECT_EQ(judge.history().findings.front().subsystem(), model::Subsystem::kStorage);
}

// A fault of seven seconds is one finding, also if a fit is ready in its midst.
TEST(LiveJudge, UsesNoNewFitWhileAFindingGoesOn) {
  pipeline::SyntheticHost host;
  host.stay();  // or it shows more than the fault, the later the slower a fit is
  LiveJudge judge{pipeline::PipelineConfig{}};
  ASSERT_TRUE(judge.begin(host.facts));
  feed(judge, host, 91);
  judge.fit_in_background();
  feed(judge, host, 1);  // the second fit is due
  const auto learned = judge.history().learned_ns;
  feed(judge, host, 3, true);
  ASSERT_EQ(judge.history().findings.size(), 1u);
  std::this_thread::sleep_for(std::chrono::seconds(3));
  feed(judge, host, 4, true);
  EXPECT_EQ(judge.history().learned_ns, learned);
  EXPECT_EQ(judge.history().findings.size(), 1u);
  for (int i = 0; i < 400 && judge.history().learned_ns == learned; ++i) {
    feed(judge, host, 1);
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  EXPECT_GT(judge.history().learned_ns, learned);
  EXPECT_EQ(judge.history().findings.size(), 1u);
}

TEST(LiveJudge, SaysWhenABurstBeganAndThenWhenItEnded) {
  pipeline::SyntheticHost host;
  host.tell_what_waits(true);
  LiveJudge judge{pipeline::PipelineConfig{}};
  ASSERT_TRUE(judge.begin(host.facts));
  feed(judge, host, 70);
  const auto begin_ns = judge.history().end_ns;
  feed(judge, host, 4, true);
  const auto end_ns = judge.history().end_ns;
  ASSERT_EQ(judge.history().findings.size(), 1u);
  const auto& finding = judge.history().findings.front();
  ASSERT_TRUE(finding.begin_edge);
  EXPECT_NEAR(static_cast<double>(finding.begin_ns() - begin_ns), 0, 1.1e8);
  EXPECT_FALSE(finding.end_edge);  // it is not over yet
  feed(judge, host, 10);
  ASSERT_EQ(judge.history().findings.size(), 1u);
  EXPECT_NEAR(static_cast<double>(finding.begin_ns() - begin_ns), 0, 1.1e8);
  ASSERT_TRUE(finding.end_edge);
  EXPECT_NEAR(static_cast<double>(finding.end_ns() - end_ns), 0, 1.1e8);
  EXPECT_EQ(finding.incident, 1u);
}

TEST(LiveJudge, EndsWhileItFits) {
  pipeline::SyntheticHost host;
  LiveJudge judge{pipeline::PipelineConfig{}};
  begin_first_fit(judge, host);
}

// Names of the fields of a finding that say something.
std::vector<std::string> filled(const attribute::Finding& finding) {
  std::vector<std::string> out;
  const auto add_if = [&](bool is_filled, const char* name) {
    if (is_filled) out.emplace_back(name);
  };
  add_if(!finding.windows.empty(), "windows");
  add_if(!finding.windows.empty() && !finding.windows.front().detectors.empty(), "window");
  add_if(!finding.detectors.empty(), "detectors");
  add_if(finding.agreement > 0, "agreement");
  add_if(finding.severity.seconds > 0, "severity");
  add_if(finding.subsystems != attribute::SubsystemShares{}, "subsystems");
  add_if(!finding.evidence.empty(), "evidence");
  add_if(!finding.claim.empty(), "claim");
  add_if(finding.telling.has_value(), "telling");
  add_if(!finding.patterns.empty() && !finding.patterns.front().signs.empty(), "signs");
  add_if(!finding.patterns.empty() && !finding.patterns.front().pattern->remedy.empty(), "remedy");
  return out;
}

// Writes 110 s to a live judge and to a recording's pipeline; `frame_at` makes each tick's frame.
template <typename FrameAt>
void write_both(pipeline::SyntheticHost& host, LiveJudge& judge, pipeline::Pipeline& pipeline,
                FrameAt frame_at) {
  ASSERT_TRUE(judge.begin(host.facts));
  ASSERT_TRUE(pipeline.begin(host.facts));
  for (int tick = 0; tick < 1'100; ++tick) {
    const auto& frame = frame_at(tick);
    ASSERT_TRUE(judge.write(host.channels, frame));
    ASSERT_TRUE(pipeline.write(host.channels, frame));
  }
}

TEST(LiveJudge, AFindingSaysAsMuchAsThatOfTheRecording) {
  pipeline::SyntheticHost host;
  host.tell_what_waits(/*in_bursts=*/true);
  host.tell_of_throttling();
  host.stay();
  LiveJudge judge{pipeline::PipelineConfig{}};
  pipeline::Pipeline pipeline{pipeline::PipelineConfig{}};
  write_both(host, judge, pipeline,
             [&](int tick) -> const model::Frame& { return host.tick(tick >= 920 && tick < 970); });
  const auto report = pipeline.analyze().value();
  ASSERT_EQ(report.findings.size(), 1u);
  ASSERT_EQ(judge.history().findings.size(), 1u);
  const auto& batch = report.findings.front();
  const auto& live = judge.history().findings.front();
  EXPECT_EQ(filled(batch).size(), 11u) << testing::PrintToString(filled(batch));
  EXPECT_EQ(filled(live), filled(batch));
  EXPECT_EQ(live.subsystem(), batch.subsystem());
  EXPECT_EQ(live.patterns.front().pattern->name, "cpu_quota");
  EXPECT_EQ(batch.patterns.front().pattern->name, "cpu_quota");
  // A baseline of the minute before is not the rest of the run, but says much the same.
  EXPECT_LT(live.begin_ns(), batch.end_ns());
  EXPECT_GT(live.end_ns(), batch.begin_ns());
  EXPECT_EQ(live.evidence.size(), batch.evidence.size());
}

// A disk is busy for 12 s; in its midst a group computes for 5 s. Live and recorded these are two.
TEST(LiveJudge, ASecondFaultWhileTheFirstGoesOnIsAFindingOfItsOwn) {
  pipeline::SyntheticHost host;
  host.tell_what_waits(/*in_bursts=*/true);
  host.tell_who_computes();
  host.stay();
  LiveJudge judge{pipeline::PipelineConfig{}};
  pipeline::Pipeline pipeline{pipeline::PipelineConfig{}};
  write_both(host, judge, pipeline, [&](int tick) -> const model::Frame& {
    return host.tick(tick >= 900 && tick < 1'020, tick >= 940 && tick < 990);
  });
  const auto expect_two = [&](const std::vector<attribute::Finding>& findings, const char* where) {
    ASSERT_EQ(findings.size(), 2U) << where;
    EXPECT_EQ(findings[0].subsystem(), model::Subsystem::kStorage) << where;
    EXPECT_EQ(findings[1].subsystem(), model::Subsystem::kCpu) << where;
    ASSERT_TRUE(findings[1].culprit) << where;
    const auto seconds = [&](std::int64_t wall_ns) {
      return static_cast<double>(wall_ns - judge.history().begin_ns) / 1e9;
    };
    EXPECT_NEAR(seconds(findings[0].begin_ns()), 90, 0.5) << where;
    EXPECT_NEAR(seconds(findings[0].end_ns()), 102, 0.5) << where;
    EXPECT_NEAR(seconds(findings[1].begin_ns()), 94, 0.5) << where;
    EXPECT_NEAR(seconds(findings[1].end_ns()), 99, 0.5) << where;
  };
  expect_two(judge.history().findings, "live");
  expect_two(pipeline.analyze().value().findings, "recorded");
}

// The job is slow for 8 s at 40 %: 8 * 0.6 s are lost. While it goes on, what was lost so far is
// told.
TEST(LiveJudge, AFindingTellsWhatItCostWhileItGoesOn) {
  pipeline::SyntheticHost host;
  host.tell_what_waits(/*in_bursts=*/true);
  host.tell_of_work();
  host.stay();
  LiveJudge judge{pipeline::PipelineConfig{}};
  ASSERT_TRUE(judge.begin(host.facts));
  feed(judge, host, 92);
  ASSERT_EQ(judge.history().jobs.size(), 1U);
  EXPECT_EQ(judge.history().jobs.front().not_known, "");
  host.work_at(0.4);
  feed(judge, host, 7, true);
  ASSERT_EQ(judge.history().findings.size(), 1U);
  const auto& finding = judge.history().findings.front();
  ASSERT_TRUE(finding.harm);
  EXPECT_TRUE(finding.harm->slow);
  const double so_far = finding.severity.seconds;
  EXPECT_GT(so_far, 1);
  feed(judge, host, 1, true);
  host.work_at(1);
  feed(judge, host, 20);
  ASSERT_EQ(judge.history().findings.size(), 1U);
  const auto& told = judge.history().findings.front();
  EXPECT_EQ(told.severity.basis, attribute::SeverityBasis::kWork);
  EXPECT_NEAR(told.severity.seconds, 4.8, 0.5);
  EXPECT_GT(told.severity.seconds, so_far);
}

// Nothing waits, and yet the job is slow; without that it is a change.
TEST(LiveJudge, AChangeInWhichAJobIsSlowIsAFinding) {
  for (const bool slow : {true, false}) {
    pipeline::SyntheticHost host;
    host.tell_what_waits(/*in_bursts=*/false);
    host.tell_of_work();
    host.stay();
    LiveJudge judge{pipeline::PipelineConfig{}};
    ASSERT_TRUE(judge.begin(host.facts));
    feed(judge, host, 92);
    host.work_at(slow ? 0.3 : 1);
    feed(judge, host, 9, true);
    EXPECT_EQ(judge.history().findings.size(), slow ? 1U : 0U);
    host.work_at(1);
    feed(judge, host, 20);
    ASSERT_EQ(judge.history().findings.size(), slow ? 1U : 0U);
    if (!slow) continue;
    const auto& finding = judge.history().findings.front();
    EXPECT_NEAR(finding.severity.seconds, 9 * 0.7, 0.7);
    EXPECT_FALSE(finding.claim.empty());
    EXPECT_FALSE(finding.evidence.empty());
    const auto& windows = judge.history().windows;
    EXPECT_TRUE(
        std::ranges::any_of(windows, [](const auto& one) { return one.flagged.has_value(); }));
  }
}

TEST(LiveJudge, SaysWhyNothingIsJudgedAndSinceWhen) {
  pipeline::SyntheticHost host;
  host.stay();
  LiveJudge judge{pipeline::PipelineConfig{}};
  ASSERT_TRUE(judge.begin(host.facts));
  feed(judge, host, 30);
  ASSERT_TRUE(judge.history().not_judged);
  EXPECT_EQ(judge.history().not_judged->why, "what is usual is not learned yet");
  EXPECT_EQ(judge.history().not_judged->since_ns, judge.history().begin_ns);
  feed(judge, host, 40);
  EXPECT_FALSE(judge.history().not_judged);
  const auto last = judge.history().windows.back().span.end_ns;
  host.skip(60);  // a short gap is judged by its means
  ASSERT_TRUE(judge.write(host.channels, host.tick()));
  EXPECT_FALSE(judge.history().not_judged);
  host.skip(700);
  ASSERT_TRUE(judge.write(host.channels, host.tick()));
  ASSERT_TRUE(judge.history().not_judged);
  EXPECT_EQ(judge.history().not_judged->why, "ticks are missing");
  EXPECT_GE(judge.history().not_judged->since_ns, last);
  feed(judge, host, 10);
  EXPECT_FALSE(judge.history().not_judged);
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

// Returns at which second of the run what is usual was learned last.
std::int64_t learned_s(const LiveJudge& judge) {
  return (judge.history().learned_ns - judge.history().begin_ns + 999'999'999) / 1'000'000'000;
}

// Returns the time of the last frame of so many seconds of a synthetic host.
std::int64_t wall_ns_after(std::int64_t seconds) {
  return 1'700'000'000'000'000'000 + seconds * 1'000'000'000 -
         pipeline::SyntheticHost::kInterval_ns;
}

TEST(LiveJudge, LearnsAnewSeldomWhereNothingMoves) {
  pipeline::SyntheticHost host;
  host.stay();
  LiveJudge judge{pipeline::PipelineConfig{}};
  ASSERT_TRUE(judge.begin(host.facts));
  feed(judge, host, 700);
  const auto last_of_the_first = learned_s(judge);
  EXPECT_GT(last_of_the_first, 600);  // from then on it is ten minutes
  feed(judge, host, 870);
  EXPECT_EQ(learned_s(judge), last_of_the_first);
  feed(judge, host, 30);
  EXPECT_EQ(learned_s(judge), last_of_the_first + static_cast<std::int64_t>(kOldestFit));
}

TEST(LiveJudge, LearnsAnewWhenWhatIsUsualHasMoved) {
  pipeline::SyntheticHost host;
  host.tell_what_waits(/*in_bursts=*/false);
  host.stay();
  LiveJudge judge{pipeline::PipelineConfig{}};
  ASSERT_TRUE(judge.begin(host.facts));
  feed(judge, host, 1000);
  EXPECT_LT(learned_s(judge), 700);
  feed(judge, host, 245, true);  // twice as long as it takes to tell
  EXPECT_GT(learned_s(judge), 1000);
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
  EXPECT_EQ(learned_s(judge), 62);
  EXPECT_EQ(judge.history().findings.size(), 1u);
  feed(judge, host, 15, true);
  EXPECT_GT(learned_s(judge), 370);
}

// A judge that starts again: a fit for the past, which has a fault, and then it judges.
TEST(LiveJudge, LearnsWhatWasJudgedBeforeByOneFitAndMakesNoFindingOfIt) {
  pipeline::SyntheticHost host;
  host.tell_what_waits(/*in_bursts=*/true);
  host.stay();
  LiveJudge judge{pipeline::PipelineConfig{}};
  judge.learn_until(wall_ns_after(700));
  ASSERT_TRUE(judge.begin(host.facts));
  feed(judge, host, 650);
  EXPECT_EQ(judge.history().learned_ns, 0);
  feed(judge, host, 5, true);
  feed(judge, host, 45);
  EXPECT_FALSE(judge.history().windows.back().judged);
  feed(judge, host, 1);
  EXPECT_EQ(learned_s(judge), 700);
  EXPECT_TRUE(judge.history().windows.back().judged);
  EXPECT_FALSE(judge.history().not_judged);
  EXPECT_TRUE(judge.history().findings.empty());
  const auto& windows = judge.history().windows;
  EXPECT_EQ(windows.size(), 699U);
  EXPECT_FALSE(windows[97].judged);
  double strongest = 0;
  for (std::size_t i = 98; i < windows.size(); ++i) {
    EXPECT_TRUE(windows[i].judged) << i;
    EXPECT_FALSE(windows[i].flagged) << i;
    const bool in_fault = i >= 647 && i < 656;  // three seconds each
    if (in_fault) strongest = std::max(strongest, windows[i].strength);
    EXPECT_TRUE(in_fault || windows[i].strength < 1) << i;
  }
  EXPECT_GT(strongest, 1);
  feed(judge, host, 5, true);
  ASSERT_EQ(judge.history().findings.size(), 1U);
  EXPECT_EQ(judge.history().findings.front().subsystem(), model::Subsystem::kStorage);
}

// It began before the judge started again, and is still no part of what is usual.
TEST(LiveJudge, FindsAFaultThatBeganWhereTheKnownPastEnds) {
  pipeline::SyntheticHost host;
  host.tell_what_waits(/*in_bursts=*/true);
  host.stay();
  LiveJudge judge{pipeline::PipelineConfig{}};
  judge.learn_until(wall_ns_after(200));
  ASSERT_TRUE(judge.begin(host.facts));
  feed(judge, host, 200);
  feed(judge, host, 40, true);
  ASSERT_EQ(judge.history().findings.size(), 1U);
  const auto& finding = judge.history().findings.front();
  EXPECT_NEAR(static_cast<double>(finding.begin_ns() - wall_ns_after(200)) / 1e9, 0, 1.0);
  EXPECT_EQ(learned_s(judge), 200);
}

// It fills a third of the first minute or of the known past, up to its end, and goes on: what is
// learned has none of it.
TEST(LiveJudge, FindsAFaultInWhichLearningEnds) {
  for (const std::int64_t past_s : {0, 200}) {
    const std::int64_t in_it_s = past_s > 0 ? 60 : 20;
    pipeline::SyntheticHost host;
    host.tell_what_waits(/*in_bursts=*/true);
    host.stay();
    LiveJudge judge{pipeline::PipelineConfig{}};
    if (past_s > 0) judge.learn_until(wall_ns_after(past_s));
    ASSERT_TRUE(judge.begin(host.facts));
    const std::int64_t learned = past_s > 0 ? past_s : 62;
    feed(judge, host, static_cast<int>(learned - in_it_s));
    feed(judge, host, static_cast<int>(in_it_s) + 30, true);
    ASSERT_EQ(judge.history().findings.size(), 1U) << past_s;
    const auto& finding = judge.history().findings.front();
    EXPECT_EQ(finding.subsystem(), model::Subsystem::kStorage);
    EXPECT_GT(finding.windows.size(), 20U) << past_s;
    EXPECT_LE(learned_s(judge), learned - in_it_s + 1);
    feed(judge, host, 20);
    EXPECT_EQ(judge.history().findings.size(), 1U);
  }
}

TEST(LiveJudge, LearnsForAMinuteWhereTheKnownPastIsTooShort) {
  pipeline::SyntheticHost host;
  LiveJudge judge{pipeline::PipelineConfig{}};
  judge.learn_until(wall_ns_after(30));
  ASSERT_TRUE(judge.begin(host.facts));
  feed(judge, host, 32);
  EXPECT_EQ(judge.history().learning, "30 s to go");
  feed(judge, host, 35);
  EXPECT_TRUE(judge.history().windows.back().judged);
  EXPECT_EQ(learned_s(judge), 62);
}

// As where the recorder has ended, too.
TEST(LiveJudge, TheKnownPastEndsWithWhatIsThere) {
  pipeline::SyntheticHost host;
  LiveJudge judge{pipeline::PipelineConfig{}};
  judge.learn_until(wall_ns_after(500));
  ASSERT_TRUE(judge.begin(host.facts));
  feed(judge, host, 100);
  EXPECT_FALSE(judge.history().windows.back().judged);
  judge.fit_in_background();
  EXPECT_TRUE(judge.history().windows.back().judged);
  EXPECT_EQ(learned_s(judge), 100);
}

TEST(LiveJudge, WithASavedBaselineTheKnownPastIsJudgedByThat) {
  pipeline::SyntheticHost host;
  pipeline::Pipeline first{pipeline::PipelineConfig{}};
  ASSERT_TRUE(first.begin(host.facts));
  feed(first, host, 90);
  pipeline::PipelineConfig config;
  config.saved =
      std::make_shared<const detect::FittedBaseline>(first.copy_for_fit().value().fit().value());
  LiveJudge judge{config};
  judge.learn_until(wall_ns_after(100));
  ASSERT_TRUE(judge.begin(host.facts));
  feed(judge, host, 10);
  EXPECT_FALSE(judge.history().windows.back().judged);
  feed(judge, host, 1);
  for (const auto& window : judge.history().windows) EXPECT_TRUE(window.judged);
}

TEST(LiveJudge, LearnsFromTenMinutesOrAsManyWindowsInNoMoreThanTwenty) {
  constexpr std::int64_t kMinute_ns = 60'000'000'000;
  const auto learned_min = [](std::optional<window::Length> stride, std::int64_t interval_ns) {
    window::WindowChoice windows;
    windows.stride = stride;
    return static_cast<double>(learned_from_ns(windows, interval_ns)) / kMinute_ns;
  };
  EXPECT_EQ(learned_min({}, 100'000'000), 10);
  EXPECT_EQ(learned_min(window::Length{1'500'000'000}, 100'000'000), 15);
  EXPECT_EQ(learned_min(window::Length{5'000'000'000}, 100'000'000), 20);
  EXPECT_EQ(learned_min(window::Length{5, window::Length::Unit::kTicks}, 100'000'000), 5);
  EXPECT_EQ(learned_min({}, 10'000'000'000), 20);
}

// If the recorder was late, a frame may end several windows, and a fit may be due at any of
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
    EXPECT_GT(learned_s(judge), before);
    EXPECT_EQ(windows.back().span.id.value() + 1, windows.size()) << before;
  }
}

TEST(LiveJudge, AnHourTakesNoMoreThanTenMinutesOfFeatures) {
  pipeline::SyntheticHost host;
  LiveJudge judge{pipeline::PipelineConfig{}};
  ASSERT_TRUE(judge.begin(host.facts));
  feed(judge, host, 900);
  EXPECT_LE(judge.history().features->row_count(), kMaxKept + 60);
  EXPECT_GE(judge.history().features->row_count(), kMaxKept);
  EXPECT_EQ(judge.history().windows.size(), 898u);
  EXPECT_EQ(judge.history().features->window(judge.history().features->row_count() - 1).id,
            judge.history().windows.back().span.id);
}

}  // namespace
}  // namespace reveal::live
