// Numbers of bytes as people type them: "500MiB", "10GiB", "64KiB", "1.5TiB", "2GB".
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"

namespace reveal::text {

// Returns the number of bytes. Fails with kUsage for anything but a positive number followed at
// once by B, KiB, MiB, GiB or TiB (powers of 1024), or kB, MB, GB or TB (powers of 1000); a number
// without a unit is refused: it could mean anything.
base::Result<std::uint64_t> parse_byte_count(std::string_view text);

}  // namespace reveal::text
