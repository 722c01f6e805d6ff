// The end of a recording that is extended, and the writer of more of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "base/result.h"
#include "model/channel_table.h"
#include "model/fact_table.h"
#include "model/frame.h"
#include "store/segment_reader.h"
#include "store/segment_writer.h"

namespace reveal::retention {

struct RecordingEnd {
  store::SegmentReader reader;       // at the end; for run facts and channels
  std::vector<model::Frame> latest;  // oldest first
  model::FactTable stated;           // what holds after them
};

// Reads the last `frames` frames of the recording in `dir`, as far as its last `frames` segments
// have them. Returns nothing if there is no recording yet. Fails as SegmentReader does.
base::Result<std::optional<RecordingEnd>> read_end(const std::filesystem::path& dir,
                                                   std::size_t frames);

// Returns the last frame's sequence, or nothing.
std::optional<std::uint64_t> last_sequence(const std::optional<RecordingEnd>& end);

// Returns how rollups and evidence are written: in segments that only their size ends, and without
// a reserve on the disk, for what they replace is larger.
store::WriterOptions appending();

// Writes one frame; fails if it could not be stored, because what it replaces is still there and
// this can be done again.
base::Result<void> write_or_fail(store::SegmentWriter& writer, const model::ChannelTable& channels,
                                 const model::Frame& frame);

// Begins `writer`, writes all frames that `reader` has left, and finishes it. Returns how many
// these were. Fails as write_or_fail() does.
base::Result<std::uint64_t> copy_or_fail(store::SegmentReader& reader,
                                         store::SegmentWriter& writer);

// Makes the names in `dir` durable.
base::Result<void> sync_directory(const std::filesystem::path& dir);

}  // namespace reveal::retention
