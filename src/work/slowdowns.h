// The stretches in which a job was slow. A finding can be made of each, so a false one is worse
// than one that is missed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "work/job_rate.h"

namespace reveal::work {

struct Slowdown {
  std::int64_t begin_ns = 0;  // of the first block that is slow, wall clock
  std::int64_t end_ns = 0;    // of the last
  Loss loss;
  // It begins with the first rate that is known, or goes on to the last: nothing was seen on that
  // side. A job that does larger steps from now on, with a batch twice as large, looks like one
  // that is slow from now on; who knows of such changes (regimes) must tell them apart.
  bool from_begin = false;
  bool to_end = false;

  // Returns how much of it lies in a stretch; negative if they lie apart.
  std::int64_t shared_ns(std::int64_t stretch_begin_ns, std::int64_t stretch_end_ns) const {
    return std::min(end_ns, stretch_end_ns) - std::max(begin_ns, stretch_begin_ns);
  }
};

// Returns the stretches of at least 3 s in which the job went on, well below its usual: by 15 %
// and by more than it does by itself. None of these is one:
//   - a job that stands still: it has ended, it has not begun, it waits for what it was told to
//     wait for, or it does something that leaves no trace (pauses() has those). But GPUs that stand
//     still for up to a minute while their memory is held, once or twice in a run, and go on as
//     before, are slow;
//   - the seconds in which it starts or ends;
//   - dips of one depth and length that come at regular times: its own phases.
std::vector<Slowdown> slowdowns(const JobRate& job);

// Returns the stretches in which the job did less than its usual by a quarter or more, and that
// came at once and went at once, clear beside its ups and downs or not: others did that to it. Its
// own phases, pauses, starts and ends are none of these.
std::vector<Slowdown> dips(const JobRate& job);

// Returns the stretches in which the job did nothing that its counters count. From outside a pause
// between phases and a job that hangs look the same.
std::vector<Slowdown> pauses(const JobRate& job);

}  // namespace reveal::work
