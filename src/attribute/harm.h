// How bad a finding was: what the work rate of the host's jobs did meanwhile.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "attribute/finding.h"
#include "work/job_rate.h"
#include "work/slowdowns.h"

namespace reveal::attribute {

// A job with its rate, and the stretches in which it was slow.
struct JobHistory {
  work::JobRate rate;
  std::vector<work::Slowdown> slowdowns;
};

// Returns the jobs' histories, of those rates that are known.
std::vector<JobHistory> histories_of(const std::vector<work::JobRate>& jobs);

// A stretch of time, ns since the epoch.
struct Span {
  std::int64_t begin_ns = 0;
  std::int64_t end_ns = 0;
};

// Returns what a finding whose windows lie from `begin_ns` to `end_ns` cost the job that lost most
// by it. A job's slowdown of which most lies in them tells that, with edges of its own; else what
// was lost within the finding's `own` edges if both are known, or its windows, of a job that was at
// work before and after. Nothing if the rate is known of less than half of that.
std::optional<Harm> harm_of(const std::vector<JobHistory>& jobs, std::int64_t begin_ns,
                            std::int64_t end_ns, const std::optional<Span>& own = {});

// Returns whether a slowdown can make a finding. One that began with the recording or lasts to its
// end does not count: a job that does something else from then on looks the same.
bool counts(const work::Slowdown& one);

// Returns whether a job was slow in flagged windows for as long as to make them a finding: most of
// one of its slowdowns that count lies in them.
bool is_harmed(const std::vector<JobHistory>& jobs, std::int64_t begin_ns, std::int64_t end_ns);

// Returns where work stood still in flagged windows: GPUs, if most of a slowdown of theirs that
// counts, with less than a third of the usual rate, lies in them; else nothing.
std::optional<model::Subsystem> idle_in(const std::vector<JobHistory>& jobs, std::int64_t begin_ns,
                                        std::int64_t end_ns);

// The same as is_harmed() while a run goes on: a slowdown that has lasted for kLeastSlow_ns counts
// although nobody knows its end. A job that does something else from now on looks the same for as
// long as it is not what is usual.
inline constexpr std::int64_t kLeastSlow_ns = 5'000'000'000;
bool is_harmed_so_far(const std::vector<JobHistory>& jobs, std::int64_t begin_ns,
                      std::int64_t end_ns);

// Sets what a finding cost, and its severity.
void set_harm(const std::vector<JobHistory>& jobs, Finding& finding);

// Returns whether each job whose rate is known, one at least, is known well to have kept it in that
// stretch.
bool kept_their_rates(const std::vector<JobHistory>& jobs, std::int64_t begin_ns,
                      std::int64_t end_ns);

// Returns whether that loss is more than the rate's error and a job's ups and downs.
bool is_slow(const work::Loss& loss);

// Returns whether nobody can say if a job was slow: it was not clearly, but seemed to be by more
// than the rate's error, or a loss of a fifth lies within twice that error.
bool is_unclear(const work::Loss& loss);

}  // namespace reveal::attribute
