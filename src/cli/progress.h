// Tells on stderr how a recording goes: one line that is rewritten on a terminal, a plain line
// every ten seconds elsewhere. Never on stdout, which belongs to CMD and to the report.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "record/recording.h"

namespace reveal::cli {

class Progress {
 public:
  // `quiet` says nothing at all. `shared_terminal`: CMD writes to the same terminal, so the cursor
  // is left at the start of the line and CMD's output replaces it.
  Progress(bool quiet, bool shared_terminal);

  // Says so, if it is time to; with the windows so far, 0: none are analyzed.
  void update(const record::Recording::State& state, std::size_t windows);
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
std::string progress_text(const record::Recording::State& state, std::size_t windows);

}  // namespace reveal::cli
