#include "cli/options.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/config.h"
#include "cli/option_set.h"
#include "detect/baseline_file.h"
#include "detect/threshold.h"
#include "pipeline/method.h"
#include "select/selection_file.h"
#include "text/byte_count.h"
#include "text/duration.h"
#include "text/nearest.h"

namespace reveal::cli {
namespace {

constexpr std::int64_t kShortestInterval_ns = 10'000'000;
constexpr std::int64_t kLongestInterval_ns = 60'000'000'000;
constexpr std::uint64_t kMostMinFree_mib = 1u << 30;  // a pebibyte

constexpr std::int64_t kShortestKept_ns = 1'000'000'000;
constexpr std::uint64_t kLeastKept_bytes = 256u << 10;

// Parses an option's duration; the error names the option.
base::Result<std::int64_t> duration_of(const char* option, const std::string& text) {
  return text::parse_duration(text).map_error([&](base::Error error) {
    error.where = std::string(option) + " " + error.where;
    return error;
  });
}

base::Result<std::int64_t> keep_of(const std::string& text) {
  if (text.empty()) return 0;
  const auto ns = duration_of("--keep", text);
  if (!ns || *ns >= kShortestKept_ns) return ns;
  return base::fail(base::ErrorKind::kUsage, "must be at least 1s", "--keep " + text);
}

base::Result<std::uint64_t> max_size_of(const std::string& text) {
  if (text.empty()) return 0;
  const auto bytes = text::parse_byte_count(text).map_error([](base::Error error) {
    error.where = "--max-size " + error.where;
    return error;
  });
  if (!bytes || *bytes >= kLeastKept_bytes) return bytes;
  return base::fail(base::ErrorKind::kUsage, "must be at least 256KiB", "--max-size " + text);
}

base::Result<std::optional<double>> threshold_of(const std::string& text) {
  if (text == "auto") return std::nullopt;
  if (text == "off") return detect::kThresholdOff;
  double value = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !(value >= 0) || value > 1e6) {
    return base::fail(base::ErrorKind::kUsage, "is neither a number from 0 nor auto nor off",
                      "--threshold " + text);
  }
  return value;
}

std::string method_help() {
  std::string out = "what the settings below are unless they are given";
  for (const auto& method : pipeline::methods()) {
    out += fmt::format("; {}: {}", method.name, method.help);
  }
  return out;
}

std::vector<std::string> detector_names() {
  std::vector<std::string> out;
  for (const auto& row : detect::registry()) out.emplace_back(row.name);
  return out;
}

// Names with commas between, appended to `out`.
base::Result<void> read_detectors(const std::string& text, std::vector<std::string>& out) {
  const auto known = detector_names();
  for (auto& name : split(text)) {
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      return base::fail(
          base::ErrorKind::kUsage,
          fmt::format("{} is not a detector{}", name, text::did_you_mean(name, known)), {},
          fmt::format("there are {}", fmt::join(known, ", ")));
    }
    out.push_back(std::move(name));
  }
  return {};
}

std::string detectors_help() {
  return fmt::format("detectors that vote, of {} (default: {})", fmt::join(detector_names(), ", "),
                     fmt::join(detect::kUsualDetectors, ", "));
}

std::vector<std::string> method_names() {
  std::vector<std::string> out;
  for (const auto& method : pipeline::methods()) out.emplace_back(method.name);
  return out;
}

}  // namespace

void HostOptions::declare(OptionSet& set) {
  set.value("--proc-root", proc_root, "read this directory instead of /proc");
  set.value("--sys-root", sys_root, "read this directory instead of /sys");
  set.value("--config", config,
            fmt::format("what is read how often (docs/how_to/configure.md); else {}, if it is "
                        "there",
                        kSystemConfig));
}

base::Result<collect::LanePlan> HostOptions::lanes() const {
  return load_config(config).map([](const Config& all) { return all.lanes; });
}

procfs::HostRoot HostOptions::root() const {
  return {proc_root, sys_root};
}

void RecordOptions::declare(OptionSet& set) {
  set.value("--interval", interval, "time between ticks, 10ms to 60s");
  set.value("--duration", duration, "stop after this time, e.g. 60s");
  set.number("--min-free", min_free_mib, 0, kMostMinFree_mib,
             "pause storing while the disk has less free space than this many MiB");
  set.value("--sync", sync,
            "flush what was stored to the disk this often, e.g. 1s, for hosts that lose power; "
            "else the kernel does when it likes");
  set.value("--keep", keep,
            "remove what is older, e.g. 24h, while recording (docs/how_to/retention.md)");
  set.value("--max-size", max_size,
            "remove the oldest so that the recording takes no more than this, e.g. 10GiB");
  set.flag("-q,--quiet", quiet, "no progress on stderr");
}

