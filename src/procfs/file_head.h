// The beginning of a text that is longer than what is wanted of it: /proc/cpuinfo has a block a
// core, and the kernel makes only as much of it as is read.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace reveal::procfs {

// Reads into `buffer` until it is full or the file ends. Returns nothing if the file cannot be
// read.
std::optional<std::string_view> read_head(const std::string& path, std::span<char> buffer);

}  // namespace reveal::procfs
