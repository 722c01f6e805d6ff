// The threads that read in the background: as few as keep up, mostly one.
//
// What is asked for in one tick is done by one thread, one reading after the other, since to wake a
// thread for each would cost as much as most of the readings. A reading may hang in the kernel, so
// no other waits for it for long: where something has waited for kPatienceNs and all threads are at
// work, tend() starts one more. That is far longer than a thread waits for a core of a busy host,
// which one more would not get either. Threads with nothing to do end but for one. All methods may
// be called on any thread, and none waits for work.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

#include "base/result.h"

namespace reveal::collect {

class ReadingCrew {
 public:
  static constexpr std::int64_t kPatienceNs = 200'000'000;

  ReadingCrew();
  // Leaves threads that are at work to themselves.
  ~ReadingCrew();
  ReadingCrew(const ReadingCrew&) = delete;
  ReadingCrew& operator=(const ReadingCrew&) = delete;

  // Whether others may be before it.
  enum class Turn : std::uint8_t { kInOrder, kAtOnce };

  // Has a thread do the work, which throws nothing. Fails if there is no thread and none can be
  // started; then the work is dropped.
  base::Result<void> submit(std::function<void()> work, Turn turn);

  // Starts a thread if the first that waits has waited too long. To be called with each tick while
  // something is awaited.
  void tend();

  // Returns how many threads there are, for tests.
  std::size_t threads() const;

 private:
  struct Shared;
  std::shared_ptr<Shared> shared_;
};

// Readings that sleep in a driver for tens of ms, as of sensors, never keep those that are done at
// once from their turn.
struct ReadingCrews {
  static constexpr std::int64_t kBriskNs = 10'000'000;  // what a reading may take to be no slow one
  ReadingCrew brisk;
  ReadingCrew slow;
};

}  // namespace reveal::collect
