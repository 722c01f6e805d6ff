// The one way to read a whole file that another program may have made. Only a regular file of
// bounded size is read: a pipe, a device, a link to /dev/zero, or a file of terabytes is an error
// at once, and never blocks or uses up memory.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"

namespace reveal::base {

// No report, plan, baseline or configuration of Reveal comes near.
inline constexpr std::size_t kMaxFileBytes = std::size_t{64} << 20;

// Returns what is in the file. Fails as the system does, saying that it "cannot read the" `what`;
// with kCorrupt if it is not a regular file, or has more than `most` bytes.
Result<std::string> read_whole_file(const std::filesystem::path& path, std::string_view what,
                                    std::size_t most = kMaxFileBytes);

}  // namespace reveal::base
