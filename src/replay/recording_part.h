// A part of a recording as people name it in one word: "DIR", or "DIR@FROM..TO" with moments as
// parse_moment() takes them. Either may be left out: "DIR@..19:32" ends there.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"

namespace reveal::replay {

struct RecordingPart {
  std::string directory;
  std::int64_t begin_ns = 0;  // wall time since the epoch, of the first frame
  std::int64_t end_ns = 0;    // of the last frame; if `is_cut`, the moment before which it lies
  bool is_cut = false;        // it ends before the recording does
};

// Returns the part. Reads when the recording begins and ends. A directory may have an @ in its
// name. Fails with kUsage if the text after it is no interval, if the interval ends before it
// begins or has nothing of the recording; and as store::wall_span().
base::Result<RecordingPart> parse_recording_part(const std::string& text);

}  // namespace reveal::replay
