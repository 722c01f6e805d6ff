// Tells on stderr how a recording goes: one line that is rewritten on a terminal, a plain line
// every ten seconds elsewhere. Never on stdout, which belongs to CMD and to the report.
#pragma once

#include <cstdint>
#include <string>

namespace reveal::cli {

class Progress {
 public:
  struct State {
    std::int64_t elapsed_ns = 0;
    std::size_t channels = 0;
    std::uint64_t frames = 0;
    std::uint64_t missed = 0;
    std::size_t windows = 0;  // 0: not analysing
    std::uint64_t bytes = 0;
    bool storing = true;  // false while the disk is full
  };

  // `quiet` says nothing at all. `shared_terminal`: CMD writes to the same terminal, so the cursor
  // is left at the start of the line and CMD's output replaces it.
  Progress(bool quiet, bool shared_terminal);

  // Says so, if it is time to.
  void update(const State& state);
  // Removes the live line.
  void clear();

 private:
  bool quiet_;
  bool terminal_;
  bool shared_;
  std::int64_t next_ns_ = 0;
  bool drawn_ = false;
};

// Returns "recording 1 min 20 s: 312 channels, 801 frames, none missed, 77 windows, 1.2 MiB".
std::string progress_text(const Progress::State& state);

}  // namespace reveal::cli
