// A recorder of this host in a process of its own, for as long as the object lives: `reveal record`
// into a temporary folder. So a slow screen never delays a tick, and a live view shows the same as
// one of a recording.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/temp_dir.h"
#include "record/own_process.h"

namespace reveal::record {

class LiveRecorder {
 public:
  // Starts `reveal record` with these options besides.
  static base::Result<LiveRecorder> start(const std::vector<std::string>& options);

  std::filesystem::path directory() const { return folder_.path() / "recording"; }
  // Fails, with what the recorder said, once it has ended.
  base::Result<void> check();

 private:
  LiveRecorder(base::TempDir folder, OwnProcess recorder)
      : folder_(std::move(folder)), recorder_(std::move(recorder)) {}

  // The folder goes after the process that writes into it.
  base::TempDir folder_;
  OwnProcess recorder_;
};

}  // namespace reveal::record
