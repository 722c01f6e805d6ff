// A control group with a limit of memory, for the job of a demonstration: what the job reads from
// its files stays in memory until the limit falls. Version 1 and 2 of control groups.
// https://docs.kernel.org/admin-guide/cgroup-v2.html#memory
// https://docs.kernel.org/admin-guide/cgroup-v1/memory.html
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace reveal::demo {

// Returns the folders of the groups that limit this process's memory, its own first, the topmost
// last. `mountinfo` and `groups` are the texts of /proc/self/mountinfo and /proc/self/cgroup.
std::vector<std::filesystem::path> memory_folders(std::string_view mountinfo,
                                                  std::string_view groups);

class MemoryGroup {
 public:
  // Makes a group below one of those folders, the first that lets a process in and has a limit.
  // Fails with kPermission if there is none. REQUIRES: one thread.
  static base::Result<MemoryGroup> make(const std::vector<std::filesystem::path>& folders);

  MemoryGroup(MemoryGroup&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  MemoryGroup& operator=(MemoryGroup&& other) noexcept {
    path_.swap(other.path_);
    return *this;
  }
  // Its processes should have ended by then: the group goes only if it is empty.
  ~MemoryGroup();

  const std::filesystem::path& path() const { return path_; }

  // Lets the group's processes, and what they read from files, use so much memory. What is beyond
  // it is written back or forgotten at once.
  base::Result<void> limit(std::int64_t bytes) const;
  base::Result<void> lift() const;

 private:
  explicit MemoryGroup(std::filesystem::path path) : path_(std::move(path)) {}
  base::Result<void> set(std::string_view value_v2, std::string_view value_v1) const;

  std::filesystem::path path_;
};

// Moves this process into a group. Fails if it may not.
base::Result<void> enter_group(const std::filesystem::path& group);

// The groups of this process, from /proc. Fails if it cannot be read.
base::Result<std::vector<std::filesystem::path>> own_memory_folders();

}  // namespace reveal::demo
