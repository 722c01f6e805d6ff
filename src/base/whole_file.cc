#include "base/whole_file.h"

#include <array>
#include <cerrno>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/unique_fd.h"

namespace reveal::base {

Result<std::string> read_whole_file(const std::filesystem::path& path, std::string_view what,
                                    std::size_t most) {
  const std::string cannot = "cannot read the " + std::string(what);
  const UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  struct stat status {};
  if (file.valid() && ::fstat(file.get(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) return fail_errno(EISDIR, cannot, path.string());
    if (!S_ISREG(status.st_mode)) {
      return fail(ErrorKind::kCorrupt, cannot + ": it is not a regular file", path.string(),
                  "remove it, or name another");
    }
  }
  std::string text;
  std::array<char, 65536> block{};
  ssize_t got = file.valid() ? 1 : -1;
  while (got > 0) {
    got = ::read(file.get(), block.data(), block.size());
    if (got > 0) text.append(block.data(), static_cast<std::size_t>(got));
    if (text.size() > most) {
      return fail(ErrorKind::kCorrupt,
                  fmt::format("{}: it is larger than the limit of {} bytes", cannot, most),
                  path.string());
    }
    if (got < 0 && errno == EINTR) got = 1;
  }
  if (got < 0) return fail_errno(errno, cannot, path.string());
  return text;
}

}  // namespace reveal::base
