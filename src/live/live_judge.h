// Judges the windows of a live run, each by those before it or by a saved baseline.
//
// Without a saved baseline, the first kFirstFit windows are only learned from, but for those at
// their end in which a fault goes on: it would hide itself for as long as it lasts. What is usual
// is then fitted anew as more of it is known and, once that is kMaxKept windows, when it has moved
// (detect/drift.h), but neither begun nor used while something unusual goes on, unless that lasts
// for kLongestWait: then it is the usual. Memory is bounded.
//
// What another judge had judged before is learned from, by one fit after the last of it: a fit each
// few windows would only make what the next one throws away.
//
// What was a finding for a minute or more is not learned from, unless it lasted for kLongestWait:
// by itself it would be a tenth of what is usual, and the same would not be found again for
// minutes. Briefer ones are: what comes again and again is usual.
//
// A second fault is a finding of its own, after the first or while that goes on
// (attribute/faults.h).
//
// Flagged windows in which nothing was stalled are a finding once a job turns out to be slow in
// them. What a finding costs is told while it goes on and becomes more exact for kHarmTold_ns after
// it.
//
// A workload that the host had before is compared with what was usual then, from its first windows
// on, until enough of this run is known (workload_memory.h). Of these only stalled work is judged:
// all other levels differ from run to run. The fits then learn of this workload's windows alone.
//
// It is a FrameSink: frames come from a recorder or from a recording that is followed. history()
// returns the results so far as plain values. Nothing here knows a terminal. A finding has the same
// fields as in a report (attribute/attributor.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "attribute/finding_rule.h"
#include "attribute/live_attributor.h"
#include "base/result.h"
#include "detect/drift.h"
#include "detect/window_scorer.h"
#include "live/background_fit.h"
#include "live/history.h"
#include "live/job_watch.h"
#include "live/workload_memory.h"
#include "model/frame.h"
#include "pipeline/pipeline.h"
#include "window/window_choice.h"

namespace reveal::live {

inline constexpr std::size_t kFirstFit = 60;
inline constexpr std::size_t kMaxKept = 600;      // windows with their features: ten minutes
inline constexpr std::size_t kMaxWindows = 3600;  // that are known to have been judged
inline constexpr std::size_t kMaxFindings = 100;
inline constexpr std::size_t kLongestWait = 300;            // windows
inline constexpr std::size_t kLongFinding = kMaxKept / 10;  // windows
inline constexpr std::size_t kOldestFit = 900;              // windows, however little has moved
inline constexpr std::int64_t kHarmTold_ns = 30'000'000'000;
// What of a recording that grows already is read first: what a judge keeps, and as much again to
// learn from.
inline constexpr std::int64_t kPast_ns = std::int64_t{20} * 60 * 1'000'000'000;

// Returns how long the part of a recording is that a judge learns from: ten minutes with the usual
// windows, and at most kPast_ns. `interval_ns` is the recording's.
std::int64_t learned_from_ns(const window::WindowChoice& windows, std::int64_t interval_ns);

class LiveJudge : public model::FrameSink {
 public:
  explicit LiveJudge(pipeline::PipelineConfig config);

  // From now on what is usual is fitted beside what goes on (background_fit.h), and known later:
  // for windows that come as they are recorded. Before, a fit is done when its last window comes.
  void fit_in_background();

  // Keeps what is usual of the host's workloads in that folder, and recognizes those that are
  // there. Nothing is kept where it could not be used: with a saved baseline, or if the detector of
  // saturation signals has no votes or too few. To be called before begin().
  void remember_workloads(detect::WorkloadStoreOptions options);

  // Says that another judge has judged all until then. These windows are not judged one by one, and
  // no finding is made of them: after the last frame of that time, what is usual is fitted, if it
  // is long enough, and tells how strong those were that are kept. It ends with fit_in_background()
  // too. To be called before begin(). `wall_ns` may lie before the first frame.
  void learn_until(std::int64_t wall_ns) { learns_until_ns_ = wall_ns; }

  // States which sources the host lacks: a recorder that goes on with a recording may find others
  // than the one that began it.
  void take_unseen(const std::vector<model::Unseen>& unseen) { history_.unseen = unseen; }

  // Fails if the run does not fit the windows or the saved baseline.
  base::Result<void> begin(const model::RunFacts& facts) override;
  // What cannot be judged is the history's `trouble`.
  base::Result<void> write(const model::ChannelTable& channels, const model::Frame& frame) override;
  base::Result<void> finish() override { return {}; }

  const History& history() const { return history_; }
  // Returns a line on each workload that could not be read or kept, since the last call.
  std::vector<std::string> take_troubles();

 private:
  void take_window(std::size_t row);
  std::optional<detect::WindowVerdict> score(std::size_t row, JudgedWindow& window);
  void judge(std::size_t row, JudgedWindow& window);
  void end_known_past();
  void keep_words(const detect::WindowVerdict& verdict, JudgedWindow& window);
  void add_to_finding(const window::WindowSpan& window);
  bool goes_on_slowly(const window::WindowSpan& window) const;
  bool is_urgent() const;
  void tell_harm();
  void take_harmed_change();
  bool finding_goes_on() const;
  bool fit_is_due() const;
  std::vector<bool> not_learned_from() const;
  void refit();
  void adopt(base::Result<detect::FittedBaseline> fitted);
  void judge_by(std::shared_ptr<const detect::FittedBaseline> baseline);
  void follow_workload(std::size_t row);
  void compare_with(const WorkloadMemory::Choice& choice, std::size_t row);
  void judge_anew(std::size_t first, std::size_t row);
  std::vector<attribute::Finding> take_back_since(std::int64_t begin_ns);
  void put_back(std::vector<attribute::Finding> findings);
  bool fit_of_regime_is_due() const;
  void keep_regime(pipeline::BaselineFit& fit) const;
  void say_compared(const window::WindowSpan& window);
  void leave_earlier_run();
  void forget_old();
  void forget_old_findings();
  void keep_latest();
  void say_learning();
  void say_not_judged(std::int64_t frame_ns);

  pipeline::PipelineConfig config_;
  attribute::FindingRule rule_;
  pipeline::Pipeline pipeline_;
  std::optional<detect::WindowScorer> scorer_;
  std::optional<attribute::LiveAttributor> attributor_;  // of what that judges
  std::shared_ptr<const Yardstick> yardstick_;  // of the scorer; null until it is asked for
  History history_;
  std::size_t seen_ = 0;                  // windows
  std::size_t fit_if_moved_ = kFirstFit;  // when a fit is due if what is usual has moved,
  std::size_t next_fit_ = kFirstFit;      // and when in any case
  std::size_t flagged_ = 0;               // windows on end
  bool is_slow_alone_ = false;            // the latest finding: nothing was stalled, a job was slow
  JobWatch work_;
  detect::Drift drift_;                          // since the latest fit, of what is no finding
  std::optional<std::int64_t> learns_until_ns_;  // nothing: all windows are judged
  bool in_background_ = false;
  std::unique_ptr<BackgroundFit> fit_;  // that goes on
  std::size_t patience_ = 0;  // windows that its outcome still waits for the end of a finding
  std::optional<WorkloadMemory> memory_;
  std::shared_ptr<const detect::FittedBaseline> own_;  // the latest fit, whatever judges
  std::size_t known_past_ = 0;                         // windows that were only learned from
};

}  // namespace reveal::live
