// A run that is recorded and shall be analyzed at its end, however long it becomes.
//
// While it is short, its features are kept as they come, and the analysis costs no more than that.
// If they need more memory than analysis may have (pipeline::kMostValues), they are forgotten, for
// to judge them meanwhile would cost ticks; at the end the recording is read. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>

#include "base/result.h"
#include "model/frame.h"
#include "pipeline/pipeline.h"

namespace reveal::replay {

class GrowingRun : public model::FrameSink {
 public:
  // `most_values` is set to pipeline::kMostValues where the configuration has 0.
  explicit GrowingRun(pipeline::PipelineConfig config);

  // Fail as those of pipeline::Pipeline.
  base::Result<void> begin(const model::RunFacts& facts) override;
  base::Result<void> write(const model::ChannelTable& channels, const model::Frame& frame) override;
  base::Result<void> finish() override { return {}; }

  // Returns how many windows there are so far.
  std::size_t window_count() const;
  bool is_in_memory() const { return pipeline_ != nullptr; }

  // Returns the run, ready to be analyzed. `recording` is where it was stored, and is finished.
  // Fails as replay(). To be called once.
  base::Result<std::unique_ptr<pipeline::Pipeline>> take(const std::filesystem::path& recording);

 private:
  void forget_if_large();

  pipeline::PipelineConfig config_;
  std::unique_ptr<pipeline::Pipeline> pipeline_;  // null: it was too large
  std::size_t stride_ticks_ = 1;
  std::size_t check_at_ = 0;   // windows
  std::size_t forgotten_ = 0;  // windows
  std::uint64_t frames_since_ = 0;
};

}  // namespace reveal::replay
