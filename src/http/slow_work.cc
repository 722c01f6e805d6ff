#include "http/slow_work.h"

#include <utility>

#include "base/thread.h"

namespace reveal::http {

SlowWork::~SlowWork() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  changed_.notify_all();
  for (auto& thread : threads_) thread.join();
}

bool SlowWork::has_thread() {
  if (idle_ > waiting_.size() || threads_.size() == most_threads_) return true;
  auto started = base::start_thread("what takes long to answer", [this] { run(); });
  if (!started) return !threads_.empty();
  threads_.push_back(std::move(*started));
  ++idle_;
  return true;
}

bool SlowWork::begin(Job job) {
  const std::lock_guard lock(mutex_);
  if (jobs_ == most_ || !has_thread()) return false;
  ++jobs_;
  waiting_.push_back(std::move(job));
  changed_.notify_one();
  return true;
}

SlowWork::Then SlowWork::take() {
  const std::lock_guard lock(mutex_);
  if (over_.empty()) return {};
  --jobs_;
  auto out = std::move(over_.front());
  over_.pop_front();
  return out;
}

void SlowWork::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return ends_ || !waiting_.empty(); });
    if (ends_) return;
    const auto job = std::move(waiting_.front());
    waiting_.pop_front();
    --idle_;
    lock.unlock();
    auto then = job();
    lock.lock();
    ++idle_;
    over_.push_back(std::move(then));
    lock.unlock();
    done_();
    lock.lock();
  }
}

}  // namespace reveal::http
