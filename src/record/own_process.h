// This program once more, in another role, as a child process.
#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include <sys/types.h>

#include "base/result.h"

namespace reveal::record {

class OwnProcess {
 public:
  // Longer than any of our processes needs to close its files on a disk that answers.
  static constexpr std::chrono::seconds kEndsWithin{8};

  // Starts `reveal WORDS`. It gets SIGTERM when the thread that started it ends, however that ends,
  // and no signal that is typed at the terminal. It reads nothing; its output goes to `output_fd`.
  // Descriptors that it is to inherit must not be closed on exec.
  static base::Result<OwnProcess> start(const std::vector<std::string>& words, int output_fd);

  OwnProcess(OwnProcess&& other) noexcept : pid_(std::exchange(other.pid_, -1)) {}
  OwnProcess& operator=(OwnProcess&& other) noexcept {
    std::swap(pid_, other.pid_);
    return *this;
  }
  OwnProcess(const OwnProcess&) = delete;
  OwnProcess& operator=(const OwnProcess&) = delete;
  // Ends it with SIGTERM and waits for it, for kEndsWithin at most; then it is killed.
  ~OwnProcess();

  pid_t pid() const { return pid_; }
  // Returns whether it still runs.
  bool runs();
  // Returns its wait status (waitpid). REQUIRES: !runs().
  int wait_status() const { return status_; }
  void signal(int signal) const;

 private:
  explicit OwnProcess(pid_t pid) : pid_(pid) {}

  pid_t pid_;  // negative: it has ended
  int status_ = 0;
};

}  // namespace reveal::record
