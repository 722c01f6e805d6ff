#include "analyser/questions.h"

#include <utility>

namespace reveal::analyser {

bool Questions::ask(Question question, std::chrono::milliseconds patience) {
  auto asked = std::make_shared<Asked>(Asked{.question = std::move(question)});
  std::unique_lock lock(mutex_);
  if (is_closed_ || waiting_.size() >= kMostWaiting) return false;
  waiting_.push_back(asked);
  changed_.wait_for(lock, patience, [&] { return asked->is_over || is_closed_; });
  // What it fills is the caller's: once it has begun, its end is waited for.
  changed_.wait(lock, [&] { return asked->is_over || !asked->is_begun; });
  if (!asked->is_over) std::erase(waiting_, asked);
  return asked->is_over;
}

void Questions::answer(peers::Fleet& fleet) {
  for (std::size_t i = 0; i < kMostAtOnce; ++i) {
    std::shared_ptr<Asked> asked;
    {
      const std::lock_guard lock(mutex_);
      if (is_closed_ || waiting_.empty()) return;
      asked = std::move(waiting_.front());
      waiting_.pop_front();
      asked->is_begun = true;
    }
    asked->question(fleet);
    {
      const std::lock_guard lock(mutex_);
      asked->is_over = true;
    }
    changed_.notify_all();
  }
}

void Questions::close() {
  {
    const std::lock_guard lock(mutex_);
    is_closed_ = true;
  }
  changed_.notify_all();
}

}  // namespace reveal::analyser
