// Work that takes longer than the server's thread may: done piece by piece on a thread of its own,
// or on some, which start when they are needed.
//
// For one thread, but for `done`.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace reveal::http {

class SlowWork {
 public:
  // What is done with the outcome, on the thread that calls take().
  using Then = std::function<void()>;
  // Runs on another thread, and throws nothing.
  using Job = std::function<Then()>;

  // At most `most` jobs, at least 1, are waiting or being done, on at most `threads`, at least 1.
  // `done`, which neither waits nor throws, is called on the job's thread once take() has
  // something.
  SlowWork(std::size_t most, std::function<void()> done, std::size_t threads = 1)
      : most_(most), most_threads_(threads), done_(std::move(done)) {}
  // Waits for the end of the jobs that are being done; those that wait are not done.
  ~SlowWork();

  // Takes in a job. Returns false if there are too many, or no thread can be had.
  bool begin(Job job);

  // Returns what is to be done for a job that is over, once each; empty if there is none.
  Then take();

 private:
  void run();

  // Makes sure that a thread is there for a job more. Returns false if there is none at all.
  bool has_thread();

  std::size_t most_;
  std::size_t most_threads_;
  std::function<void()> done_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool ends_ = false;
  std::size_t jobs_ = 0;  // from begin() to take()
  std::size_t idle_ = 0;  // threads
  std::deque<Job> waiting_;
  std::deque<Then> over_;
  std::vector<std::thread> threads_;
};

}  // namespace reveal::http
