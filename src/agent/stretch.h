// A stretch of a recording as a recording of its own: all its frames as they were recorded, and the
// facts that held. Retention, which shortens the recording, leaves it alone.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>

#include "base/result.h"

namespace reveal::agent {

struct Stretch {
  std::int64_t from_ns = 0;  // wall time
  std::int64_t to_ns = 0;
  std::uint64_t min_free_bytes = 0;  // left to the host's other programs
  std::uint64_t max_bytes = 0;       // that the copy may take, while it is made, too; 0: any number
  bool may_be_cut = false;           // to its first frames, rather than fail for that
};

// What a copy is called until it is whole: its name with this ending.
inline constexpr const char* kUnfinished = ".part";

// Copies the stretch into the folder `kept`, which is there only if it is whole: until then it has
// the ending kUnfinished. Returns the number of frames. Fails as store::SegmentReader and
// store::SegmentWriter do, with kNoSpace if the disk or `max_bytes` has no room, with kTooLittle if
// there is no frame in it, and with kBusy once `stop`, if there is one, says so; then nothing is
// there.
base::Result<std::uint64_t> keep_stretch(const std::filesystem::path& recording,
                                         const std::filesystem::path& kept, const Stretch& stretch,
                                         const std::atomic<bool>* stop = nullptr);

// Returns at most how many bytes of the recording are of frames since `from_ns`: those of the files
// that were written since.
std::uint64_t bytes_since(const std::filesystem::path& recording, std::int64_t from_ns);

}  // namespace reveal::agent
