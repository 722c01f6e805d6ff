// A fitted baseline as a file: the magic "RVLBASE", the format's version, the length of what
// follows, the state (state.h), and its CRC-32. A truncated or changed file is refused.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"
#include "detect/fitted_baseline.h"

namespace reveal::detect {

inline constexpr std::uint32_t kBaselineVersion = 6;

std::string to_bytes(const FittedBaseline& baseline);

// Fails with kCorrupt on anything but what to_bytes() makes of this version; `where` is for the
// message.
base::Result<FittedBaseline> from_bytes(std::string_view bytes, const std::string& where);

// Fails, besides that, if the file cannot be read.
base::Result<FittedBaseline> load_baseline(const std::filesystem::path& path);

}  // namespace reveal::detect
