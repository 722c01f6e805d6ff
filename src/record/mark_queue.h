// Marks on their way into a recording: texts that people and scripts say of a running host.
//
// The queue is memory that whoever takes marks shares with the recorder; neither waits for the
// other, and an empty one costs a tick two loads. It outlives both, because the process that starts
// them holds it, and a mark leaves it only after the frame that has it was handed to the storage.
// So a recorder that is killed loses none: the next one finds it. Killed between the two, it is
// noted twice. While the disk is full, frames are dropped and their marks wait in the recorder
// alone: a kill then loses them.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/shared_memory.h"
#include "model/frame.h"

namespace reveal::record {

class MarkQueue {
 public:
  static constexpr std::size_t kMost = 64;         // that wait
  static constexpr std::size_t kMostATick = 4;     // that a frame gets
  static constexpr std::size_t kMostBytes = 1100;  // of subject and text together

  // Makes the memory, as a descriptor that a child may inherit.
  static base::Result<MarkQueue> create();
  // Opens memory that another process made. Fails with kUsage if the descriptor is none of it.
  static base::Result<MarkQueue> open(int fd);

  int fd() const { return memory_.fd(); }

  // Puts in a mark that was said at `wall_ns`. Fails with kBusy if the queue is full, with kUsage
  // if the mark is too long. REQUIRES: one thread at a time, of one process.
  base::Result<void> put(std::int64_t wall_ns, std::string_view subject, std::string_view text);

  // These are for the recorder's thread. has_waiting() returns whether a mark is in no frame yet.
  // say() adds the oldest marks to the notes of the frame at `wall_ns`, as events; one that had to
  // wait says for how long. said() takes these out, once the frame was written.
  bool has_waiting() const;
  void say(std::int64_t wall_ns, std::vector<model::Note>& notes);
  void said();

 private:
  struct Slot {
    std::int64_t wall_ns;
    std::uint32_t subject_bytes;
    std::uint32_t text_bytes;
    char bytes[kMostBytes];
  };
  struct Memory {
    std::atomic<std::uint64_t> put;    // marks so far
    std::atomic<std::uint64_t> taken;  // of these
    Slot slots[kMost];
  };

  explicit MarkQueue(base::SharedMemory<Memory> memory) : memory_(std::move(memory)) {}
  static model::Note note_of(const Slot& slot, std::int64_t wall_ns);

  base::SharedMemory<Memory> memory_;
  std::uint64_t saying_ = 0;  // marks that the latest frame got
};

}  // namespace reveal::record
