#include "kernel_files.h"

#include <filesystem>
#include <string>

#include <fcntl.h>
#include <unistd.h>

namespace reveal::bench {

bool read_whole(int fd, std::vector<char>& buffer) {
  off_t at = 0;
  for (;;) {  // files made of records are read in parts
    const ssize_t got = ::pread(fd, buffer.data(), buffer.size(), at);
    if (got <= 0) return at > 0 && got == 0;
    at += got;
  }
}

std::set<int> open_descriptors() {
  std::set<int> out;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    out.insert(std::stoi(entry.path().filename()));
  }
  // The one that listed them is closed by now.
  std::erase_if(out, [](int fd) { return ::fcntl(fd, F_GETFD) < 0; });
  return out;
}

std::vector<base::UniqueFd> kernel_files_since(const std::set<int>& before) {
  std::vector<base::UniqueFd> out;
  std::vector<char> buffer(1 << 20);
  for (const int fd : open_descriptors()) {
    if (before.contains(fd)) continue;
    std::error_code none;
    const auto path = std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(fd), none);
    if (!path.string().starts_with("/proc/") && !path.string().starts_with("/sys/")) continue;
    base::UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (file.valid() && read_whole(file.get(), buffer)) out.push_back(std::move(file));
  }
  return out;
}

}  // namespace reveal::bench
