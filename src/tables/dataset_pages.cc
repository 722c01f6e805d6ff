#include "tables/dataset_pages.h"

#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "detect/detector.h"

namespace reveal::tables {
namespace {

using Json = nlohmann::ordered_json;

struct Column {
  std::string_view name;
  std::string_view type;
  std::string_view unit;
  std::string_view meaning;
};

constexpr Column kSampleColumns[] = {
    {"time_ns", "int64", "ns", "moment of the tick, since 1970 (UTC)"},
    {"mono_ns", "int64", "ns", "the same on the clock that never steps"},
    {"sequence", "uint64", "", "number of the tick; a jump is a gap"},
    {"cost_ns", "uint64", "ns", "CPU time that reading took"},
    {"gap", "uint8", "", "why ticks before are missing: sum of 1 late, 2 not stored, 4 damaged"},
    {"validity", "text", "",
     "channels that are not fresh: runs of numbers from 0, s stale, r reset"},
    {"read_ns", "text", "ns", "when each source was read, relative to mono_ns"},
    {"METRIC{INSTANCE}", "uint64 or double", "see samples.csv.gz.meta.json",
     "a column for each channel, empty where there is no sample; value * scale is in unit"},
};

constexpr Column kWindowColumns[] = {
    {"window", "uint64", "", "number of the window in the run"},
    {"begin_ns", "int64", "ns", "moment of its first tick, since 1970 (UTC)"},
    {"end_ns", "int64", "ns", "its end"},
    {"first_tick", "uint64", "", "sequence of its first tick"},
    {"missing_ticks", "uint64", "", "ticks of it without samples"},
    {"flagged_by", "uint64", "", "how many detectors flag it"},
    {"finding", "uint64", "", "number of the finding it is in, from 1; empty: none"},
    {"subsystem", "text", "", "that finding's: cpu, gpu, memory, network, storage or unknown"},
};

// Of these, those of a recording of which nobody knows the like are absent.
constexpr Column kKnownColumns[] = {
    {"truth", "text", "",
     "kinds of what was really done to the host in the window's time, with ; between them; empty: "
     "nothing; absent without --truth"},
    {"truth_share", "double", "ratio",
     "share of the window's time that lies in an interval of truth.csv.gz; absent likewise"},
    {"work", "double", "", "done by the steps that ended in the window; absent without --steps"},
    {"step_seconds", "double", "s",
     "the median length of these steps; empty: none whose length is known; absent likewise"},
};

constexpr Column kFeatureColumns[] = {
    {"CHANNEL__FEATURE", "double", "",
     "a column for each feature of each channel that the detectors may see; empty: undefined"},
};

constexpr Column kTruthColumns[] = {
    {"kind", "text", "", "what was done"},
    {"begin_ns", "int64", "ns", "from when, since 1970 (UTC)"},
    {"end_ns", "int64", "ns", "until when"},
    {"strength", "double", "", "how strongly, in a unit that the kind has; empty: not said"},
};

constexpr Column kStepColumns[] = {
    {"end_ns", "int64", "ns", "the end of the step, since 1970 (UTC)"},
    {"seconds", "double", "s", "how long it took; empty: not said"},
    {"work", "double", "", "what it did, in units of the job; 1 if that was not said"},
};

Json columns_json(std::span<const Column> columns) {
  Json out = Json::array();
  for (const auto& column : columns) {
    out.push_back({{"name", column.name},
                   {"type", column.type},
                   {"unit", column.unit},
                   {"meaning", column.meaning}});
  }
  return out;
}

void append(std::span<const Column> columns, Json& out) {
  for (auto& column : columns_json(columns)) out.push_back(std::move(column));
}

std::string text_of(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json host_json(const DatasetEntry& entry) {
  return {{"folder", entry.folder},
          {"host", entry.facts.host},
          {"kernel", entry.facts.kernel},
          {"machine", entry.facts.machine},
          {"cpus_online", entry.facts.cpus_online},
          {"command", entry.facts.command},
          {"recorded_by", "reveal " + entry.facts.reveal_version},
          {"interval_ns", entry.facts.interval_ns},
          {"begin_ns", entry.begin_ns},
          {"end_ns", entry.end_ns},
          {"labels", entry.labels},
          {"settings", report::configuration_json(entry.configuration)},
          {"frames", entry.frames},
          {"raw_channels", entry.raw_channels},
          {"filtered_channels", entry.filtered_channels},
          {"windows", entry.windows},
          {"findings", entry.findings}};
}

}  // namespace

std::string dataset_metadata(std::span<const DatasetEntry> entries) {
  Json hosts = Json::array();
  for (const auto& entry : entries) hosts.push_back(host_json(entry));
  return text_of({{"schema", "reveal.dataset"}, {"version", 2}, {"hosts", hosts}});
}

std::string dataset_samples_schema() {
  return text_of({{"file", "samples.csv.gz"}, {"columns", columns_json(kSampleColumns)}});
}

std::string dataset_windows_schema(const pipeline::PipelineConfig& config) {
  Json columns = columns_json(kWindowColumns);
  for (const auto& detector : detect::chosen({.names = config.detectors})) {
    std::string meaning = std::string(detector.label) + "'s score; higher is more anomalous";
    if (detector.make({})->sees_saturation()) {
      meaning += "; absent where a host has no metric that says what stalls work";
    }
    columns.push_back({{"name", "score_" + std::string(detector.name)},
                       {"type", "double"},
                       {"unit", ""},
                       {"meaning", std::move(meaning)}});
  }
  append(kKnownColumns, columns);
  append(kFeatureColumns, columns);
  return text_of({{"file", "annotated.csv.gz"}, {"columns", columns}});
}

std::string dataset_truth_schema() {
  return text_of({{"file", "truth.csv.gz"}, {"columns", columns_json(kTruthColumns)}});
}

std::string dataset_steps_schema() {
  return text_of({{"file", "steps.csv.gz"}, {"columns", columns_json(kStepColumns)}});
}

std::string dataset_readme() {
  return R"(Hardware telemetry of hosts, recorded and analyzed by Reveal.

metadata.json                   the recordings: host, labels, and the settings of the analysis
schema/                         what the columns of the CSV files mean
HOST/raw/samples.csv.gz         every sample as the kernel gave it, a row a tick
HOST/filtered/samples.csv.gz    rates, values and derived metrics in base units, of the channels
                                that remain when redundant and constant ones are pruned
HOST/windows/annotated.csv.gz   a row a window: its scores, the finding it is in, what is known of it,
                                and its features
HOST/truth.csv.gz               what was really done to the host, and when, if somebody said
HOST/steps.csv.gz               how long the steps of its job took, if somebody said
HOST/selection.json             the channels that were kept, and those that move with them
HOST/report.json                the findings with their evidence

Beside each samples.csv.gz, samples.csv.gz.meta.json says of every channel its metric, unit, kind,
scale and source. "reveal import HOST/raw/samples.csv.gz -o DIR" makes the recording again, bit for
bit; "reveal analyze DIR" analyzes it.

HOST is the folder of a recording, as metadata.json has it. Findings and scores are what detectors
say. Only truth.csv.gz and the columns "truth" and "truth_share" are what somebody knows.
)";
}

}  // namespace reveal::tables
