#include "agent/process_usage.h"

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <iterator>
#include <optional>
#include <string_view>
#include <system_error>

#include <fmt/format.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/whole_file.h"
#include "collect/tick_clock.h"
#include "procfs/process.h"
#include "text/parse_number.h"

namespace reveal::agent {
namespace {

namespace fs = std::filesystem;

// Returns the file's text; empty if it cannot be read.
std::string read_file(const std::string& path) {
  return base::read_whole_file(path, "state of a process").value_or("");
}

// The word after the program's name: "agent-judge".
std::string role_of(const std::string& proc) {
  const auto words = read_file(proc + "/cmdline");
  const auto begin = words.find('\0');
  if (begin == std::string::npos) return "reveal";
  const auto end = std::min(words.find('\0', begin + 1), words.size());
  return words.substr(begin + 1, end - begin - 1);
}

// "Max open files            1024                 524288               files"
std::optional<std::uint64_t> most_files(const std::string& limits) {
  constexpr std::string_view kRow = "Max open files";
  const auto row = limits.find(kRow);
  if (row == std::string::npos) return std::nullopt;
  const auto begin = limits.find_first_not_of(' ', row + kRow.size());
  if (begin == std::string::npos) return std::nullopt;
  return text::parse_u64(std::string_view(limits).substr(begin, limits.find(' ', begin) - begin));
}

// Since Linux 6.2 the size of the kernel's folder is how many it has; to list hundreds takes as
// long as the recorder takes for a tick.
std::optional<std::uint64_t> open_files(const std::string& folder) {
  struct ::stat status {};
  struct ::statfs system {};
  const bool of_kernel =
      ::statfs(folder.c_str(), &system) == 0 && system.f_type == PROC_SUPER_MAGIC;
  if (of_kernel && ::stat(folder.c_str(), &status) == 0 && status.st_size > 0)
    return static_cast<std::uint64_t>(status.st_size);
  std::error_code failed;
  const auto files = fs::directory_iterator(folder, failed);
  if (failed) return std::nullopt;
  return static_cast<std::uint64_t>(std::distance(begin(files), end(files)));
}

std::int64_t boot_wall_ns() {
  return collect::clock_ns(CLOCK_REALTIME) - collect::clock_ns(CLOCK_BOOTTIME);
}

}  // namespace

serve::ProcessUsage usage_of(const std::string& proc, std::int64_t boot_wall_ns) {
  serve::ProcessUsage out;
  out.name = role_of(proc);
  const auto text = read_file(proc + "/stat");
  if (const auto stat = procfs::parse_process_stat(text)) {
    const auto ticks = static_cast<double>(::sysconf(_SC_CLK_TCK));
    out.cpu_s = static_cast<double>(stat->cpu_ticks) / ticks;
    out.resident_bytes = stat->resident_pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    const auto since_boot_s = static_cast<double>(stat->start_ticks) / ticks;
    out.start_wall_ns = boot_wall_ns + static_cast<std::int64_t>(1e9 * since_boot_s);
  }
  out.open_files = open_files(proc + "/fd");
  out.most_files = most_files(read_file(proc + "/limits"));
  return out;
}

std::vector<serve::ProcessUsage> process_usage() {
  const auto parent = ::getppid();
  std::vector<std::string> pids{fmt::format("{}", parent)};
  const auto children = read_file(fmt::format("/proc/{0}/task/{0}/children", parent));
  for (std::size_t begin = 0; begin < children.size();) {
    const auto end = std::min(children.find(' ', begin), children.size());
    if (end > begin) pids.push_back(children.substr(begin, end - begin));
    begin = end + 1;
  }
  const auto boot_ns = boot_wall_ns();
  std::vector<serve::ProcessUsage> out;
  out.reserve(pids.size());
  for (const auto& pid : pids) out.push_back(usage_of("/proc/" + pid, boot_ns));
  return out;
}

}  // namespace reveal::agent
