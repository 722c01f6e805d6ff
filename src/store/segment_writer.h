// Records frames into a directory (docs/storage_format.md): each into the journal at once, and a
// minute of them as a block into a segment. The kernel has every stored frame when write() returns,
// so killing the recorder loses at most the frame in flight. If the disk refuses frames, only these
// are lost: a recorder must outlive a full disk, so write() still returns success, and status()
// tells. For one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "base/result.h"
#include "base/unique_fd.h"
#include "model/frame.h"
#include "store/block_builder.h"
#include "store/block_codec.h"
#include "store/journal.h"
#include "store/recording_tail.h"
#include "store/segment_log.h"

namespace reveal::store {

class SegmentReader;

struct WriterOptions {
  std::uint64_t segment_bytes = 64u << 20;      // a segment this large is followed by another
  std::int64_t segment_ns = 3'600'000'000'000;  // and so is one that spans this much time
  // Left to the host's other programs; 0: none. A recording with retention removes its oldest
  // segments for that, and pauses if that is not enough, as others do at once.
  std::uint64_t min_free_bytes = 64u << 20;
  std::size_t block_ticks = 600;            // frames of a block, at most kMaxTicks
  std::int64_t block_ns = 600'000'000'000;  // and the time that it spans at most
  std::uint64_t block_bytes = 0;  // and the bytes that it takes in the journal; 0: any number
  std::int64_t sync_ns = 0;       // how often what was stored is flushed to the disk; 0: at the end
  // extend(): the first segment numbers channels anew, as its frames come from a reader whose
  // numbers are not those of the recording that is extended.
  bool number_anew = false;
  // Retention removes whole segments, so it makes segments and blocks smaller.
  Retention retention;
};

struct WriterStatus {
  std::uint64_t stored_frames = 0;
  std::uint64_t dropped_frames = 0;
  bool paused = false;  // the latest frame was dropped
  std::optional<base::Error> first_failure;
};

class SegmentWriter : public model::FrameSink {
 public:
  // Makes `dir` if absent and claims it. Fails if it is in use, or not empty, or not accessible.
  static base::Result<SegmentWriter> create(const std::filesystem::path& dir,
                                            WriterOptions options = {});

  // Extends the recording in `dir`, or begins one if there is none. New data is staged; finish()
  // publishes it. Until then, and after a crash, the recording is unchanged. The caller continues
  // with the run facts and the channel table at the end of the recording, and states the facts that
  // hold then. Fails if the recording is in use or not accessible.
  static base::Result<SegmentWriter> extend(const std::filesystem::path& dir,
                                            model::FactTable stated, WriterOptions options = {});

  // Resumes the recording in `dir` in place, however its recorder ended, or begins one if `dir` is
  // empty or absent. Claims `dir`; begin() is the first to change a recording in it. The caller
  // continues after resumed(): with its identity, its channels and greater sequences. Fails if the
  // recording is in use, not accessible or of a newer format, or `dir` holds something else.
  static base::Result<SegmentWriter> resume(const std::filesystem::path& dir,
                                            WriterOptions options = {});

  // Returns how the recording ended that is resumed; nullptr if this one is new.
  const RecordingTail* resumed() const { return tail_ ? &*tail_ : nullptr; }

  // Of a resumed recording, ends the last segment in order, and puts the frames that only the
  // journals have into the first new one. Fails if that cannot be begun, for want of space or
  // permission: then nothing is lost. REQUIRES: `facts` identify the run that is resumed.
  base::Result<void> begin(const model::RunFacts& facts) override;
  // From the next frame on, metrics and channels are numbered as another table numbers them. What
  // was written before goes to its segment first, at once. Fails if that cannot be done: then
  // nothing has changed.
  base::Result<void> number_anew();
  // Returns whether the latest write() brought a block into a segment: then few frames are in none
  // yet, and number_anew() takes little time.
  bool has_landed_block() const { return landed_; }
  // Always succeeds; status() says whether the frame was stored.
  base::Result<void> write(const model::ChannelTable& channels, const model::Frame& frame) override;
  // Closes the recording in order and flushes all of it to the disk.
  base::Result<void> finish() override;

  const WriterStatus& status() const { return status_; }
  // Returns the bytes that the recording takes on the disk now, and all that were ever written.
  std::uint64_t bytes_on_disk() const { return log_.bytes() + journal_.bytes(); }
  // Returns the bytes of the journals among those on the disk.
  std::uint64_t journal_bytes() const { return journal_.bytes(); }
  std::uint64_t bytes_written() const { return log_.bytes_written() + journal_.bytes_written(); }
  // Returns the frames that the options' retention has removed.
  const RetentionTotals& removed() const { return log_.closed().removed(); }

 private:
  // A block on its way into a segment, a few columns a tick.
  struct Sealing {
    BlockEncoder encoder;
    std::size_t columns_a_tick;
    Bytes payload;  // once it is encoded
  };

  SegmentWriter(std::filesystem::path dir, base::UniqueFd lock, WriterOptions options);

  base::Result<void> store(const model::ChannelTable& channels, const model::Frame& frame);
  void add_to_block(const model::ChannelTable& channels, const model::Frame& frame,
                    std::uint8_t gap, const std::vector<model::Note>& notes);
  base::Result<void> go_on(const model::RunFacts& facts);
  base::Result<void> close_old_segments();
  base::Result<void> seal_journals(SegmentReader& old);
  base::Result<void> publish();
  base::Result<void> check_still_there() const;
  base::Result<void> check_free_space(std::int64_t now_ns);
  base::Result<void> make_room(std::uint64_t free_bytes);
  // Whether it removes frames of its own at all.
  bool gives_way() const {
    return options_.retention.keep_ns > 0 || options_.retention.max_bytes > 0;
  }
  base::Result<void> sync_if_due(std::int64_t now_ns);
  bool block_is_full(std::int64_t now_ns) const;
  void begin_sealing();
  base::Result<void> advance_sealing(std::size_t columns);
  base::Result<void> seal_all();
  void keep_notes(const model::Frame& frame);
  void note_failure(const base::Result<void>& result);

  std::filesystem::path dir_;
  std::filesystem::path target_;  // where the segments go at the end; empty: they are there
  base::UniqueFd lock_;
  WriterOptions options_;
  WriterStatus status_;
  SegmentLog log_;
  Journal journal_;
  BlockBuilder open_block_;
  std::optional<Sealing> sealing_;
  bool landed_ = false;                // a block, in the latest write()
  std::vector<bool> real_;             // by channel: binary64
  std::optional<RecordingTail> tail_;  // of the recording that is resumed
  std::optional<std::int64_t> space_checked_ns_;
  bool knows_old_segments_ = false;  // of the recording that is resumed
  bool has_begun_ = false;
  std::int64_t synced_ns_ = 0;
  std::vector<model::Note> pending_notes_;  // of frames that were not stored, and of the next one
};

}  // namespace reveal::store
