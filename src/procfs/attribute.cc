#include "procfs/attribute.h"

#include <algorithm>
#include <cerrno>
#include <memory>

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/unique_fd.h"

namespace reveal::procfs {
namespace {

struct CloseDir {
  void operator()(DIR* dir) const { ::closedir(dir); }
};

ssize_t read_retrying(int fd, char* to, std::size_t size) {
  for (;;) {
    const ssize_t got = ::read(fd, to, size);
    if (got >= 0 || errno != EINTR) return got;
  }
}

}  // namespace

std::optional<std::string_view> AttributeReader::read(const std::string& path) {
  errno_ = 0;
  const base::UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  const ssize_t got = fd.valid() ? read_retrying(fd.get(), buffer_.data(), buffer_.size()) : -1;
  if (got < 0) {
    errno_ = errno;
    return std::nullopt;
  }
  const std::string_view text(buffer_.data(), static_cast<std::size_t>(got));
  const auto newline = text.find('\n');
  if (newline == std::string_view::npos) return std::nullopt;
  return text.substr(0, newline);
}

bool list_folder(const std::string& path, std::vector<std::string>& names, std::size_t limit) {
  names.clear();
  const std::unique_ptr<DIR, CloseDir> dir(::opendir(path.c_str()));
  if (!dir) return false;
  while (names.size() < limit) {
    const dirent* entry = ::readdir(dir.get());
    if (entry == nullptr) break;
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
  }
  std::sort(names.begin(), names.end());
  return true;
}

}  // namespace reveal::procfs