base::Result<std::int64_t> RecordOptions::interval_ns() const {
  const auto ns = duration_of("--interval", interval);
  if (ns && (*ns < kShortestInterval_ns || *ns > kLongestInterval_ns)) {
    return base::fail(base::ErrorKind::kUsage, "must be from 10ms to 60s",
                      "--interval " + interval);
  }
  return ns;
}

base::Result<std::optional<std::int64_t>> RecordOptions::duration_ns() const {
  if (duration.empty()) return std::nullopt;
  return duration_of("--duration", duration).map([](std::int64_t ns) {
    return std::optional<std::int64_t>(ns);
  });
}

base::Result<std::int64_t> RecordOptions::sync_ns() const {
  if (sync.empty()) return 0;
  return duration_of("--sync", sync);
}

base::Result<store::WriterOptions> RecordOptions::storage() const {
  store::WriterOptions out;
  out.min_free_bytes = min_free_mib << 20;
  const auto keep_ns = keep_of(keep);
  if (!keep_ns) return base::pass(keep_ns);
  const auto max_bytes = max_size_of(max_size);
  if (!max_bytes) return base::pass(max_bytes);
  const auto flush_ns = sync_ns();
  if (!flush_ns) return base::pass(flush_ns);
  out.sync_ns = *flush_ns;
  out.retention = {*keep_ns, *max_bytes};
  return out;
}

base::Result<void> RecordOptions::check() const {
  if (const auto ticks = interval_ns(); !ticks) return base::pass(ticks);
  if (const auto end = duration_ns(); !end) return base::pass(end);
  if (const auto stored = storage(); !stored) return base::pass(stored);
  return {};
}

void AnalysisOptions::declare(OptionSet& set, const HostOptions* host) {
  set.value("--method", method, method_help()).choices(method_names());
  set.value("--window", window, "length of a window: a time, or a number of ticks").shows("3s");
  set.value("--stride", stride, "from one window to the next: a time, or a number of ticks")
      .shows("1s");
  features.declare(set, host == nullptr ? nullptr : &host->config);
  set.value("--baseline", baseline,
            "what a window is compared with: rest (of the run, without the window and its "
            "neighbourhood), run (all of it), past (what was before it, as live), or a file of "
            "reveal baseline save");
  set.number("--contamination", contamination, 1e-6, 0.5,
             "with --threshold off: expected fraction of anomalous windows (0.01)");
  set.value("--threshold", threshold,
            "a window's score must lie this many robust standard deviations above the median "
            "of the run's; auto "
            "is what suits the run's length, 4 for two minutes; off flags by rank alone");
  set.parsed(
      "--detectors", [this](const std::string& text) { return read_detectors(text, detectors); },
      detectors_help());
  set.number("--agreement", agreement, 1, static_cast<int>(detect::registry().size()),
             "votes of detectors that a finding's windows need (2)");
  set.number("--false-alarms", false_alarms, 0, std::numeric_limits<double>::max(),
             "list apart, as of low confidence, what chance is expected to make more often than "
             "so many times a day (unless given: nothing)");
  set.number("--warm-up", warm_up, 0, std::numeric_limits<std::uint32_t>::max(),
             "windows at the start of the run that raise no alarm");
  set.number("--seed", seed, 0, std::numeric_limits<std::uint64_t>::max(),
             "seed of everything random");
  set.value("--select", select,
            "channels to analyse: all that vary, prune (without redundant ones), or a "
            "selection.json of an earlier analysis");
  set.number("--correlation", correlation, 0, 1, "|r| above which channels are redundant");
}

// What they suit is for the recording's interval to say.
base::Result<void> AnalysisOptions::apply_windows(pipeline::PipelineConfig& config) const {
  for (const auto& [flag, text, length] :
       {std::tuple{"--window", &window, &config.windows.length},
        std::tuple{"--stride", &stride, &config.windows.stride}}) {
    if (!*text) continue;
    const auto parsed = window::parse_length(**text);
    if (!parsed) {
      auto error = parsed.error();
      error.where = fmt::format("{} {}", flag, error.where);
      return base::Unexpected(std::move(error));
    }
    *length = *parsed;
  }
  return {};
}

