// Questions to the fleet, from threads that may not touch it: the analyser's loop answers them
// between two rounds.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>

#include "peers/fleet.h"

namespace reveal::analyser {

class Questions {
 public:
  // Copies what is asked for. A few milliseconds at most, and it throws nothing.
  using Question = std::function<void(peers::Fleet& fleet)>;

  static constexpr std::size_t kMostWaiting = 16;
  static constexpr std::size_t kMostAtOnce = 4;

  // Has the loop run it, and waits for that. Returns false if it was not run, and will not be: the
  // loop had no time for so long, too many wait, or the analyser ends. From any thread but the
  // loop's.
  bool ask(Question question, std::chrono::milliseconds patience);

  // Runs those that wait, a few at most. From the loop's thread.
  void answer(peers::Fleet& fleet);

  // From now on nothing is run. From any thread.
  void close();

 private:
  struct Asked {
    Question question;
    bool is_begun = false;
    bool is_over = false;
  };

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::shared_ptr<Asked>> waiting_;
  bool is_closed_ = false;
};

}  // namespace reveal::analyser
