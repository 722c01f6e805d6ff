#include "attribute/harm.h"

#include <algorithm>
#include <utility>

namespace reveal::attribute {
namespace {

constexpr double kLeast = 0.05;  // of the usual rate: less is not worth a word
constexpr double kErrors = 3;    // standard deviations

// Returns the slowdowns that overlap a stretch, as one.
std::optional<Harm> slow_in(const JobHistory& job, std::int64_t begin_ns, std::int64_t end_ns) {
  std::optional<Harm> out;
  for (const auto& one : job.slowdowns) {
    if (one.end_ns <= begin_ns || one.begin_ns >= end_ns) continue;
    if (!out) out = Harm{job.rate.job, one.begin_ns, one.end_ns, true, {}};
    out->end_ns = one.end_ns;
  }
  if (!out) return out;
  const auto loss = work::lost(job.rate, out->begin_ns, out->end_ns);
  if (!loss) return std::nullopt;
  out->loss = *loss;
  return out;
}

std::optional<Harm> of_job(const JobHistory& job, std::int64_t begin_ns, std::int64_t end_ns) {
  if (auto slow = slow_in(job, begin_ns, end_ns)) return slow;
  const auto loss = work::lost(job.rate, begin_ns, end_ns);
  if (!loss) return std::nullopt;
  return Harm{job.rate.job, begin_ns, end_ns, is_slow(*loss), *loss};
}

}  // namespace

bool is_slow(const work::Loss& loss) {
  return 1 - loss.mean_rate >= kLeast && 1 - loss.mean_rate >= kErrors * loss.mean_error;
}

std::vector<JobHistory> histories_of(const std::vector<work::JobRate>& jobs) {
  std::vector<JobHistory> out;
  for (const auto& job : jobs) {
    if (job.is_known()) out.push_back({job, work::slowdowns(job)});
  }
  return out;
}

bool is_harmed(const std::vector<JobHistory>& jobs, std::int64_t begin_ns, std::int64_t end_ns) {
  for (const auto& job : jobs) {
    for (const auto& one : job.slowdowns) {
      if (one.from_begin || one.to_end) continue;
      const auto shared = std::min(one.end_ns, end_ns) - std::max(one.begin_ns, begin_ns);
      if (2 * shared > one.end_ns - one.begin_ns) return true;
    }
  }
  return false;
}

std::optional<Harm> harm_of(const std::vector<JobHistory>& jobs, std::int64_t begin_ns,
                            std::int64_t end_ns) {
  std::optional<Harm> out;
  for (const auto& job : jobs) {
    auto one = of_job(job, begin_ns, end_ns);
    if (!one) continue;
    const bool worse =
        !out || std::pair(one->slow, one->loss.lost_s) > std::pair(out->slow, out->loss.lost_s);
    if (worse) out = std::move(one);
  }
  return out;
}

}  // namespace reveal::attribute
