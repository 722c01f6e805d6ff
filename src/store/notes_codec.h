// Notes to the payload of a record and back: docs/storage_format.md, "Notes".
#pragma once

#include <vector>

#include "base/result.h"
#include "model/frame.h"
#include "store/bytes.h"

namespace reveal::store {

void put_notes(Bytes& out, const std::vector<model::Note>& notes);

// Reads one list on from `in`, which turns bad if the bytes are not notes.
std::vector<model::Note> read_notes(ByteCursor& in);

// Fails with kCorrupt for bytes that are not notes.
base::Result<std::vector<model::Note>> read_notes(ByteView payload);

}  // namespace reveal::store
