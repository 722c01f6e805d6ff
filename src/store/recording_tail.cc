#include "store/recording_tail.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "store/facts_codec.h"
#include "store/recording_dir.h"
#include "store/segment_reader.h"

namespace reveal::store {
namespace {

using base::Result;

// The last segment may have no frame yet; the one before repeats its channels if it is damaged.
constexpr std::size_t kFirstSegments = 2;

struct Reading {
  RecordingTail tail;
  bool frames_in_segments = false;  // without any, all frames of journals look new
};

Result<Reading> read_from(const std::filesystem::path& dir, std::uint32_t segment) {
  ReadOptions options;
  options.from_segment = segment;
  options.bare_blocks = true;
  auto reader = SegmentReader::open(dir, std::move(options));
  if (!reader) return base::pass(reader);
  Reading reading;
  RecordingTail& out = reading.tail;
  out.from_segment = segment;
  for (;;) {
    const auto next = reader->next();
    if (!next) return base::pass(next);
    if (*next == nullptr) break;
    const model::Frame& frame = **next;
    const bool landed = reader->segment().has_value();
    reading.frames_in_segments = reading.frames_in_segments || landed;
    for (const model::Note& note : frame.notes) {
      out.stated.apply(note);
      if (landed) out.landed.apply(note);
    }
    out.last = {frame.sequence, frame.wall_ns, frame.mono_ns};
  }
  out.facts = reader->facts();
  out.channels = reader->channels().clone();
  out.is_numbered_anew = reader->is_numbered_anew();
  return reading;
}

// Returns the facts that readers of the whole recording compare all others with.
Result<model::RunFacts> first_facts(const std::filesystem::path& dir, std::uint32_t first) {
  ReadOptions options;
  options.to_segment = first;
  options.bare_blocks = true;
  const auto reader = SegmentReader::open(dir, std::move(options));
  if (!reader) return base::pass(reader);
  return reader->facts();
}

}  // namespace

// Goes back further where the last segments do not tell: they have no frame, or are of another
// recording.
Result<RecordingTail> read_tail(const std::filesystem::path& dir) {
  const auto segments = list_segments(dir);
  if (!segments) return base::pass(segments);
  for (std::size_t count = kFirstSegments; count < segments->size(); count *= 2) {
    const auto whose = first_facts(dir, segments->front());
    if (!whose) return base::pass(whose);
    auto late = read_from(dir, (*segments)[segments->size() - count]);
    if (late && late->frames_in_segments && same_run(late->tail.facts, *whose)) {
      return std::move(late->tail);
    }
  }
  auto all = read_from(dir, segments->empty() ? 0 : segments->front());
  if (!all) return base::pass(all);
  return std::move(all->tail);
}

}  // namespace reveal::store
