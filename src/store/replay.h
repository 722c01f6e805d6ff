// What a reader knows so far of a recording, fed with one record after the other. It decides which
// frames can be trusted: after anything was lost, nothing counts until the next key frame, and the
// first frame after the loss says so.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/fact_table.h"
#include "model/frame.h"
#include "store/block_codec.h"
#include "store/frame_codec.h"
#include "store/record_scanner.h"

namespace reveal::store {

// Bytes of a recording that could not be used.
struct Damage {
  std::string file;  // "000001.rvs"
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  std::string what;
};

class Replay {
 public:
  enum class Step {
    kFrame,       // frame() is the next frame; next_of_block() may have more
    kOther,       // anything else, used or passed over
    kForeignRun,  // the segment is of another recording
  };

  // Forgets what does not reach across segments: deltas, and how the one before ended.
  void begin_segment(std::string file);
  // From here on come the frames of a journal, of which the segments may have some already.
  void begin_journal(std::string file);
  Step apply(const ScannedRecord& record);
  // Moves on to the next frame of the block that was applied last; false after its last.
  bool next_of_block();
  void lose(std::uint64_t offset, std::uint64_t bytes, std::string what);

  const std::optional<model::RunFacts>& facts() const { return facts_; }
  const model::ChannelTable& channels() const { return channels_; }
  const model::Frame& frame() const { return frame_; }
  const std::vector<Damage>& damage() const { return damage_; }

  // The segment that was begun last has its end record; and that record ends the recording.
  bool segment_ended() const { return segment_ended_; }
  bool recording_ended() const { return recording_ended_; }

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
  bool known_already(std::uint64_t sequence) const;

  std::string file_;
  std::optional<model::RunFacts> facts_;
  model::ChannelTable channels_;
  FrameDecoder decoder_;
  std::optional<BlockDecoder> block_;
  std::size_t block_tick_ = 0;  // of its next frame
  model::Frame frame_;
  std::vector<Damage> damage_;
  model::FactTable stated_;
  std::vector<model::Note> notes_;  // for the next frame
  std::optional<std::uint64_t> last_sequence_;
  bool lost_since_frame_ = false;
  bool in_journal_ = false;
  bool segment_ended_ = false;
  bool recording_ended_ = false;
};

}  // namespace reveal::store
