// The result of a run, as plain values from which every output is rendered: report.json for
// machines, text for people. docs/report.md documents the JSON.
//
// Everything but `cost` is a function of the recorded frames and the configuration, so the replay
// of a recording gives the same report as the live run, byte for byte outside of the cost section.
//
// A report outlives the pipeline that made it: its texts are its own or literals of the registries
// of detectors, features and patterns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "attribute/finding.h"
#include "feature/feature_matrix.h"
#include "model/channel_table.h"
#include "model/frame.h"
#include "settings/settings.h"
#include "window/window_view.h"
#include "work/job_rate.h"

namespace reveal::report {

inline constexpr int kSchemaVersion = 4;
inline constexpr std::size_t kMaxNotes = 2000;

// Ticks without a frame, by the reason that the recording gives.
struct MissedTicks {
  std::uint64_t late = 0;
  std::uint64_t storage = 0;
  std::uint64_t damage = 0;
  std::uint64_t total() const { return late + storage + damage; }
};

// The inputs of the analysis besides the frames. The settings are resolved: `windows` is in ns,
// `feature_names` are the features of varying channels, `compared_with` is "rest", "run", "past" or
// "saved", and `channels` is "all", "prune" or "plan".
struct Configuration : settings::AnalysisSettings {
  window::WindowSpec window;
};

// How many channels reached each stage.
struct ChannelCounts {
  std::size_t recorded = 0;   // raw channels in the recording
  std::size_t derived = 0;    // after rates and ratios
  std::size_t constant = 0;   // of these, the ones that never moved
  std::size_t redundant = 0;  // of these, the ones that move with another (|r| above the threshold)
  std::size_t analyzed = 0;   // that gave the detectors at least one live column
};

// The saved baseline that the windows were compared with.
struct SavedBaseline {
  std::string host;
  std::string command;
  std::int64_t begin_ns = 0;
  std::int64_t end_ns = 0;
  std::uint64_t runs = 1;
  std::uint64_t windows = 0;
  std::vector<std::string> absent;      // channels that it knows and the run lacks
  std::size_t unknown_channels = 0;     // that the run has and it does not know
  std::uint64_t accepted_findings = 0;  // that its runs have, but that were said to be usual
  double made_of_this = 0;              // share of this run that it was made of, 0 to 1
};

struct DetectorSummary {
  std::string name;
  std::string label;
  int votes = 1;
  double contamination_limit = 0;  // the percentile of the scores that are compared with
  double alarm_limit = 0;          // docs/scores.md; NaN if it is off
  std::vector<double> scores;      // by analyzed window
  std::vector<double> limits;      // likewise: the score had to pass it; the alarm limit unless off
  std::vector<double> quantiles;   // likewise: share of the baseline's that score no higher
  std::vector<bool> flagged;       // by analyzed window
};

struct StaticFact {
  std::string channel;
  std::string unit;
  double value = 0;
};

enum class WhyNotJudged : std::uint8_t {
  kJobs,  // one started, ended or became another, and what waited may be its own
  kGap,   // too little was recorded for a window
};

// A stretch of which nobody can say whether work was stalled.
struct NotJudged {
  std::int64_t begin_ns = 0;
  std::int64_t end_ns = 0;
  WhyNotJudged why = WhyNotJudged::kJobs;
};

// A note of a frame (model::Note), with its time.
struct TimedNote {
  std::int64_t wall_ns = 0;
  model::Note note;
};

// The cost of the run on the host. Only this section differs between a live run and its replay.
struct Cost {
  double cpu_seconds = 0;
  double wall_seconds = 0;
  std::uint64_t max_rss_bytes = 0;
  std::uint64_t bytes_written = 0;
};

struct Report {
  model::RunFacts facts;
  Configuration configuration;
  std::int64_t begin_ns = 0;   // wall time of the first frame
  std::int64_t end_ns = 0;     // and of the last
  std::int64_t length_ns = 0;  // between them, by no clock that is set
  std::uint64_t frames = 0;
  MissedTicks missed;
  std::vector<window::WindowSpan> windows;  // analyzed
  std::size_t windows_skipped = 0;          // too many ticks missing
  std::size_t parts = 1;                    // in which it was judged, each by itself
  ChannelCounts channels;
  std::size_t live_columns = 0;  // metric-feature pairs that the detectors saw
  std::optional<SavedBaseline> saved_baseline;
  std::vector<DetectorSummary> detectors;
  std::vector<attribute::Finding> findings;  // the gravest first (attribute/severity.h)
  bool is_numbered = true;  // whether people see the findings as a list, and know their numbers
  // Flagged windows in which nothing was stalled: a workload that started, stopped, paused, or does
  // something else.
  std::vector<attribute::Finding> changes;
  // Findings set apart because chance makes findings as strong more often than was asked for.
  std::vector<attribute::Finding> low_confidence;
  // Findings that chance is expected to make in such a run; nothing if its calm windows say too
  // little.
  std::optional<double> by_chance;
  // Where a job started, ended or became another: saturation counts only if it is far above what is
  // usual before and after.
  std::vector<NotJudged> not_judged;
  // How much the host's jobs got done; the first says why if that is not known.
  std::vector<work::JobRate> jobs;
  std::vector<StaticFact> static_facts;
  std::vector<TimedNote> notes;  // the first kMaxNotes
  std::size_t notes_left_out = 0;
  Cost cost;

  // The names behind the ids in `findings`. They belong to the report, so it can be kept for any
  // time. Copies of a report share them.
  std::shared_ptr<const model::ChannelTable> channel_table;
  // By analyzed window and ChannelId: the channel's share in the blame for the window; NaN if no
  // detector saw the channel. Empty unless asked for.
  std::vector<std::vector<double>> channel_shares;
  // By derived ChannelId: the channel that it moves with (itself if none).
  std::vector<model::ChannelId> moves_with;
};

// Returns whether a stretch shares time with one in which a job started or ended.
inline bool is_where_jobs_change(const Report& report, std::int64_t begin_ns, std::int64_t end_ns) {
  for (const auto& one : report.not_judged) {
    const bool shares = begin_ns < one.end_ns && end_ns > one.begin_ns;
    if (shares && one.why == WhyNotJudged::kJobs) return true;
  }
  return false;
}

// Returns how many days the run took.
inline double days(const Report& report) {
  return static_cast<double>(report.length_ns) / 86'400e9;
}

// Returns how many votes the detectors have together.
inline int all_votes(const Report& report) {
  int out = 0;
  for (const auto& detector : report.detectors) out += detector.votes;
  return out;
}

// Returns the votes of the detectors that flag the analyzed window.
inline int agreement(const Report& report, std::size_t row) {
  int out = 0;
  for (const auto& detector : report.detectors) out += detector.flagged[row] ? detector.votes : 0;
  return out;
}

}  // namespace reveal::report
