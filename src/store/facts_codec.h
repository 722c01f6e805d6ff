// The run facts to JSON and back: docs/storage_format.md, "Run facts". JSON, so that facts can be
// added and a person can read them with nothing but a pager.
#pragma once

#include <cstdint>
#include <optional>

#include "base/result.h"
#include "model/frame.h"
#include "store/bytes.h"

namespace reveal::store {

// `numbering`: the segment that began to number channels as this file does; 0: the first.
void put_facts(Bytes& out, const model::RunFacts& facts, std::uint32_t segment,
               std::uint32_t numbering = 0);

base::Result<model::RunFacts> read_facts(ByteView payload);

// Returns the number of the segment that these facts say they are of; nothing if they say none.
std::optional<std::uint32_t> read_segment_number(ByteView payload);
// Returns the numbering that these facts say; 0 if they say none.
std::uint32_t read_numbering(ByteView payload);

// Returns whether both are facts of one run.
bool same_run(const model::RunFacts& a, const model::RunFacts& b);

}  // namespace reveal::store
