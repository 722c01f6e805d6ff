#include "store/replay.h"

#include <utility>

#include "store/facts_codec.h"
#include "store/notes_codec.h"
#include "store/recording_dir.h"
#include "store/table_codec.h"

namespace reveal::store {
namespace {

bool needs_numbering(RecordType type) {
  return type == RecordType::kMetrics || type == RecordType::kChannels ||
         type == RecordType::kKeyFrame || type == RecordType::kDeltaFrame ||
         type == RecordType::kBlock;
}

}  // namespace

void Replay::begin_segment(std::string file, bool numbered) {
  if (recording_ended_) refused_ = 0;  // it was resumed, and that recorder counts anew
  file_ = std::move(file);
  decoder_.reset();
  block_.reset();
  in_journal_ = false;
  unnumbered_ = numbered;
  segment_ended_ = false;
  recording_ended_ = false;
}

void Replay::begin_journal(std::string file, bool numbered) {
  begin_segment(std::move(file), numbered);
  in_journal_ = true;
}

void Replay::lose(std::uint64_t offset, std::uint64_t bytes, std::string what) {
  damage_.push_back({file_, offset, bytes, std::move(what)});
  decoder_.reset();
  lost_since_frame_ = true;
}

void Replay::lose(const ScannedRecord& record, std::string what) {
  lose(record.offset, record.bytes, std::move(what));
}

Replay::Step Replay::apply(const ScannedRecord& record) {
  segment_ended_ = false;
  recording_ended_ = false;
  if (unnumbered_ && needs_numbering(record.type)) {
    lose(record, "what says how its channels are numbered is lost");
    return Step::kOther;
  }
  // Without run facts, files are numbered as they were before there was another numbering.
  if (!numbering_.now() && needs_numbering(record.type)) numbering_.begin(0);
  switch (record.type) {
    case RecordType::kRunFacts:
      return apply_facts(record);
    case RecordType::kMetrics:
      keep(record, read_metrics(record.payload, numbering_.of_file()));
      return Step::kOther;
    case RecordType::kChannels:
      keep(record, read_channels(record.payload, numbering_.of_file()));
      return Step::kOther;
    case RecordType::kKeyFrame:
    case RecordType::kDeltaFrame:
      return apply_frame(record);
    case RecordType::kNotes:
      return apply_notes(record);
    case RecordType::kEnd:
      return apply_end(record);
    case RecordType::kBlock:
      return apply_block(record);
    case RecordType::kPacked:
      return apply_packed(record);
  }
  return Step::kOther;  // a type of a later writer
}

void Replay::keep(const ScannedRecord& record, const base::Result<void>& read) {
  if (!read) lose(record, read.error().what);
  if (!numbering_.learn()) lose(record, "a metric that is another than before");
}

// The recorder puts all frames into segments before it numbers channels anew: journals that are
// numbered otherwise than the last segment are old, or newer than what was read of the segments.
Replay::Step Replay::begin_numbering(std::uint32_t numbering) {
  const auto before = numbering_.now();
  if (in_journal_ && before && numbering < *before) return Step::kPassed;
  if (in_journal_ && before && numbering > *before) return Step::kUnknown;
  unnumbered_ = false;
  if (before == numbering) return Step::kOther;
  numbering_.begin(numbering);
  wanted_.clear();
  return Step::kOther;
}

// Returns whether these facts are of a segment with another number than the file's name has.
bool Replay::is_copy(ByteView facts) const {
  const auto named = segment_number(file_);
  const auto said = read_segment_number(facts);
  return named && said && *named != *said;
}

Replay::Step Replay::apply_facts(const ScannedRecord& record) {
  auto read = read_facts(record.payload);
  if (!read) {
    lose(record, read.error().what);
    return Step::kOther;
  }
  if (facts_ && !same_run(*facts_, *read)) return Step::kForeignRun;
  if (is_copy(record.payload)) return Step::kCopy;
  if (!facts_) facts_ = *read;
  // A journal says whose it is and no more, and is of no segment yet.
  const bool says_all = read_segment_number(record.payload).value_or(0) != 0;
  if (says_all || !latest_facts_) latest_facts_ = std::move(*read);
  return begin_numbering(read_numbering(record.payload));
}

Replay::Step Replay::apply_frame(const ScannedRecord& record) {
  // A delta after a loss is sound but has nothing to stand on; the loss is on the list already.
  const bool delta = record.type == RecordType::kDeltaFrame;
  if (delta && !decoder_.has_base() && lost_since_frame_) return Step::kOther;
  if (!facts_) {
    lose(record, "a frame without run facts");
    return Step::kOther;
  }
  const auto decoded =
      decoder_.decode(record.type, record.payload, numbering_.of_file().channel_count());
  if (!decoded) {
    lose(record, decoded.error().what);
    return Step::kOther;
  }
  if (known_already(decoder_.frame().sequence)) {
    notes_.clear();
    return Step::kOther;
  }
  give(decoder_.frame());
  if (!options_.in_time(frame_.wall_ns)) {
    last_sequence_ = frame_.sequence;
    notes_.clear();
    return Step::kOther;
  }
  publish();
  if (const auto* channels = wanted()) {
    for (std::size_t i = 0; i < decoder_.frame().bits.size(); ++i) {
      if ((*channels)[i]) continue;
      const std::size_t at = numbering_.given(model::ChannelId(i)).index();
      frame_.bits[at] = 0;
      frame_.validity[at] = model::Validity::kMissing;
    }
  }
  return Step::kFrame;
}

void Replay::give(const model::Frame& frame) {
  if (numbering_.is_the_same()) {
    frame_ = frame;
  } else {
    numbering_.apply(frame, frame_);
  }
}

// Returns which of the channels known so far are wanted; nullptr if all are.
const std::vector<bool>* Replay::wanted() {
  if (!options_.wanted) return nullptr;
  const auto& channels = numbering_.of_file();
  for (std::size_t i = wanted_.size(); i < channels.channel_count(); ++i) {
    const model::ChannelId id(i);
    wanted_.push_back(options_.wanted(channels.metric(id), channels.channel(id).instance));
  }
  return &wanted_;
}

const std::vector<bool>* Replay::wanted_of_blocks() {
  if (!options_.bare_blocks) return wanted();
  none_.resize(numbering_.of_file().channel_count());
  return &none_;
}

void Replay::count(const ScannedRecord& record) {
  ++usage_.blocks;
  usage_.block_bytes += record.bytes;
  usage_.channel_bytes.resize(channels().channel_count());
  for (std::size_t i = 0; i < block_->heading().channels; ++i) {
    const auto at = numbering_.given(model::ChannelId(i)).index();
    usage_.channel_bytes[at] += block_->channel_bytes(i);
  }
}

// A frame stays in its journal until after its block has landed.
bool Replay::known_already(std::uint64_t sequence) const {
  return in_journal_ && last_sequence_ && sequence <= *last_sequence_;
}

Replay::Step Replay::apply_block(const ScannedRecord& record) {
  if (!facts_) {
    lose(record, "a block without run facts");
    return Step::kOther;
  }
  auto block = BlockDecoder::open(record.payload, numbering_.of_file().channel_count());
  if (block && last_sequence_ && block->heading().first_sequence <= *last_sequence_) {
    lose(record, "a block of frames that were there before");
    return Step::kOther;
  }
  if (block && options_.too_early(block->heading())) {
    for (const TickNotes& at : block->notes()) hear(at.notes);
    notes_.clear();
    last_sequence_ = block->heading().first_sequence;
    return Step::kOther;
  }
  const auto decoded = block ? block->decode(wanted_of_blocks()) : base::pass(block);
  if (!decoded) {
    lose(record, decoded.error().what);
    return Step::kOther;
  }
  block_.emplace(std::move(*block));
  block_tick_ = 0;
  count(record);
  return next_of_block() ? Step::kFrame : Step::kOther;
}

bool Replay::next_of_block() {
  while (block_ && block_tick_ < block_->ticks()) {
    if (numbering_.is_the_same()) {
      block_->frame(block_tick_++, frame_);
    } else {
      block_->frame(block_tick_++, of_file_);
      numbering_.apply(of_file_, frame_);
    }
    hear(std::exchange(frame_.notes, {}));
    if (options_.in_time(frame_.wall_ns)) {
      publish();
      return true;
    }
    notes_.clear();
  }
  block_.reset();
  return false;
}

Replay::Step Replay::apply_packed(const ScannedRecord& record) {
  const auto unpacked = unpack(record.payload);
  if (!unpacked || unpacked->type == RecordType::kPacked) {
    lose(record, "a compressed record that cannot be read");
    return Step::kOther;
  }
  ScannedRecord inner = record;
  inner.type = unpacked->type;
  inner.payload = unpacked->payload;
  return apply(inner);
}

void Replay::hear(std::vector<model::Note> said) {
  for (auto& note : said) {
    if (stated_.apply(note)) notes_.push_back(std::move(note));
  }
}

// If reading begins in the middle, the first frame says what held before.
std::vector<model::Note> Replay::notes_to_give() {
  auto said = std::exchange(notes_, {});
  if (published_ || !options_.from_ns) return said;
  std::erase_if(said, [](const auto& note) { return note.kind == model::Note::Kind::kFact; });
  auto out = stated_.notes();
  out.insert(out.end(), said.begin(), said.end());
  return out;
}

// Hands the frame out, marked if frames before it are unreadable.
void Replay::publish() {
  frame_.notes = notes_to_give();
  published_ = true;
  const std::uint64_t expected = last_sequence_ ? *last_sequence_ + 1 : 0;
  if (lost_since_frame_ && frame_.sequence != expected) frame_.gap |= model::kGapDamage;
  lost_since_frame_ = false;
  if (frame_.sequence > expected) {
    const bool refused = (frame_.gap & model::kGapStorage) != 0;
    if (refused) refused_ += frame_.sequence - expected;
    if (!last_sequence_ && !refused) from_first_tick_ = false;
  }
  last_sequence_ = frame_.sequence;
}

// Notes belong to the next frame that can be read; a segment restates the facts, which are new to a
// reader only if it lost what said them first.
Replay::Step Replay::apply_notes(const ScannedRecord& record) {
  auto read = read_notes(record.payload);
  if (!read) {
    lose(record, read.error().what);
    return Step::kOther;
  }
  hear(std::move(*read));
  return Step::kOther;
}

Replay::Step Replay::apply_end(const ScannedRecord& record) {
  ByteCursor in(record.payload);
  in.varint();
  const std::uint8_t last = in.u8();
  segment_ended_ = in.ok();
  recording_ended_ = in.ok() && last == 1;
  const std::uint64_t dropped = in.varint();
  dropped_ = recording_ended_ && in.ok() ? dropped : 0;
  return Step::kOther;
}

std::uint64_t Replay::lost_at_end() const {
  const bool whole = recording_ended_ && from_first_tick_ && damage_.empty() && !options_.from_ns &&
                     !options_.to_ns && !options_.from_segment && !options_.to_segment;
  return whole && dropped_ > refused_ ? dropped_ - refused_ : 0;
}

}  // namespace reveal::store
