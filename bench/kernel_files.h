// What the benchmarks hold against the recorder: reading the same files of proc and sysfs, and
// nothing else.
#pragma once

#include <set>
#include <vector>

#include "base/unique_fd.h"

namespace reveal::bench {

// Reads a file to its end without looking at it. Returns whether it has an end.
bool read_whole(int fd, std::vector<char>& buffer);

// Returns the descriptors that this process has open now.
std::set<int> open_descriptors();

// Opens once more the files of proc and sysfs that stand behind the descriptors opened since
// `before` was taken, where they can be read.
std::vector<base::UniqueFd> kernel_files_since(const std::set<int>& before);

}  // namespace reveal::bench
