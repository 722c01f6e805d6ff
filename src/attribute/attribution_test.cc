// Attribution through the real detectors, on runs with a planted cause.
#include "attribute/attribution.h"

#include <algorithm>
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "attribute/edges.h"
#include "base/rng.h"
#include "detect/saturation_signals.h"
#include "feature/feature.h"

namespace reveal::attribute {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

// A run of 60 windows over 30 channels of six features each; channels 0 to 5 are a disk's.
class PlantedRun {
 public:
  PlantedRun() {
    for (std::size_t i = 0; i < kChannels; ++i) add_channel(i);
    base::Rng rng(3);
    for (std::size_t row = 0; row < 60; ++row) {
      const auto begin = static_cast<std::int64_t>(row) * kSecond;
      auto& values =
          matrix.add_row({window::WindowId(row), begin, begin + 3 * kSecond, row * 10, 0});
      for (auto& value : values) value = 100 + normal(rng);
    }
  }

  // Lifts every feature of six channels by `by` in the rows of [first, last].
  void plant(std::size_t first_channel, std::size_t first, std::size_t last, double by) {
    feature::FeatureMatrix lifted;
    for (std::size_t c = 0; c < matrix.column_count(); ++c) lifted.add_column(matrix.column(c));
    for (std::size_t row = 0; row < matrix.row_count(); ++row) {
      auto& values = lifted.add_row(matrix.window(row));
      for (std::size_t c = 0; c < values.size(); ++c) {
        const auto channel = matrix.column(c).channel.index();
        const bool hit = channel >= first_channel && channel < first_channel + kDiskChannels &&
                         row >= first && row <= last;
        values[c] = matrix.at(row, c) + (hit ? by : 0.0);
      }
    }
    matrix = std::move(lifted);
  }

  std::vector<Finding> attribute(double contamination = 0.01) {
    design = *detect::make_design(matrix, {.least_rises = detect::least_rises(matrix, channels)});
    const auto run = *detect::ScoredRun::score(design, detect::Baseline::kRest);
    const auto verdict = *detect::judge(run, {contamination, {}, 3});
    all = attribute::attribute({.channels = channels,
                                .matrix = matrix,
                                .run = run,
                                .verdict = verdict,
                                .jobs = jobs,
                                .processes = processes.is_recorded() ? &processes : nullptr,
                                .ticks = ticks.tick_count() > 0 ? &ticks : nullptr},
                               options);
    return all.findings;
  }

  // The same if `good` is what the run is compared with.
  std::vector<Finding> attribute_against(const PlantedRun& good) {
    const auto saved = *detect::fit_baseline(good.matrix, good.channels, {});
    const auto matched = *detect::match(saved, matrix, channels);
    const auto run = detect::ScoredRun::against(saved.detectors, matched.design);
    const auto verdict = *detect::judge(run, {0.01, {}, 3});
    all = attribute::attribute({channels, matrix, run, verdict, &saved}, options);
    return all.findings;
  }

  // Adds two channels of pressure; that of I/O is `high` in the rows of [first, last].
  void tell_what_waits(std::size_t first, std::size_t last, double high) {
    feature::FeatureMatrix more;
    for (std::size_t c = 0; c < matrix.column_count(); ++c) more.add_column(matrix.column(c));
    for (const auto* name :
         {"cpu_pressure_some_seconds_total", "storage_io_pressure_some_seconds_total"}) {
      model::MetricDescriptor metric;
      metric.name = name;
      metric.label = "Pressure";
      metric.unit = "ratio";
      metric.subsystem = name[0] == 'c' ? model::Subsystem::kCpu : model::Subsystem::kStorage;
      more.add_column(
          {channels.add_channel(channels.add_metric(metric)), *feature::find_feature("mean")});
    }
    for (std::size_t row = 0; row < matrix.row_count(); ++row) {
      auto& values = more.add_row(matrix.window(row));
      const std::size_t known = matrix.column_count();
      for (std::size_t i = 0; i < known; ++i) values[i] = matrix.at(row, i);
      const double little = 0.001 * static_cast<double>(row % 3);
      values[known] = little;
      values[known + 1] = row >= first && row <= last ? high : little;
    }
    matrix = std::move(more);
  }

