#include "agent/process_usage.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <iterator>
#include <optional>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "base/unique_fd.h"

namespace reveal::agent {
namespace {

namespace fs = std::filesystem;

// Files of /proc have no size, and are read as they are.
std::string read_file(const std::string& path) {
  const base::UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::array<char, 4096> buffer{};
  const auto bytes = fd.valid() ? ::read(fd.get(), buffer.data(), buffer.size()) : -1;
  return bytes < 0 ? "" : std::string(buffer.data(), static_cast<std::size_t>(bytes));
}

// The fields of /proc/PID/stat after the name, which may hold blanks: field 3 is the first.
std::vector<std::string_view> fields_after_name(std::string_view stat) {
  std::vector<std::string_view> out;
  const auto name_end = stat.rfind(')');
  if (name_end == std::string_view::npos) return out;
  stat.remove_prefix(name_end + 1);
  while (!stat.empty()) {
    const auto begin = stat.find_first_not_of(" \n");
    if (begin == std::string_view::npos) break;
    stat.remove_prefix(begin);
    const auto end = std::min(stat.find_first_of(" \n"), stat.size());
    out.push_back(stat.substr(0, end));
    stat.remove_prefix(end);
  }
  return out;
}

std::optional<std::uint64_t> number(std::string_view text) {
  std::uint64_t out = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc{} ? std::optional(out) : std::nullopt;
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
  const auto value = limits.find_first_not_of(' ', row + kRow.size());
  return value == std::string::npos ? std::nullopt : number(std::string_view(limits).substr(value));
}

std::int64_t boot_wall_ns() {
  timespec wall{};
  timespec boot{};
  ::clock_gettime(CLOCK_REALTIME, &wall);
  ::clock_gettime(CLOCK_BOOTTIME, &boot);
  return (std::int64_t{wall.tv_sec} - boot.tv_sec) * 1'000'000'000 + wall.tv_nsec - boot.tv_nsec;
}

}  // namespace

serve::ProcessUsage usage_of(const std::string& proc, std::int64_t boot_wall_ns) {
  serve::ProcessUsage out;
  out.name = role_of(proc);
  const auto stat = read_file(proc + "/stat");
  const auto fields = fields_after_name(stat);
  const auto field = [&](std::size_t number_of) {  // as proc(5) counts them
    const auto at = number_of - 3;
    return at < fields.size() ? number(fields[at]) : std::nullopt;
  };
  const auto ticks = static_cast<double>(::sysconf(_SC_CLK_TCK));
  const auto user = field(14);
  const auto system = field(15);
  if (user && system) out.cpu_s = static_cast<double>(*user + *system) / ticks;
  if (const auto pages = field(24)) {
    out.resident_bytes = *pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  }
  if (const auto start = field(22)) {
    out.start_wall_ns =
        boot_wall_ns + static_cast<std::int64_t>(1e9 * static_cast<double>(*start) / ticks);
  }
  std::error_code failed;
  const auto files = fs::directory_iterator(proc + "/fd", failed);
  if (!failed) out.open_files = static_cast<std::uint64_t>(std::distance(begin(files), end(files)));
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
