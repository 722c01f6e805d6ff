// The end of a segment that its recorder left open, because it was killed: made as that recorder
// would have made it, so that another segment may follow.
#pragma once

#include <cstdint>
#include <filesystem>

#include "base/result.h"

namespace reveal::store {

enum class SegmentState {
  kClosed,   // it has its end record
  kOpen,     // its records are whole up to its end, or up to a torn one
  kEmpty,    // it has no whole record: killed while it was begun
  kDamaged,  // it is no segment, or has bytes that are no record
};

struct SegmentEnd {
  SegmentState state = SegmentState::kDamaged;
  std::uint64_t whole_bytes = 0;  // up to the end of the last whole record
  std::uint64_t frames = 0;       // in its blocks
};

// Reads how the segment at `path` ends. Fails only if it cannot be read at all.
base::Result<SegmentEnd> read_segment_end(const std::filesystem::path& path);

// Cuts the torn record off an open segment and appends an end record, which says that another
// segment follows. Removes an empty one. Leaves any other as it is. Returns whether the segment is
// still there. Done twice, it is done once.
base::Result<bool> close_segment(const std::filesystem::path& path);

}  // namespace reveal::store
