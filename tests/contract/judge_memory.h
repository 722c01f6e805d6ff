// What a channel that is gone costs the judge of a live host in memory.
#pragma once

#include <cstddef>

struct JudgeMemory {
  std::size_t gone_channels = 0;
  // Bytes for each of these, beyond what the host's own tables and the channels that stay take:
  double held = 0;  // at the end
  double most = 0;  // at any time, fits included
};

// Judges a made host for so long. Of so many control groups at once each is there for 3 s.
JudgeMemory judge_memory(std::size_t groups_at_once, int seconds);
