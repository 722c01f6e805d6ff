#include "retention/evidence_recording.h"

#include <algorithm>
#include <system_error>

#include "retention/old_segments.h"
#include "retention/recording_end.h"
#include "store/recording_dir.h"
#include "store/segment_reader.h"
#include "store/segment_span.h"

namespace reveal::retention {
namespace {

namespace fs = std::filesystem;
using base::Result;
using model::Note;

// Beside the recording while it is written anew.
fs::path beside(const fs::path& dir, const char* suffix) {
  fs::path out = dir;
  out += suffix;
  return out;
}

Result<void> remove_tree(const fs::path& path) {
  std::error_code error;
  fs::remove_all(path, error);
  if (error) return base::fail_errno(error.value(), "cannot remove", path.string());
  return {};
}

Result<void> move(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::rename(from, to, error);
  if (error) return base::fail_errno(error.value(), "cannot rename to " + to.string(), from);
  return {};
}

// Puts `with` in the place of `dir`; if there is none, nothing remains. Wherever it is interrupted,
// mend() finds one of the two whole.
Result<void> replace(const fs::path& dir, const fs::path& with) {
  const fs::path old = beside(dir, ".old");
  if (auto moved = move(dir, old); !moved) return moved;
  if (fs::exists(with)) {
    if (auto moved = move(with, dir); !moved) return moved;
  }
  if (auto synced = sync_directory(dir.parent_path()); !synced) return synced;
  return remove_tree(old);
}

}  // namespace

Result<void> EvidenceRecording::mend() {
  const fs::path old = beside(dir_, ".old");
  const fs::path fresh = beside(dir_, ".new");
  if (fs::exists(old) && !fs::exists(dir_)) {
    // The new one was whole before the old one was moved away; without it nothing was to remain.
    if (fs::exists(fresh)) {
      if (auto moved = move(fresh, dir_); !moved) return moved;
    }
  }
  if (auto removed = remove_tree(fresh); !removed) return removed;
  return remove_tree(old);
}

Result<void> EvidenceRecording::drop_outside() {
  if (auto mended = mend(); !mended) return mended;
  const auto inside = all_inside();
  if (!inside) return base::pass(inside);
  return *inside ? Result<void>() : rewrite();
}

Result<bool> EvidenceRecording::all_inside() const {
  const auto segments = segments_of(dir_);
  if (!segments) return base::pass(segments);
  for (const std::uint32_t number : *segments) {
    const auto found = store::segment_span(dir_ / store::segment_name(number));
    if (!found) return base::pass(found);
    if (!*found) return false;
    const auto span = span_of(spans_, (*found)->begin_ns);
    if (!span || spans_[*span].end_ns < (*found)->end_ns) return false;
  }
  return true;
}

Result<void> EvidenceRecording::rewrite() {
  const fs::path fresh = beside(dir_, ".new");
  EvidenceRecording copy(fresh, spans_);
  auto reader = store::SegmentReader::open(dir_);
  if (!reader) return base::pass(reader);
  for (;;) {
    const auto frame = reader->next();
    if (!frame) return base::pass(frame);
    if (*frame == nullptr) break;
    if (auto taken = copy.take(reader->facts(), reader->channels(), **frame); !taken) return taken;
  }
  if (auto committed = copy.commit(); !committed) return committed;
  return replace(dir_, fresh);
}

Result<void> EvidenceRecording::begin(std::uint64_t first_sequence, bool numbered_anew) {
  numbered_anew_ = numbered_anew;
  auto segments = segments_of(dir_);
  if (!segments) return base::pass(segments);
  std::reverse(segments->begin(), segments->end());
  for (const std::uint32_t number : *segments) {
    const fs::path path = dir_ / store::segment_name(number);
    const auto span = store::segment_span(path);
    if (!span) return base::pass(span);
    if (*span && (*span)->first_sequence < first_sequence) break;
    if (auto removed = remove_tree(path); !removed) return removed;
  }
  auto end = read_end(dir_, 1);
  if (!end) return base::pass(end);
  last_sequence_ = last_sequence(*end);
  stated_ = *end ? std::move((*end)->stated) : model::FactTable();
  holds_ = model::FactTable();
  return {};
}

Result<void> EvidenceRecording::take(const model::RunFacts& facts,
                                     const model::ChannelTable& channels,
                                     const model::Frame& frame) {
  for (const Note& note : frame.notes) holds_.apply(note);
  const auto span = span_of(spans_, frame.wall_ns);
  const bool known = last_sequence_ && frame.sequence <= *last_sequence_;
  if (!span || known) return commit();
  if (writer_ && span_ == *span) {
    for (const Note& note : frame.notes) stated_.apply(note);
    ++frames_added_;
    return write_or_fail(*writer_, channels, frame);
  }
  if (auto opened = open_span(facts, *span); !opened) return opened;
  model::Frame first = frame;
  first.notes = opening_notes(frame);
  for (const Note& note : first.notes) stated_.apply(note);
  ++frames_added_;
  return write_or_fail(*writer_, channels, first);
}

Result<void> EvidenceRecording::open_span(const model::RunFacts& facts, std::size_t span) {
  if (auto committed = commit(); !committed) return committed;
  auto options = appending();
  options.number_anew = numbered_anew_;
  auto writer = store::SegmentWriter::extend(dir_, stated_, options);
  if (!writer) return base::pass(writer);
  writer_.emplace(std::move(*writer));
  span_ = span;
  return writer_->begin(facts);
}

// Between two spans facts may have begun and ended that no frame here says.
std::vector<Note> EvidenceRecording::opening_notes(const model::Frame& frame) const {
  std::vector<Note> out;
  model::FactTable stated = stated_;
  const auto now = holds_.notes();
  for (Note note : stated_.notes()) {
    const bool holds = std::any_of(now.begin(), now.end(), [&](const Note& other) {
      return other.source == note.source && other.subject == note.subject;
    });
    if (holds) continue;
    note.text.clear();
    out.push_back(std::move(note));
  }
  for (const Note& note : now) {
    if (stated.apply(note)) out.push_back(note);
  }
  for (const Note& note : frame.notes) {
    if (note.kind == Note::Kind::kEvent) out.push_back(note);
  }
  return out;
}

Result<void> EvidenceRecording::commit() {
  if (!writer_) return {};
  if (auto finished = writer_->finish(); !finished) return finished;
  writer_.reset();
  return sync_directory(dir_.parent_path());
}

}  // namespace reveal::retention
