// The kernel's way to write a set of cores, as in /sys/devices/system/cpu/online: "0-2,4,6-7".
// https://docs.kernel.org/admin-guide/cputopology.html
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace reveal::procfs {

// Returns the cores in the order of the text. A range that makes no sense is left out, and so are
// cores above kMaxListedCpu.
std::vector<std::uint32_t> parse_cpu_list(std::string_view text);

// Returns how many numbers a list holds, without making it; 0 for a text that is not a list.
std::size_t count_cpu_list(std::string_view text);

inline constexpr std::uint32_t kMaxListedCpu = 8191;  // the largest NR_CPUS of any kernel

}  // namespace reveal::procfs
