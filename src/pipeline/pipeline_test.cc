#include "pipeline/pipeline.h"

#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pipeline/testing/synthetic_host.h"
#include "report/json.h"
#include "report/saved_report.h"
#include "report/text.h"

namespace reveal::pipeline {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// Feeds `seconds` of a synthetic host, with a storage burst in [from, to) seconds.
void feed(Pipeline& pipeline, SyntheticHost& host, int seconds, double from = -1, double to = -1) {
  for (int i = 0; i <= seconds * 10; ++i) {
    const bool burst = i >= from * 10 && i < to * 10;
    ASSERT_TRUE(pipeline.write(host.channels, host.tick(burst)));
  }
}

// Feeds it up to `end_s` seconds of its life, with a storage burst from `burst_s` on.
void feed_until(Pipeline& pipeline, SyntheticHost& host, int burst_s, int end_s) {
  while (pipeline.frame_count() < static_cast<std::uint64_t>(end_s) * 10) {
    const bool burst = pipeline.frame_count() >= static_cast<std::uint64_t>(burst_s) * 10;
    ASSERT_TRUE(pipeline.write(host.channels, host.tick(burst)));
  }
}

report::Report analyze(Pipeline& pipeline) {
  auto result = pipeline.analyze();
  EXPECT_TRUE(result) << (result ? "" : result.error().message());
  return std::move(*result);
}

TEST(Pipeline, AQuietRunIsAValidReportThatSaysHowMuchWasAnalyzed) {
  SyntheticHost host;
  Pipeline pipeline{PipelineConfig{}};
  ASSERT_TRUE(pipeline.begin(host.facts));
  feed(pipeline, host, 60);
  const auto report = analyze(pipeline);
  EXPECT_TRUE(report.findings.empty());
  EXPECT_EQ(report.windows.size(), 58u);  // (601 - 30) / 10 + 1
  EXPECT_EQ(report.frames, 601u);
  EXPECT_EQ(report.missed.total(), 0u);
  EXPECT_EQ(report.channels.recorded, 31u);
  const auto text = report::to_text(report, {});
  EXPECT_THAT(text,
              AllOf(HasSubstr("No anomaly"), HasSubstr("58 windows"), Not(HasSubstr("\x1b["))));
  ASSERT_TRUE(report.by_chance);
  EXPECT_LT(*report.by_chance, 1);
  EXPECT_THAT(text, HasSubstr(" findings by chance."));
}

TEST(Pipeline, AReportIsTheSameWhenItsPipelineIsGone) {
  std::optional<Pipeline> pipeline;  // whatever comes later stands in the place of what was before
  SyntheticHost host;
  pipeline.emplace(PipelineConfig{});
  ASSERT_TRUE(pipeline->begin(host.facts));
  feed(*pipeline, host, 60, 30, 35);
  const auto report = analyze(*pipeline);
  ASSERT_EQ(report.findings.size(), 1u);
  const auto json = report::to_json(report);
  const auto text = report::to_text(report, {});

  SyntheticHost other;
  other.channels = model::ChannelTable();
  model::MetricDescriptor descriptor;
  descriptor.name = "memory_other_bytes";
  const auto metric = other.channels.add_metric(descriptor);
  for (std::size_t i = 0; i < host.channels.channel_count(); ++i) {
    other.channels.add_channel(metric, fmt::format("dev={}", i));
  }
  pipeline.emplace(PipelineConfig{});
  ASSERT_TRUE(pipeline->begin(other.facts));
  feed(*pipeline, other, 10);
  EXPECT_EQ(report::to_json(report), json);

  pipeline.reset();
  EXPECT_EQ(report::to_json(report), json);
  EXPECT_EQ(report::to_text(report, {}), text);
}

TEST(Pipeline, OnlyTheLastWindowsAreKeptWhereThatIsAskedFor) {
  SyntheticHost host;
  Pipeline pipeline{PipelineConfig{}};
  ASSERT_TRUE(pipeline.begin(host.facts));
  feed(pipeline, host, 60);
  const auto newest = pipeline.features().window(57);
  const double value = pipeline.features().at(57, 0);
  pipeline.keep_last(100);
  EXPECT_EQ(pipeline.window_count(), 58u);
  pipeline.keep_last(40);
  ASSERT_EQ(pipeline.window_count(), 40u);
  EXPECT_EQ(pipeline.features().window(39).id, newest.id);
  EXPECT_EQ(pipeline.features().at(39, 0), value);
  const auto baseline = pipeline.copy_for_fit().value().fit();
  ASSERT_TRUE(baseline) << baseline.error().message();
  EXPECT_EQ(baseline->origin.windows, 40u);
}

// Returns the report of an hour with bursts; with most_values it is judged in parts of 800 windows,
// of which the first is the last judge of windows 0 to 719 and the second of 720 to 1359.
report::Report hour_with_bursts(std::size_t most_values) {
  SyntheticHost host;
  PipelineConfig config;
  config.most_values = most_values;
  Pipeline pipeline(std::move(config));
  EXPECT_TRUE(pipeline.begin(host.facts));
  for (const int begin_s : {300, 716, 1000, 2000}) feed_until(pipeline, host, begin_s, begin_s + 8);
  feed_until(pipeline, host, 3600, 3600);
  return analyze(pipeline);
}

std::vector<std::int64_t> begins_of(const std::vector<attribute::Finding>& findings) {
  std::vector<std::int64_t> out;
  for (const auto& one : findings) {
    out.push_back(static_cast<std::int64_t>(one.windows.front().span.id.value()));
  }
  std::ranges::sort(out);
  return out;
}

TEST(Pipeline, ALongRunThatIsJudgedInPartsHasTheFindingsOfOneThatIsJudgedAtOnce) {
  const auto whole = hour_with_bursts(0);
  const auto parts = hour_with_bursts(100'000);
  ASSERT_EQ(whole.findings.size(), 4u);
  ASSERT_EQ(parts.findings.size(), 4u);
  const auto expected = begins_of(whole.findings);
  const auto begins = begins_of(parts.findings);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_LE(std::abs(begins[i] - expected[i]), 1);
  for (const auto& one : parts.findings) {
    EXPECT_EQ(one.subsystem(), model::Subsystem::kStorage);
    EXPECT_FALSE(one.at_start);
  }
  ASSERT_EQ(parts.windows.size(), whole.windows.size());
  for (std::size_t row = 0; row < parts.windows.size(); ++row) {
    ASSERT_EQ(parts.windows[row].id, whole.windows[row].id);
  }
  ASSERT_EQ(parts.detectors.size(), whole.detectors.size());
  for (const auto& detector : parts.detectors) {
    EXPECT_EQ(detector.scores.size(), parts.windows.size());
    EXPECT_EQ(detector.flagged.size(), parts.windows.size());
  }
  EXPECT_EQ(parts.frames, whole.frames);
  EXPECT_EQ(whole.parts, 1u);
  EXPECT_EQ(parts.parts, 6u);  // a part begins every 640 windows
  EXPECT_THAT(report::to_text(parts, {}),
              HasSubstr("3598 windows of 3.0 s every 1.0 s in 6 parts;"));
  EXPECT_EQ(parts.configuration.compared_with, whole.configuration.compared_with);
}

TEST(Pipeline, OfARunThatIsJudgedInPartsFewFeaturesAreKept) {
  SyntheticHost host;
  PipelineConfig config;
  config.most_values = 100'000;
  Pipeline pipeline(std::move(config));
  ASSERT_TRUE(pipeline.begin(host.facts));
  std::size_t most = 0;
  for (int i = 0; i < 36'000; ++i) {
    ASSERT_TRUE(pipeline.write(host.channels, host.tick()));
    most = std::max(most, pipeline.window_count());
  }
  EXPECT_LE(most, 800u);
  EXPECT_LE(pipeline.ticks().tick_count(), 8'100u);
}

// A quiet minute, with a configuration.
std::unique_ptr<Pipeline> quiet_minute(std::uint64_t seed, PipelineConfig config) {
  SyntheticHost host(seed);
  auto out = std::make_unique<Pipeline>(std::move(config));
  EXPECT_TRUE(out->begin(host.facts));
  feed(*out, host, 60);
  return out;
}

PipelineConfig compared_with(const detect::FittedBaseline& baseline) {
  PipelineConfig out;
  out.baseline = detect::Baseline::kSaved;
  out.saved = std::make_shared<detect::FittedBaseline>(baseline);
  return out;
}

TEST(Pipeline, ABaselineKnowsTheRunsThatItWasMadeOf) {
  PipelineConfig to_save;
  to_save.fingerprint = true;
  const auto baseline = quiet_minute(1, to_save)->copy_for_fit().value().fit().value();
  const auto same = quiet_minute(1, compared_with(baseline));
  EXPECT_EQ(analyze(*same).saved_baseline->made_of_this, 1.0);
  const auto refused = same->extend_baseline();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, base::ErrorKind::kUsage);
  EXPECT_THAT(refused.error().message(), HasSubstr("in the baseline already"));

  const auto other = quiet_minute(2, compared_with(baseline));
  EXPECT_EQ(analyze(*other).saved_baseline->made_of_this, 0.0);
  const auto learned = other->extend_baseline().value();
  EXPECT_EQ(learned.origin.made_of.size(), 2U);
  const auto twice = quiet_minute(2, compared_with(learned));
  EXPECT_FALSE(twice->extend_baseline());
  EXPECT_THAT(report::to_text(analyze(*twice), {}), HasSubstr("It was made of this run"));
}

TEST(Pipeline, ABurstIsFoundWhereItWasAndBlamedOnStorage) {
  SyntheticHost host;
  Pipeline pipeline{PipelineConfig{}};
  ASSERT_TRUE(pipeline.begin(host.facts));
  feed(pipeline, host, 60, 30, 35);
  const auto report = analyze(pipeline);
  ASSERT_EQ(report.findings.size(), 1u);
  const auto& finding = report.findings.front();
  EXPECT_GE(finding.agreement, 2u);
  EXPECT_EQ(finding.subsystem(), model::Subsystem::kStorage);
  // Windows 28 to 34 hold ticks of the burst; a window at either end holds only a second of it.
  EXPECT_GE(finding.windows.front().span.id.value(), 28u);
  EXPECT_LE(finding.windows.front().span.id.value(), 29u);
  EXPECT_GE(finding.windows.back().span.id.value(), 33u);
  EXPECT_LE(finding.windows.back().span.id.value(), 34u);
  EXPECT_THAT(finding.claim, HasSubstr("(usually "));
  EXPECT_THAT(report::to_text(report, {.colors = true}), HasSubstr("STORAGE"));
}

TEST(Pipeline, ABurstBeginsAndEndsWhereItsSamplesChange) {
  SyntheticHost host;
  host.tell_what_waits(true);
  Pipeline pipeline{PipelineConfig{}};
  ASSERT_TRUE(pipeline.begin(host.facts));
  feed(pipeline, host, 60, 30.4, 35.7);
  const auto report = analyze(pipeline);
  ASSERT_EQ(report.findings.size(), 1u);
  const auto& finding = report.findings.front();
  const auto off = [&](std::int64_t at_ns, double seconds) {
    return static_cast<double>(at_ns - report.begin_ns) / 1e9 - seconds;
  };
  ASSERT_TRUE(finding.begin_edge);
  ASSERT_TRUE(finding.end_edge);
  // The first tick with the burst tells of the time since the tick before.
  EXPECT_NEAR(off(finding.begin_ns(), 30.3), 0, 0.11);
  EXPECT_NEAR(off(finding.end_ns(), 35.6), 0, 0.11);
  EXPECT_GT(std::abs(off(finding.windows_begin_ns(), 30.3)), 0.5);
}

TEST(Pipeline, TwoFaultsInARowAreTwoFindingsOfOneIncident) {
  SyntheticHost host;
  host.tell_what_waits(true);
  Pipeline pipeline{PipelineConfig{}};
  ASSERT_TRUE(pipeline.begin(host.facts));
  for (int i = 0; i <= 1200; ++i) {
    const bool disk = i >= 400 && i < 480;
    const bool cpu = i >= 480 && i < 560;
    ASSERT_TRUE(pipeline.write(host.channels, host.tick(disk, cpu)));
  }
  const auto report = analyze(pipeline);
  ASSERT_EQ(report.findings.size(), 2u);
  // The graver one is told first.
  const auto& first = report.findings[1];
  const auto& second = report.findings[0];
  EXPECT_EQ(first.subsystem(), model::Subsystem::kStorage);
  EXPECT_EQ(second.subsystem(), model::Subsystem::kCpu);
  EXPECT_EQ(first.incident, second.incident);
  EXPECT_EQ(first.incident_place, 1u);
  EXPECT_EQ(second.incident_place, 2u);
  const auto seconds = [&](std::int64_t at_ns) {
    return static_cast<double>(at_ns - report.begin_ns) / 1e9;
  };
  EXPECT_NEAR(seconds(first.begin_ns()), 39.9, 0.15);
  EXPECT_NEAR(seconds(first.end_ns()), 47.9, 0.15);
  EXPECT_NEAR(seconds(second.begin_ns()), 47.9, 0.15);
  EXPECT_NEAR(seconds(second.end_ns()), 55.9, 0.15);
  EXPECT_THAT(report::to_text(report, {}),
              AllOf(HasSubstr("Incident: finding 1 followed, so this is the likely cause."),
                    HasSubstr("Incident: it followed finding 2, which began 8.0 s earlier.")));
}

// Tasks wait for the disk in a third of the run, so that waiting looks usual; once the first time
// is known by the processors that were short, the others show.
TEST(Pipeline, DisturbancesDoNotHideOneAnother) {
  SyntheticHost host;
  host.tell_what_waits(true);
  Pipeline pipeline{PipelineConfig{}};
  ASSERT_TRUE(pipeline.begin(host.facts));
  for (int i = 0; i <= 1500; ++i) {
    const bool both = i >= 250 && i < 420;
    const bool disk = (i >= 700 && i < 820) || (i >= 1150 && i < 1270);
    ASSERT_TRUE(pipeline.write(host.channels, host.tick(both || disk, both)));
  }
  const auto report = analyze(pipeline);
  ASSERT_EQ(report.detectors.front().name, "saturation");
  for (const auto second : {30U, 75U, 120U}) {
    EXPECT_TRUE(report.detectors.front().flagged[second]) << second;
  }
  EXPECT_EQ(report.findings.size(), 3u);
}

// The workload always waits for a third of its time, except that it is idle for nearly a fifth of
// the run. Without the disturbances, in which it waits for most of its time, the idle time is more
// than a fifth of what is left: usual waiting then reaches so far that nothing is above it.
TEST(Pipeline, WhatShowedAtFirstIsNotHiddenByWhatIsLearnedAnew) {
  SyntheticHost host;
  host.tell_what_waits(false);
  Pipeline pipeline{PipelineConfig{}};
  ASSERT_TRUE(pipeline.begin(host.facts));
  const auto lies_in = [](int second, std::initializer_list<std::pair<int, int>> spans) {
    return std::ranges::any_of(
        spans, [&](const auto& span) { return second >= span.first && second < span.second; });
  };
  for (int i = 0; i <= 2000; ++i) {
    const bool disturbed = lies_in(i / 10, {{20, 33}, {60, 73}, {100, 113}});
    const bool idle = lies_in(i / 10, {{150, 181}});
    host.wait_times(disturbed ? 470 : idle ? 1 : 200);
    ASSERT_TRUE(pipeline.write(host.channels, host.tick()));
  }
  const auto report = analyze(pipeline);
  ASSERT_EQ(report.detectors.front().name, "saturation");
  for (const auto second : {25U, 65U, 105U}) {
    EXPECT_TRUE(report.detectors.front().flagged[second]) << second;
  }
}

TEST(Pipeline, OfTwoSubsystemsAtOnceTheOrderIsTold) {
  SyntheticHost host;
  host.tell_what_waits(true);
  Pipeline pipeline{PipelineConfig{}};
  ASSERT_TRUE(pipeline.begin(host.facts));
  for (int i = 0; i <= 1200; ++i) {
    const bool disk = i >= 400 && i < 480;
    const bool cpu = i >= 407 && i < 480;
    ASSERT_TRUE(pipeline.write(host.channels, host.tick(disk, cpu)));
  }
  const auto report = analyze(pipeline);
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_THAT(report::to_text(report, {}),
              HasSubstr("Order: storage changed first, cpu 0.7 s later."));
}

TEST(Pipeline, SamplesOfWindowsThatAreForgottenAreForgotten) {
  SyntheticHost host;
  host.tell_what_waits(true);
  Pipeline pipeline{PipelineConfig{}};
  ASSERT_TRUE(pipeline.begin(host.facts));
  feed(pipeline, host, 60);
  EXPECT_EQ(pipeline.ticks().tick_count(), 601u);
  pipeline.keep_last(40);
  EXPECT_EQ(pipeline.ticks().tick_count(), 601u - 18 * 10);  // of 58 windows, one a second
}

TEST(Pipeline, AReportIsReadBackAsItWas) {
  SyntheticHost host;
  Pipeline pipeline{PipelineConfig{}};
  ASSERT_TRUE(pipeline.begin(host.facts));
  feed(pipeline, host, 60, 30, 35);
  const auto report = analyze(pipeline);
  const auto saved = report::parse_report(report::to_json(report), "r");
  ASSERT_TRUE(saved) << saved.error().message();
  EXPECT_EQ(saved->host, "synthetic");
  EXPECT_EQ(saved->begin_ns, report.begin_ns);
  ASSERT_EQ(saved->findings.size(), 1u);
  const auto& finding = report.findings.front();
  EXPECT_EQ(saved->findings[0].claim, finding.claim);
  EXPECT_EQ(saved->findings[0].severity, attribute::seconds_of(finding.severity));
  EXPECT_EQ(saved->findings[0].subsystem_shares, finding.subsystems);
  EXPECT_EQ(saved->findings[0].end_ns, finding.windows.back().span.end_ns);
  EXPECT_EQ(saved->findings[0].evidence.size(), finding.evidence.size());
  EXPECT_EQ(saved->windows.size(), report.windows.size());
  ASSERT_EQ(saved->detectors.size(), report.detectors.size());
  EXPECT_EQ(saved->detectors[0].scores.size(), report.windows.size());
}

TEST(Pipeline, WhatChanceMayMakeTooOftenIsOfLowConfidenceIfThatIsAskedFor) {
  SyntheticHost host;
  PipelineConfig config;
  config.false_alarms_per_day = 0;
  Pipeline pipeline{config};
  ASSERT_TRUE(pipeline.begin(host.facts));
  feed(pipeline, host, 60, 30, 35);
  const auto report = analyze(pipeline);
  EXPECT_TRUE(report.findings.empty());
  ASSERT_EQ(report.low_confidence.size(), 1u);
  const auto text = report::to_text(report, {});
  EXPECT_THAT(text, AllOf(HasSubstr("No anomaly"), HasSubstr("beyond what chance explains"),
                          HasSubstr("1 disturbance of low confidence: chance makes as strong"),
                          HasSubstr("storage: ")));
}

TEST(Pipeline, TheStartOfARunRaisesNoAlarmUnlessAskedTo) {
  const auto findings = [](std::uint32_t warm_up, int burst_begin, int burst_end) {
    SyntheticHost host;
    PipelineConfig config;
    config.warm_up = warm_up;
    Pipeline pipeline{config};
    EXPECT_TRUE(pipeline.begin(host.facts));
    feed(pipeline, host, 60, burst_begin, burst_end);
    const auto report = analyze(pipeline);
    return report.findings.empty()            ? "none"
           : report.findings.front().at_start ? "at start"
                                              : "later";
  };
  EXPECT_STREQ(findings(5, 0, 2), "none");
  EXPECT_STREQ(findings(0, 0, 2), "at start");
  EXPECT_STREQ(findings(5, 0, 8), "at start");  // it goes on when the warm-up is over
  EXPECT_STREQ(findings(5, 20, 24), "later");
}

TEST(Pipeline, WhatWasDownsampledBeforeTheFirstFrameIsNotMissed) {
  SyntheticHost host;
  Pipeline pipeline{PipelineConfig{}};
  ASSERT_TRUE(pipeline.begin(host.facts));
  host.skip(500);
  feed(pipeline, host, 60);
  host.skip(3);
  feed(pipeline, host, 10);
  const auto report = analyze(pipeline);
  EXPECT_EQ(report.missed.late, 3u);
  EXPECT_EQ(report.missed.storage + report.missed.damage, 0u);
}

TEST(Pipeline, SameFramesAndConfigurationGiveTheSameBytes) {
  const auto run = [] {
    SyntheticHost host(5);
    Pipeline pipeline{PipelineConfig{}};
    EXPECT_TRUE(pipeline.begin(host.facts));
    feed(pipeline, host, 40, 20, 24);
    return report::to_json(analyze(pipeline));
  };
  EXPECT_EQ(run(), run());
}

TEST(Pipeline, TooShortARunSaysHowMuchIsNeeded) {
  SyntheticHost host;
  Pipeline pipeline{PipelineConfig{}};
  ASSERT_TRUE(pipeline.begin(host.facts));
  feed(pipeline, host, 2);
  const auto result = pipeline.analyze();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, base::ErrorKind::kTooLittle);
  EXPECT_THAT(result.error().message(),
              AllOf(HasSubstr("2.0 s of recording"), HasSubstr("0 windows"), HasSubstr("22.1 s")));
}

TEST(Pipeline, WithNoFrameAtAllItSaysSoToo) {
  SyntheticHost host;
  Pipeline pipeline{PipelineConfig{}};
  ASSERT_TRUE(pipeline.begin(host.facts));
  const auto result = pipeline.analyze();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, base::ErrorKind::kTooLittle);
}

