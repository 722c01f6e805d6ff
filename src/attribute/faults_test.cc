// Made windows in which faults go on at the same time: what is told of them one by one, and
// together.
#include "attribute/faults.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "attribute/attribution.h"
#include "attribute/live_attributor.h"
#include "attribute/usual.h"
#include "base/rng.h"
#include "feature/feature.h"
#include "model/cgroup_instance.h"
#include "model/process_timeline.h"

namespace reveal::attribute {
namespace {

using testing::ElementsAre;

constexpr std::size_t kRows = 100;
constexpr std::size_t kFirst = 40;  // the row of a line's first letter
constexpr double kMiB = 1024.0 * 1024.0;
constexpr std::int64_t kSecond_ns = 1'000'000'000;

// What goes on from row `from` on: a line of text for each channel, of which a letter other than
// '.' is a window in which it is high.
struct Lines {
  std::string_view cpu_waits = "";
  std::string_view disk_waits = "";
  std::string_view resent = "";
  std::string_view a_computes = "";  // control group /a
  std::string_view b_computes = "";
  std::string_view a_writes = "";
  std::string_view b_writes = "";
  std::string_view c_waits = "";  // for a CPU
  std::string_view d_waits = "";  // for the disk
  std::size_t from = kFirst;
};

// A host with twenty quiet channels more. Windows are 3 s long and come each second.
class Host {
 public:
  explicit Host(std::uint64_t seed, const Lines& lines = {}) : from_(lines.from) {
    using model::Subsystem;
    add("cpu_pressure_some_seconds_total", Subsystem::kCpu, "", lines.cpu_waits, 0.01, 0.6);
    add("storage_io_pressure_some_seconds_total", Subsystem::kStorage, "", lines.disk_waits, 0.01,
        0.7);
    add("network_tcp_retransmit_ratio", Subsystem::kNetwork, "", lines.resent, 0.001, 0.06);
    constexpr std::string_view kUsage = "cpu_cgroup_usage_seconds_total";
    constexpr std::string_view kWritten = "storage_cgroup_written_bytes_total";
    add(kUsage, Subsystem::kCpu, "cg=/a", lines.a_computes, 0.05, 0.9);
    add(kUsage, Subsystem::kCpu, "cg=/b", lines.b_computes, 0.05, 0.4);
    add(kWritten, Subsystem::kStorage, "cg=/a", lines.a_writes, 0, 300 * kMiB);
    add(kWritten, Subsystem::kStorage, "cg=/b", lines.b_writes, 0, 200 * kMiB);
    add("cpu_cgroup_pressure_some_seconds_total", Subsystem::kCpu, "cg=/c", lines.c_waits, 0.01,
        0.5);
    add("storage_cgroup_pressure_some_seconds_total", Subsystem::kStorage, "cg=/d", lines.d_waits,
        0.01, 0.8);
    for (int i = 0; i < 20; ++i) {
      add("memory_" + std::to_string(i), Subsystem::kMemory, "", "", 100, 100);
    }
    fill(seed);
  }

  model::ChannelTable channels;
  feature::FeatureMatrix matrix;

 private:
  struct Channel {
    std::string_view line;
    double low;
    double high;
  };

  void add(std::string_view name, model::Subsystem subsystem, std::string_view instance,
           std::string_view line, double low, double high) {
    model::MetricDescriptor metric;
    metric.name = name;
    metric.label = name;
    metric.unit = "ratio";
    metric.subsystem = subsystem;
    metric.scope = instance.empty() ? model::Scope::kHost : model::Scope::kCgroup;
    const auto known = channels.find_metric(name);
    const auto id =
        channels.add_channel(known ? *known : channels.add_metric(metric), std::string(instance));
    matrix.add_column({id, *feature::find_feature("mean")});
    made_.push_back({line, low, high});
  }

