// Reads one segment from its header to its end into a Replay. The same code reads a file and, under
// a fuzzer, memory.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "store/block_codec.h"
#include "store/record_scanner.h"
#include "store/replay.h"
#include "store/segment_bytes.h"

namespace reveal::store {

class SegmentParser {
 public:
  enum class Kind { kSegment, kJournal };

  // Checks the header and begins the segment in `replay`, which must outlive this object. Fails
  // with kCorrupt for a file that is not a segment, kUsage for one of a newer format.
  static base::Result<SegmentParser> open(std::unique_ptr<SegmentBytes> bytes,
                                          const std::string& file, Replay& replay,
                                          Kind kind = Kind::kSegment);

  // Reads on until replay.frame() is the next frame, and returns true; false at the end. Fails only
  // if the bytes cannot be read at all.
  base::Result<bool> next_frame();

  // Takes in what was appended to the bytes since: next_frame() reads on there.
  base::Result<void> refresh() { return bytes_->refresh(); }
  bool removed() const { return bytes_->removed(); }

  // Returns where the last record begins that the file stops inside of; its size where none does.
  std::uint64_t tail_offset() const { return tail_offset_; }
  std::uint64_t size() const { return bytes_->size(); }
  // Returns whether the segment was left because it is of another recording, or another segment.
  bool foreign() const { return foreign_; }

  // Returns the heading of the first block and of the last, without reading what lies between.
  static base::Result<std::optional<BlockHeading>> first_heading(SegmentBytes& bytes);
  static base::Result<std::optional<BlockHeading>> last_heading(SegmentBytes& bytes);

 private:
  base::Result<void> pass_unwanted();

  SegmentParser(std::unique_ptr<SegmentBytes> bytes, Replay& replay, std::uint64_t offset)
      : bytes_(std::move(bytes)),
        replay_(&replay),
        scanner_(*bytes_, offset),
        tail_offset_(bytes_->size()) {}

  std::unique_ptr<SegmentBytes> bytes_;
  Replay* replay_;
  RecordScanner scanner_;
  std::uint64_t tail_offset_;
  bool foreign_ = false;
};

}  // namespace reveal::store
