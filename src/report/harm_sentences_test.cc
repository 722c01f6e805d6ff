#include "report/harm_sentences.h"

#include <memory>
#include <tuple>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace reveal::report {
namespace {

attribute::Finding with_process() {
  attribute::Finding out;
  out.windows.resize(1);
  out.process.emplace();
  out.process->name = "python3";
  out.process->pid = 4242;
  out.process->group = "/job1";
  out.process->observed = 1.88;
  out.process->usual = 0.02;
  out.process->share = 0.93;
  return out;
}

TEST(ProcessSentence, NamesTheProcessAndItsGroupIfNobodyElseDoes) {
  Report report;
  report.channel_table = std::make_shared<model::ChannelTable>();
  auto finding = with_process();
  EXPECT_EQ(process_sentence(names_of(report), finding),
            "Process: python3 (pid 4242) of /job1 used 1.88 cores (usually 0.02), 93 % of what all "
            "processes used more.");
  report.notes.push_back({0, {model::Note::Kind::kFact, "cgroup", "cg=/job1", "slurm job 1"}});
  finding.process->count = 3;
  EXPECT_EQ(process_sentence(names_of(report), finding),
            "Process: python3 (pid 4242) and 2 more of that name of slurm job 1 used 1.88 cores "
            "(usually 0.02), 93 % of what all processes used more.");
  finding.culprit = attribute::GroupLevel{model::ChannelId(0), 0.9, 0.1};
  EXPECT_EQ(process_sentence(names_of(report), finding),
            "Process: python3 (pid 4242) and 2 more of that name used 1.88 cores (usually 0.02), "
            "93 % of what all processes used more.");
}

TEST(ProcessSentence, IsEmptyIfNoneIsKnown) {
  const model::ChannelTable none;
  EXPECT_EQ(process_sentence({none, {}}, attribute::Finding{}), "");
}

TEST(StalledSentence, IsEmptyIfItWouldTellOfNothing) {
  model::ChannelTable channels;
  model::MetricDescriptor metric;
  metric.name = "a_pressure";
  metric.label = "A pressure";
  const auto channel = channels.add_channel(channels.add_metric(metric));
  attribute::Finding finding;
  finding.severity.basis = attribute::SeverityBasis::kStall;
  finding.stall = attribute::Stall{channel, "", 0.06};
  EXPECT_EQ(stalled_sentence({channels, {}}, finding), "Stalled: 0.1 s (A pressure).");
  finding.stall->seconds = 0.04;
  EXPECT_EQ(stalled_sentence({channels, {}}, finding), "");
}

TEST(UnknownSentence, IsOfAFindingWhoseSubsystemIsNotKnown) {
  attribute::Finding finding;
  finding.windows.resize(1);
  finding.subsystems[static_cast<std::size_t>(model::Subsystem::kUnknown)] = 0.5;
  finding.subsystems[static_cast<std::size_t>(model::Subsystem::kGpu)] = 0.25;
  const std::string told =
      "Subsystem: not known, because the names of the metrics that show it do not tell.";
  EXPECT_EQ(unknown_sentence(finding), told);
  const model::ChannelTable none;
  EXPECT_THAT(harm_sentences({none, {}}, finding), testing::ElementsAre(told));
  finding.subsystems[static_cast<std::size_t>(model::Subsystem::kGpu)] = 0.5;
  EXPECT_EQ(unknown_sentence(finding), "");
}

TEST(MissedSentence, TellsOfASecondAndMore) {
  attribute::Finding finding;
  finding.missed_ns = 900'000'000;
  EXPECT_EQ(missed_sentence(finding), "");
  finding.missed_ns = 7'300'000'000;
  EXPECT_EQ(missed_sentence(finding),
            "Missed: the recorder got no tick for 7.3 s of it; counters tell what happened "
            "meanwhile.");
}

TEST(ComparedSentence, TellsOfAnEarlierRunIfThereIsOne) {
  attribute::Finding finding;
  EXPECT_EQ(compared_sentence(finding), "");
  finding.looks_like_ns = 1'700'000'000'000'000'000;
  EXPECT_EQ(compared_sentence(finding),
            "Compared: with the run of 2023-11-14 22:13:20.0 UTC, which this looked like.");
}

// 47 % (± 21) was told as "kept its usual rate", 96 % (± 30) as well.
TEST(WorkSentence, ARateWithALargeErrorIsNotToldAsKept) {
  const model::ChannelTable none;
  attribute::Finding finding;
  finding.windows.resize(1);
  finding.harm.emplace();
  for (const auto& [rate, error, kept] :
       {std::tuple(0.47, 0.21, false), std::tuple(0.89, 0.06, false), std::tuple(0.96, 0.3, false),
        std::tuple(1.0, 0.04, true), std::tuple(0.97, 0.04, true), std::tuple(1.04, 0.1, true)}) {
    finding.harm->loss.mean_rate = rate;
    finding.harm->loss.mean_error = error;
    const auto told = work_sentence({none, {}}, finding, text::Clock());
    EXPECT_THAT(told, testing::HasSubstr(kept ? "kept its usual rate" : "it is not clear whether"));
  }
}

TEST(WorkSentence, AJobThatWasAsSlowBeforeDidNotKeepItsUsualRate) {
  const model::ChannelTable none;
  attribute::Finding finding;
  finding.windows.resize(1);
  finding.harm.emplace();
  for (const auto& [rate, slow, says] :
       {std::tuple(0.99, false, "Work: the job kept its usual rate: 99 % (± 4)."),
        std::tuple(1.08, false, "Work: the job kept its usual rate: 108 % (± 4)."),
        std::tuple(1.33, false, "Work: the job was not slowed: 133 % (± 4) of its usual rate."),
        std::tuple(0.77, false,
                   "Work: the job ran at 77 % (± 4) of its usual rate, as before or after."),
        std::tuple(0.5, true, "s of work lost.")}) {
    finding.harm->slow = slow;
    finding.harm->loss.mean_rate = rate;
    finding.harm->loss.mean_error = 0.04;
    EXPECT_THAT(work_sentence({none, {}}, finding, text::Clock()), testing::EndsWith(says));
  }
}

// A link was shaped to a tenth while the hypervisor happened to take a sixth of a processor.
TEST(WorkSentence, MuchLossIsNotLaidToALittleStolenTime) {
  model::ChannelTable channels;
  model::MetricDescriptor metric;
  metric.name = "cpu_steal_ratio";
  const auto stolen = channels.add_channel(channels.add_metric(metric));
  metric.name = "cpu_pressure_some_seconds_total";
  const auto other = channels.add_channel(channels.add_metric(metric));
  attribute::Finding finding;
  finding.windows.resize(1);
  finding.harm.emplace();
  finding.harm->slow = true;
  finding.harm->loss.mean_error = 0.02;
  const auto says_more = [&](model::ChannelId channel, double observed, double rate) {
    finding.telling = attribute::Evidence{{channel, *feature::find_feature("mean")}, observed};
    finding.harm->loss.mean_rate = rate;
    const auto told = work_sentence({channels, {}}, finding, text::Clock());
    return told.ends_with(
        "Stolen time alone does not explain so much: look for what else slows it.");
  };
  EXPECT_TRUE(says_more(stolen, 0.157, 0.15));
  EXPECT_FALSE(says_more(stolen, 0.206, 0.79));
  EXPECT_FALSE(says_more(stolen, 0.4, 0.3));
  EXPECT_FALSE(says_more(other, 0.157, 0.15));
}

}  // namespace
}  // namespace reveal::report
