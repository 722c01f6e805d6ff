#include "cli/followed_recording.h"

#include "store/recording_dir.h"
#include "store/segment_reader.h"

namespace reveal::cli {
namespace {

// A clock that was set back hides frames behind a moment; after that many reads without any, the
// moment is forgotten once, and the numbers of the frames alone tell what is new.
constexpr int kIdleReads = 30;

}  // namespace

bool FollowedRecording::is_growing() const {
  return store::is_being_written(directory_);
}

// A recorder has locked its directory before it has stored what makes it a recording.
bool FollowedRecording::begins_yet(const base::Error& error) const {
  const bool unready =
      error.kind == base::ErrorKind::kUsage || error.kind == base::ErrorKind::kTooLittle;
  return unready && !last_sequence_ && is_growing();
}

base::Result<void> FollowedRecording::read_new(model::FrameSink& sink) {
  store::ReadOptions options;
  if (idle_reads_ < kIdleReads || !last_sequence_) {
    options.from_ns = from_ns_;
  } else {
    idle_reads_ = 0;
  }
  auto reader = store::SegmentReader::open(directory_, options);
  if (!reader) {
    if (begins_yet(reader.error())) return {};
    return base::Unexpected(reader.error());
  }
  ++idle_reads_;
  for (;;) {
    const auto frame = reader->next();
    if (!frame) return base::Unexpected(frame.error());
    if (*frame == nullptr) return {};
    const model::Frame& next = **frame;
    if (last_sequence_ && next.sequence <= *last_sequence_) continue;
    if (!last_sequence_) {
      if (auto begun = sink.begin(reader->facts()); !begun) return begun;
    }
    if (auto done = sink.write(reader->channels(), next); !done) return done;
    last_sequence_ = next.sequence;
    from_ns_ = next.wall_ns + 1;
    idle_reads_ = 0;
  }
}

}  // namespace reveal::cli
