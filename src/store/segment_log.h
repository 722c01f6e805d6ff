// The segments of a recording being written, one open at a time: what stands in which order is
// docs/storage_format.md, "Order". A record lands whole or not at all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/fact_table.h"
#include "model/frame.h"
#include "store/block_codec.h"
#include "store/bytes.h"
#include "store/closed_segments.h"
#include "store/segment_file.h"

namespace reveal::store {

class SegmentLog {
 public:
  struct Limits {
    std::uint64_t bytes;   // a segment this large is followed by another
    std::int64_t span_ns;  // and so is one that spans this much time
  };

  SegmentLog(const std::filesystem::path& dir, Limits limits)
      : dir_(dir), limits_(limits), closed_(dir) {}

  // Goes on after the segment `last`, where all notes so far have left `stated`.
  void go_on(std::uint32_t last, model::FactTable stated);
  // Counts these segments as closed ones of this log: ClosedSegments::add_from_disk.
  base::Result<void> count_closed(const std::vector<std::uint32_t>& numbers, bool spans) {
    return closed_.add_from_disk(numbers, spans);
  }

  // Begins the first segment.
  base::Result<void> begin(const model::RunFacts& facts);

  // Ends the open segment: the next one numbers metrics and channels anew.
  base::Result<void> number_anew();
  // Returns the segment that began the numbering of the open one; 0: the first of the recording.
  std::uint32_t numbering() const { return numbering_; }

  // Goes on to the next segment if it is time, and states the metrics and channels that the open
  // one does not have yet.
  base::Result<void> state(const model::ChannelTable& channels);

  // Appends a block, with what is said in it, to the open segment.
  base::Result<void> append(ByteView block, const BlockHeading& heading,
                            const std::vector<TickNotes>& notes);

  // Closes the last segment; `dropped` frames were never stored.
  base::Result<void> finish(std::uint64_t dropped);

  // Makes durable what was appended to the open segment, or to all of them.
  base::Result<void> sync();
  base::Result<void> sync_all() const;

  // Removes the oldest segments, as ClosedSegments::remove does; the open one stays.
  base::Result<void> remove(const Retention& retention, std::int64_t now_ns,
                            std::uint64_t other_bytes);

  // As ClosedSegments::free_up.
  base::Result<bool> free_up(std::uint64_t bytes, std::uint32_t needed) {
    return closed_.free_up(bytes, needed);
  }

  // Returns the bytes of the segments that are there, and of all that ever were.
  std::uint64_t bytes() const { return closed_.bytes() + open_bytes(); }
  std::uint64_t bytes_written() const { return closed_.bytes_ever() + open_bytes(); }
  // Returns the name of the open segment; empty if none is open.
  std::string open_name() const;
  const ClosedSegments& closed() const { return closed_; }

 private:
  base::Result<void> open();
  base::Result<void> close(bool last, std::uint64_t dropped);
  bool due() const;
  std::uint64_t open_bytes() const { return file_ ? file_->size() : 0; }

  std::filesystem::path dir_;
  Limits limits_;
  model::RunFacts facts_;
  std::optional<SegmentFile> file_;  // none between the end of one segment and what follows
  std::uint32_t number_ = 0;
  std::uint32_t numbering_ = 0;
  bool numbers_anew_ = false;  // the next segment does
  ClosedSegments closed_;
  std::uint64_t frames_ = 0;   // in the open segment
  std::int64_t begin_ns_ = 0;  // monotonic time of its first frame, and of its last
  std::int64_t end_ns_ = 0;
  std::size_t metrics_ = 0;  // stated in it
  std::size_t channels_ = 0;
  model::FactTable stated_;  // by all blocks so far
  Bytes payload_;
  Bytes out_;
};

}  // namespace reveal::store
