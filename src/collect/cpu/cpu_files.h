// The cores that are online, as collectors of files per core find them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "procfs/host_root.h"

namespace reveal::collect {

inline constexpr std::string_view kOnlineCpus = "devices/system/cpu/online";

// Quick collectors look for cores that come or go about once a second.
inline constexpr std::size_t kQuickReadingsPerLook = 3;

// Returns the cores in ascending order, none if the kernel does not say.
std::vector<std::uint32_t> online_cpus(const procfs::HostRoot& root);

// Returns the path of a file of the core: cpu_path(root, 3, "cpufreq/scaling_cur_freq").
std::string cpu_path(const procfs::HostRoot& root, std::uint32_t cpu, std::string_view below);

}  // namespace reveal::collect
