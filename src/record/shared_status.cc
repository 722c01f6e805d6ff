#include "record/shared_status.h"

#include <cerrno>
#include <new>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace reveal::record {

base::Result<SharedStatus> SharedStatus::create() {
  base::UniqueFd fd(::memfd_create("reveal-status", 0));
  if (!fd.valid()) return base::fail_errno(errno, "cannot create shared memory");
  if (::ftruncate(fd.get(), sizeof(Memory)) != 0) {
    return base::fail_errno(errno, "cannot make room in shared memory");
  }
  return map(std::move(fd));
}

base::Result<SharedStatus> SharedStatus::open(int fd) {
  struct stat file {};
  if (::fstat(fd, &file) != 0 || !S_ISREG(file.st_mode) || file.st_size != sizeof(Memory)) {
    return base::fail(base::ErrorKind::kUsage, "is not memory of a recorder's status",
                      "--status-fd", "leave it to reveal agent");
  }
  // What this process starts, such as commands, has no business with it.
  ::fcntl(fd, F_SETFD, FD_CLOEXEC);
  return map(base::UniqueFd(fd));
}

base::Result<SharedStatus> SharedStatus::map(base::UniqueFd fd) {
  void* at = ::mmap(nullptr, sizeof(Memory), PROT_READ | PROT_WRITE, MAP_SHARED, fd.get(), 0);
  if (at == MAP_FAILED) return base::fail_errno(errno, "cannot map shared memory");
  return SharedStatus(std::move(fd), static_cast<Memory*>(at));
}

SharedStatus::~SharedStatus() {
  if (memory_ != nullptr) ::munmap(memory_, sizeof(Memory));
}

void SharedStatus::write(const Recording::State& state) {
  memory_->elapsed_ns.store(state.elapsed_ns, std::memory_order_relaxed);
  memory_->missed.store(state.missed, std::memory_order_relaxed);
  memory_->channels.store(state.channels, std::memory_order_relaxed);
  memory_->bytes.store(state.bytes, std::memory_order_relaxed);
  memory_->paused.store(state.storing ? 0 : 1, std::memory_order_relaxed);
  memory_->frames.store(state.frames, std::memory_order_relaxed);
}

Recording::State SharedStatus::read() const {
  return {.elapsed_ns = memory_->elapsed_ns.load(std::memory_order_relaxed),
          .channels = memory_->channels.load(std::memory_order_relaxed),
          .frames = memory_->frames.load(std::memory_order_relaxed),
          .missed = memory_->missed.load(std::memory_order_relaxed),
          .bytes = memory_->bytes.load(std::memory_order_relaxed),
          .storing = memory_->paused.load(std::memory_order_relaxed) == 0};
}

}  // namespace reveal::record
