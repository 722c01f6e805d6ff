// Bytes compressed and back, by the zstd library.
#pragma once

#include <cstddef>
#include <optional>

#include "store/bytes.h"

namespace reveal::store {

// Appends `bytes` as one zstd frame.
void put_compressed(Bytes& out, ByteView bytes);

// Returns the `size` bytes that were compressed; nothing if they are not that many, or are damaged.
// Never takes more memory than `size`.
std::optional<Bytes> decompress(ByteView compressed, std::size_t size);

}  // namespace reveal::store
