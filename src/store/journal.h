// The frames of blocks that are not in a segment yet, so that killing the recorder costs at most
// the frame in flight: docs/storage_format.md, "Journals". Each block's frames have a file of their
// own, which goes once the block is safe.
#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <optional>
#include <vector>

#include "base/result.h"
#include "model/frame.h"
#include "store/bytes.h"
#include "store/frame_codec.h"
#include "store/segment_file.h"

namespace reveal::store {

class Journal {
 public:
  explicit Journal(std::filesystem::path dir) : dir_(std::move(dir)) {}

  // Says whose frames follow.
  void begin(const model::RunFacts& facts);

  // Says how the frames that follow number channels (SegmentLog::numbering()). REQUIRES: the open
  // block has no frame, unless it is as before.
  void set_numbering(std::uint32_t numbering);

  // Goes on with the numbers after those of the files that are there. Fails if the directory cannot
  // be read.
  base::Result<void> go_on();
  // Takes over the files of the recorder before, whose frames are in a segment now. Those of
  // another recording stay for good. REQUIRES: begin() and go_on() were called.
  base::Result<void> take_over();

  // Appends a frame with one write, `gap` and `notes` in place of its own. After a failure the file
  // is as it was.
  base::Result<void> append(const model::Frame& frame, std::uint8_t gap,
                            const std::vector<model::Note>& notes);

  // Makes what was appended so far durable.
  base::Result<void> sync();

  // Ends the file of one block; frames that follow go to another.
  void end_block();
  // Removes the file of the oldest ended block, whose frames are in a segment.
  void remove_oldest();
  // Returns how many ended blocks still have their files.
  std::size_t ended() const { return ended_.size(); }

  // Returns the bytes of the open block's file.
  std::uint64_t open_bytes() const { return file_ ? file_->size() : 0; }
  // Returns the bytes of the files that are there, and of all that ever were.
  std::uint64_t bytes() const;
  std::uint64_t bytes_written() const { return removed_bytes_ + bytes(); }

 private:
  struct EndedFile {
    std::filesystem::path path;
    std::uint64_t bytes;
  };

  base::Result<void> open();
  bool is_ours(const std::filesystem::path& path) const;

  std::filesystem::path dir_;
  model::RunFacts whose_;
  std::uint32_t numbering_ = 0;
  Bytes facts_;
  std::uint32_t number_ = 0;         // of the latest file
  std::optional<SegmentFile> file_;  // none until the block's first frame
  std::deque<EndedFile> ended_;      // oldest first
  std::uint64_t removed_bytes_ = 0;
  FrameEncoder encoder_;
  Bytes payload_;
  Bytes out_;
};

}  // namespace reveal::store
