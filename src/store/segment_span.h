// The time span of a segment's frames, from the headings of its blocks, without reading the
// frames.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "base/result.h"

namespace reveal::store {

struct SegmentSpan {
  std::uint64_t first_sequence = 0;
  std::int64_t begin_ns = 0;  // wall time of the earliest frame, and of the latest
  std::int64_t end_ns = 0;
  std::int64_t begin_mono_ns = 0;  // monotonic time of the first frame
  std::int64_t end_mono_ns = 0;    // and of the latest
};

// Returns nothing for a segment without a block. Fails only if it cannot be read at all.
base::Result<std::optional<SegmentSpan>> segment_span(const std::filesystem::path& path);

}  // namespace reveal::store