TEST(Pipeline, ExactlyEnoughIsEnough) {
  SyntheticHost host;
  Pipeline pipeline{PipelineConfig{}};
  ASSERT_TRUE(pipeline.begin(host.facts));
  feed(pipeline, host, 22);
  EXPECT_TRUE(pipeline.analyze());
}

TEST(Pipeline, MissedTicksAreCountedByReasonAndNeverSpike) {
  SyntheticHost host;
  Pipeline pipeline{PipelineConfig{}};
  ASSERT_TRUE(pipeline.begin(host.facts));
  feed(pipeline, host, 30);
  host.skip(7);
  feed(pipeline, host, 30);
  const auto report = analyze(pipeline);
  EXPECT_EQ(report.missed.late, 7u);
  EXPECT_EQ(report.missed.total(), 7u);
  EXPECT_TRUE(report.findings.empty()) << report::to_text(report, {});
}

// Nothing is recorded for two minutes: too long to judge by what counters grew by.
TEST(Pipeline, AGapIsAStretchThatWasNotJudged) {
  SyntheticHost host;
  Pipeline pipeline{PipelineConfig{}};
  ASSERT_TRUE(pipeline.begin(host.facts));
  feed(pipeline, host, 30);
  host.skip(1200);
  feed(pipeline, host, 30);
  const auto report = analyze(pipeline);
  ASSERT_EQ(report.not_judged.size(), 1u);
  const auto& gap = report.not_judged.front();
  EXPECT_EQ(gap.why, report::WhyNotJudged::kGap);
  const auto second_of = [&](std::int64_t wall_ns) {
    return 1e-9 * static_cast<double>(wall_ns - report.windows.front().begin_ns);
  };
  EXPECT_NEAR(second_of(gap.begin_ns), 31.5, 1.5);
  EXPECT_NEAR(second_of(gap.end_ns), 148.5, 1.5);
  EXPECT_THAT(report::to_text(report, {}), HasSubstr("Too little was recorded there"));
  EXPECT_THAT(report::to_json(report), HasSubstr("\"why\": \"gap\""));
}

