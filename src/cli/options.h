// Options that several subcommands share, as typed, and their checked values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"
#include "cli/feature_list.h"
#include "collect/lanes.h"
#include "pipeline/pipeline.h"
#include "procfs/host_root.h"
#include "store/segment_writer.h"

namespace reveal::cli {

class OptionSet;

// --proc-root, --sys-root, --config
struct HostOptions {
  std::string proc_root = "/proc";
  std::string sys_root = "/sys";
  std::string config;

  void declare(OptionSet& set);
  procfs::HostRoot root() const;
  // What is read how often, from the configuration file.
  base::Result<collect::LanePlan> lanes() const;
};

// --interval, --duration, --min-free, --sync, --keep, --max-size, --quiet
struct RecordOptions {
  std::string interval = "100ms";
  std::string duration;
  std::uint64_t min_free_mib = 64;
  std::string sync;
  std::string select;  // of `reveal record` alone
  std::string keep;
  std::string max_size;
  bool quiet = false;

  void declare(OptionSet& set);
  base::Result<std::int64_t> interval_ns() const;
  base::Result<std::optional<std::int64_t>> duration_ns() const;
  // Returns how often to flush to the disk; 0: at the end.
  base::Result<std::int64_t> sync_ns() const;
  // Fails if one of them makes no sense.
  base::Result<void> check() const;
  // How the recording is stored.
  base::Result<store::WriterOptions> storage() const;
};

// --method, --window, --stride, --features, --baseline, --contamination, --threshold, --detectors,
// --agreement, --false-alarms, --warm-up, --seed, --select, --correlation. What is not given is as
// the method has it.
struct AnalysisOptions {
  std::string method = "default";
  std::optional<std::string> window;
  std::optional<std::string> stride;
  FeatureList features;
  std::optional<std::string> baseline;
  std::optional<double> contamination;
  std::optional<std::string> threshold;
  std::vector<std::string> detectors;
  std::optional<int> agreement;
  std::optional<double> false_alarms;  // a day
  std::optional<std::uint32_t> warm_up;
  std::uint64_t seed = 1;
  std::optional<std::string> select;
  double correlation = 0.5;

  // `host`: the options of the same subcommand that have --config already.
  void declare(OptionSet& set, const HostOptions* host = nullptr);
  // Loads the selection plan where --select names a file.
  base::Result<pipeline::PipelineConfig> config() const;

 private:
  base::Result<void> apply_features(pipeline::PipelineConfig& config) const;
  base::Result<void> apply_baseline(pipeline::PipelineConfig& config) const;
  base::Result<void> apply_saved(const std::string& path, pipeline::PipelineConfig& config) const;
  base::Result<void> apply_selection(pipeline::PipelineConfig& config) const;
  static int votes_in(const pipeline::PipelineConfig& config);
  base::Result<void> apply_detectors(pipeline::PipelineConfig& config) const;
  void apply_limits(pipeline::PipelineConfig& config) const;
  base::Result<void> apply_windows(pipeline::PipelineConfig& config) const;
};

}  // namespace reveal::cli
