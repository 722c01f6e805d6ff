// The recording of evidence: the frames around findings, as they were recorded, each finding's in
// segments of its own. Its channels are numbered as the recorder numbered them, or anew.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include "base/result.h"
#include "model/fact_table.h"
#include "model/frame.h"
#include "retention/wall_spans.h"
#include "store/segment_writer.h"

namespace reveal::retention {

class EvidenceRecording {
 public:
  // `spans` are joined (wall_spans.h).
  EvidenceRecording(std::filesystem::path dir, std::vector<WallSpan> spans)
      : dir_(std::move(dir)), spans_(std::move(spans)) {}

  // Drops what is in none of the spans. Also finishes what an interrupted call left.
  base::Result<void> drop_outside();

  // Makes ready for the source's frames from `first_sequence` on: what an interrupted run copied of
  // them is copied again. `numbered_anew`: the channels of these frames are not numbered as those
  // of the recording's first segment.
  base::Result<void> begin(std::uint64_t first_sequence, bool numbered_anew);
  // Takes the source's next frame; keeps it if it is in a span and not there yet.
  base::Result<void> take(const model::RunFacts& facts, const model::ChannelTable& channels,
                          const model::Frame& frame);
  // Makes what was taken durable.
  base::Result<void> commit();

  std::uint64_t frames_added() const { return frames_added_; }

 private:
  base::Result<bool> all_inside() const;
  base::Result<void> rewrite();
  base::Result<void> mend();
  base::Result<void> open_span(const model::RunFacts& facts, std::size_t span);
  std::vector<model::Note> opening_notes(const model::Frame& frame) const;

  std::filesystem::path dir_;
  std::vector<WallSpan> spans_;
  std::optional<std::uint64_t> last_sequence_;  // of what is there
  model::FactTable stated_;                     // by what is there and in the open span
  model::FactTable holds_;                      // by the source so far
  std::optional<store::SegmentWriter> writer_;  // of the open span
  std::size_t span_ = 0;
  bool numbered_anew_ = false;
  std::uint64_t frames_added_ = 0;
};

}  // namespace reveal::retention
