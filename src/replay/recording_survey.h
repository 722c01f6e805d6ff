// The contents of a recording and their size on the disk: the data of `reveal info`.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/frame.h"
#include "store/replay.h"

namespace reveal::replay {

// Ticks without a frame.
struct MissingTicks {
  std::int64_t after_ns = 0;  // since the first frame
  std::uint64_t ticks = 0;
  std::uint8_t why = 0;  // GapReason bits; 0: the recorder said nothing
};

struct Share {
  std::string name;
  double bytes = 0;
};

struct RecordingSurvey {
  enum class State { kClosed, kGrowing, kAbandoned };

  model::RunFacts facts;
  State state = State::kAbandoned;
  std::int64_t begin_ns = 0;  // wall time of the first frame, and of the last
  std::int64_t end_ns = 0;
  std::int64_t span_ns = 0;          // monotonic time between them
  std::uint64_t first_sequence = 0;  // 0 unless the first ticks of the run are not there
  std::uint64_t frames = 0;
  std::uint64_t samples = 0;  // values of all frames
  std::size_t metrics = 0;
  std::size_t channels = 0;
  std::vector<MissingTicks> missing;
  std::uint64_t lost_at_end = 0;  // frames that were never stored, after the last one
  std::vector<store::Damage> damage;

  std::size_t segments = 0;
  std::uint64_t segment_bytes = 0;
  std::size_t journals = 0;
  std::uint64_t journal_bytes = 0;
  store::Usage usage;
  std::vector<Share> by_source;  // bytes in blocks, most first
  std::vector<Share> by_channel;

  // Returns the bytes of all segments and journals.
  std::uint64_t bytes() const { return segment_bytes + journal_bytes; }
};

// Reads all of the recording in `dir`. Fails as SegmentReader does.
base::Result<RecordingSurvey> survey(const std::filesystem::path& dir);

}  // namespace reveal::replay