  // Adds the mean of a channel, which is `high` in the rows of [first, last].
  void add_level(std::string_view name, std::string_view instance, std::size_t first,
                 std::size_t last, double high) {
    feature::FeatureMatrix more;
    for (std::size_t c = 0; c < matrix.column_count(); ++c) more.add_column(matrix.column(c));
    model::MetricDescriptor metric;
    metric.name = name;
    metric.label = "Level";
    metric.unit = "ratio";
    metric.scope = instance.empty() ? model::Scope::kHost : model::Scope::kCgroup;
    metric.subsystem = name[0] == 'c' ? model::Subsystem::kCpu : model::Subsystem::kStorage;
    more.add_column({channels.add_channel(channels.add_metric(metric), instance),
                     *feature::find_feature("mean")});
    for (std::size_t row = 0; row < matrix.row_count(); ++row) {
      auto& values = more.add_row(matrix.window(row));
      const std::size_t known = matrix.column_count();
      for (std::size_t i = 0; i < known; ++i) values[i] = matrix.at(row, i);
      values[known] = row >= first && row <= last ? high : 0.001 * static_cast<double>(row % 3);
    }
    matrix = std::move(more);
  }

  // Tells when each channel of that name rises: from that second on until `end`, at ticks of 100
  // ms.
  void tell_ticks(const std::vector<std::pair<std::string, double>>& begins, double end) {
    std::vector<double> row(channels.channel_count(), std::nan(""));
    for (int tick = 1; tick <= 620; ++tick) {
      const double at = 0.1 * tick;
      for (const auto& [name, begin] : begins) {
        row[channels.find_channel(name)->index()] = at > begin && at < end ? 1 : 0;
      }
      ticks.add(channels, static_cast<std::uint64_t>(tick), tick * kSecond / 10, kSecond / 10, row);
    }
  }

  static constexpr std::size_t kChannels = 30;
  static constexpr std::size_t kDiskChannels = 6;
  model::ChannelTable channels;
  feature::FeatureMatrix matrix;
  detect::Design design;
  AttributionOptions options;
  std::vector<JobHistory> jobs;
  model::ProcessTimeline processes;
  window::TickHistory ticks{tells_edges};
  Attributed all;  // that attribute() found

 private:
  void add_channel(std::size_t i) {
    model::MetricDescriptor metric;
    const std::string name = (i < kDiskChannels ? "storage_" : "cpu_") + std::to_string(i);
    metric.name = name;
    metric.label = i < kDiskChannels ? "Disk read sectors" : "Something else";
    metric.unit = "sectors/s";
    metric.subsystem = i < kDiskChannels ? model::Subsystem::kStorage
                       : i % 2 == 0      ? model::Subsystem::kCpu
                                         : model::Subsystem::kMemory;
    const auto channel = channels.add_channel(channels.add_metric(metric));
    for (const auto* feature : {"mean", "maximum", "minimum", "median", "skewness", "variance"}) {
      matrix.add_column({channel, *feature::find_feature(feature)});
    }
  }

