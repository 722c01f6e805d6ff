#include "report/finding_fields.h"

#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "attribute/claim.h"
#include "feature/feature.h"
#include "report/group_name.h"
#include "report/harm_sentences.h"

namespace reveal::report {
namespace {

using enum FieldType;
using Finding = FindingAt;
using Evidence = EvidenceAt;

Value text(std::string_view value) {
  return std::string(value);
}

Value number(std::optional<double> value) {
  return value ? Value(*value) : Value();
}

const window::WindowSpan& first_window(const Finding& it) {
  return it.finding.windows.front().span;
}

const window::WindowSpan& last_window(const Finding& it) {
  return it.finding.windows.back().span;
}

Value claim_channel(const Finding& it) {
  const auto& told = it.finding.telling;
  return text(told ? it.report.channel_table->name(told->key.channel) : std::string());
}

Value patterns(const Finding& it) {
  Texts out;
  for (const auto& one : it.finding.patterns) out.emplace_back(one.pattern->name);
  return out;
}

std::string_view told(const Finding& it, std::string_view attribute::Pattern::*part) {
  const auto* advice = it.finding.advice();
  return advice != nullptr ? advice->pattern->*part : std::string_view();
}

using Group = std::optional<attribute::GroupLevel>;

Value group(const Finding& it, const Group& one) {
  return one ? group_name(it.report, one->channel, it.finding.windows_end_ns()) : std::string();
}

Value group_channel(const Finding& it, const Group& one) {
  return one ? it.report.channel_table->name(one->channel) : std::string();
}

Value group_level(const Group& one, double attribute::GroupLevel::*part) {
  return one ? Value(*one.*part) : Value();
}

// A value of the process that did it; nothing if none is known.
template <typename Member>
Value process(const Finding& it, Member model::ProcessRise::*part) {
  return it.finding.process ? Value((*it.finding.process).*part) : Value();
}

Value process_text(const Finding& it, std::string model::ProcessRise::*part) {
  return it.finding.process ? (*it.finding.process).*part : std::string();
}

Value edge_error(const std::optional<attribute::Edge>& edge) {
  return edge ? Value(static_cast<double>(edge->error_ns) / 1e9) : Value();
}

// A value of what the work rate did; nothing if it is not known.
Value loss(const Finding& it, double work::Loss::*part) {
  return it.finding.harm ? Value(it.finding.harm->loss.*part) : Value();
}

constexpr Field<Finding> kFindingFields[] = {
    {.name = "finding",
     .type = kCount,
     .help = "its place in its list, from 1",
     .get = [](const Finding& it) -> Value { return std::uint64_t{it.place}; }},
    {.name = "claim",
     .help = "what happened, as a sentence",
     .get = [](const Finding& it) { return text(it.finding.claim); }},
    {.name = "claim_channel",
     .help = "the channel that the claim is about; empty if no single metric stands out",
     .get = claim_channel},
    {.name = "subsystem",
     .help =
         "the subsystem with the largest share: cpu, gpu, memory, network, storage, or unknown if "
         "the names of the metrics that show it do not tell, which only imported ones may",
     .get = [](const Finding& it) { return text(model::to_string(it.finding.subsystem())); }},
    {.name = "subsystem_shares",
     .type = kShares,
     .help = "parts in the blame, 0 to 1, together 1",
     .get = [](const Finding& it) -> Value { return it.finding.subsystems; }},
    {.name = "begin",
     .type = kTime,
     .help = "when it began: to begin_error_seconds if its channels' samples tell, else the begin "
             "of its first window",
     .get = [](const Finding& it) -> Value { return WallTime{it.finding.begin_ns()}; }},
    {.name = "end",
     .type = kTime,
     .help =
         "when it ended: to end_error_seconds if its channels' samples tell, else the end of its "
         "last window",
     .get = [](const Finding& it) -> Value { return WallTime{it.finding.end_ns()}; }},
    {.name = "begin_error_seconds",
     .type = kReal,
     .unit = "s",
     .help = "standard deviation of begin; nothing if only windows tell, which may be seconds off",
     .get = [](const Finding& it) { return edge_error(it.finding.begin_edge); }},
    {.name = "end_error_seconds",
     .type = kReal,
     .unit = "s",
     .help = "standard deviation of end; nothing if only windows tell, which may be seconds off",
     .get = [](const Finding& it) { return edge_error(it.finding.end_edge); }},
    {.name = "missed_seconds",
     .type = kReal,
     .unit = "s",
     .help = "time in it without a tick, as if the recorder got no processor; counters tell what "
             "happened meanwhile",
     .get = [](const Finding& it) -> Value {
       return static_cast<double>(it.finding.missed_ns) / 1e9;
     }},
    {.name = "at_start",
     .type = kTruth,
     .help = "it already goes on when the first window may raise an alarm, in a run that is "
             "compared with itself; that is seldom a fault",
     .get = [](const Finding& it) -> Value { return it.finding.at_start; }},
    {.name = "first_window",
     .type = kCount,
     .help = "number of its first window",
     .get = [](const Finding& it) -> Value { return std::uint64_t{first_window(it).id.value()}; }},
    {.name = "last_window",
     .type = kCount,
     .help = "number of its last window",
     .get = [](const Finding& it) -> Value { return std::uint64_t{last_window(it).id.value()}; }},
    {.name = "patterns",
     .type = kTexts,
     .help = "known patterns that it matches, the likeliest first; often none",
     .get = patterns},
    {.name = "meaning",
     .help = "explanation of the likeliest pattern; empty if there is none",
     .get = [](const Finding& it) { return text(told(it, &attribute::Pattern::meaning)); }},
    {.name = "remedy",
     .help = "what to try against the likeliest pattern; empty if there is none",
     .get = [](const Finding& it) { return text(told(it, &attribute::Pattern::remedy)); }},
    {.name = "who",
     .help = "who did it, as a sentence; empty if nobody is known",
     .get = [](const Finding& it) { return text(who_sentence(names_of(it.report), it.finding)); }},
    {.name = "who_process",
     .help = "which process did it, as a sentence; empty if none is known (docs/processes.md)",
     .get =
         [](const Finding& it) { return text(process_sentence(names_of(it.report), it.finding)); }},
    {.name = "suffered",
     .help = "who had to wait, as a sentence; empty if nobody did",
     .get =
         [](const Finding& it) {
           return text(suffered_sentence(names_of(it.report), it.finding));
         }},
    {.name = "work",
     .help = "what it cost, as a sentence; empty if no work rate is known",
     .get = [](const Finding& it) { return text(work_sentence(names_of(it.report), it.finding)); }},
    {.name = "stalled",
     .help = "how long tasks waited, as a sentence; empty if severity is not taken from that",
     .get =
         [](const Finding& it) { return text(stalled_sentence(names_of(it.report), it.finding)); }},
    {.name = "compared_with",
     .help = "which earlier run of the workload a live finding's windows were compared with, as a "
             "sentence; empty if it was what came before",
     .get = [](const Finding& it) { return text(compared_sentence(it.finding)); }},
    {.name = "onset_order",
     .help = "which subsystem changed first, as a sentence; empty if samples tell of none that was "
             "later",
     .get = [](const Finding& it) { return text(order_sentence(it.finding)); }},
    {.name = "moved_along",
     .help = "which channels of other subsystems moved as its own did, and elsewhere in the run do "
             "not, as sentences; empty if none is known",
     .get =
         [](const Finding& it) {
           return text(fmt::format(
               "{}", fmt::join(companion_sentences(names_of(it.report), it.finding), " ")));
         }},
    {.name = "incident_order",
     .help = "which finding came first in the incident, as a sentence; empty if it is alone",
     .get = [](const Finding& it) { return text(incident_sentence(it.report, it.finding)); }},
    {.name = "incident",
     .type = kCount,
     .help = "number of the incident that it belongs to: findings that overlap, or lie at most two "
             "windows' lengths apart; 0 in the other lists",
     .get = [](const Finding& it) -> Value { return std::uint64_t{it.finding.incident}; }},
    {.name = "incident_place",
     .type = kCount,
     .help = "its place in the incident by begin, from 1; the first is the likely cause",
     .get = [](const Finding& it) -> Value { return std::uint64_t{it.finding.incident_place}; }},
    {.name = "culprit",
     .help = "the control group whose use of the subsystem's resource rose most, by the name of "
             "its pod, job, service or container; empty if none did",
     .get = [](const Finding& it) { return group(it, it.finding.culprit); }},
    {.name = "culprit_channel",
     .help = "the channel that says so",
     .get = [](const Finding& it) { return group_channel(it, it.finding.culprit); }},
    {.name = "culprit_observed",
     .type = kReal,
     .help = "its highest level in the finding, in the metric's unit",
     .get =
         [](const Finding& it) {
           return group_level(it.finding.culprit, &attribute::GroupLevel::observed);
         }},
    {.name = "culprit_usual",
     .type = kReal,
     .help = "its median in the 60 windows before",
     .get =
         [](const Finding& it) {
           return group_level(it.finding.culprit, &attribute::GroupLevel::usual);
         }},
    {.name = "process",
     .help = "the name of the processes, of that group if there is one, whose use rose most, or "
             "that were stopped; empty if none is known",
     .get = [](const Finding& it) { return process_text(it, &model::ProcessRise::name); }},
    {.name = "process_unknown",
     .help = "why none is known; empty if one is",
     .get = [](const Finding& it) { return text(it.finding.no_process); }},
    {.name = "process_id",
     .type = kCount,
     .help = "the pid of the one that used most",
     .get = [](const Finding& it) { return process(it, &model::ProcessRise::pid); }},
    {.name = "processes",
     .type = kCount,
     .help = "how many of that name and group used any",
     .get = [](const Finding& it) -> Value {
       return it.finding.process ? Value(std::uint64_t{it.finding.process->count}) : Value();
     }},
    {.name = "process_group",
     .help = "their control group, as channels name it without cg=; empty if that is the root",
     .get = [](const Finding& it) { return process_text(it, &model::ProcessRise::group); }},
    {.name = "process_resource",
     .help =
         "what they used: cpu (in cores), storage (bytes/s) or memory (bytes); empty if none is "
         "known",
     .get = [](const Finding& it) -> Value {
       return text(it.finding.process ? model::to_string(it.finding.process->resource) : "");
     }},
    {.name = "process_observed",
     .type = kReal,
     .help = "how much of it, in the most demanding 3 s of the finding; of memory the most held",
     .get = [](const Finding& it) { return process(it, &model::ProcessRise::observed); }},
    {.name = "process_usual",
     .type = kReal,
     .help = "the median in the minute before; of memory what was held before",
     .get = [](const Finding& it) { return process(it, &model::ProcessRise::usual); }},
    {.name = "process_share",
     .type = kReal,
     .help = "their share in what all listed processes used more, 0 to 1",
     .get = [](const Finding& it) { return process(it, &model::ProcessRise::share); }},
    {.name = "sufferer",
     .help = "the control group that waited most, likewise; empty if none did",
     .get = [](const Finding& it) { return group(it, it.finding.sufferer); }},
    {.name = "sufferer_channel",
     .help = "the channel that says so",
     .get = [](const Finding& it) { return group_channel(it, it.finding.sufferer); }},
    {.name = "sufferer_observed",
     .type = kReal,
     .help = "its highest level in the finding, in the metric's unit",
     .get =
         [](const Finding& it) {
           return group_level(it.finding.sufferer, &attribute::GroupLevel::observed);
         }},
    {.name = "sufferer_usual",
     .type = kReal,
     .help = "its median in the 60 windows before",
     .get =
         [](const Finding& it) {
           return group_level(it.finding.sufferer, &attribute::GroupLevel::usual);
         }},
    {.name = "work_job",
     .help = "the control group of the job that lost most work (docs/work_rate.md); empty for the "
             "host's job, or if no work rate is known",
     .get = [](const Finding& it) { return text(it.finding.harm ? it.finding.harm->job : ""); }},
    {.name = "work_rate",
     .type = kReal,
     .help = "how much that job got done, 1 being its usual rate; nothing if that is not known",
     .get = [](const Finding& it) { return loss(it, &work::Loss::mean_rate); }},
    {.name = "work_rate_error",
     .type = kReal,
     .help = "standard deviation of work_rate",
     .get = [](const Finding& it) { return loss(it, &work::Loss::mean_error); }},
    {.name = "work_lost_seconds",
     .type = kReal,
     .unit = "s",
     .help = "work that was not done, in seconds of work at the usual rate; negative if more was "
             "done",
     .get = [](const Finding& it) { return loss(it, &work::Loss::lost_s); }},
    {.name = "work_lost_error_seconds",
     .type = kReal,
     .unit = "s",
     .help = "standard deviation of work_lost_seconds",
     .get = [](const Finding& it) { return loss(it, &work::Loss::lost_error_s); }},
    {.name = "work_begin",
     .type = kTime,
     .help = "from when on the job was slow, to a second; if it was not, or if that is not known, "
             "the finding's begin",
     .get = [](const Finding& it) -> Value {
       return WallTime{it.finding.harm ? it.finding.harm->begin_ns : it.finding.begin_ns()};
     }},
    {.name = "work_end",
     .type = kTime,
     .help = "and to when",
     .get = [](const Finding& it) -> Value {
       return WallTime{it.finding.harm ? it.finding.harm->end_ns : it.finding.end_ns()};
     }},
    {.name = "detectors",
     .type = kTexts,
     .help = "all detectors that flag a window of it",
     .get = [](const Finding& it) -> Value {
       return Texts(it.finding.detectors.begin(), it.finding.detectors.end());
     }},
    {.name = "agreement",
     .type = kCount,
     .unit = "votes",
     .help = "most votes on one window",
     .get = [](const Finding& it) -> Value { return std::uint64_t{it.finding.agreement}; }},
    {.name = "severity",
     .type = kReal,
     .unit = "s",
     .help = "how much work it cost, in seconds of usual work; by stalls, the seconds that tasks "
             "waited; 0 if nobody was harmed, nothing if that is not known",
     .get = [](const Finding& it) { return number(attribute::seconds_of(it.finding.severity)); }},
    {.name = "severity_word",
     .help = "minor (less than 1 s), moderate, major (10 s or more), or unknown",
     .get =
         [](const Finding& it) {
           return text(attribute::word_of(attribute::seconds_of(it.finding.severity)));
         }},
    {.name = "severity_basis",
     .help = "what severity was taken from: work (a job's work rate) or stall (the time that tasks "
             "waited); empty if nothing is known",
     .get =
         [](const Finding& it) { return text(attribute::to_string(it.finding.severity.basis)); }},
    {.name = "stalled_seconds",
     .type = kReal,
     .unit = "s",
     .help = "how long the sufferer's tasks waited beyond the usual, or the host's if no group "
             "suffered; nothing if no metric tells",
     .get = [](const Finding& it) -> Value {
       return it.finding.stall ? Value(it.finding.stall->seconds) : Value();
     }},
    {.name = "stalled_channel",
     .help = "the channel that says so",
     .get =
         [](const Finding& it) {
           const auto& stall = it.finding.stall;
           return text(stall ? it.report.channel_table->name(stall->channel) : std::string());
         }},
    {.name = "by_chance",
     .type = kReal,
     .unit = "findings",
     .help = "how many findings as strong as this one chance is expected to make in such a run; "
             "nothing if the calm windows say too little",
     .get = [](const Finding& it) { return number(it.finding.by_chance); }},
};

const model::MetricDescriptor& metric(const Evidence& it) {
  return it.report.channel_table->metric(it.evidence.key.channel);
}

Value moves_with(const Evidence& it) {
  const auto partner = it.report.moves_with[it.evidence.key.channel.index()];
  return it.report.channel_table->name(partner);
}

constexpr Field<Evidence> kEvidenceFields[] = {
    {.name = "place",
     .type = kCount,
     .help = "by contribution, from 1",
     .get = [](const Evidence& it) -> Value { return std::uint64_t{it.place}; },
     .written = Written::kInTables},
    {.name = "channel",
     .help = "metric and instance, such as storage_read_sectors_total{dev=sda}",
     .get = [](const Evidence& it) -> Value {
       return it.report.channel_table->name(it.evidence.key.channel);
     }},
    {.name = "metric",
     .help = "the channel's metric",
     .get = [](const Evidence& it) { return text(metric(it).name); },
     .written = Written::kInTables},
    {.name = "instance",
     .help = "the channel's instance; empty for the host",
     .get =
         [](const Evidence& it) {
           return text(it.report.channel_table->channel(it.evidence.key.channel).instance);
         },
     .written = Written::kInTables},
    {.name = "feature",
     .help = "named as tsfresh names it",
     .get =
         [](const Evidence& it) {
           return text(feature::descriptor(it.evidence.key.feature).name);
         }},
    {.name = "subsystem",
     .help = "of the metric",
     .get = [](const Evidence& it) { return text(model::to_string(metric(it).subsystem)); }},
    {.name = "alias",
     .help = "the kernel's or the paper's name for the metric",
     .get = [](const Evidence& it) { return text(metric(it).alias); }},
    {.name = "unit",
     .help = "of the three values that follow",
     .get = [](const Evidence& it) -> Value {
       return attribute::evidence_unit(*it.report.channel_table, it.evidence.key);
     }},
    {.name = "observed",
     .type = kReal,
     .unit = "unit",
     .help = "the feature's value; of a finding, in the window where it lies farthest from the "
             "median",
     .get = [](const Evidence& it) -> Value { return it.evidence.observed; }},
    {.name = "baseline_median",
     .type = kReal,
     .unit = "unit",
     .help = "median over the windows that are in no finding and no change, or over the saved "
             "baseline's",
     .get = [](const Evidence& it) -> Value { return it.evidence.baseline_median; }},
    {.name = "baseline_mad",
     .type = kReal,
     .unit = "unit",
     .help = "median absolute deviation there, unscaled",
     .get = [](const Evidence& it) -> Value { return it.evidence.baseline_mad; }},
    {.name = "contribution",
     .type = kReal,
     .help = "share of the score's rise above its usual level, 0 to 1",
     .get = [](const Evidence& it) -> Value { return it.evidence.contribution; }},
    {.name = "moves_with",
     .help = "the channel that stands for all that are correlated with this one; itself if it "
             "stands alone",
     .get = moves_with},
};

constexpr FindingList kLists[] = {
    {"findings", "Disturbances that stalled work, the gravest first; what began with the run last.",
     [](const Report& report) -> const std::vector<attribute::Finding>& {
       return report.findings;
     }},
    {"changes",
     "Flagged windows in which nothing was stalled: the workload's own behavior; in time order.",
     [](const Report& report) -> const std::vector<attribute::Finding>& { return report.changes; }},
    {"low_confidence",
     "Findings set apart because chance makes findings as strong more often than --false-alarms "
     "allows; in time order.",
     [](const Report& report) -> const std::vector<attribute::Finding>& {
       return report.low_confidence;
     }},
};

}  // namespace

std::span<const FindingList> finding_lists() {
  return kLists;
}

std::span<const Field<FindingAt>> finding_fields() {
  return kFindingFields;
}

std::span<const Column> finding_columns() {
  static const auto columns = columns_of(finding_fields());
  return columns;
}

std::span<const Field<EvidenceAt>> evidence_fields() {
  return kEvidenceFields;
}

std::span<const Column> evidence_columns() {
  static const auto columns = columns_of(evidence_fields());
  return columns;
}

}  // namespace reveal::report
