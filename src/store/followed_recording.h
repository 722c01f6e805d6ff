// A recording that grows while it is read: all its frames once, each soon after it was recorded.
//
// Between two reads the reader stays in the journal of the block that is being filled. If that
// journal does not tell the new frames, the recording is read anew from some time on. Not
// thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "base/result.h"
#include "model/frame.h"
#include "store/segment_reader.h"

namespace reveal::store {

class FollowedRecording {
 public:
  // Frames before `from_ns` (wall time) are left out, where that is given.
  FollowedRecording(std::filesystem::path directory, std::optional<std::int64_t> from_ns)
      : directory_(std::move(directory)), from_ns_(from_ns) {}

  const std::filesystem::path& directory() const { return directory_; }

  // Hands all frames to `sink` that have come since the last call, which the first call begins.
  // Fails as SegmentReader does, and as the sink does.
  base::Result<void> read_new(model::FrameSink& sink);

  // Returns the run's facts as the recorder of the latest frames states them; nullptr if nothing
  // has been read, or if the recording could not be opened the last time. Until the next read.
  const model::RunFacts* latest_facts() const {
    return reader_ ? &reader_->latest_facts() : nullptr;
  }
  // Returns whether any frame has been read.
  bool has_begun() const { return last_sequence_.has_value(); }
  // Returns how many channels sinks were given so far. They keep their numbers, however long they
  // are gone, so this only grows.
  std::size_t channels_met() const { return known_ ? known_->table.channel_count() : 0; }
  // Returns whether a recorder still writes it. Asked before a read, it tells whether that read is
  // the last one.
  bool is_growing() const;

 private:
  bool begins_yet(const base::Error& error) const;
  base::Result<bool> open();
  base::Result<bool> go_on(model::FrameSink& sink);
  base::Result<bool> drain(model::FrameSink& sink, bool until_damage);
  base::Result<void> hand_over(const model::Frame& frame, model::FrameSink& sink);

  std::filesystem::path directory_;
  std::optional<std::int64_t> from_ns_;
  std::optional<std::uint64_t> last_sequence_;
  std::optional<SegmentReader> reader_;   // at the end of what it has read
  std::shared_ptr<KnownChannels> known_;  // what sinks were given, by any reader so far
  int idle_reads_ = 0;
};

}  // namespace reveal::store
