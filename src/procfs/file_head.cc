#include "procfs/file_head.h"

#include <cerrno>

#include <fcntl.h>
#include <unistd.h>

#include "base/unique_fd.h"

namespace reveal::procfs {

std::optional<std::string_view> read_head(const std::string& path, std::span<char> buffer) {
  const base::UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.valid()) return std::nullopt;
  std::size_t size = 0;
  while (size < buffer.size()) {
    const ssize_t got = ::read(file.get(), buffer.data() + size, buffer.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return std::nullopt;
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
  }
  return std::string_view(buffer.data(), size);
}

}  // namespace reveal::procfs
