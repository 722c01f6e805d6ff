// One reader process, seen from the recorder: started, looked at, and killed without waiting.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

#include "base/result.h"
#include "base/unique_fd.h"
#include "gpu/shared_readings.h"

namespace reveal::gpu {

// Which GPUs a reader reads, by the library's numbers: only one, or all but some.
struct Selection {
  std::optional<unsigned> only{};
  std::vector<unsigned> except{};
};

class ReaderProcess {
 public:
  // Starts `program` as "PROGRAM gpu-reader ...".
  static base::Result<std::unique_ptr<ReaderProcess>> start(const std::string& program,
                                                            const Selection& selection,
                                                            std::chrono::nanoseconds interval);
  // Ends the process: lets it go by itself for a moment, then kills it.
  ~ReaderProcess();
  ReaderProcess(const ReaderProcess&) = delete;
  ReaderProcess& operator=(const ReaderProcess&) = delete;

  const SharedReadings& readings() const { return *shared_; }

  // Returns how the process ended (see waitpid), or nothing while it lives.
  std::optional<int> ended();

  // Kills the process. Returns whether it is gone; one that is stuck in the kernel stays until the
  // kernel lets it go.
  bool kill();

 private:
  ReaderProcess() = default;
  base::Result<void> share();
  base::Result<void> spawn(const std::string& program, std::vector<std::string> arguments);

  base::UniqueFd memory_;
  base::UniqueFd life_line_;  // the reader ends when this closes
  SharedReadings* shared_ = nullptr;
  pid_t pid_ = -1;
  std::optional<int> status_;
};

// Returns the program that can be a reader: REVEAL_READER_PROGRAM, or this one if it is reveal.
base::Result<std::string> reader_program();

}  // namespace reveal::gpu
