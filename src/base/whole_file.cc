#include "base/whole_file.h"

#include <array>
#include <cerrno>

#include <fcntl.h>
#include <unistd.h>

#include "base/unique_fd.h"

namespace reveal::base {

Result<std::string> read_whole_file(const std::filesystem::path& path, std::string_view what) {
  const UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::string text;
  std::array<char, 65536> block{};
  ssize_t got = file.valid() ? 1 : -1;
  while (got > 0) {
    got = ::read(file.get(), block.data(), block.size());
    if (got > 0) text.append(block.data(), static_cast<std::size_t>(got));
    if (got < 0 && errno == EINTR) got = 1;
  }
  if (got < 0) return fail_errno(errno, "cannot read the " + std::string(what), path.string());
  return text;
}

}  // namespace reveal::base
