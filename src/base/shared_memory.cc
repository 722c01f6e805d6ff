#include "base/shared_memory.h"

#include <cerrno>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace reveal::base {

Result<SharedBytes> SharedBytes::create(const char* name, std::size_t size) {
  UniqueFd fd(::memfd_create(name, 0));
  if (!fd.valid()) return fail_errno(errno, "cannot create shared memory");
  if (::ftruncate(fd.get(), static_cast<off_t>(size)) != 0) {
    return fail_errno(errno, "cannot make room in shared memory");
  }
  return map(std::move(fd), size);
}

Result<SharedBytes> SharedBytes::open(int fd, std::size_t size, Error otherwise) {
  struct stat file {};
  if (::fstat(fd, &file) != 0 || !S_ISREG(file.st_mode) ||
      file.st_size != static_cast<off_t>(size)) {
    return Unexpected(std::move(otherwise));
  }
  // What this process starts, such as commands, has no business with it.
  ::fcntl(fd, F_SETFD, FD_CLOEXEC);
  return map(UniqueFd(fd), size);
}

Result<SharedBytes> SharedBytes::map(UniqueFd fd, std::size_t size) {
  void* at = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd.get(), 0);
  if (at == MAP_FAILED) return fail_errno(errno, "cannot map shared memory");
  return SharedBytes(std::move(fd), at, size);
}

SharedBytes::~SharedBytes() {
  if (at_ != nullptr) ::munmap(at_, size_);
}

}  // namespace reveal::base
