// How a recorder gets on, in memory that it shares with the process that started it. Neither waits
// for the other. Each number is whole; two that belong together may be a tick apart.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

#include "base/result.h"
#include "base/shared_memory.h"
#include "record/recording.h"

namespace reveal::record {

class SharedStatus {
 public:
  // Makes the memory, as a descriptor that a child may inherit.
  static base::Result<SharedStatus> create();
  // Opens memory that another process made. Fails with kUsage if the descriptor is none of it.
  static base::Result<SharedStatus> open(int fd);

  int fd() const { return memory_.fd(); }
  void write(const Recording::State& state);
  // Returns what the recorder wrote last; before that, a state without frames.
  Recording::State read() const;

 private:
  struct Memory {
    std::atomic<std::int64_t> elapsed_ns;
    std::atomic<std::uint64_t> frames;
    std::atomic<std::uint64_t> missed;
    std::atomic<std::uint64_t> channels;
    std::atomic<std::uint64_t> bytes;
    std::atomic<std::uint64_t> paused;
  };

  explicit SharedStatus(base::SharedMemory<Memory> memory) : memory_(std::move(memory)) {}

  base::SharedMemory<Memory> memory_;
};

}  // namespace reveal::record
