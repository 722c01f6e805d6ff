#include "top/watched_host.h"

#include <optional>
#include <utility>

#include "live/live_judge.h"
#include "live/whole_run.h"
#include "record/live_recorder.h"
#include "report/saved_report.h"
#include "store/followed_recording.h"
#include "store/segment_reader.h"

namespace reveal::top {
namespace {

using base::Result;

class FinishedRun : public WatchedHost {
 public:
  static Result<std::unique_ptr<WatchedHost>> open(const std::string& directory,
                                                   std::unique_ptr<pipeline::Pipeline> pipeline) {
    auto history = live::history_of(*pipeline);
    if (!history) return base::pass(history);
    if (auto done = show_report(directory, *history); !done) return base::pass(done);
    return std::unique_ptr<WatchedHost>(
        new FinishedRun(directory, std::move(pipeline), std::move(*history)));
  }

  Result<void> refresh() override { return {}; }
  const live::History& history() const override { return history_; }
  std::string doing() const override { return directory_; }

 private:
  FinishedRun(std::string directory, std::unique_ptr<pipeline::Pipeline> pipeline,
              live::History history)
      : directory_(std::move(directory)),
        pipeline_(std::move(pipeline)),
        history_(std::move(history)) {}

  static Result<void> show_report(const std::string& directory, live::History& history) {
    auto report = report::load_report(std::filesystem::path(directory) / "report.json");
    if (report) {
      live::set_reported(history, std::move(report->findings));
      return {};
    }
    if (report.error().kind == base::ErrorKind::kAbsent) return {};
    return base::pass(report);
  }

  std::string directory_;
  std::unique_ptr<pipeline::Pipeline> pipeline_;  // the history refers to it
  live::History history_;
};

class GrowingRun : public WatchedHost {
 public:
  GrowingRun(store::FollowedRecording recording, pipeline::PipelineConfig config)
      : recording_(std::move(recording)), judge_(std::move(config)) {}

  Result<void> refresh() override {
    if (over_) return {};
    const bool growing = recording_.is_growing();
    auto done = recording_.read_new(judge_);
    // What was there before it was followed has been read.
    if (recording_.has_begun()) judge_.fit_in_background();
    over_ = !growing;
    return done;
  }
  const live::History& history() const override { return judge_.history(); }
  std::string doing() const override {
    return (over_ ? "ended: " : "following ") + recording_.directory().string();
  }

 private:
  store::FollowedRecording recording_;
  live::LiveJudge judge_;
  bool over_ = false;
};

class LiveHost : public WatchedHost {
 public:
  LiveHost(record::LiveRecorder recorder, pipeline::PipelineConfig config)
      : recorder_(std::move(recorder)),
        recording_(recorder_.directory(), std::nullopt),
        judge_(std::move(config)) {}

  Result<void> refresh() override {
    if (auto alive = recorder_.check(); !alive) return alive;
    // Until its first frame is stored, it is not a recording.
    if (!recording_.has_begun() && !recording_.is_growing()) return {};
    auto done = recording_.read_new(judge_);
    if (recording_.has_begun()) judge_.fit_in_background();
    return done;
  }
  const live::History& history() const override { return judge_.history(); }
  std::string doing() const override { return "live"; }

 private:
  record::LiveRecorder recorder_;
  store::FollowedRecording recording_;
  live::LiveJudge judge_;
};

}  // namespace

Result<std::unique_ptr<WatchedHost>> watch_finished(const std::string& directory,
                                                    std::unique_ptr<pipeline::Pipeline> pipeline) {
  return FinishedRun::open(directory, std::move(pipeline));
}

std::unique_ptr<WatchedHost> watch_growing(const std::string& directory,
                                           pipeline::PipelineConfig config) {
  const auto span = store::wall_span(directory);
  const auto from_ns = span ? std::optional(span->end_ns - live::kPast_ns) : std::nullopt;
  return std::make_unique<GrowingRun>(store::FollowedRecording(directory, from_ns),
                                      std::move(config));
}

Result<std::unique_ptr<WatchedHost>> watch_live(const std::vector<std::string>& record,
                                                pipeline::PipelineConfig config) {
  auto recorder = record::LiveRecorder::start(record);
  if (!recorder) return base::pass(recorder);
  return std::make_unique<LiveHost>(std::move(*recorder), std::move(config));
}

}  // namespace reveal::top
