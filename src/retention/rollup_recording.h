// A rollup while a part of the finer recording is downsampled into it. New frames are staged;
// commit() publishes them all at once. Until then the rollup is unchanged.
//
// Once the finer recording has numbered channels anew, so does its rollup with each part: what was
// gone before the part has no number in it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>

#include "base/result.h"
#include "model/frame.h"
#include "retention/downsampler.h"
#include "store/segment_reader.h"
#include "store/segment_writer.h"

namespace reveal::retention {

class RollupRecording {
 public:
  // Goes on with the rollup in `dir`, or begins it. `fine` is a reader at the begin of the part.
  // Fails if another run's recording is there.
  static base::Result<RollupRecording> open(const std::filesystem::path& dir,
                                            const store::SegmentReader& fine,
                                            std::int64_t interval_ns, retention::FineSource kind);

  // Takes the finer recording's next frame.
  base::Result<void> take(const model::ChannelTable& fine, const model::Frame& frame);
  // Ends the tick that is open: all of its frames were taken.
  base::Result<void> end_tick();
  base::Result<void> commit();

  std::uint64_t tick_of(std::uint64_t fine_sequence) const {
    return downsampler_->tick_of(fine_sequence);
  }
  bool has(std::uint64_t tick) const { return downsampler_->has(tick); }
  std::uint64_t frames_added() const { return frames_added_; }

 private:
  RollupRecording(std::filesystem::path dir, std::unique_ptr<retention::Downsampler> downsampler)
      : dir_(std::move(dir)), downsampler_(std::move(downsampler)) {}
  base::Result<void> write(const model::Frame& frame);

  std::filesystem::path dir_;
  std::unique_ptr<retention::Downsampler> downsampler_;
  model::FactTable stated_;                     // by the rollup as it was
  bool numbers_anew_ = false;                   // from the first frame on
  std::optional<store::SegmentWriter> writer_;  // from the first frame on
  std::uint64_t frames_added_ = 0;
};

}  // namespace reveal::retention
