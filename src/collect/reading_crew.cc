#include "collect/reading_crew.h"

#include <algorithm>
#include <condition_variable>
#include <ctime>
#include <deque>
#include <mutex>
#include <utility>

#include "base/thread.h"
#include "collect/tick_clock.h"

namespace reveal::collect {

struct ReadingCrew::Shared {
  struct Task {
    std::function<void()> work;
    std::int64_t since_ns;
  };

  mutable std::mutex mutex;
  std::condition_variable changed;
  std::deque<Task> waiting;
  std::size_t threads = 0;
  std::size_t idle = 0;
  std::int64_t started_ns = 0;  // the latest thread
  bool ended = false;

  void run();
  static base::Result<void> start(const std::shared_ptr<Shared>& shared);
};

void ReadingCrew::Shared::run() {
  std::unique_lock lock(mutex);
  for (;;) {
    if (!waiting.empty()) {
      auto work = std::move(waiting.front().work);
      waiting.pop_front();
      lock.unlock();
      work();
      work = nullptr;
      lock.lock();
    } else if (ended || idle > 0) {
      break;
    } else {
      ++idle;
      changed.wait(lock, [this] { return ended || !waiting.empty(); });
      --idle;
    }
  }
  --threads;
}

// REQUIRES: the lock is held.
base::Result<void> ReadingCrew::Shared::start(const std::shared_ptr<Shared>& shared) {
  auto thread = base::start_thread("reading in the background", [shared] { shared->run(); });
  if (!thread) return base::Unexpected(thread.error());
  thread->detach();
  ++shared->threads;
  shared->started_ns = clock_ns(CLOCK_MONOTONIC);
  return {};
}

ReadingCrew::ReadingCrew() : shared_(std::make_shared<Shared>()) {}

ReadingCrew::~ReadingCrew() {
  {
    const std::lock_guard lock(shared_->mutex);
    shared_->ended = true;
  }
  shared_->changed.notify_all();
}

base::Result<void> ReadingCrew::submit(std::function<void()> work, Turn turn) {
  bool wake = false;
  {
    const std::lock_guard lock(shared_->mutex);
    shared_->waiting.push_back({std::move(work), clock_ns(CLOCK_MONOTONIC)});
    const std::size_t needed = turn == Turn::kAtOnce ? shared_->waiting.size() : 0;
    if (shared_->threads == 0 || needed > shared_->idle) {
      if (auto started = Shared::start(shared_); !started && shared_->threads == 0) {
        shared_->waiting.pop_back();
        return started;
      }
    }
    wake = shared_->idle > 0;
  }
  // One that woke while the lock is held would only sleep again.
  if (wake) shared_->changed.notify_one();
  return {};
}

void ReadingCrew::tend() {
  const std::unique_lock lock(shared_->mutex, std::try_to_lock);
  if (!lock || shared_->waiting.empty() || shared_->idle > 0) return;
  const std::int64_t now = clock_ns(CLOCK_MONOTONIC);
  const std::int64_t since = std::max(shared_->waiting.front().since_ns, shared_->started_ns);
  if (now - since < kPatienceNs) return;
  // If none can be started now, the next tick tries again.
  static_cast<void>(Shared::start(shared_));
}

std::size_t ReadingCrew::threads() const {
  const std::lock_guard lock(shared_->mutex);
  return shared_->threads;
}

}  // namespace reveal::collect
