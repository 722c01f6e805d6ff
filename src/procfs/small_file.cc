#include "procfs/small_file.h"

#include <array>
#include <cerrno>

#include <fcntl.h>
#include <unistd.h>

#include "base/unique_fd.h"

namespace reveal::procfs {

std::string_view read_small_file(const std::string& path, std::span<char> buffer) {
  const base::UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!fd.valid()) return {};
  for (;;) {
    const ssize_t got = ::read(fd.get(), buffer.data(), buffer.size());
    if (got >= 0) return {buffer.data(), static_cast<std::size_t>(got)};
    if (errno != EINTR) return {};
  }
}

Value read_number(const std::string& path) {
  std::array<char, 64> buffer{};
  std::string_view line;
  if (!LineCursor(read_small_file(path, buffer)).next(line)) return std::nullopt;
  return parse_u64(line);
}

}  // namespace reveal::procfs
