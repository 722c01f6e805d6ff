#include "procfs/text_file.h"

#include <algorithm>
#include <cerrno>

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

namespace reveal::procfs {
namespace {

constexpr std::size_t kFirstBuffer = 4096;
constexpr std::size_t kKernelBuffer = 4096;  // at least
constexpr std::size_t kLargestText = 64U
                                     << 20;  // no kernel file comes near; bounds a mistaken path

ssize_t pread_retrying(int fd, char* to, std::size_t most, std::size_t offset) {
  for (;;) {
    const ssize_t got = ::pread(fd, to, most, static_cast<off_t>(offset));
    if (got >= 0 || errno != EINTR) return got;
  }
}

bool is_kernel_fs(int fd) {
  struct statfs fs {};
  return ::fstatfs(fd, &fs) == 0 && (fs.f_type == PROC_SUPER_MAGIC || fs.f_type == SYSFS_MAGIC);
}

}  // namespace

base::Unexpected TextFile::drop(int errno_value, std::string_view what) {
  fd_.reset();
  return base::fail_errno(errno_value, std::string(what), path_);
}

base::Result<void> TextFile::reopen() {
  fd_.reset(::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!fd_.valid()) return drop(errno, "");
  on_kernel_fs_ = is_kernel_fs(fd_.get());
  return {};
}

bool TextFile::replaced() const {
  if (on_kernel_fs_) return false;
  struct stat status {};
  return ::fstat(fd_.get(), &status) != 0 || status.st_nlink == 0;
}

// Returns whether `got` bytes in a call with room for `room` are the rest of the text. Files of
// captured trees may be written to meanwhile.
bool TextFile::is_end(std::size_t got, std::size_t room) const {
  if (!on_kernel_fs_ || got == room) return false;
  return longest_record_ == kOneRecord ||
         (longest_record_ < kKernelBuffer && got < kKernelBuffer - longest_record_);
}

base::Result<std::string_view> TextFile::read() {
  if (fd_.valid() && replaced()) fd_.reset();
  if (!fd_.valid()) {
    if (auto opened = reopen(); !opened) return base::pass(opened);
  }
  std::size_t size = 0;
  for (;;) {
    if (size == buffer_.size()) {
      if (size >= kLargestText) return drop(EFBIG, "cannot be read");
      buffer_.resize(std::max(kFirstBuffer, size * 2));
    }
    const std::size_t room = buffer_.size() - size;
    const ssize_t got = pread_retrying(fd_.get(), buffer_.data() + size, room, size);
    if (got < 0) return drop(errno, "cannot be read");
    size += static_cast<std::size_t>(got);
    if (got == 0 || is_end(static_cast<std::size_t>(got), room)) {
      return std::string_view(buffer_.data(), size);
    }
  }
}

}  // namespace reveal::procfs
