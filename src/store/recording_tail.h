// What a recorder must know of a recording to go on with it: whose it is, its channels, and how it
// ends. Only the last segments and the journals are read, and of their blocks no values of
// channels, because a recorder that starts again shall not be late for it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "base/result.h"
#include "model/channel_table.h"
#include "model/fact_table.h"
#include "model/frame.h"

namespace reveal::store {

struct RecordingTail {
  // When the last frame was, in the terms of the recording.
  struct Moment {
    std::uint64_t sequence = 0;
    std::int64_t wall_ns = 0;
    std::int64_t mono_ns = 0;
  };

  model::RunFacts facts;         // as a late segment states them
  model::ChannelTable channels;  // all of the segments that were read
  // They are not numbered as the recording's first segment numbers them.
  bool is_numbered_anew = false;
  std::optional<Moment> last;      // nothing: no frame can be read
  model::FactTable stated;         // what holds after all frames, by their notes
  model::FactTable landed;         // and after those that are in segments
  std::uint32_t from_segment = 0;  // which a reader may begin with, to learn all of this
};

// Reads the end of the recording in `dir`. Fails as SegmentReader does.
base::Result<RecordingTail> read_tail(const std::filesystem::path& dir);

}  // namespace reveal::store
