// The reader process: the only one that calls the driver's library, because a driver in trouble
// keeps its callers in the kernel for good. It sweeps the GPUs at its own pace, writes what it
// reads where the recorder looks, and before each GPU says which one it turns to: should it never
// come back, that is the one to blame.
//
// It ends when the recorder does. The pipe from the recorder closes then; a thread watches it, so
// that a reader that hangs in the driver ends too. (PR_SET_PDEATHSIG would kill the reader when the
// thread that started it ends, which may be long before the recorder does.)
#pragma once

#include <chrono>
#include <optional>
#include <vector>

namespace reveal::gpu {

struct ReaderOptions {
  int shared_fd = -1;  // of a SharedReadings
  int parent_fd = -1;  // readable at its end when the recorder has gone
  std::chrono::nanoseconds interval = std::chrono::milliseconds(100);
  // Numbers of the library: only this GPU, or all but these.
  std::optional<unsigned> only{};
  std::vector<unsigned> except{};
};

// Reads until the recorder goes. Returns the exit status, one of these.
int run_reader(const ReaderOptions& options);

inline constexpr int kReaderDone = 0;
inline constexpr int kReaderMisused = 2;       // not started by a recorder of the same build
inline constexpr int kReaderOtherDevices = 3;  // GPUs came or went: start anew

}  // namespace reveal::gpu
