// The judge of this host: follows the recording while it grows, and the findings over restarts.
//
// A judge knows nothing when it starts; it reads the last minutes of the recording first, which
// takes a second or two of a core, and so knows what is usual. Up to when the judge before had
// judged is in a file: until a minute before that, or before a finding of which more is to be told,
// windows are only learned from. If that lies within a finding, it is a minute before its begin.
//
// A judge keeps a little of each channel that it ever met, and so does whoever takes the frames
// beside it. If control groups come and go, that would have no end. So a judge that has met many
// more channels than there were in the past that it began with makes way for another one, which
// knows those of the last minutes alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "agent/finding_log.h"
#include "agent/kept_space.h"
#include "agent/paths.h"
#include "agent/recorded_metrics.h"
#include "agent/self_times.h"
#include "base/result.h"
#include "live/live_judge.h"
#include "pipeline/config.h"
#include "store/followed_recording.h"

namespace reveal::agent {

// Of channels that are gone, so many cost a judge some 26 MB (docs/soak.md).
inline constexpr std::size_t kManyChannels = 10'000;

class HostWatch {
 public:
  // Returns whether the judge is asked to end. Asked for each frame: to catch up takes a while.
  using Ends = std::function<bool()>;

  // `interval_ns` is that between the recording's ticks, `now_ns` wall time. `many_channels`: how
  // many more than one and a half times those of the past it meets before it has outgrown.
  HostWatch(const Paths& paths, const pipeline::PipelineConfig& config, std::int64_t interval_ns,
            std::int64_t now_ns, Ends ends, std::size_t many_channels = kManyChannels);

  // Has a second sink take all frames that are read from now on, before they are judged. It
  // outlives this; what it fails at is its own affair.
  void also_to(model::FrameSink& sink) { beside_ = &sink; }

  // Keeps what is usual of the host's workloads in at most so many bytes, and recognizes those that
  // come back. To be called before refresh().
  void remember_workloads(std::uint64_t most_bytes) {
    judge_.remember_workloads({.folder = paths_.workloads(), .most_bytes = most_bytes});
  }

  // Reads what was recorded since, judges it, and returns the names of the findings that changed.
  // Fails as store::FollowedRecording does; the next call tries again. If the judge is asked to
  // end, it returns early.
  base::Result<std::vector<std::string>> refresh();

  // Keeps up to when was judged, by this judge or the one before it, which may be later. To be
  // called now and then, and at the end.
  base::Result<void> save() const;

  // Returns whether another judge should go on, after save(): most channels that this one has met
  // are gone. Counted from those of the past, for the next judge meets these again: on a host where
  // channels come fast it would else have outgrown at once.
  bool has_outgrown() const;

  // Keeps the evidence of findings of which nothing more will be said, as far as there is room.
  // Fails for the first that could not be kept, after all others. `now_ns` is wall time.
  base::Result<void> pin(KeptSpace& space, std::int64_t now_ns);

  const live::History& history() const { return judge_.history(); }
  const FindingLog& log() const { return log_; }
  const SelfTimes& times() const { return times_; }
  // Of the latest frame; for any thread.
  const RecordedMetrics& recorded() const { return *recorded_; }
  // Returns the run's facts as the recorder that runs states them; nullptr if they are not known.
  // Until the next refresh().
  const model::RunFacts* latest_facts() const { return recording_.latest_facts(); }
  std::vector<std::string> take_troubles();

 private:
  base::Result<void> pin(const LoggedFinding& finding, KeptSpace& space, std::int64_t now_ns) const;

  Paths paths_;
  std::int64_t judged_before_ns_;  // by the judge before this one
  FindingLog log_;
  std::int64_t learns_until_ns_;
  store::FollowedRecording recording_;
  live::LiveJudge judge_;
  SelfTimes times_;
  std::unique_ptr<RecordedMetrics> recorded_ = std::make_unique<RecordedMetrics>();
  Ends ends_;
  model::FrameSink* beside_ = nullptr;
  bool caught_up_ = false;  // with what was recorded before it started
  std::size_t many_channels_;
  std::size_t met_in_the_past_ = 0;  // channels, until it had caught up
};

}  // namespace reveal::agent
