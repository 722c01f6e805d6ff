// A file as one text: the one way to read a whole file that somebody else may have made. Only a
// regular file is read, and none that is larger than it could be: a pipe, a device, /dev/zero
// behind a link, or a file of terabytes is an error at once, and never a wait or the end of memory.
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
