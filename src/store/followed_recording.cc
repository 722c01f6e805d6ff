#include "store/followed_recording.h"

#include "store/recording_dir.h"

namespace reveal::store {
namespace {

// A clock that was set back hides frames behind a moment; after that many reads without any, the
// moment is forgotten once, and the numbers of the frames alone tell what is new.
constexpr int kIdleReads = 30;

}  // namespace

bool FollowedRecording::is_growing() const {
  return is_being_written(directory_);
}

// A recorder has locked its directory before it has stored what makes it a recording.
bool FollowedRecording::begins_yet(const base::Error& error) const {
  const bool unready =
      error.kind == base::ErrorKind::kUsage || error.kind == base::ErrorKind::kTooLittle;
  return unready && !last_sequence_ && is_growing();
}

base::Result<void> FollowedRecording::read_new(model::FrameSink& sink) {
  ++idle_reads_;
  const auto went_on = go_on(sink);
  if (!went_on) return base::pass(went_on);
  if (*went_on) return {};
  const auto opened = open();
  if (!opened) return base::pass(opened);
  if (!*opened) return {};
  return drain(sink, false).map([](bool) {});
}

// False if there is no recording yet.
base::Result<bool> FollowedRecording::open() {
  ReadOptions options;
  if (idle_reads_ <= kIdleReads || !last_sequence_) {
    options.from_ns = from_ns_;
  } else {
    idle_reads_ = 0;
  }
  options.known = known_;
  auto reader = SegmentReader::open(directory_, options);
  if (reader) {
    reader_.emplace(std::move(*reader));
    known_ = reader_->known();
    return true;
  }
  reader_.reset();
  if (begins_yet(reader.error())) return false;
  return base::pass(reader);
}

// False if the recording must be read anew.
base::Result<bool> FollowedRecording::go_on(model::FrameSink& sink) {
  if (!reader_ || idle_reads_ > kIdleReads) return false;
  const auto in_touch = reader_->go_on();
  if (!in_touch) return base::pass(in_touch);
  return *in_touch ? drain(sink, true) : false;
}

// Reads to the end, or, false, up to what is damaged since: a journal's frames may need channels
// that a segment has told of meanwhile.
base::Result<bool> FollowedRecording::drain(model::FrameSink& sink, bool until_damage) {
  const std::size_t damages = reader_->damage().size();
  for (;;) {
    const auto frame = reader_->next();
    if (!frame) return base::pass(frame);
    if (until_damage && reader_->damage().size() != damages) return false;
    if (*frame == nullptr) return true;
    if (last_sequence_ && (*frame)->sequence <= *last_sequence_) continue;
    if (auto done = hand_over(**frame, sink); !done) return base::pass(done);
  }
}

base::Result<void> FollowedRecording::hand_over(const model::Frame& frame, model::FrameSink& sink) {
  if (!last_sequence_) {
    if (auto begun = sink.begin(reader_->facts()); !begun) return begun;
  }
  if (auto done = sink.write(reader_->channels(), frame); !done) return done;
  last_sequence_ = frame.sequence;
  from_ns_ = frame.wall_ns + 1;
  idle_reads_ = 0;
  return {};
}

}  // namespace reveal::store
