// A recording that grows while it is read.
//
// store::SegmentReader reads what is there and ends. So what is new is read by a new reader each
// time, which passes over the blocks that lie before it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <utility>

#include "base/result.h"
#include "model/frame.h"

namespace reveal::cli {

class FollowedRecording {
 public:
  // Frames before `from_ns` (wall time) are left out, where that is given.
  FollowedRecording(std::filesystem::path directory, std::optional<std::int64_t> from_ns)
      : directory_(std::move(directory)), from_ns_(from_ns) {}

  const std::filesystem::path& directory() const { return directory_; }

  // Hands all frames to `sink` that have come since the last call, which the first call begins.
  // Fails as SegmentReader does, and as the sink does.
  base::Result<void> read_new(model::FrameSink& sink);

  // Returns whether any frame has been read.
  bool has_begun() const { return last_sequence_.has_value(); }
  // Returns whether a recorder still writes it. Asked before a read, it tells whether that read is
  // the last one.
  bool is_growing() const;

 private:
  bool begins_yet(const base::Error& error) const;

  std::filesystem::path directory_;
  std::optional<std::int64_t> from_ns_;
  std::optional<std::uint64_t> last_sequence_;
  int idle_reads_ = 0;
};

}  // namespace reveal::cli