  static double normal(base::Rng& rng) {
    return std::sqrt(-2 * std::log(1 - rng.uniform())) *
           std::cos(6.283185307179586 * rng.uniform());
  }
};

TEST(Attribution, AQuietRunHasNoFinding) {
  PlantedRun run;
  EXPECT_TRUE(run.attribute().empty());
}

TEST(Attribution, ThePlantedCauseIsNamed) {
  PlantedRun run;
  run.plant(0, 30, 33, 400);
  const auto findings = run.attribute();
  ASSERT_EQ(findings.size(), 1u);
  const auto& finding = findings.front();
  EXPECT_EQ(finding.windows.front().span.id.value(), 30u);
  EXPECT_EQ(finding.windows.back().span.id.value(), 33u);
  EXPECT_GE(finding.agreement, 2u);
  EXPECT_EQ(finding.subsystem(), model::Subsystem::kStorage);
  EXPECT_GT(finding.subsystems[static_cast<std::size_t>(model::Subsystem::kStorage)], 0.6);
  EXPECT_THAT(finding.claim, testing::StartsWith("Disk read sectors rose to"));
  EXPECT_THAT(finding.claim, testing::HasSubstr("(usually "));
  ASSERT_TRUE(finding.telling);
  EXPECT_EQ(finding.evidence.front().key, finding.telling->key);
  EXPECT_TRUE(std::is_sorted(
      finding.evidence.begin() + 1, finding.evidence.end(),
      [](const Evidence& a, const Evidence& b) { return a.contribution > b.contribution; }));
  const auto& top = finding.evidence.front();
  EXPECT_LT(top.key.channel.index(), PlantedRun::kDiskChannels);
  EXPECT_NEAR(top.observed, 500, 10);
  EXPECT_NEAR(top.baseline_median, 100, 1);
  EXPECT_NEAR(top.baseline_mad, 0.67, 0.3);  // of a standard normal
}

TEST(Attribution, EvidenceSaysInWhichWindowItWasSeen) {
  PlantedRun run;
  run.plant(0, 30, 33, 400);
  const auto findings = run.attribute();
  ASSERT_EQ(findings.size(), 1u);
  const auto& finding = findings.front();
  const auto value_there = [&run](const Evidence& one) {
    std::size_t column = 0;
    while (run.matrix.column(column) != one.key) ++column;
    return run.matrix.at(one.seen_in.value(), column);  // window n is row n
  };
  for (const auto& one : finding.evidence) {
    const auto* window = finding.window_of(one);
    ASSERT_NE(window, nullptr);
    EXPECT_EQ(window->span.id, one.seen_in);
    EXPECT_EQ(value_there(one), one.observed);
  }
  for (const auto& window : finding.windows) {
    for (const auto& detector : window.detectors) {
      for (const auto& one : detector.evidence) EXPECT_EQ(one.seen_in, window.span.id);
    }
  }
  Evidence elsewhere = finding.evidence.front();
  elsewhere.seen_in = window::WindowId(29);
  EXPECT_EQ(finding.window_of(elsewhere), nullptr);
}

TEST(Attribution, WhatHoldsNothingUpIsAChange) {
  PlantedRun run;
  run.plant(0, 30, 33, 400);
  run.tell_what_waits(0, 0, 0);
  EXPECT_TRUE(run.attribute().empty());
  ASSERT_EQ(run.all.changes.size(), 1u);
  EXPECT_EQ(run.all.changes.front().windows.front().span.id.value(), 30u);
  EXPECT_THAT(run.all.changes.front().claim, testing::HasSubstr("(usually "));
}

// A job that gets less done from second `first` until `end`.
std::vector<JobHistory> job_with(double rate, int first, int end) {
  work::JobRate job;
  job.job = "cg=/job";
  job.block_error = job.bias_error = 0.01;
  for (int i = 0; i < 62; ++i) {
    job.begin_ns.push_back(i * kSecond);
    job.end_ns.push_back((i + 1) * kSecond);
    job.rate.push_back(i >= first && i < end ? rate : 1.0);
  }
  return histories_of({job});
}

TEST(Attribution, AJobThatIsSlowForAWhileIsAFindingByItself) {
  struct Slow {
    int first;
    int end;
    bool found;
  };
  // To the end of the run it may do something else; most of the run may be its usual.
  for (const auto& slow : {Slow{30, 38, true}, Slow{30, 62, false}, Slow{12, 50, false}}) {
    PlantedRun run;
    run.tell_what_waits(0, 0, 0);
    run.jobs = job_with(0.5, slow.first, slow.end);
    const auto findings = run.attribute();
    ASSERT_EQ(findings.size(), slow.found ? 1u : 0u);
    if (findings.empty()) continue;
    EXPECT_EQ(findings[0].windows.front().span.id.value(), 29u);
    EXPECT_EQ(findings[0].windows.back().span.id.value(), 36u);
    EXPECT_THAT(findings[0].detectors, testing::IsEmpty());
    EXPECT_FALSE(findings[0].by_chance);
    EXPECT_NEAR(findings[0].severity.seconds, 4, 1e-9);
    EXPECT_FALSE(findings[0].claim.empty());
  }
}

// No detector flags what rises meanwhile, of which storage has the most blame. If another subsystem
// with nearly as much changed before it, that one is closer to the cause.
TEST(Attribution, OfASlowJobThatNoDetectorFlagsWhatChangedFirstIsToBlame) {
  using enum model::Subsystem;
  struct Case {
    double processors;  // the level that their channel rises to
    double begin;       // of that, in seconds
    model::Subsystem blamed;
  };
  constexpr auto kProcessors = "cpu_context_switches_total";
  constexpr auto kDisk = "storage_read_sectors_total";
  for (const auto& it :
       {Case{0.004, 30, kCpu}, Case{0.004, 33, kStorage}, Case{0.0025, 30, kStorage}}) {
    PlantedRun run;
    run.tell_what_waits(0, 0, 0);
    run.add_level(kProcessors, "", 29, 37, it.processors);
    run.add_level(kDisk, "", 29, 37, 0.005);
    run.jobs = job_with(0.5, 30, 38);
    run.tell_ticks({{kProcessors, it.begin}, {kDisk, 31.5}}, 38);
    const auto findings = run.attribute();
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_THAT(findings[0].detectors, testing::IsEmpty());
    EXPECT_EQ(findings[0].subsystem(), it.blamed) << it.processors << " " << it.begin;
  }
}

// A slow job sends less, faults less, waits less. If processes came that took processors, and no
// detector sees what waits, it lacks these.
TEST(Attribution, OfASlowJobBesideNewProcessesTheProcessorsAreToBlame) {
  using enum model::Subsystem;
  struct Case {
    double level;  // that the processors' channel rises to; the disk's rises to 0.005
    double cores;  // that the process uses meanwhile
    model::Subsystem blamed;
  };
  for (const auto& it :
       {Case{0.004, 0.9, kCpu}, Case{0.004, 0.3, kStorage}, Case{0.0015, 0.9, kStorage}}) {
    PlantedRun run;
    run.tell_what_waits(0, 0, 0);
    run.add_level("cpu_context_switches_total", "", 29, 37, it.level);
    run.add_level("storage_read_sectors_total", "", 29, 37, 0.005);
    run.jobs = job_with(0.5, 30, 38);
    for (int second = 1; second <= 62; ++second) {
      model::ProcessUse use;
      use.name = "cc1plus";
      use.pid = 7;
      use.seconds = 1;
      use.cores = second > 30 && second <= 38 ? it.cores : 0.01;
      use.resident = 1 << 20;
      use.read = 0;
      use.written = 0;
      run.processes.add(second * kSecond, second * kSecond, {model::note_of(use)});
    }
    const auto findings = run.attribute();
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].subsystem(), it.blamed) << it.level << " " << it.cores;
  }
}

