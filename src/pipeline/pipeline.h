// The one path from frames to a report, for a live run and for the replay of its recording.
//
// While frames come, they are derived, cut into windows and turned into rows of the feature matrix;
// when the run is over, redundant channels are found, every window is compared with the rest of the
// run, and what the detectors flag is attributed. Nothing here looks at a clock or at the host, so
// the same frames and the same configuration give the same report.
//
// Memory grows with the run: 8 bytes for each feature of each window (4 if they are rounded),
// unless keep_last() is called now and then, or long runs are judged in parts
// (PipelineConfig::most_values). Not thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "derive/deriver.h"
#include "feature/extractor.h"
#include "feature/feature_matrix.h"
#include "model/fingerprint.h"
#include "model/frame.h"
#include "model/process_timeline.h"
#include "pipeline/baseline_fit.h"
#include "pipeline/config.h"
#include "pipeline/judged_parts.h"
#include "report/report.h"
#include "select/selection_plan.h"
#include "window/tick_history.h"
#include "window/window_cutter.h"
#include "work/work_meter.h"

namespace reveal::pipeline {

class Pipeline : public model::FrameSink {
 public:
  explicit Pipeline(PipelineConfig config);
  Pipeline(const Pipeline&) = delete;  // parts of it refer to one another
  Pipeline& operator=(const Pipeline&) = delete;

  // Fails with kUsage if window and stride do not fit the run's interval.
  base::Result<void> begin(const model::RunFacts& facts) override;
  base::Result<void> write(const model::ChannelTable& channels, const model::Frame& frame) override;
  base::Result<void> finish() override { return {}; }

  // Fits, detects and attributes. Fails with kTooLittle, saying how much more is needed, on a run
  // that is too short. The report's cost is left at 0. The report has names of its own and may
  // outlive the pipeline. REQUIRES: begin() succeeded; with most_values, it is called once, at the
  // end.
  base::Result<report::Report> analyze();

  // Returns what a baseline of the run is fitted on, for others to be compared with it, copied so
  // that the run can go on meanwhile. Unless `whole`, without columns that no fit of this run alone
  // takes, as of control groups that are gone. `without` are windows that it is not fitted on, by
  // row; none if empty. Fails with kTooLittle as analyze() does. REQUIRES: begin() succeeded; no
  // saved baseline is configured.
  base::Result<BaselineFit> copy_for_fit(bool whole = true, const std::vector<bool>& without = {});

  // Returns the configured saved baseline once it has learned this run too. Fails if the run's
  // channels do not match it, with kUsage if it was made of frames of this run, and with kTooLittle
  // if the run is too short to learn from. REQUIRES: begin() succeeded; a saved baseline is
  // configured.
  base::Result<detect::FittedBaseline> extend_baseline() const;

  // Returns where a baseline of the windows that are kept comes from. REQUIRES: there is one.
  detect::BaselineOrigin origin() const;

  // Forgets all windows but the last `windows`, and what jobs did before them, so that a run
  // without an end needs no more memory.
  void keep_last(std::size_t windows);

  // Returns the plan that analyze() made of this run.
  const select::SelectionPlan& plan() const { return plan_; }

  // Return the features of all windows so far that are not forgotten, and the channels that they
  // are of.
  const feature::FeatureMatrix& features() const { return matrix_; }
  const model::ChannelTable& channels() const { return deriver_.channels(); }
  // Returns what the largest processes used meanwhile.
  const model::ProcessTimeline& processes() const { return processes_; }

  // Return what is known of the work of its jobs, and the run's notes.
  const work::WorkMeter& work() const { return work_; }
  const std::vector<report::TimedNote>& notes() const { return notes_; }

  // Returns the samples that begins and ends are told by, since the first window that is kept.
  const window::TickHistory& ticks() const { return ticks_; }

  // Returns how the run is cut. REQUIRES: begin() succeeded.
  const window::WindowSpec& windows() const { return spec_; }

  std::size_t window_count() const { return matrix_.row_count(); }
  // Returns for how many numbers of 8 bytes it holds memory at most: features and samples. Takes as
  // long as to add a window.
  std::size_t value_count() const {
    return matrix_.value_count() + ticks_.tick_count() * ticks_.channel_count() / 2;
  }
  std::uint64_t frame_count() const { return frames_; }

 private:
  void keep_notes(const model::Frame& frame);
  void note_gap(const model::Frame& frame);
  void keep_latest(std::span<const double> row);
  base::Result<void> judge_if_full();
  base::Result<void> judge_part(std::uint64_t own_end);
  base::Result<void> judge_rows(bool is_part, report::Report& out) const;
  void plan_selection();
  base::Result<void> check_length() const;
  detect::FitOptions fit_options() const;
  std::vector<model::Fingerprint> made_of() const;
  base::Result<void> check_saved() const;
  base::Result<void> check_unknown() const;
  report::Report describe() const;
  std::vector<report::StaticFact> static_facts() const;
  void describe_plan(report::Report& out) const;

  PipelineConfig config_;
  model::RunFacts facts_;
  window::WindowSpec spec_;
  derive::Deriver deriver_;
  feature::FeatureExtractor extractor_;
  std::optional<window::WindowCutter> cutter_;
  feature::FeatureMatrix matrix_;
  window::TickHistory ticks_;
  select::SelectionPlan plan_;
  JudgedParts parts_;
  std::optional<window::WindowId> first_window_;  // of the run, if that is judged in parts
  std::uint64_t own_from_ = 0;     // id of the first window that no part has for its own
  std::size_t check_full_at_ = 0;  // rows
  bool has_part_ = false;          // that was asked for: what comes later is not taken in

  work::WorkMeter work_;
  model::Fingerprint fingerprint_;
  model::ProcessTimeline processes_;
  select::CoMoments movement_;  // of the derived channels
  std::vector<double> latest_;  // by derived channel: the last sample that was there, or NaN
  std::size_t raw_channels_ = 0;
  std::uint64_t frames_ = 0;
  std::uint64_t last_sequence_ = 0;
  std::int64_t begin_ns_ = 0;
  std::int64_t end_ns_ = 0;
  std::int64_t last_mono_ns_ = 0;
  std::int64_t length_ns_ = 0;
  report::MissedTicks missed_;
  std::vector<report::TimedNote> notes_;
  std::size_t notes_left_out_ = 0;
};

}  // namespace reveal::pipeline
