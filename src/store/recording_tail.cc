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

Result<RecordingTail> read_from(const std::filesystem::path& dir, std::uint32_t segment) {
  ReadOptions options;
  options.from_segment = segment;
  options.bare_blocks = true;
  auto reader = SegmentReader::open(dir, std::move(options));
  if (!reader) return base::pass(reader);
  RecordingTail out;
  out.from_segment = segment;
  for (;;) {
    const auto next = reader->next();
    if (!next) return base::pass(next);
    if (*next == nullptr) break;
    const model::Frame& frame = **next;
    for (const model::Note& note : frame.notes) {
      out.stated.apply(note);
      if (reader->segment()) out.landed.apply(note);
    }
    out.last = {frame.sequence, frame.wall_ns, frame.mono_ns};
  }
  out.facts = reader->facts();
  out.channels = reader->channels().clone();
  return out;
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
    auto tail = read_from(dir, (*segments)[segments->size() - count]);
    if (tail && tail->last && same_run(tail->facts, *whose)) return tail;
  }
  return read_from(dir, segments->empty() ? 0 : segments->front());
}

}  // namespace reveal::store
