#include "serve/slow_work.h"

#include <exception>
#include <utility>

#include "base/thread.h"

namespace reveal::serve {
namespace {

Response done(const SlowWork::Job& job) {
  // Memory can be refused anywhere below. That is one answer lost.
  try {
    return job();
  } catch (const std::exception& failure) {
    return error_response(500, failure.what());
  }
}

}  // namespace

SlowWork::~SlowWork() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  changed_.notify_one();
  if (thread_.joinable()) thread_.join();
}

bool SlowWork::begin(std::uint64_t id, Job job) {
  if (!thread_.joinable()) {
    auto started = base::start_thread("what makes slow answers", [this] { run(); });
    if (!started) return false;
    thread_ = std::move(*started);
  }
  const std::lock_guard lock(mutex_);
  if (std::exchange(busy_, true)) return false;
  id_ = id;
  job_ = std::move(job);
  changed_.notify_one();
  return true;
}

std::optional<SlowWork::Done> SlowWork::take() {
  const std::lock_guard lock(mutex_);
  if (!result_) return {};
  busy_ = false;
  return std::exchange(result_, std::nullopt);
}

void SlowWork::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return ends_ || job_; });
    if (ends_) return;
    const auto job = std::exchange(job_, {});
    lock.unlock();
    auto response = done(job);
    lock.lock();
    result_ = Done{id_, std::move(response)};
    lock.unlock();
    done_();
    lock.lock();
  }
}

}  // namespace reveal::serve
