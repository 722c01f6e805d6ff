// Keeps stretches of the recording that somebody asked for, each as a recording below
// DIRECTORY/pins that is named by the time of its end. They stay until somebody removes them, or
// there is no room for them any more (kept_space.h).
//
// A stretch is copied on a thread of its own, one at a time, so that no verdict waits. For any
// thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "agent/kept_space.h"
#include "agent/stretch.h"
#include "base/result.h"

namespace reveal::agent {

// How much is kept by default.
inline constexpr const char* kUsualPin = "15m";

class Pins {
 public:
  // `recording` is copied from, into folders in `pins`, as far as `space`, which outlives this, has
  // room.
  Pins(std::filesystem::path recording, std::filesystem::path pins, KeptSpace& space);
  Pins(const Pins&) = delete;
  Pins& operator=(const Pins&) = delete;
  ~Pins();  // gives up what is being copied

  // Begins to keep what was recorded in the last `last_ns` before `wall_ns`, or all if that is
  // less. Returns the folder that will have it. Fails with kBusy while another one is copied, with
  // kNoSpace if the disk or the agent's share has no room for it, and if no thread can be started.
  base::Result<std::filesystem::path> begin(std::int64_t last_ns, std::int64_t wall_ns);

  // The same for a length as people type it, "15m". Returns a line that says so.
  base::Result<std::string> begin_last(const std::string& length, std::int64_t wall_ns);

  // Returns a line on each stretch that was kept, and on each that could not be, since the last
  // call.
  struct Line {
    bool failed = false;
    std::string text;
  };
  std::vector<Line> take_lines();

 private:
  base::Result<void> check_disk(std::uint64_t needed) const;
  void keep(const std::filesystem::path& folder, const Stretch& stretch, std::uint64_t held);

  std::filesystem::path recording_;
  std::filesystem::path pins_;
  KeptSpace& space_;
  std::atomic<bool> stop_ = false;
  std::mutex mutex_;  // of what follows
  std::thread thread_;
  std::vector<Line> lines_;
  bool copying_ = false;
};

}  // namespace reveal::agent
