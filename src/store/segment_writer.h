// Records frames into a directory of segments (docs/storage_format.md). Every stored frame is in
// the kernel's hands when write() returns, so killing the recorder costs at most the frame in
// flight. A disk that refuses costs the frames it refuses and nothing else: write() goes on
// returning success, because a recorder must outlive a full disk, and status() tells. For one
// thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>

#include "base/result.h"
#include "base/unique_fd.h"
#include "model/fact_table.h"
#include "model/frame.h"
#include "store/frame_codec.h"
#include "store/segment_file.h"

namespace reveal::store {

struct WriterOptions {
  std::uint64_t segment_bytes = 64u << 20;      // a segment this large is followed by another
  std::int64_t segment_ns = 3'600'000'000'000;  // and so is one that spans this much time
  std::uint64_t min_free_bytes = 64u << 20;     // left to the host's other programs; 0: none
};

struct WriterStatus {
  std::uint64_t stored_frames = 0;
  std::uint64_t dropped_frames = 0;
  bool paused = false;  // the latest frame was dropped
  std::optional<base::Error> first_failure;
};

class SegmentWriter : public model::FrameSink {
 public:
  // Makes `dir` where absent and claims it. Fails if it is in use, or not empty, or not accessible.
  static base::Result<SegmentWriter> create(const std::filesystem::path& dir,
                                            WriterOptions options = {});

  // Fails if the first segment cannot be begun, for want of space or permission.
  base::Result<void> begin(const model::RunFacts& facts) override;
  // Always succeeds; status() says whether the frame was stored.
  base::Result<void> write(const model::ChannelTable& channels, const model::Frame& frame) override;
  // Closes the recording in order and flushes all of it to the disk.
  base::Result<void> finish() override;

  const WriterStatus& status() const { return status_; }
  // Returns the bytes of all segments so far.
  std::uint64_t bytes_written() const { return bytes_before_ + (file_ ? file_->size() : 0); }

 private:
  SegmentWriter(std::filesystem::path dir, base::UniqueFd lock, WriterOptions options)
      : dir_(std::move(dir)), lock_(std::move(lock)), options_(options) {}

  base::Result<void> store(const model::ChannelTable& channels, const model::Frame& frame);
  base::Result<void> check_free_space(std::int64_t now_ns);
  base::Result<void> close_if_due(std::int64_t now_ns);
  base::Result<void> open_segment();
  base::Result<void> close_segment(bool last);
  base::Result<void> flush() const;
  void encode_tables(const model::ChannelTable& channels);
  void keep_notes(const model::Frame& frame);
  void encode_notes();
  void append_notes(const std::vector<model::Note>& notes);
  void encode_frame(const model::Frame& frame);

  std::filesystem::path dir_;
  base::UniqueFd lock_;
  WriterOptions options_;
  WriterStatus status_;
  model::RunFacts facts_;

  std::optional<SegmentFile> file_;  // none between the end of one segment and the next frame
  std::uint32_t segment_ = 0;
  std::uint64_t bytes_before_ = 0;  // of the segments that are closed
  std::uint64_t segment_frames_ = 0;
  std::int64_t segment_begin_ns_ = 0;  // monotonic time of its first frame
  std::size_t segment_metrics_ = 0;    // stated in it
  std::size_t segment_channels_ = 0;
  std::optional<std::int64_t> space_checked_ns_;

  model::FactTable stated_;                 // by all frames so far
  std::vector<model::Note> pending_notes_;  // of frames that were not stored, and of the next one
  bool restate_ = true;                     // the segment does not have the facts yet

  FrameEncoder encoder_;
  Bytes payload_;
  Bytes out_;
};

}  // namespace reveal::store
