#include "cli/watched_host.h"

#include <optional>
#include <utility>

#include "cli/live_recorder.h"
#include "cli/replayed.h"
#include "cli/reported_findings.h"
#include "store/followed_recording.h"
#include "store/recording_dir.h"
#include "store/segment_reader.h"
#include "top/live_judge.h"
#include "top/whole_run.h"

namespace reveal::cli {
namespace {

using base::Result;

// What a judge keeps, and as much again to learn from.
constexpr std::int64_t kPast_ns = std::int64_t{20} * 60 * 1'000'000'000;

class FinishedRun : public WatchedHost {
 public:
  static Result<std::unique_ptr<WatchedHost>> open(const std::string& directory,
                                                   const AnalysisOptions& analysis) {
    auto config = analysis.config();
    if (!config) return base::pass(config);
    config->channel_shares = true;
    auto pipeline = replayed(directory, analysis, std::move(*config));
    if (!pipeline) return base::pass(pipeline);
    auto history = top::history_of(**pipeline);
    if (!history) return base::pass(history);
    if (auto done = show_report(directory, *history); !done) return base::pass(done);
    return std::unique_ptr<WatchedHost>(
        new FinishedRun(directory, std::move(*pipeline), std::move(*history)));
  }

  Result<void> refresh() override { return {}; }
  const top::History& history() const override { return history_; }
  std::string doing() const override { return directory_; }

 private:
  FinishedRun(std::string directory, std::unique_ptr<pipeline::Pipeline> pipeline,
              top::History history)
      : directory_(std::move(directory)),
        pipeline_(std::move(pipeline)),
        history_(std::move(history)) {}

  static Result<void> show_report(const std::string& directory, top::History& history) {
    auto findings = load_reported_findings(std::filesystem::path(directory) / "report.json");
    if (findings) {
      top::set_findings(history, std::move(*findings));
      return {};
    }
    if (findings.error().kind == base::ErrorKind::kAbsent) return {};
    return base::pass(findings);
  }

  std::string directory_;
  std::unique_ptr<pipeline::Pipeline> pipeline_;  // the history refers to it
  top::History history_;
};

// Makes the judge once it is known what the run is like.
class JudgeOfRun : public model::FrameSink {
 public:
  JudgeOfRun(AnalysisOptions analysis, pipeline::PipelineConfig config)
      : analysis_(std::move(analysis)), config_(std::move(config)) {}

  Result<void> begin(const model::RunFacts& facts) override {
    if (auto fits = analysis_.fit(facts.interval_ns, config_); !fits) return fits;
    judge_.emplace(config_);
    return judge_->begin(facts);
  }
  Result<void> write(const model::ChannelTable& channels, const model::Frame& frame) override {
    return judge_->write(channels, frame);
  }
  Result<void> finish() override { return {}; }

  // From now on frames come as they are recorded.
  void fit_beside() {
    if (judge_) judge_->fit_beside();
  }

  const top::History& history() const { return judge_ ? judge_->history() : nothing_; }

 private:
  AnalysisOptions analysis_;
  pipeline::PipelineConfig config_;
  std::optional<top::LiveJudge> judge_;
  top::History nothing_;
};

class GrowingRun : public WatchedHost {
 public:
  GrowingRun(store::FollowedRecording recording, const AnalysisOptions& analysis,
             pipeline::PipelineConfig config)
      : recording_(std::move(recording)), judge_(analysis, std::move(config)) {}

  Result<void> refresh() override {
    if (over_) return {};
    const bool growing = recording_.is_growing();
    auto done = recording_.read_new(judge_);
    judge_.fit_beside();  // what was there before it was followed has been read
    over_ = !growing;
    return done;
  }
  const top::History& history() const override { return judge_.history(); }
  std::string doing() const override {
    return (over_ ? "ended: " : "following ") + recording_.directory().string();
  }

 private:
  store::FollowedRecording recording_;
  JudgeOfRun judge_;
  bool over_ = false;
};

class LiveHost : public WatchedHost {
 public:
  LiveHost(LiveRecorder recorder, const AnalysisOptions& analysis, pipeline::PipelineConfig config)
      : recorder_(std::move(recorder)),
        recording_(recorder_.directory(), std::nullopt),
        judge_(analysis, std::move(config)) {}

  Result<void> refresh() override {
    if (auto alive = recorder_.check(); !alive) return alive;
    // Until its first frame is stored, it is no recording.
    if (!recording_.has_begun() && !recording_.is_growing()) return {};
    auto done = recording_.read_new(judge_);
    judge_.fit_beside();
    return done;
  }
  const top::History& history() const override { return judge_.history(); }
  std::string doing() const override { return "live"; }

 private:
  LiveRecorder recorder_;
  store::FollowedRecording recording_;
  JudgeOfRun judge_;
};

}  // namespace

Result<std::unique_ptr<WatchedHost>> watch_recording(const std::string& directory,
                                                     const AnalysisOptions& analysis) {
  if (!store::is_being_written(directory)) return FinishedRun::open(directory, analysis);
  auto config = analysis.config();
  if (!config) return base::pass(config);
  const auto span = store::wall_span(directory);
  const auto from_ns = span ? std::optional(span->end_ns - kPast_ns) : std::nullopt;
  return std::make_unique<GrowingRun>(store::FollowedRecording(directory, from_ns), analysis,
                                      std::move(*config));
}

Result<std::unique_ptr<WatchedHost>> watch_live(const std::vector<std::string>& record,
                                                const AnalysisOptions& analysis) {
  auto config = analysis.config();
  if (!config) return base::pass(config);
  auto recorder = LiveRecorder::start(record);
  if (!recorder) return base::pass(recorder);
  return std::make_unique<LiveHost>(std::move(*recorder), analysis, std::move(*config));
}

}  // namespace reveal::cli