// The recorder gets no processor for 8 s: what the counters grew by meanwhile is judged.
TEST(Pipeline, WhatHappenedWhileTicksWereMissedIsFound) {
  const auto analyzed = [](bool burst) {
    SyntheticHost host;
    Pipeline pipeline{PipelineConfig{}};
    EXPECT_TRUE(pipeline.begin(host.facts));
    feed(pipeline, host, 40);
    host.skip(80, burst);
    feed(pipeline, host, 30);
    return analyze(pipeline);
  };
  const auto quiet = analyzed(false);
  EXPECT_EQ(quiet.windows_skipped, 0u);
  EXPECT_TRUE(quiet.findings.empty()) << report::to_text(quiet, {});
  const auto report = analyzed(true);
  EXPECT_EQ(report.missed.late, 80u);
  ASSERT_EQ(report.findings.size(), 1u) << report::to_text(report, {});
  const auto& finding = report.findings[0];
  EXPECT_EQ(finding.subsystem(), model::Subsystem::kStorage);
  EXPECT_EQ(finding.missed_ns, 8'000'000'000);
  EXPECT_NEAR(static_cast<double>(finding.begin_ns() - report.begin_ns) * 1e-9, 40.1, 3);
  EXPECT_NEAR(static_cast<double>(finding.end_ns() - report.begin_ns) * 1e-9, 48.1, 3);
}

TEST(Pipeline, PrunedRunsAnalyzeFewerChannels) {
  const auto analyzed = [](SelectionMode mode) {
    SyntheticHost host;
    PipelineConfig config;
    config.selection = mode;
    Pipeline pipeline{config};
    EXPECT_TRUE(pipeline.begin(host.facts));
    feed(pipeline, host, 60, 30, 35);
    return analyze(pipeline).channels.analyzed;
  };
  // The burst makes the six storage counters move together.
  EXPECT_LE(analyzed(SelectionMode::kPrune) + 5, analyzed(SelectionMode::kAll));
}

TEST(Pipeline, StaticFactsAreListedAndNeverScored) {
  SyntheticHost host;
  Pipeline pipeline{PipelineConfig{}};
  ASSERT_TRUE(pipeline.begin(host.facts));
  feed(pipeline, host, 30);
  const auto report = analyze(pipeline);
  ASSERT_EQ(report.static_facts.size(), 1u);
  EXPECT_EQ(report.static_facts.front().channel, "memory_total_0");
  EXPECT_EQ(report.static_facts.front().value, 1'000'000);
}

// Ticks of a second: windows of ten, every five; of a run that is judged as a whole every two.
TEST(Pipeline, OnlyARunThatIsJudgedAsAWholeHasCloserWindowsAtCoarseTicks) {
  SyntheticHost host;
  host.facts.interval_ns = 1'000'000'000;
  for (const auto& [whole_run, redundancy, stride] :
       {std::tuple(true, true, 2), std::tuple(false, true, 5), std::tuple(false, false, 5)}) {
    PipelineConfig config;
    config.whole_run = whole_run;
    config.redundancy = redundancy;
    Pipeline pipeline(config);
    ASSERT_TRUE(pipeline.begin(host.facts));
    EXPECT_EQ(pipeline.windows().stride_ns, stride * host.facts.interval_ns);
  }
}

TEST(Pipeline, WindowsThatDoNotFitTheIntervalAreRefused) {
  SyntheticHost host;
  PipelineConfig config;
  config.windows.length = {250'000'000};  // two and a half ticks
  Pipeline pipeline{config};
  const auto begun = pipeline.begin(host.facts);
  ASSERT_FALSE(begun);
  EXPECT_EQ(begun.error().kind, base::ErrorKind::kUsage);
}

}  // namespace
}  // namespace reveal::pipeline
