// A report.json, read back: the one reader of the files that report/json.h writes. It holds the
// parts of an earlier analysis that commands need; docs/report.md describes the rest of the file.
//
// Nothing in the file is trusted: its size and its depth are bounded, and a report that lacks
// anything named below, or has it as another type, is refused as a whole. A broken report must
// never be taken for one without findings. Times are wall time in ns since the epoch, far enough
// from the ends of 64 bits for margins.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "attribute/patterns.h"
#include "base/result.h"
#include "model/metric.h"

namespace reveal::report {

struct SavedEvidence {
  std::string channel;
  std::string feature;
  std::string unit;
  std::optional<double> observed;
  std::optional<double> baseline_median;
};

struct SavedFinding {
  std::string claim;
  std::string claim_channel;  // empty if no single metric stands out
  model::Subsystem subsystem = model::Subsystem::kCpu;
  attribute::SubsystemShares subsystem_shares{};
  std::int64_t begin_ns = 0;
  std::int64_t end_ns = 0;  // never before the begin
  std::uint64_t first_window = 0;
  std::uint64_t last_window = 0;
  std::vector<std::string> detectors;
  std::uint64_t agreement = 0;
  std::optional<double> severity;  // in seconds (attribute/severity.h)
  std::string remedy;              // of the likeliest pattern; empty if it looks like none
  // Who did it, who suffered, and what it cost, as far as that is known.
  std::vector<std::string> harm;
  std::vector<SavedEvidence> evidence;
};

struct SavedWindow {
  std::uint64_t id = 0;
  std::int64_t begin_ns = 0;
};

struct SavedDetector {
  std::string name;
  std::string label;
  std::optional<double> contamination_limit;
  std::vector<std::optional<double>> scores;  // one for each of the report's windows
  std::vector<std::size_t> flagged;           // places in the report's windows
};

struct SavedReport {
  std::string host;
  std::int64_t begin_ns = 0;  // of the first frame
  std::int64_t interval_ns = 0;
  std::int64_t window_ns = 0;
  std::vector<SavedFinding> findings;
  std::vector<SavedDetector> detectors;
  std::vector<SavedWindow> windows;
};

// Reads the text of a report.json. `where` names it in errors. Fails with kCorrupt, saying what is
// wrong and in which member, if the text is not such a report or has another schema version.
base::Result<SavedReport> parse_report(std::string_view text, const std::string& where);

// Reads the file. Fails with kAbsent if there is none, and as base::read_whole_file() and
// parse_report() do.
base::Result<SavedReport> load_report(const std::filesystem::path& path);

}  // namespace reveal::report
