// A recorder of this host in a process of its own, for as long as the object lives: `reveal record`
// into a temporary folder. So a slow screen never delays a tick, and a live view shows the same as
// one of a recording.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <sys/types.h>

#include "base/result.h"
#include "base/temp_dir.h"

namespace reveal::record {

class LiveRecorder {
 public:
  // Starts `reveal record` with these options besides.
  static base::Result<LiveRecorder> start(const std::vector<std::string>& options);

  LiveRecorder(LiveRecorder&& other) noexcept
      : folder_(std::move(other.folder_)), child_(std::exchange(other.child_, -1)) {}
  LiveRecorder& operator=(LiveRecorder&&) = delete;
  LiveRecorder(const LiveRecorder&) = delete;
  LiveRecorder& operator=(const LiveRecorder&) = delete;
  // Ends the recorder and removes what it recorded.
  ~LiveRecorder();

  std::filesystem::path directory() const { return folder_.path() / "recording"; }
  // Fails, with what the recorder said, once it has ended.
  base::Result<void> check();

 private:
  LiveRecorder(base::TempDir folder, pid_t child) : folder_(std::move(folder)), child_(child) {}

  base::TempDir folder_;
  pid_t child_;
};

}  // namespace reveal::record
