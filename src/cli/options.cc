#include "cli/options.h"

#include <charconv>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "cli/byte_count.h"
#include "cli/config.h"
#include "cli/duration.h"
#include "cli/feature_list.h"
#include "detect/threshold.h"
#include "select/selection_file.h"

namespace reveal::cli {
namespace {

constexpr std::int64_t kShortestInterval_ns = 10'000'000;
constexpr std::int64_t kLongestInterval_ns = 60'000'000'000;
constexpr std::int64_t kFittedWindowTicks = 10;
constexpr std::int64_t kFittedStrideTicks = 5;
constexpr std::uint64_t kMostMinFree_mib = 1u << 30;  // a pebibyte

constexpr std::int64_t kShortestKept_ns = 1'000'000'000;
constexpr std::uint64_t kLeastKept_bytes = 256u << 10;

// Parses an option's duration; the error names the option.
base::Result<std::int64_t> duration_of(const char* option, const std::string& text) {
  return parse_duration(text).map_error([&](base::Error error) {
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
  const auto bytes = parse_byte_count(text).map_error([](base::Error error) {
    error.where = "--max-size " + error.where;
    return error;
  });
  if (!bytes || *bytes >= kLeastKept_bytes) return bytes;
  return base::fail(base::ErrorKind::kUsage, "must be at least 256KiB", "--max-size " + text);
}

base::Result<std::optional<double>> fence_of(const std::string& text) {
  if (text == "auto") return std::nullopt;
  if (text == "off") return detect::kFenceOff;
  double value = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !(value >= 0) || value > 1e6) {
    return base::fail(base::ErrorKind::kUsage, "is neither a number from 0 nor auto nor off",
                      "--fence " + text);
  }
  return value;
}

}  // namespace

void HostOptions::declare(CLI::App& app) {
  app.add_option("--proc-root", proc_root, "read this directory instead of /proc")
      ->capture_default_str();
  app.add_option("--sys-root", sys_root, "read this directory instead of /sys")
      ->capture_default_str();
  app.add_option("--config", config,
                 fmt::format("what is read how often (docs/how_to/configure.md); else {}, if it is "
                             "there",
                             kSystemConfig));
}

base::Result<collect::LanePlan> HostOptions::lanes() const {
  return load_config(config);
}

procfs::HostRoot HostOptions::root() const {
  return {proc_root, sys_root};
}

void RecordOptions::declare(CLI::App& app) {
  app.add_option("--interval", interval, "time between ticks, 10ms to 60s")->capture_default_str();
  app.add_option("--duration", duration, "stop after this time, e.g. 60s");
  app.add_option("--min-free", min_free_mib,
                 "pause storing while the disk has less free space than this many MiB")
      ->check(CLI::Range(std::uint64_t{0}, kMostMinFree_mib))
      ->capture_default_str();
  app.add_option(
      "--sync", sync,
      "flush what was stored to the disk this often, e.g. 1s, for hosts that lose power; "
      "else the kernel does when it likes");
  app.add_option("--keep", keep,
                 "remove what is older, e.g. 24h, while recording (docs/how_to/retention.md)");
  app.add_option("--max-size", max_size,
                 "remove the oldest so that the recording takes no more than this, e.g. 10GiB");
  app.add_flag("-q,--quiet", quiet, "no progress on stderr");
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
  if (!keep_ns) return tl::make_unexpected(keep_ns.error());
  const auto max_bytes = max_size_of(max_size);
  if (!max_bytes) return tl::make_unexpected(max_bytes.error());
  const auto flush_ns = sync_ns();
  if (!flush_ns) return tl::make_unexpected(flush_ns.error());
  out.sync_ns = *flush_ns;
  out.retention = {*keep_ns, *max_bytes};
  return out;
}

void AnalysisOptions::declare(CLI::App& app) {
  const auto chosen = [this](const std::string&) { windows_chosen_ = true; };
  app.add_option("--window", window, "length of a window")->capture_default_str()->each(chosen);
  app.add_option("--stride", stride, "time from one window to the next")
      ->capture_default_str()
      ->each(chosen);
  declare_feature_list(app, features);
  app.add_option("--baseline", baseline,
                 "what a window is compared with: rest (of the run, without the window and its "
                 "neighbourhood) or run (all of it, as in the paper)")
      ->check(CLI::IsMember({"rest", "run"}))
      ->capture_default_str();
  app.add_option("--contamination", contamination,
                 "expected fraction of anomalous windows: a window must rank above it")
      ->check(CLI::Range(1e-6, 0.5))
      ->capture_default_str();
  app.add_option("--fence", fence,
                 "a window's score must also lie this many interquartile ranges above the upper "
                 "quartile of the run's; auto is 3, less for short runs; off flags by rank alone, "
                 "as the paper does")
      ->capture_default_str();
  app.add_option("--agreement", agreement, "detectors that must agree on a window")
      ->check(CLI::Range(1, static_cast<int>(detect::registry().size())))
      ->capture_default_str();
  app.add_option("--warm-up", warm_up, "windows at the start of the run that raise no alarm")
      ->capture_default_str();
  app.add_option("--seed", seed, "seed of everything random")->capture_default_str();
  app.add_option("--select", select,
                 "channels to analyse: all that vary, prune (without redundant ones, as in the "
                 "paper), or a selection.json of an earlier analysis")
      ->capture_default_str();
  app.add_option("--correlation", correlation, "|r| above which channels are redundant")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
}

void AnalysisOptions::fit(std::int64_t interval_ns, pipeline::PipelineConfig& config) const {
  const window::WindowSpec usual{interval_ns, config.window_ns, config.stride_ns};
  if (windows_chosen_ || usual.check()) return;
  config.window_ns = kFittedWindowTicks * interval_ns;
  config.stride_ns = kFittedStrideTicks * interval_ns;
}

base::Result<pipeline::PipelineConfig> AnalysisOptions::config() const {
  pipeline::PipelineConfig out;
  const auto window_ns = duration_of("--window", window);
  if (!window_ns) return tl::make_unexpected(window_ns.error());
  const auto stride_ns = duration_of("--stride", stride);
  if (!stride_ns) return tl::make_unexpected(stride_ns.error());
  const auto fence_value = fence_of(fence);
  if (!fence_value) return tl::make_unexpected(fence_value.error());
  auto choice = feature_choice(features);
  if (!choice) return tl::make_unexpected(choice.error());
  out.features = std::move(*choice);
  out.window_ns = *window_ns;
  out.stride_ns = *stride_ns;
  out.baseline = baseline == "run" ? detect::Baseline::kRun : detect::Baseline::kRest;
  out.contamination = contamination;
  out.fence = *fence_value;
  out.min_agreement = agreement;
  out.warm_up = warm_up;
  out.seed = seed;
  out.correlation = correlation;
  if (select == "prune") {
    out.selection = pipeline::SelectionMode::kPrune;
  } else if (select != "all") {
    auto plan = select::load(select);
    if (!plan) return tl::make_unexpected(plan.error());
    out.selection = pipeline::SelectionMode::kPlan;
    out.plan = std::move(*plan);
  }
  return out;
}

}  // namespace reveal::cli
