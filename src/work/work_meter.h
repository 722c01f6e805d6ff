// How much the jobs of a host get done, seen from outside: nobody has to tell which counter is
// work. Counters of things that were finished (counters.h) are summed by second; those whose
// second-to-second changes are the same are counting the same job's steps, for a second holds a
// whole number of steps, give or take one, and each of them shows that. Their common course,
// relative to the run's own good level, is the job's rate of work.
//
//   - Two resources must agree, or the network's counters among themselves: else the rate is not
//     known, and says why.
//   - A neighbor only adds. So where one quantity is lower than the others by more than they
//     usually differ, it is the one that counts this job alone.
//   - A second with missing ticks has no rate.
//
// Nothing here looks at a clock or at the host: the same rows give the same rates. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "model/channel_table.h"
#include "work/blocks.h"
#include "work/job_rate.h"

namespace reveal::work {

class WorkMeter {
 public:
  // Takes the next tick's derived row: rates per second of counters, NaN if missing (derive).
  // `wall_ns` is when the tick was due, the end of what its rates cover. REQUIRES: ticks come in
  // order; `channels` only grows and is the table of all rows so far; row.size() of its channels
  // have a value; `interval_ns` is the same in all calls.
  void add(const model::ChannelTable& channels, std::uint64_t sequence, std::int64_t wall_ns,
           std::int64_t interval_ns, std::span<const double> row) {
    blocks_.add(channels, sequence, wall_ns, interval_ns, row);
  }

  // Returns the rates of the jobs that could be told apart: those by the host's counters, clearest
  // first, then control groups', then the GPUs'. If the host's counters tell of none, there is one
  // without a rate, with the reason. Costs some milliseconds.
  std::vector<JobRate> estimate() const;

  // Returns the rates anew, by the counters that an earlier estimate took for each job: a twentieth
  // of its cost. What is known to be usual may have moved. A job that began since is not there, and
  // the reason for a rate that is not known stays. REQUIRES: `jobs` are this meter's.
  std::vector<JobRate> follow(const std::vector<JobRate>& jobs) const;

  // Forgets all blocks but the last `blocks`, for a host that goes on without an end.
  void keep_last(std::size_t blocks) { blocks_.keep_last(blocks); }

  // Returns how many blocks are known, and how many there have been.
  std::size_t block_count() const { return blocks_.finished().size(); }
  std::size_t blocks_so_far() const { return blocks_.so_far(); }

 private:
  Blocks blocks_;
};

}  // namespace reveal::work
