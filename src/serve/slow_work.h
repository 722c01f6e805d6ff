// Answers that take longer than the server's thread may: made one at a time on a thread of their
// own, which starts with the first.
//
// For one thread, but for `done`.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

#include "serve/response.h"

namespace reveal::serve {

class SlowWork {
 public:
  using Job = std::function<Response()>;
  struct Done {
    std::uint64_t id = 0;
    Response response = {};
  };

  // `done`, which neither waits nor throws, is called on the other thread once take() has
  // something.
  explicit SlowWork(std::function<void()> done) : done_(std::move(done)) {}
  // Waits for the end of the job that is being done.
  ~SlowWork();

  // Begins a job for a connection. Returns false if another is being done, or no thread can be had.
  bool begin(std::uint64_t id, Job job);

  // Returns what is done, once.
  std::optional<Done> take();

 private:
  void run();

  std::function<void()> done_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool ends_ = false;
  bool busy_ = false;  // from begin() to take()
  std::uint64_t id_ = 0;
  Job job_;  // empty: it is being done, or there is none
  std::optional<Done> result_;
  std::thread thread_;
};

}  // namespace reveal::serve
