// The history of a host so far: its judged windows and the findings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "attribute/finding.h"
#include "feature/feature_matrix.h"
#include "model/channel_table.h"
#include "model/frame.h"
#include "report/report.h"
#include "report/saved_report.h"
#include "window/window_view.h"
#include "work/job_rate.h"

namespace reveal::live {

// What windows are judged by: a baseline, and what each of its detectors holds to be high.
struct Yardstick {
  struct Detector {
    std::string name;
    std::string label;  // for people
    int votes = 1;
    double limit = 0;        // the score above which it raises an alarm
    double usual_score = 0;  // the median of the baseline's windows
  };

  window::WindowSpec windows;
  std::int64_t begin_ns = 0;  // wall time of the baseline's first window,
  std::int64_t end_ns = 0;    // and of the end of its last
  std::uint64_t window_count = 0;
  bool is_saved = false;    // it is of another run
  bool is_earlier = false;  // of this host, that this one looks like: found by itself
  int min_agreement = 0;    // votes that flag a window
  std::vector<Detector> detectors;
};

// What the detectors said of a window.
struct WindowWords {
  std::shared_ptr<const Yardstick> by;
  std::vector<double> scores;  // by detector
  std::vector<bool> flagged;   // by detector
};

struct JudgedWindow {
  window::WindowSpan span;
  bool judged = false;  // false: before anything was known to be usual
  double strength = 0;  // detect::strength(): at 1 there is an alarm
  int agreement = 0;    // votes of the detectors that flag it
  attribute::SubsystemShares shares{};
  std::optional<model::Subsystem> flagged;   // where enough detectors agree: who is blamed
  std::shared_ptr<const WindowWords> words;  // likewise, also of changes; else null
};

// Why windows are not judged, and since when.
struct NotJudged {
  std::string why;  // a clause: "what is usual is not learned yet"
  std::int64_t since_ns = 0;
};

// A run of a workload that the host had before and that what goes on looks like: windows are
// compared with it.
struct EarlierRun {
  std::int64_t begin_ns = 0;  // wall time, as its end
  std::int64_t end_ns = 0;
  std::uint64_t runs = 1;     // of the workload, all that was learned from
  std::int64_t since_ns = 0;  // wall time from which on windows are compared with it
};

struct History {
  std::string host;
  std::vector<model::Unseen> unseen;         // sources that the host lacks
  int votes = 0;                             // that there are
  std::int64_t begin_ns = 0;                 // wall time of the first frame
  std::int64_t end_ns = 0;                   // and of the last
  std::deque<JudgedWindow> windows;          // in the order of time, each with its own id
  std::vector<attribute::Finding> findings;  // in the order of time
  // Those of the run's report.json, if it has one: somebody chose what that says.
  std::optional<std::vector<report::SavedFinding>> reported;
  std::string learning;  // what learning still takes ("30 s to go"); empty: it is over
  std::string trouble;   // why they are not judged; empty: they are
  std::optional<NotJudged> not_judged;  // nothing if the newest windows are
  // How much the host's jobs got done, as far as that is known; live, some seconds old.
  std::vector<work::JobRate> jobs;
  std::int64_t learned_ns = 0;  // wall time up to which the run itself taught what is usual; 0: not
  std::optional<EarlierRun> looks_like;  // nothing: windows are compared with this run
  // Features of the latest of these windows; null if there are none.
  const feature::FeatureMatrix* features = nullptr;
  const model::ChannelTable* channels = nullptr;          // the names behind the ids in all of this
  const std::vector<report::TimedNote>* notes = nullptr;  // of the run; null if they are not known
};

// Marks the windows that lie in a finding.
void mark(History& history, const attribute::Finding& finding);

// Set what was found in the history, in whatever order, and mark the windows that lie in a finding.
void set_findings(History& history, std::vector<attribute::Finding> findings);
void set_reported(History& history, std::vector<report::SavedFinding> findings);

}  // namespace reveal::live
