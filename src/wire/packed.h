// Bytes as zlib, behind their plain length: docs/wire_format.md, "Encodings".
#pragma once

#include <cstdint>

#include "base/result.h"
#include "wire/fields.h"

namespace reveal::wire {

// Appends the packed form. Fails with kUsage if the bytes are none or too many, plain or packed.
base::Result<void> put_packed(Bytes& out, ByteView plain);

// Reads it, up to the end. Fails with kCorrupt, and allocates at most what the bounds allow.
base::Result<Bytes> read_packed(Reader& in);

// Returns the CRC-32 of zlib.
std::uint32_t crc32_of(ByteView bytes);

}  // namespace reveal::wire