// The job is slow by itself before the stall and after it, too.
TEST(Attribution, AStallInASlowJobHasEdgesOfItsOwn) {
  PlantedRun run;
  run.tell_what_waits(28, 38, 0.6);
  run.jobs = job_with(0.7, 24, 46);
  const auto findings = run.attribute();
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].windows.front().span.id.value(), 28u);
  EXPECT_EQ(findings[0].windows.back().span.id.value(), 38u);
  EXPECT_EQ(findings[0].subsystem(), model::Subsystem::kStorage);
}

// Something else, which nobody sees, slows the job for longer.
TEST(Attribution, ABlipInASlowJobIsNotAllOfIt) {
  PlantedRun run;
  run.tell_what_waits(31, 32, 0.6);
  run.jobs = job_with(0.7, 16, 46);
  const auto findings = run.attribute();
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_GE(findings[0].windows.back().span.id.value(), 43u);
}

TEST(Attribution, ASlowJobAloneIsNoneIfThatIsTurnedOffOrNoDetectorSeesWhatWaits) {
  for (const bool turned_off : {true, false}) {
    PlantedRun run;
    if (turned_off) run.tell_what_waits(0, 0, 0);
    run.options.slow_jobs = !turned_off;
    run.jobs = job_with(0.5, 30, 38);
    EXPECT_TRUE(run.attribute().empty());
  }
}

// From second 30 on the job gets less done: it does something else.
TEST(Attribution, AChangeTellsOfNoLoss) {
  for (const double rate : {0.6, 1.0}) {
    PlantedRun run;
    run.plant(0, 30, 33, 400);
    run.tell_what_waits(0, 0, 0);
    run.jobs = job_with(rate, 30, 62);
    EXPECT_TRUE(run.attribute().empty());
    ASSERT_EQ(run.all.changes.size(), 1u);
    EXPECT_EQ(run.all.changes.front().harm.has_value(), rate == 1.0);
  }
}

// More processes than there are cores, in a group of their own: they wait for one another. That is
// nothing to tell an operator of, if the job keeps its rate and nobody else waits.
TEST(Attribution, AGroupThatWaitsForItselfIsAChangeWhereTheJobKeptItsRate) {
  struct Case {
    double rate;             // of the job meanwhile
    bool tells_other_group;  // that it does not wait
    double io;               // pressure
    bool found;
  };
  for (const auto& it : {Case{1, true, 0, false}, Case{0.8, true, 0, true}, Case{1, false, 0, true},
                         Case{1, true, 0.9, true}}) {
    PlantedRun run;
    run.add_level("cpu_pressure_some_seconds_total", "", 30, 34, 0.6);
    run.add_level("storage_io_pressure_some_seconds_total", "", 30, 34, it.io);
    run.add_level("cpu_cgroup_usage_seconds_total", "cg=/hog", 30, 34, 8);
    run.add_level("cpu_cgroup_pressure_some_seconds_total", "cg=/hog", 30, 34, 0.6);
    if (it.tells_other_group) {
      run.add_level("cpu_cgroup_pressure_some_seconds_total", "cg=/job", 0, 0, 0);
    }
    run.jobs = job_with(it.rate, 30, 37);
    EXPECT_EQ(run.attribute().size(), it.found ? 1u : 0u)
        << it.rate << it.tells_other_group << it.io;
    EXPECT_EQ(run.all.changes.empty(), it.found);
  }
}

