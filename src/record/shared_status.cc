#include "record/shared_status.h"

namespace reveal::record {

base::Result<SharedStatus> SharedStatus::create() {
  auto memory = base::SharedMemory<Memory>::create("reveal-status");
  if (!memory) return base::pass(memory);
  return SharedStatus(std::move(*memory));
}

base::Result<SharedStatus> SharedStatus::open(int fd) {
  auto memory = base::SharedMemory<Memory>::open(
      fd, {base::ErrorKind::kUsage, "is not memory of a recorder's status", "--status-fd",
           "leave it to reveal agent"});
  if (!memory) return base::pass(memory);
  return SharedStatus(std::move(*memory));
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
