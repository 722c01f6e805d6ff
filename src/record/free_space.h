// How many bytes of the disk that a recording is on are left to the host's other programs.
#pragma once

#include <cstdint>
#include <filesystem>

#include "settings/free_space.h"

namespace reveal::record {

// The size of a file system, or nothing known: 0.
using DiskBytes = std::uint64_t;

// Returns the size of the file system that `path` is on, or will be on once it is made.
DiskBytes disk_bytes(const std::filesystem::path& path);

// Returns how many bytes that is on a disk of that size.
//
// Usual are 64 MiB for a recording that somebody began. A service is there all the time, and what
// it takes, others lack when they need it: for it usual are 10 % of the disk, where Kubernetes
// begins to evict pods, or 2 GiB if that is more, and half of a disk that is smaller than 4 GiB. If
// the size is not known, a share is 64 MiB, too.
std::uint64_t free_bytes_of(const settings::FreeSpace& space, DiskBytes disk);

// The same on the disk of `path`.
std::uint64_t free_bytes_on(const settings::FreeSpace& space, const std::filesystem::path& path);

}  // namespace reveal::record