base::Result<void> AnalysisOptions::apply_features(pipeline::PipelineConfig& config) const {
  // A configuration file speaks of what is usual, not of a method that was asked for by name.
  if (method != pipeline::methods().front().name && !features.typed()) return {};
  auto choice = features.choice();
  if (!choice) return base::pass(choice);
  config.features = std::move(*choice);
  return {};
}

base::Result<void> AnalysisOptions::apply_baseline(pipeline::PipelineConfig& config) const {
  if (!baseline) return {};
  for (const auto known :
       {detect::Baseline::kRun, detect::Baseline::kRest, detect::Baseline::kPast}) {
    if (*baseline != pipeline::to_string(known)) continue;
    config.baseline = known;
    return {};
  }
  return apply_saved(*baseline, config);
}

// Windows, features and channels are the baseline's: scores of others would mean nothing beside it.
base::Result<void> AnalysisOptions::apply_saved(const std::string& path,
                                                pipeline::PipelineConfig& config) const {
  const char* given = window || stride     ? "--window or --stride"
                      : features.typed()   ? "--features"
                      : select             ? "--select"
                      : !detectors.empty() ? "--detectors"
                                           : nullptr;
  if (given != nullptr) {
    return base::fail(base::ErrorKind::kUsage, fmt::format("comes with the baseline {}", path),
                      given, "leave it out");
  }
  auto saved = detect::load_baseline(path);
  if (!saved) return base::pass(saved);
  auto choice = feature::exact_features(saved->dynamic_features, saved->event_features);
  if (!choice) {
    choice.error().where = fmt::format("--baseline {}: {}", path, choice.error().where);
    return base::pass(choice);
  }
  config.features = std::move(*choice);
  config.baseline = detect::Baseline::kSaved;
  config.saved = std::make_shared<detect::FittedBaseline>(std::move(*saved));
  return {};
}

base::Result<void> AnalysisOptions::apply_selection(pipeline::PipelineConfig& config) const {
  if (!select) return {};
  if (*select == "all" || *select == "prune") {
    config.selection =
        *select == "all" ? pipeline::SelectionMode::kAll : pipeline::SelectionMode::kPrune;
    return {};
  }
  auto plan = select::load(*select);
  if (!plan) return base::pass(plan);
  config.selection = pipeline::SelectionMode::kPlan;
  config.plan = std::move(*plan);
  return {};
}

int AnalysisOptions::votes_in(const pipeline::PipelineConfig& config) {
  int out = 0;
  if (config.saved) {
    for (const auto& one : config.saved->detectors) out += detect::votes_of(one.detector->name());
  } else {
    for (const auto& name : config.detectors) out += detect::votes_of(name);
  }
  return out;
}

// Those that are asked for vote, in the registry's order, whatever the method names.
base::Result<void> AnalysisOptions::apply_detectors(pipeline::PipelineConfig& config) const {
  if (!detectors.empty()) {
    config.detectors.clear();
    for (const auto& row : detect::chosen({.names = detectors})) {
      config.detectors.emplace_back(row.name);
    }
  }
  const int votes = votes_in(config);
  const int asked = agreement.value_or(config.min_agreement);
  if (asked <= votes) return {};
  return base::fail(base::ErrorKind::kUsage,
                    fmt::format("asks for more votes than the {} that the detectors have", votes),
                    fmt::format("--agreement {}", asked),
                    "ask for fewer, or name more --detectors");
}

void AnalysisOptions::apply_limits(pipeline::PipelineConfig& config) const {
  config.contamination = contamination.value_or(config.contamination);
  config.min_agreement = agreement.value_or(config.min_agreement);
  config.false_alarms_per_day = false_alarms;
  config.warm_up = warm_up.value_or(config.warm_up);
  config.seed = seed;
  config.correlation = correlation;
}

base::Result<pipeline::PipelineConfig> AnalysisOptions::config() const {
  auto out = pipeline::find_method(method)->config();
  if (auto done = apply_windows(out); !done) return base::pass(done);
  if (threshold) {
    const auto value = threshold_of(*threshold);
    if (!value) return base::pass(value);
    out.threshold = *value;
  }
  if (auto done = apply_features(out); !done) return base::pass(done);
  if (auto done = apply_baseline(out); !done) return base::pass(done);
  if (auto done = apply_selection(out); !done) return base::pass(done);
  if (auto done = apply_detectors(out); !done) return base::pass(done);
  apply_limits(out);
  return out;
}

}  // namespace reveal::cli
