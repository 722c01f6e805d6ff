#include "replay/growing_run.h"

#include <utility>

#include "replay/replayed.h"

namespace reveal::replay {

GrowingRun::GrowingRun(pipeline::PipelineConfig config) : config_(std::move(config)) {
  if (config_.most_values == 0) config_.most_values = pipeline::kMostValues;
  auto at_once = config_;
  at_once.most_values = 0;
  pipeline_ = std::make_unique<pipeline::Pipeline>(std::move(at_once));
}

base::Result<void> GrowingRun::begin(const model::RunFacts& facts) {
  auto done = pipeline_->begin(facts);
  if (done) stride_ticks_ = pipeline_->windows().stride_ticks();
  return done;
}

base::Result<void> GrowingRun::write(const model::ChannelTable& channels,
                                     const model::Frame& frame) {
  if (!is_in_memory()) {
    ++frames_since_;
    return {};
  }
  auto done = pipeline_->write(channels, frame);
  forget_if_large();
  return done;
}

void GrowingRun::forget_if_large() {
  constexpr std::size_t kBetween = 64;
  const std::size_t windows = pipeline_->window_count();
  if (windows < check_at_) return;
  check_at_ = windows + kBetween;
  if (pipeline_->value_count() < config_.most_values) return;
  forgotten_ = windows;
  pipeline_.reset();
}

std::size_t GrowingRun::window_count() const {
  if (is_in_memory()) return pipeline_->window_count();
  return forgotten_ + static_cast<std::size_t>(frames_since_) / stride_ticks_;
}

base::Result<std::unique_ptr<pipeline::Pipeline>> GrowingRun::take(
    const std::filesystem::path& recording) {
  if (is_in_memory()) return std::move(pipeline_);
  auto out = replay(recording, config_);
  if (!out) return base::pass(out);
  return std::move(out->pipeline);
}

}  // namespace reveal::replay