  void fill(std::uint64_t seed) {
    base::Rng rng(seed);
    for (std::size_t row = 0; row < kRows; ++row) {
      const auto begin_ns = static_cast<std::int64_t>(row) * 1'000'000'000;
      auto& values =
          matrix.add_row({window::WindowId(row), begin_ns, begin_ns + 3'000'000'000, row * 10, 0});
      for (std::size_t i = 0; i < values.size(); ++i) {
        const auto& [line, low, high] = made_[i];
        const bool is_high = row >= from_ && row - from_ < line.size() && line[row - from_] != '.';
        values[i] = (is_high ? high : low) * (1 + 0.1 * rng.uniform());
      }
    }
  }

  std::size_t from_;
  std::vector<Channel> made_;
};

// Says of a finding its subsystem, the letters' places of its first and last windows, and its
// culprit.
std::string told(const Host& host, const Finding& finding) {
  const auto place = [](const FlaggedWindow& window) {
    return static_cast<std::int64_t>(window.span.id.value()) - static_cast<std::int64_t>(kFirst);
  };
  std::string who = "nobody";
  if (finding.culprit) {
    who = model::group_of(host.channels.channel(finding.culprit->channel).instance);
  }
  return fmt::format("{} {}-{} {}", model::to_string(finding.subsystem()),
                     place(finding.windows.front()), place(finding.windows.back()), who);
}

std::shared_ptr<const detect::FittedBaseline> usual() {
  const Host quiet(1);
  auto fitted = detect::fit_baseline(quiet.matrix, quiet.channels, {});
  EXPECT_TRUE(fitted) << (fitted ? "" : fitted.error().message());
  return std::make_shared<const detect::FittedBaseline>(std::move(*fitted));
}

std::vector<Finding> found_live(const Host& host,
                                const std::shared_ptr<const detect::FittedBaseline>& baseline,
                                const model::ProcessTimeline* processes = nullptr) {
  detect::WindowScorer scorer(baseline, {});
  LiveAttributor attributor(scorer, host.matrix, host.channels, processes);
  std::vector<Finding> out;
  for (std::size_t row = 0; row < kRows; ++row) {
    const auto one = scorer.judge(host.matrix, host.channels, row).value();
    attributor.take(one, row);
    if (one.agreement >= 2) attributor.add(out);
  }
  return out;
}

std::vector<Finding> found_together(const Host& host, const detect::FittedBaseline& baseline,
                                    const model::ProcessTimeline* processes = nullptr) {
  const auto matched = detect::match(baseline, host.matrix, host.channels).value();
  const auto scored = detect::ScoredRun::against(baseline.detectors, matched.design);
  const auto verdict = detect::judge(scored).value();
  AttributionInput input{host.channels, host.matrix, scored, verdict, &baseline};
  input.processes = processes;
  return attribute(input, {}).findings;
}

// Returns what is found, which must be the same window by window and together.
std::vector<std::string> found(const Lines& lines) {
  static const auto kUsual = usual();
  const Host host(2, lines);
  std::vector<std::string> live;
  std::vector<std::string> together;
  for (const auto& one : found_live(host, kUsual)) {
    live.push_back(told(host, one));
  }
  for (const auto& one : found_together(host, *kUsual)) together.push_back(told(host, one));
  EXPECT_EQ(live, together);
  return live;
}

TEST(Faults, OneIsOne) {
  EXPECT_THAT(found({.disk_waits = "SSSSSSSSSSSS", .a_writes = "wwwwwwwwwwww"}),
              ElementsAre("storage 0-11 cg=/a"));
}

TEST(Faults, ASecondThatEndsBeforeTheFirstIsAFindingOfItsOwn) {
  EXPECT_THAT(found({.cpu_waits = "......CCCCCC........",
                     .disk_waits = "SSSSSSSSSSSSSSSSSSSS",
                     .b_computes = "......cccccc........",
                     .a_writes = "wwwwwwwwwwwwwwwwwwww"}),
              ElementsAre("storage 0-19 cg=/a", "cpu 6-11 cg=/b"));
}

TEST(Faults, TheFirstMayEndBeforeTheSecond) {
  EXPECT_THAT(found({.cpu_waits = "......CCCCCCCCCCCCCCCCCCCC",
                     .disk_waits = "SSSSSSSSSSSSS",
                     .b_computes = "......cccccccccccccccccccc",
                     .a_writes = "wwwwwwwwwwwww"}),
              ElementsAre("storage 0-12 cg=/a", "cpu 6-25 cg=/b"));
}

TEST(Faults, OneWithTwoSymptomsIsOne) {
  // At once.
  EXPECT_THAT(found({.cpu_waits = ".CCCCCCCCCCC",
                     .disk_waits = "SSSSSSSSSSSS",
                     .b_computes = ".ccccccccccc",
                     .a_writes = "wwwwwwwwwwww"}),
              testing::SizeIs(1));
  // The same group does both, the one later.
  EXPECT_THAT(found({.cpu_waits = ".....CCCCCCC",
                     .disk_waits = "SSSSSSSSSSSS",
                     .a_computes = ".....ccccccc",
                     .a_writes = "wwwwwwwwwwww"}),
              ElementsAre("storage 0-11 cg=/a"));
  // Nobody is known who computes more, and the disk is waited for as much.
  EXPECT_THAT(
      found(
          {.cpu_waits = ".....CCCCCCC", .disk_waits = "SSSSSSSSSSSS", .a_writes = "wwwwwwwwwwww"}),
      ElementsAre("storage 0-11 cg=/a"));
}

TEST(Faults, OfDisksAndNetworksNeitherIsASymptomOfTheOther) {
  EXPECT_THAT(found({.disk_waits = ".....SSSSSSS", .resent = "NNNNNNNNNNNN"}),
              ElementsAre("network 0-11 nobody", "storage 5-11 nobody"));
}

TEST(Faults, OneAfterTheOtherAreTwoThatShareNoWindow) {
  EXPECT_THAT(found({.cpu_waits = "........CCCCCCCC",
                     .disk_waits = "SSSSSSSS",
                     .b_computes = "........cccccccc",
                     .a_writes = "wwwwwwww"}),
              ElementsAre("storage 0-7 cg=/a", "cpu 8-15 cg=/b"));
}

// A third for which nobody is known to be to blame might be a symptom of the processors' fault, as
// long as that lasts.
TEST(Faults, ThreeAtOneTimeAreThree) {
  EXPECT_THAT(found({.cpu_waits = "......CCCCCCCC................",
                     .disk_waits = "SSSSSSSSSSSSSSSSSSSSSSSSSSSSSS",
                     .resent = "..........NNNNNNNNNNNNNNNNNNNN",
                     .b_computes = "......cccccccc................",
                     .a_writes = "wwwwwwwwwwwwwwwwwwwwwwwwwwwwww"}),
              ElementsAre("storage 0-29 cg=/a", "cpu 6-13 cg=/b", "network 10-29 nobody"));
}

// If no group is known to write more, who computes more is named; but not who began to later.
TEST(Faults, WhoComesLaterDidNotDoTheFirst) {
  EXPECT_THAT(found({.cpu_waits = "......CCCCCC........",
                     .disk_waits = "SSSSSSSSSSSSSSSSSSSS",
                     .b_computes = "......cccccc........"}),
              ElementsAre("storage 0-19 nobody", "cpu 6-11 cg=/b"));
}

// A process that uses so much more than before, from one letter's place to another.
model::ProcessTimeline process_that(double cores, double written, std::size_t from,
                                    std::size_t to) {
  model::ProcessTimeline out;
  for (std::size_t second = 1; second <= kRows + 3; ++second) {
    const bool is_high = second > kFirst + from && second <= kFirst + to;
    model::ProcessUse use;
    use.name = "late";
    use.pid = 7;
    use.seconds = 1;
    use.cores = is_high ? cores : 0.01;
    use.resident = kMiB;
    use.read = 0;
    use.written = is_high ? written : 0;
    const auto at_ns = static_cast<std::int64_t>(second) * kSecond_ns;
    out.add(at_ns, at_ns, {model::note_of(use)});
  }
  return out;
}

TEST(Faults, TheProcessThatComesLaterDidNotDoTheFirst) {
  const auto baseline = usual();
  const auto processes = process_that(2.5, 0, 10, 26);
  const Host host(2, {.cpu_waits = "..........CCCCCCCCCCCCCCCC....",
                      .resent = "NNNNNNNNNNNNNNNNNNNNNNNNNNNNNN"});
  for (const auto& findings :
       {found_live(host, baseline, &processes), found_together(host, *baseline, &processes)}) {
    ASSERT_EQ(findings.size(), 2U);
    EXPECT_EQ(findings[0].subsystem(), model::Subsystem::kNetwork);
    EXPECT_FALSE(findings[0].process);
    ASSERT_TRUE(findings[1].process);
    EXPECT_EQ(findings[1].process->name, "late");
  }
}

// Who writes more later is no reason to think that the group that computes did not do the first.
TEST(Faults, TheProcessThatComesLaterClearsNobodyOfTheFirst) {
  const auto baseline = usual();
  const auto processes = process_that(0.01, 50 * kMiB, 12, 26);
  const Host host(2, {.disk_waits = "SSSSSSSSSSSSSSSSSSSSSSSSSSSSSS",
                      .resent = "..........NNNNNNNNNNNNNNNN....",
                      .b_computes = "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"});
  for (const auto& findings :
       {found_live(host, baseline, &processes), found_together(host, *baseline, &processes)}) {
    ASSERT_EQ(findings.size(), 2U);
    EXPECT_EQ(told(host, findings[0]), "storage 0-29 cg=/b");
    EXPECT_EQ(findings[1].subsystem(), model::Subsystem::kNetwork);
  }
}

// Nothing is before a fault that begins with the recording, and what is after the windows that it
// has alone is the same fault.
TEST(Faults, OneFromTheStartKeepsItsCulpritBesideOthers) {
  const std::string first(95, 'S');
  const std::string second = std::string(70, '.') + "CCCCCCCC" + std::string(17, '.');
  EXPECT_THAT(found({.cpu_waits = second,
                     .disk_waits = first,
                     .b_computes = second,
                     .a_writes = first,
                     .from = 0}),
              ElementsAre("storage -40-54 cg=/a", "cpu 30-37 cg=/b"));
  EXPECT_THAT(found({.cpu_waits = second,
                     .disk_waits = first,
                     .a_computes = second,
                     .a_writes = first,
                     .from = 0}),
              ElementsAre("storage -40-54 cg=/a"));
}

// What is refused in each window would otherwise cost more in each.
TEST(Faults, WhatIsRefusedIsAskedAboutOnceItHasTwiceTheWindows) {
  const auto baseline = usual();
  const std::string line(60, 'x');
  const std::string later = "....." + std::string(55, 'x');
  const Host host(2,
                  {.cpu_waits = later, .disk_waits = line, .a_computes = later, .a_writes = line});
  detect::WindowScorer scorer(baseline, {});
  LatestWindow window(scorer);
  std::optional<std::size_t> judge;
  for (std::size_t i = 0; i < window.detector_count(); ++i) {
    if (window.sees_saturation(i)) judge = i;
  }
  const Attributor attributor(window, host.matrix, host.channels, usual_of(*baseline), {});
  const Readers readers{
      PatternReader(host.channels, host.matrix, usual_levels(*baseline, scorer.layout())),
      ConsumerReader(host.channels, host.matrix), StallReader(host.channels, host.matrix)};
  Faults faults(attributor, host.matrix, host.channels, judge);
  std::vector<Finding> findings;
  for (std::size_t row = 0; row < kRows; ++row) {
    const auto one = scorer.judge(host.matrix, host.channels, row).value();
    window.take(one);
    if (one.agreement >= 2) faults.add(row, attributor.blame(row), readers, findings);
  }
  EXPECT_EQ(findings.size(), 1U);
  // With 4, 8, 16 and 32 of 55 windows, and once more if it clearly stalls them later.
  EXPECT_GE(faults.asked(), 4U);
  EXPECT_LE(faults.asked(), 8U);
}

// Whoever waits for the one does not wait for the other.
TEST(Faults, HarmIsOfItsOwnSubsystems) {
  const auto baseline = usual();
  const auto of = [](const Host& host, const Finding& finding) {
    return host.channels.metric(finding.stall->channel).subsystem;
  };
  for (const bool by_group : {false, true}) {
    const std::string_view of_cpu = "......CCCCCC........";
    const std::string_view of_disk = "SSSSSSSSSSSSSSSSSSSS";
    const Host host(2, {.cpu_waits = of_cpu,
                        .disk_waits = of_disk,
                        .b_computes = of_cpu,
                        .a_writes = of_disk,
                        .c_waits = by_group ? of_cpu : "",
                        .d_waits = by_group ? of_disk : ""});
    for (const auto& findings : {found_live(host, baseline), found_together(host, *baseline)}) {
      ASSERT_EQ(findings.size(), 2U);
      ASSERT_TRUE(findings[0].stall && findings[1].stall);
      EXPECT_EQ(of(host, findings[0]), model::Subsystem::kStorage);
      EXPECT_EQ(of(host, findings[1]), model::Subsystem::kCpu);
      EXPECT_EQ(findings[0].stall->group, by_group ? "cg=/d" : "");
      EXPECT_EQ(findings[1].stall->group, by_group ? "cg=/c" : "");
    }
  }
}

// Each is told by its own subsystem alone.
TEST(Faults, EvidenceIsOfItsOwnSubsystems) {
  const auto baseline = usual();
  const Host host(2, {.cpu_waits = "......CCCCCC........",
                      .disk_waits = "SSSSSSSSSSSSSSSSSSSS",
                      .b_computes = "......cccccc........",
                      .a_writes = "wwwwwwwwwwwwwwwwwwww"});
  const auto findings = found_live(host, baseline);
  ASSERT_EQ(findings.size(), 2U);
  for (const auto& finding : findings) {
    ASSERT_FALSE(finding.evidence.empty());
    const auto other = finding.subsystem() == model::Subsystem::kCpu ? model::Subsystem::kStorage
                                                                     : model::Subsystem::kCpu;
    EXPECT_LT(finding.subsystems[static_cast<std::size_t>(other)], 0.1);
    EXPECT_NE(host.channels.metric(finding.evidence.front().key.channel).subsystem, other);
    ASSERT_TRUE(finding.stall);
    EXPECT_EQ(host.channels.metric(finding.stall->channel).subsystem, finding.subsystem());
  }
  EXPECT_TRUE(findings[0].claim.starts_with("Tasks waited for the disk")) << findings[0].claim;
  EXPECT_TRUE(findings[1].claim.starts_with("Tasks waited for a CPU")) << findings[1].claim;
}

}  // namespace
}  // namespace reveal::attribute
