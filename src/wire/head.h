// What every message begins with: docs/wire_format.md, "A message".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "wire/fields.h"
#include "wire/limits.h"

namespace reveal::wire {

enum class Type : std::uint8_t { kLevels = 1, kEvent = 2, kFacts = 3, kDictionary = 4 };

struct Head {
  std::uint32_t clock_error_us = kUnknownClockError;  // how far the host's clock may be off
  std::uint64_t run = 0;                              // run_of() the recording
  std::int64_t time_ns = 0;                           // since the epoch; each type says of what

  bool operator==(const Head&) const = default;
};

// Returns the number that a recording has in messages. `boot_id` and `start_wall_ns` are those of
// its run facts.
std::uint64_t run_of(std::string_view boot_id, std::int64_t start_wall_ns);

// Returns which type of message it is. Fails with kCorrupt if it is not one of this version.
base::Result<Type> type_of(ByteView message);

// Appends the first kHeadBytes of a message.
void put_head(Bytes& out, Type type, std::uint16_t flags, const Head& head);

// Reads them; `flags` that are not among `known` make the reader bad, and so does another type.
Head read_head(Reader& in, Type type, std::uint16_t known, std::uint16_t& flags);

// Returns the failure of a message that is not as the document says.
base::Unexpected malformed(std::string_view what);

}  // namespace reveal::wire
