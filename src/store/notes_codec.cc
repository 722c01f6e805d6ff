#include "store/notes_codec.h"

#include <cstdint>
#include <string>

namespace reveal::store {

static_assert(static_cast<int>(model::Note::Kind::kFact) == 0);
static_assert(static_cast<int>(model::Note::Kind::kEvent) == 1);

void put_notes(Bytes& out, const std::vector<model::Note>& notes) {
  put_varint(out, notes.size());
  for (const model::Note& note : notes) {
    out.push_back(static_cast<std::uint8_t>(note.kind));
    put_text(out, note.source);
    put_text(out, note.subject);
    put_text(out, note.text);
  }
}

std::vector<model::Note> read_notes(ByteCursor& in) {
  std::vector<model::Note> notes;
  for (std::uint64_t left = in.varint(); left > 0 && in.ok(); --left) {
    const std::uint8_t kind = in.u8();
    const auto source = in.text();
    const auto subject = in.text();
    const auto text = in.text();
    if (kind > 1) in.fail();
    if (!in.ok()) break;
    notes.push_back({static_cast<model::Note::Kind>(kind), std::string(source),
                     std::string(subject), std::string(text)});
  }
  return notes;
}

base::Result<std::vector<model::Note>> read_notes(ByteView payload) {
  ByteCursor in(payload);
  auto notes = read_notes(in);
  if (in.ok()) return notes;
  return base::fail(base::ErrorKind::kCorrupt, "unreadable notes");
}

}  // namespace reveal::store
