// When each source was read, in key and delta frames: docs/storage_format.md, "Reading times". They
// are the last field of a frame and are left out if no source is dated, as in recordings made
// before there were any.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "store/bytes.h"

namespace reveal::store {

// Appends all times, as offsets from the frame's monotonic time. Nothing if there are none.
void put_read_times(Bytes& out, std::int64_t mono_ns, std::span<const std::int64_t> times);

// Reads them; an empty rest means that there are none. Returns false for bytes that are not such.
bool read_read_times(ByteCursor& in, std::int64_t mono_ns, std::vector<std::int64_t>& times);

// Appends those that differ from the frame before. REQUIRES: as many times as before.
void put_read_time_changes(Bytes& out, std::int64_t mono_ns, std::span<const std::int64_t> before,
                           std::span<const std::int64_t> times);

// Brings `times` of the frame before up to date.
bool apply_read_time_changes(ByteCursor& in, std::int64_t mono_ns, std::span<std::int64_t> times);

}  // namespace reveal::store
