#include "live/background_fit.h"

#include <chrono>
#include <ctime>
#include <utility>

#include "base/thread.h"

namespace reveal::live {
namespace {

// Of a core, some 3 %: less than anybody calls waiting.
constexpr double kPausePerWork = 30;

double thread_cpu_s() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

}  // namespace

BackgroundFit::BackgroundFit(pipeline::BaselineFit fit) : fit_(std::move(fit)) {
  auto thread = base::start_thread("the baseline's fit", [this] {
    fit_.options.held_out.pace = [this] { pause(); };
    auto outcome = std::move(fit_).fit();
    const std::lock_guard lock(mutex_);
    outcome_ = std::move(outcome);
  });
  if (thread) {
    thread_ = std::move(*thread);
  } else {
    outcome_ = std::move(fit_).fit();  // here and now: the screen waits for a second
  }
}

BackgroundFit::~BackgroundFit() {
  {
    const std::lock_guard lock(mutex_);
    hurried_ = true;
  }
  hurry_.notify_one();
  if (thread_.joinable()) thread_.join();
}

std::optional<base::Result<detect::FittedBaseline>> BackgroundFit::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(outcome_, std::nullopt);
}

void BackgroundFit::pause() {
  const std::chrono::duration<double> due((thread_cpu_s() - paused_at_s_) * kPausePerWork);
  std::unique_lock lock(mutex_);
  hurry_.wait_for(lock, due, [this] { return hurried_; });
  paused_at_s_ = thread_cpu_s();
}

}  // namespace reveal::live
