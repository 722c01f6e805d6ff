#include "collect/cpu/cpu_files.h"

#include <fmt/format.h>

#include "procfs/attribute_file.h"
#include "procfs/cpu_list.h"

namespace reveal::collect {

std::vector<std::uint32_t> online_cpus(const procfs::HostRoot& root) {
  return procfs::parse_cpu_list(procfs::read_line(root.sys_path(kOnlineCpus)));
}

std::string cpu_path(const procfs::HostRoot& root, std::uint32_t cpu, std::string_view below) {
  return root.sys_path(fmt::format("devices/system/cpu/cpu{}/{}", cpu, below));
}

}  // namespace reveal::collect
