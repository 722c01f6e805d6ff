// The work rates of a live host's jobs, kept up as it goes on at a bounded cost: which counters
// tell a rate is worked out seldom (work_meter.h), the rates by these counters every few seconds.
#pragma once

#include <cstddef>
#include <vector>

#include "attribute/harm.h"
#include "work/work_meter.h"

namespace reveal::live {

// Blocks of a second, or of a tick if ticks are longer, between two estimates: while somebody wants
// to know how bad it is, and else.
inline constexpr std::size_t kBlocksWhileUrgent = 2;
inline constexpr std::size_t kBlocksWhileCalm = 5;
inline constexpr std::size_t kBlocksOfChoice = 120;  // between two choices of counters, at most

class JobWatch {
 public:
  // Looks at the meter, and estimates anew if that is due. Returns whether it did. `is_urgent`: a
  // finding goes on, or is not long over. What a job's counters are is not worked out meanwhile if
  // it is known: it is learned while nothing disturbs.
  bool update(const work::WorkMeter& meter, bool is_urgent);

  // Return the rates, and those that are known with their slowdowns.
  const std::vector<work::JobRate>& rates() const { return rates_; }
  const std::vector<attribute::JobHistory>& jobs() const { return jobs_; }

 private:
  bool is_choice_due(std::size_t blocks, bool is_urgent) const;

  std::vector<work::JobRate> rates_;
  std::vector<attribute::JobHistory> jobs_;
  std::size_t estimated_at_ = 0;  // blocks so far
  std::size_t next_choice_ = 0;   // likewise
};

}  // namespace reveal::live
