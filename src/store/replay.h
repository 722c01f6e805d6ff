// The state of a reader of a recording, fed with one record after the other. It decides which
// frames can be trusted: after anything was lost, nothing counts until the next key frame, and the
// first frame after the loss says so.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/fact_table.h"
#include "model/frame.h"
#include "store/block_codec.h"
#include "store/bytes.h"
#include "store/frame_codec.h"
#include "store/numbering.h"
#include "store/record_scanner.h"

namespace reveal::store {

// Bytes of a recording that could not be used.
struct Damage {
  std::string file;  // "000001.rvs"
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  std::string what;
};

// What a reader is asked for; without anything, the whole recording.
struct ReadOptions {
  // Wall time, ns since the epoch: frames before `from` or not before `to` are left out. The first
  // frame states the facts that held already.
  std::optional<std::int64_t> from_ns;
  std::optional<std::int64_t> to_ns;
  // Numbers of the first and the last segment to read. With a last one, no journal is read.
  std::optional<std::uint32_t> from_segment;
  std::optional<std::uint32_t> to_segment;
  // Channels for which it is false are missing from all frames. Empty: all are wanted.
  std::function<bool(const model::MetricDescriptor&, std::string_view instance)> wanted;
  // All channels are missing from the frames of blocks, which are read many times faster for it.
  bool bare_blocks = false;

  // What a reader before this one gave: the same channels keep their numbers. Null: none has.
  std::shared_ptr<KnownChannels> known;

  bool in_time(std::int64_t wall_ns) const {
    return (!from_ns || wall_ns >= *from_ns) && (!to_ns || wall_ns < *to_ns);
  }
  // Returns whether all of a block lies before what is asked for.
  bool too_early(const BlockHeading& heading) const {
    return from_ns && std::max(heading.first_wall_ns, heading.last_wall_ns) < *from_ns;
  }
};

// What the blocks read so far take on the disk.
struct Usage {
  std::uint64_t blocks = 0;
  std::uint64_t block_bytes = 0;
  std::vector<double> channel_bytes;  // by channel; what is left is times, validity and notes
};

class Replay {
 public:
  explicit Replay(ReadOptions options = {})
      : options_(std::move(options)), numbering_(options_.known) {}

  enum class Step {
    kFrame,       // frame() is the next frame; next_of_block() may have more
    kOther,       // anything else, used or passed over
    kForeignRun,  // the segment is of another recording
    kCopy,        // the segment is another one under this file's name
    kPassed,      // all frames of the journal are in segments
    kUnknown,     // the journal's channels are numbered by a segment that was not read
  };

  // Forgets what does not reach across segments: deltas, and how the one before ended.
  // `numbered`: how channels are numbered is not known before its run facts are.
  void begin_segment(std::string file, bool numbered = false);
  // From here on come the frames of a journal, of which the segments may have some already.
  void begin_journal(std::string file, bool numbered = false);
  Step apply(const ScannedRecord& record);
  // Moves on to the next frame of the block that was applied last; false after its last.
  bool next_of_block();
  void lose(std::uint64_t offset, std::uint64_t bytes, std::string what);

  const std::optional<model::RunFacts>& facts() const { return facts_; }
  // Returns those read last, as the recorder states them that went on with the recording.
  const std::optional<model::RunFacts>& latest_facts() const { return latest_facts_; }
  const model::ChannelTable& channels() const { return numbering_.given(); }
  const Numbering& numbering() const { return numbering_; }
  const model::Frame& frame() const { return frame_; }
  const std::vector<Damage>& damage() const { return damage_; }
  const ReadOptions& options() const { return options_; }
  const Usage& usage() const { return usage_; }

  // The segment that was begun last has its end record; and that record ends the recording.
  bool segment_ended() const { return segment_ended_; }
  bool recording_ended() const { return recording_ended_; }
  // Returns how many frames after the last one were never stored, by the recording's end record. 0
  // also if that cannot be told: the recording was not closed, is damaged, or is not read from its
  // first tick to its last.
  std::uint64_t lost_at_end() const;

 private:
  void lose(const ScannedRecord& record, std::string what);
  Step apply_facts(const ScannedRecord& record);
  Step apply_packed(const ScannedRecord& record);
  Step apply_frame(const ScannedRecord& record);
  Step apply_block(const ScannedRecord& record);
  Step apply_notes(const ScannedRecord& record);
  Step apply_end(const ScannedRecord& record);
  void keep(const ScannedRecord& record, const base::Result<void>& read);
  void publish();
  std::vector<model::Note> notes_to_give();
  bool is_copy(ByteView facts) const;
  Step begin_numbering(std::uint32_t numbering);
  void give(const model::Frame& frame);
  bool known_already(std::uint64_t sequence) const;
  const std::vector<bool>* wanted();
  const std::vector<bool>* wanted_of_blocks();
  void hear(std::vector<model::Note> said);
  void count(const ScannedRecord& record);

  ReadOptions options_;
  Usage usage_;
  std::vector<bool> wanted_;  // by the file's channel; of those known so far
  std::vector<bool> none_;    // likewise
  std::string file_;
  std::optional<model::RunFacts> facts_;
  std::optional<model::RunFacts> latest_facts_;
  Numbering numbering_;
  bool unnumbered_ = false;  // until the file's run facts were read
  FrameDecoder decoder_;
  std::optional<BlockDecoder> block_;
  std::size_t block_tick_ = 0;  // of its next frame
  model::Frame frame_;
  model::Frame of_file_;  // the same under the file's numbers, unless these are the same
  std::vector<Damage> damage_;
  model::FactTable stated_;
  std::vector<model::Note> notes_;  // for the next frame
  std::optional<std::uint64_t> last_sequence_;
  std::uint64_t refused_ = 0;  // frames that were not stored, as the gaps say
  std::uint64_t dropped_ = 0;  // the same, as the end record says
  bool from_first_tick_ = true;
  bool lost_since_frame_ = false;
  bool published_ = false;  // a frame, ever
  bool in_journal_ = false;
  bool segment_ended_ = false;
  bool recording_ended_ = false;
};

}  // namespace reveal::store