TEST(Attribution, WhatHoldsWorkUpIsAFindingAndToBlame) {
  PlantedRun run;
  run.plant(12, 30, 34, 400);  // half of them of processors, half of memory
  run.tell_what_waits(30, 34, 0.6);
  const auto findings = run.attribute();
  EXPECT_TRUE(run.all.changes.empty());
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings.front().subsystem(), model::Subsystem::kStorage);
  EXPECT_GE(findings.front().subsystems[static_cast<std::size_t>(model::Subsystem::kStorage)], 0.5);
  EXPECT_THAT(findings.front().claim, testing::StartsWith("Tasks waited for the disk"));
  EXPECT_THAT(findings.front().detectors, testing::Contains("saturation"));
}

TEST(Attribution, WhatDiffersFromAGoodRunAllTheTimeIsNotToBlameForWhatHoldsWorkUp) {
  PlantedRun good;
  good.tell_what_waits(0, 0, 0);
  PlantedRun run;
  run.plant(12, 0, 59, 30);  // memory and processors lie elsewhere than in the good run
  run.tell_what_waits(30, 34, 0.6);
  const auto findings = run.attribute_against(good);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings.front().subsystem(), model::Subsystem::kStorage);
  EXPECT_GT(findings.front().subsystems[static_cast<std::size_t>(model::Subsystem::kStorage)], 0.8);
  ASSERT_EQ(run.all.changes.size(), 1u);
  EXPECT_LT(
      run.all.changes.front().subsystems[static_cast<std::size_t>(model::Subsystem::kStorage)],
      0.1);
}

// By its two votes it is enough: a few columns are.
TEST(Attribution, WhatHoldsWorkUpIsAFindingByItself) {
  PlantedRun run;
  run.tell_what_waits(30, 34, 0.6);
  const auto findings = run.attribute();
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings.front().windows.front().span.id.value(), 30u);
  EXPECT_EQ(findings.front().subsystem(), model::Subsystem::kStorage);
}

TEST(Attribution, WhatIsFarOutIsNotByChance) {
  PlantedRun run;
  run.plant(0, 30, 33, 400);
  const auto findings = run.attribute();
  ASSERT_EQ(findings.size(), 1u);
  ASSERT_TRUE(findings.front().by_chance && run.all.by_chance);
  EXPECT_LT(*findings.front().by_chance, 1e-6);
  EXPECT_GT(*run.all.by_chance, *findings.front().by_chance);
  EXPECT_LT(*run.all.by_chance, 1);
}

TEST(Attribution, WhatChanceMakesTooOftenIsOfLowConfidence) {
  PlantedRun run;
  run.plant(0, 30, 33, 400);
  run.options.rule.most_by_chance = 1e-6;
  EXPECT_EQ(run.attribute().size(), 1u);
  run.options.rule.most_by_chance = 0;
  EXPECT_TRUE(run.attribute().empty());
  ASSERT_EQ(run.all.low_confidence.size(), 1u);
  EXPECT_EQ(run.all.low_confidence.front().windows.front().span.id.value(), 30u);
}

TEST(Attribution, EveryFlaggedWindowHasEvidenceFromEveryAgreeingDetector) {
  PlantedRun run;
  run.plant(0, 30, 33, 400);
  const auto findings = run.attribute();
  ASSERT_EQ(findings.size(), 1u);
  for (const auto& window : findings.front().windows) {
    EXPECT_GE(window.detectors.size(), 2u);
    for (const auto& detector : window.detectors) {
      double sum = 0;
      std::size_t of_the_disk = 0;
      for (const auto& item : detector.evidence) {
        sum += item.contribution;
        if (item.key.channel.index() < PlantedRun::kDiskChannels) ++of_the_disk;
      }
      EXPECT_GT(sum, 0) << detector.detector;
      EXPECT_LE(sum, 1 + 1e-9) << detector.detector;
      // A forest splits on what chance proposes; most of it must still be the cause.
      EXPECT_GE(of_the_disk, 3u) << detector.detector << " window " << window.span.id.value();
    }
  }
}

TEST(Attribution, TwoDisturbancesApartAreTwoFindings) {
  PlantedRun run;
  run.plant(0, 15, 16, 400);
  run.plant(12, 45, 46, 500);
  const auto findings = run.attribute(0.1);
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(findings[0].subsystem(), model::Subsystem::kStorage);
  EXPECT_NE(findings[1].subsystem(), model::Subsystem::kStorage);
}

}  // namespace
}  // namespace reveal::attribute
