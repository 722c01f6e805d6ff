#include "attribute/harm.h"

#include <algorithm>
#include <utility>

namespace reveal::attribute {
namespace {

constexpr double kLeast = 0.05;  // of the usual rate: less is not worth a word
constexpr double kErrors = 3;    // standard deviations
constexpr double kMuch = 0.8;    // of the usual rate: as little as that would be much

constexpr double kAtWork = 0.3;    // of the usual rate: a job that does less is hardly there
constexpr double kIdle = 1.0 / 3;  // of the usual rate: GPUs that do less are idle
constexpr std::int64_t kBeside_ns = 15'000'000'000;

// Returns what a stretch cost if the rate of most of it is known: the rest is taken to be like
// that, so that the seconds lost are those of the rate that is told with them.
std::optional<work::Loss> lost_throughout(const work::JobRate& job, std::int64_t begin_ns,
                                          std::int64_t end_ns) {
  auto out = work::lost(job, begin_ns, end_ns);
  const double length_s = static_cast<double>(end_ns - begin_ns) / 1e9;
  if (!out || 2 * out->known_s < length_s) return std::nullopt;
  out->lost_s *= length_s / out->known_s;
  out->lost_error_s *= length_s / out->known_s;
  return out;
}

// Returns whether most of a slowdown lies in a stretch.
bool lies_in(const work::Slowdown& one, std::int64_t begin_ns, std::int64_t end_ns) {
  return 2 * one.shared_ns(begin_ns, end_ns) > one.end_ns - one.begin_ns;
}

// Returns the slowdowns that lie in a stretch, as one.
std::optional<Harm> slow_in(const JobHistory& job, std::int64_t begin_ns, std::int64_t end_ns) {
  std::optional<Harm> out;
  for (const auto& one : job.slowdowns) {
    if (!lies_in(one, begin_ns, end_ns)) continue;
    if (!out) out = Harm{job.rate.job, one.begin_ns, one.end_ns, true, {}};
    out->end_ns = one.end_ns;
  }
  if (!out) return out;
  const auto loss = lost_throughout(job.rate, out->begin_ns, out->end_ns);
  if (!loss) return std::nullopt;
  out->loss = *loss;
  return out;
}

// What a job did in the seconds before a stretch and after it.
struct Beside {
  std::optional<work::Loss> before;
  std::optional<work::Loss> after;
};

Beside beside(const work::JobRate& job, std::int64_t begin_ns, std::int64_t end_ns) {
  return {work::lost(job, begin_ns - kBeside_ns, begin_ns),
          work::lost(job, end_ns, end_ns + kBeside_ns)};
}

// A job that was not there before, or has ended, lost nothing.
bool is_at_work(const Beside& beside) {
  const auto works = [](const auto& loss) { return !loss || loss->mean_rate >= kAtWork; };
  return works(beside.before) && works(beside.after) && (beside.before || beside.after);
}

// Nor did one that does as little before and after: then its usual is an exception.
bool stands_out(const work::Loss& loss, const Beside& beside) {
  const auto is_more = [&](const auto& other) {
    return other && other->mean_rate - loss.mean_rate >= kLeast;
  };
  return is_more(beside.before) || is_more(beside.after);
}

// Returns whether a job was clearly slower in a stretch than beside it.
bool is_slow_in(const JobHistory& job, const Span& stretch) {
  const auto loss = lost_throughout(job.rate, stretch.begin_ns, stretch.end_ns);
  return loss && is_slow(*loss) &&
         stands_out(*loss, beside(job.rate, stretch.begin_ns, stretch.end_ns));
}

// What a job lost that has no slowdown there, within `own`. Of a few seconds the error is larger
// than of the windows around them: either may show that it was slow.
std::optional<Harm> lost_in(const JobHistory& job, const Span& own, const Span& windows) {
  const auto loss = lost_throughout(job.rate, own.begin_ns, own.end_ns);
  if (!loss || !is_at_work(beside(job.rate, own.begin_ns, own.end_ns))) return std::nullopt;
  const bool slow =
      1 - loss->mean_rate >= kLeast && (is_slow_in(job, own) || is_slow_in(job, windows));
  return Harm{job.rate.job, own.begin_ns, own.end_ns, slow, *loss};
}

// Takes the one that tells more: of two slow jobs the one that lost more. If none was slow, the
// clearest tells, which comes first.
void take_worse(std::optional<Harm> one, std::optional<Harm>& out) {
  if (!one) return;
  const bool worse = !out || (one->slow && (!out->slow || one->loss.lost_s > out->loss.lost_s));
  if (worse) out = std::move(one);
}

// Returns whether most of a slowdown that counts lies in the stretch.
template <typename Counts>
bool has_slowdown(const std::vector<JobHistory>& jobs, std::int64_t begin_ns, std::int64_t end_ns,
                  Counts is_meant) {
  for (const auto& job : jobs) {
    for (const auto& one : job.slowdowns) {
      if (is_meant(one) && lies_in(one, begin_ns, end_ns)) return true;
    }
  }
  return false;
}

}  // namespace

bool is_slow(const work::Loss& loss) {
  return 1 - loss.mean_rate >= kLeast && 1 - loss.mean_rate >= kErrors * loss.mean_error;
}

bool is_unclear(const work::Loss& loss) {
  if (is_slow(loss)) return false;
  const double missing = 1 - loss.mean_rate;
  const bool seems_slow = missing >= kLeast && missing > loss.mean_error;
  return seems_slow || loss.mean_rate - 2 * loss.mean_error < kMuch;
}

bool kept_their_rates(const std::vector<JobHistory>& jobs, std::int64_t begin_ns,
                      std::int64_t end_ns) {
  return !jobs.empty() && std::ranges::all_of(jobs, [&](const JobHistory& job) {
    const auto loss = lost_throughout(job.rate, begin_ns, end_ns);
    return loss && loss->mean_rate >= 1 - kLeast && loss->mean_error <= kLeast;
  });
}

std::vector<JobHistory> histories_of(const std::vector<work::JobRate>& jobs) {
  std::vector<JobHistory> out;
  for (const auto& job : jobs) {
    if (job.is_known()) out.push_back({job, work::slowdowns(job)});
  }
  return out;
}

bool counts(const work::Slowdown& one) {
  return !one.from_begin && !one.to_end;
}

bool is_harmed(const std::vector<JobHistory>& jobs, std::int64_t begin_ns, std::int64_t end_ns) {
  return has_slowdown(jobs, begin_ns, end_ns, counts);
}

std::optional<model::Subsystem> idle_in(const std::vector<JobHistory>& jobs, std::int64_t begin_ns,
                                        std::int64_t end_ns) {
  const auto were_idle = [&](const JobHistory& job) {
    return job.rate.kind == work::JobKind::kGpus &&
           std::ranges::any_of(job.slowdowns, [&](const work::Slowdown& one) {
             return counts(one) && one.loss.mean_rate < kIdle && lies_in(one, begin_ns, end_ns);
           });
  };
  if (std::ranges::none_of(jobs, were_idle)) return std::nullopt;
  return model::Subsystem::kGpu;
}

bool is_harmed_so_far(const std::vector<JobHistory>& jobs, std::int64_t begin_ns,
                      std::int64_t end_ns) {
  return has_slowdown(jobs, begin_ns, end_ns, [](const work::Slowdown& one) {
    return !one.from_begin && (!one.to_end || one.end_ns - one.begin_ns >= kLeastSlow_ns);
  });
}

void set_harm(const std::vector<JobHistory>& jobs, Finding& finding) {
  std::optional<Span> own;
  if (finding.begin_edge && finding.end_edge) own = Span{finding.begin_ns(), finding.end_ns()};
  finding.harm = harm_of(jobs, finding.windows_begin_ns(), finding.windows_end_ns(), own);
  finding.severity = severity_of(finding);
}

std::optional<Harm> harm_of(const std::vector<JobHistory>& jobs, std::int64_t begin_ns,
                            std::int64_t end_ns, const std::optional<Span>& own) {
  std::optional<Harm> out;
  for (const auto& job : jobs) take_worse(slow_in(job, begin_ns, end_ns), out);
  if (out) return out;
  const Span windows{begin_ns, end_ns};
  for (const auto& job : jobs) take_worse(lost_in(job, own.value_or(windows), windows), out);
  return out;
}

}  // namespace reveal::attribute
