// Replays a recording: its frames in order, whatever happened to the files. Damaged frames are
// left out, marked (a jump of sequence, kGapDamage) and listed; intact ones come back bit for
// bit. A recording may be read while it is written: it ends at its last whole record. For one
// thread.
#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/frame.h"
#include "store/replay.h"
#include "store/segment_bytes.h"
#include "store/segment_parser.h"

namespace reveal::store {

struct WallSpan {
  std::int64_t begin_ns = 0;  // of the first frame, since the epoch
  std::int64_t end_ns = 0;    // of the last
};

// Returns when the recording in `dir` begins and ends, without reading all of it. Fails if it
// cannot be opened, with kTooLittle if it has no frame.
base::Result<WallSpan> wall_span(const std::filesystem::path& dir);

class SegmentReader : public model::FrameSource {
 public:
  // Opens the recording in `dir` and reads up to its first frame. Fails if that is not a directory,
  // not a recording, of a newer format, or cut off before its run facts.
  static base::Result<SegmentReader> open(const std::filesystem::path& dir,
                                          ReadOptions options = {});

  const model::RunFacts& facts() const override { return *replay_->facts(); }
  // Returns the facts of the same run as the file states them that was read last: what a recorder
  // that resumed it found.
  const model::RunFacts& latest_facts() const { return *replay_->latest_facts(); }
  const model::ChannelTable& channels() const override { return replay_->channels(); }
  // Returns the channels for another reader of the recording, which gives them the same numbers.
  const std::shared_ptr<KnownChannels>& known() const { return replay_->numbering().known(); }
  // Returns whether the file that was read last numbers channels otherwise than the first segment
  // of the recording does.
  bool is_numbered_anew() const { return replay_->numbering().now().value_or(0) != 0; }
  // Returns whether channels() begins as that of a reader of the whole recording does.
  bool begins_as_the_recording() const { return replay_->numbering().first() == 0; }
  // Fails only if a file cannot be read at all, or is of a newer format.
  base::Result<const model::Frame*> next() override;

  // After next() has returned nullptr: returns whether next() goes on with the frames that were
  // recorded since. If it does not, only a new reader knows them: the end was not in a journal, or
  // a whole journal has come and gone. Channels that appeared since are unknown, and a frame that
  // needs them is damage. Fails if the directory cannot be read.
  base::Result<bool> go_on();

  // Returns what could not be used so far; all of it once next() has returned nullptr.
  const std::vector<Damage>& damage() const { return replay_->damage(); }
  // Returns whether the recorder closed the recording in order; known once next() has returned
  // nullptr.
  bool clean_close() const { return at_end_ && clean_; }
  // Returns how many frames after the last one were never stored (Replay::lost_at_end()); known
  // once next() has returned nullptr.
  std::uint64_t lost_at_end() const { return replay_->lost_at_end(); }
  // Returns the number of the segment that the latest frame is from; nothing for one from a
  // journal.
  std::optional<std::uint32_t> segment() const;
  // Returns what the blocks read so far take on the disk.
  const Usage& usage() const { return replay_->usage(); }

 private:
  struct OpenJournal {
    std::uint32_t number = 0;
    FileBytes bytes;
  };

  SegmentReader(std::filesystem::path dir, ReadOptions options)
      : dir_(std::move(dir)), replay_(new Replay(std::move(options))) {}

  base::Result<void> find_files();
  void open_journals(const std::vector<std::uint32_t>& numbers);
  void leave_out_numbers();
  base::Result<void> leave_out_segments();
  base::Result<bool> advance();
  base::Result<bool> open_next();
  base::Result<bool> open_next_segment();
  base::Result<bool> open_next_journal();
  base::Result<void> open_segment(std::size_t index);
  void leave_file();

  std::filesystem::path dir_;
  std::vector<std::uint32_t> segments_;
  std::size_t opened_ = 0;            // how many of them
  std::deque<OpenJournal> journals_;  // open from the start: a recorder removes them as it goes
  std::uint32_t journal_ = 0;         // that is read, or was last; 0: none
  bool more_segments_ = false;        // after the last that is read
  std::unique_ptr<Replay> replay_;    // its address must outlive a move
  std::optional<SegmentParser> parser_;
  bool frame_ready_ = false;  // open() has read the first frame already
  bool at_end_ = false;
  bool clean_ = false;
};

}  // namespace reveal::store
