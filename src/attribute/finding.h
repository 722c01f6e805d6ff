// The result of attribution: flagged windows merged into findings, each with the subsystem at fault
// and the evidence for it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "attribute/consumers.h"
#include "attribute/patterns.h"
#include "attribute/severity.h"
#include "feature/feature_matrix.h"
#include "model/metric.h"
#include "model/process_timeline.h"
#include "window/window_view.h"
#include "work/job_rate.h"

namespace reveal::attribute {

// One metric-feature pair's part in an alarm.
struct Evidence {
  feature::FeatureKey key;
  double observed = 0;         // in the feature's unit
  double baseline_median = 0;  // over the windows of the run that are in no finding or change
  double baseline_mad = 0;     // median absolute deviation there, unscaled
  double contribution = 0;     // 0-1, the pair's share of what lifted the score
  window::WindowId seen_in{};  // the window that `observed` is of
};

// One detector's score of one window, and the evidence for it.
struct DetectorEvidence {
  std::string_view detector;
  double score = 0;
  std::vector<Evidence> evidence;  // largest contribution first
};

struct FlaggedWindow {
  window::WindowSpan span;
  std::vector<DetectorEvidence> detectors;  // those that flagged it
};

// What a job's work rate did while a finding lasted (docs/work_rate.md).
struct Harm {
  std::string job;  // the instance of its control group; empty for the host's job
  // If the job was slow, the stretch in which it was; else the finding's.
  std::int64_t begin_ns = 0;
  std::int64_t end_ns = 0;
  bool slow = false;
  work::Loss loss;
};

// How long work was stalled while a finding lasted (stall_time.h).
struct Stall {
  model::ChannelId channel;  // that says so
  std::string group;   // the instance of the control group that waited; empty: the host's tasks
  double seconds = 0;  // beyond what is usual
};

// Where a finding begins or ends, if samples tell (edges.h).
struct Edge {
  std::int64_t at_ns = 0;     // wall clock
  std::int64_t error_ns = 0;  // standard deviation; at least the time between samples
  friend bool operator==(const Edge&, const Edge&) = default;
};

// When a subsystem's channels began to tell of a finding (edges.h).
struct Onset {
  model::Subsystem subsystem = model::Subsystem::kCpu;
  Edge edge;
};

// A channel of another subsystem that moved as the finding's own did (companions.h).
struct Companion {
  model::ChannelId leader;  // the finding's
  model::ChannelId channel;
  double correlation = 0;        // below 0: one fell as the other rose
  std::int64_t lag_ns = 0;       // above 0: it followed
  double observed = 0;           // its mean in the finding, in the metric's unit
  double usual = 0;              // the median of its means elsewhere in the run
  double usual_correlation = 0;  // the magnitude of the correlation there
};

// Neighboring flagged windows and what they share.
struct Finding {
  std::vector<FlaggedWindow> windows;       // in time order, never empty
  std::vector<std::string_view> detectors;  // all that flagged any of the windows
  std::size_t agreement = 0;                // most votes on one window
  // Whether it already goes on in the first window that may raise an alarm, in a run that is
  // compared with itself. The start of a workload is unusual, but seldom a fault.
  bool at_start = false;
  // How many findings as strong as this one chance is expected to make in such a run (chance.h);
  // nothing if the calm windows say too little.
  std::optional<double> by_chance;
  SubsystemShares subsystems{};
  // Over all windows and detectors: the claim's own first, then the largest contribution.
  std::vector<Evidence> evidence;
  std::string claim;                   // a sentence
  std::optional<Evidence> telling;     // the evidence that the claim is about, if any
  std::vector<PatternMatch> patterns;  // that it looks like, the likeliest first
  std::optional<GroupLevel> culprit;   // the control group that uses more than usual
  std::optional<GroupLevel> sufferer;  // and the one that waits
  // The process that uses more than usual; if there is none, why.
  std::optional<model::ProcessRise> process;
  std::string_view no_process = "processes were not recorded";
  std::optional<Harm> harm;    // nothing if no work rate is known
  std::optional<Stall> stall;  // nothing if no metric tells
  Severity severity;
  std::optional<Edge> begin_edge;  // nothing: no closer than windows tell
  std::optional<Edge> end_edge;
  // Time in it without a tick: its recorder got no processor, say. What counters tell of it counts.
  std::int64_t missed_ns = 0;
  std::size_t incident = 0;        // its number (incidents.h)
  std::size_t incident_place = 0;  // by begin, from 1: the first is the likely cause
  std::vector<Onset> onsets;       // by subsystem, the first to rise first; those that samples tell

  std::vector<Companion> companions;  // the strongest first
  // Wall time of the begin of the earlier run that its windows were compared with, because what
  // went on looked like that. Live alone; nothing: with what the run itself had taught.
  std::optional<std::int64_t> looks_like_ns;

  // Returns the window in which the evidence was observed; nullptr if it is none of this finding's.
  const FlaggedWindow* window_of(const Evidence& evidence) const;
  // Return the wall time of its begin and end: by samples if these tell, else by its windows.
  std::int64_t begin_ns() const { return begin_edge ? begin_edge->at_ns : windows_begin_ns(); }
  std::int64_t end_ns() const { return end_edge ? end_edge->at_ns : windows_end_ns(); }
  // Return the wall time of the first window's begin and of the last one's end.
  std::int64_t windows_begin_ns() const { return windows.front().span.begin_ns; }
  std::int64_t windows_end_ns() const { return windows.back().span.end_ns; }
  // Returns the pattern that advice can be given by, if there is one.
  const PatternMatch* advice() const {
    return patterns.empty() || !patterns.front().advises() ? nullptr : &patterns.front();
  }
  // Returns the subsystem with the largest share (shares.h); unknown if none has one.
  model::Subsystem subsystem() const;
  // Return how long it lasts, by samples if these tell, and its windows, even if the clock was set
  // back or forward meanwhile.
  std::int64_t length_ns() const;
  std::int64_t windows_length_ns() const;
};

}  // namespace reveal::attribute
