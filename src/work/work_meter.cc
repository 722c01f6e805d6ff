#include "work/work_meter.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "model/cgroup_instance.h"
#include "stats/correlation.h"
#include "work/agreement.h"
#include "work/bursts.h"
#include "work/common_course.h"
#include "work/gpu_rate.h"
#include "work/period.h"

namespace reveal::work {
namespace {

// What is usual cannot be told of less.
constexpr std::size_t kFewestBlocks = 20;
// A counter must be there in most blocks, and read in most ticks of them: one that is read now and
// then tells of an earlier second.
constexpr double kPresentShare = 0.6;
constexpr double kMostJitter = 0.35;  // standard deviation of a block while the job is calm
constexpr double kBurstBias = 0.01;
constexpr std::size_t kPeriodBlocks = 30;
constexpr double kNearUsual = 0.5;
// Courses whose changes correlate more are of one job.
constexpr double kSameJob = 0.5;
// How well a group's CPU time must go along with a rate to be its job's, and by how much better
// than any other's.
constexpr double kLeastLikeness = 0.6;
constexpr double kLikenessMargin = 0.2;
constexpr std::string_view kRootGroup = "cg=/";  // which is the host

std::size_t whole_blocks(const Blocks& blocks) {
  return static_cast<std::size_t>(
      std::ranges::count_if(blocks.finished(), [](const Block& block) { return block.is_whole; }));
}

// The levels of one candidate; nothing if it is too seldom there.
std::optional<Series> series_of(const Blocks& blocks, std::size_t candidate,
                                std::size_t samples_of_block) {
  Series out;
  out.candidate = candidate;
  out.quantity = blocks.candidates()[candidate].quantity;
  out.level = blocks.levels_of(candidate, samples_of_block);
  const auto present =
      std::ranges::count_if(out.level, [](double level) { return !std::isnan(level); });
  if (static_cast<double>(present) < kPresentShare * static_cast<double>(whole_blocks(blocks))) {
    return std::nullopt;
  }
  return out;
}

// What is counted for the host as a whole: no control group's counters, and no GPU's.
bool is_of_host(const Candidate& candidate) {
  return candidate.group.empty() && resource_of(candidate.quantity) != model::Subsystem::kGpu;
}

// Returns how many samples of a host's counter a block must have.
std::size_t samples_needed(const Blocks& blocks) {
  return static_cast<std::size_t>(
      std::ceil(kPresentShare * static_cast<double>(blocks.ticks_per_block())));
}

std::vector<Series> host_series(const Blocks& blocks) {
  const auto samples = samples_needed(blocks);
  std::vector<Series> out;
  for (std::size_t i = 0; i < blocks.candidates().size(); ++i) {
    if (!is_of_host(blocks.candidates()[i])) continue;
    if (auto series = series_of(blocks, i, samples)) out.push_back(*std::move(series));
  }
  return out;
}

void set_times(const Blocks& blocks, JobRate& out) {
  for (const auto& block : blocks.finished()) {
    out.begin_ns.push_back(block.begin_ns);
    out.end_ns.push_back(block.end_ns);
  }
}

void set_members(const Blocks& blocks, const std::vector<std::size_t>& candidates, JobRate& out) {
  std::set<Quantity> quantities;
  std::set<model::Subsystem> resources;
  for (const auto place : candidates) {
    const auto& candidate = blocks.candidates()[place];
    out.members.push_back(candidate.channel);
    quantities.insert(candidate.quantity);
    resources.insert(resource_of(candidate.quantity));
  }
  out.quantities.assign(quantities.begin(), quantities.end());
  out.resources.assign(resources.begin(), resources.end());
}

// Steps of seconds, by the bursts of these candidates.
std::optional<JobRate> by_bursts(const Blocks& blocks, const std::vector<std::size_t>& candidates) {
  auto clock = burst_clock(blocks, candidates);
  if (!clock) return std::nullopt;
  JobRate out;
  out.by_bursts = true;
  set_members(blocks, clock->members, out);
  const double usual = good_level(clock->rate);
  if (!(usual > 0)) return std::nullopt;
  for (double& rate : clock->rate) rate /= usual;
  out.rate = std::move(clock->rate);
  out.period_s = clock->period_s;
  // The blocks of one step have one rate: so many say no more than one.
  const double block_s = static_cast<double>(blocks.ticks_per_block()) *
                         static_cast<double>(blocks.interval_ns()) / 1e9;
  const double blocks_a_step = std::max(clock->period_s / block_s, 1.0);
  std::vector<double> by_step;
  const auto stride = static_cast<std::size_t>(std::ceil(blocks_a_step));
  for (std::size_t i = 0; i < out.rate.size(); i += stride) by_step.push_back(out.rate[i]);
  out.block_error = calm_deviation(by_step) * std::sqrt(blocks_a_step);
  out.bias_error = kBurstBias;
  return out;
}

// The period of the steps in the half minute in which the job is nearest to its usual.
std::optional<double> period_s(const Blocks& blocks, std::size_t candidate,
                               std::span<const double> rate) {
  std::optional<std::size_t> best;
  double nearest = kNearUsual;
  for (std::size_t i = 0; i + kPeriodBlocks <= rate.size(); i += kPeriodBlocks / 2) {
    double off = 0;
    for (std::size_t k = i; k < i + kPeriodBlocks; ++k) off += std::abs(rate[k] - 1);
    if (!(off / kPeriodBlocks < nearest)) continue;
    nearest = off / kPeriodBlocks;
    best = i;
  }
  if (!best) return std::nullopt;
  const auto ticks = blocks.ticks_of(candidate, *best, kPeriodBlocks);
  if (std::ranges::any_of(ticks, [](double tick) { return std::isnan(tick); })) return std::nullopt;
  const auto period = period_of(ticks);
  if (!period) return std::nullopt;
  return *period * static_cast<double>(blocks.interval_ns()) / 1e9;
}

// The rate that an agreement tells; not known if it jumps about.
JobRate rate_of(const Blocks& blocks, std::span<const Series> series, const Agreement& agreement) {
  JobRate out;
  auto course = common_course(series, agreement);
  if (course.block_error > kMostJitter) {
    out.not_known =
        "what its counters have in common varies too much from one second to the next to be the "
        "rate of a job";
    return out;
  }
  std::vector<std::size_t> candidates;
  for (const auto member : agreement.members) {
    if (member == agreement.seed) out.lead = candidates.size();
    candidates.push_back(series[member].candidate);
  }
  set_members(blocks, candidates, out);
  out.lead_alone = agreement.seed_leads;
  out.rate = std::move(course.rate);
  out.block_error = course.block_error;
  out.bias_error = course.bias_error;
  out.period_s = period_s(blocks, series[agreement.seed].candidate, out.rate);
  return out;
}

// Returns the jobs that the series tell of, the clearest first. One that is not known stands only
// alone.
std::vector<JobRate> by_agreement(const Blocks& blocks, std::span<const Series> series) {
  std::vector<JobRate> out;
  for (const auto& agreement : agreements(series)) {
    auto job = rate_of(blocks, series, agreement);
    const bool is_same = std::ranges::any_of(out, [&](const JobRate& other) {
      return other.is_known() && job.is_known() &&
             correlation_of_changes(other.rate, job.rate) > kSameJob;
    });
    if (!is_same) out.push_back(std::move(job));
  }
  if (std::ranges::any_of(out, &JobRate::is_known)) {
    std::erase_if(out, [](const JobRate& job) { return !job.is_known(); });
  } else if (out.size() > 1) {
    out.resize(1);
  }
  return out;
}

JobRate without_rate(std::string_view reason) {
  JobRate out;
  out.not_known = reason;
  return out;
}

std::vector<JobRate> host_rates(const Blocks& blocks) {
  std::vector<std::size_t> candidates;
  for (std::size_t i = 0; i < blocks.candidates().size(); ++i) {
    if (is_of_host(blocks.candidates()[i])) candidates.push_back(i);
  }
  if (auto bursts = by_bursts(blocks, candidates)) return {*std::move(bursts)};
  auto out = by_agreement(blocks, host_series(blocks));
  if (out.empty()) {
    out.push_back(
        without_rate("nothing that the job leaves behind moves with its steps: no two counters of "
                     "finished work go up and down together"));
  }
  return out;
}

// Control groups by name, each with the candidates that are its own.
std::map<std::string, std::vector<std::size_t>> groups_of(const Blocks& blocks) {
  std::map<std::string, std::vector<std::size_t>> out;
  for (std::size_t i = 0; i < blocks.candidates().size(); ++i) {
    const auto& candidate = blocks.candidates()[i];
    if (!candidate.group.empty()) out[candidate.group].push_back(i);
  }
  return out;
}

// The rate of a control group by the bytes that it reads from a disk, of any size of reads.
std::optional<JobRate> by_own_reads(const Blocks& blocks, std::span<const Series> series) {
  // Of most groups there is nothing to look for, and looking is dear.
  const auto end = series.end();
  if (std::ranges::find(series, Quantity::kBytesRead, &Series::quantity) == end) return {};
  for (auto& agreement : agreements(series, kMostOwnDistance)) {
    const auto bytes = std::ranges::find(agreement.members, Quantity::kBytesRead,
                                         [&](auto member) { return series[member].quantity; });
    if (bytes == agreement.members.end()) continue;
    agreement.seed = *bytes;
    agreement.seed_leads = true;
    auto job = rate_of(blocks, series, agreement);
    if (job.is_known()) return job;
  }
  return std::nullopt;
}

JobRate of_group(JobRate job, const std::string& group) {
  job.kind = JobKind::kGroup;
  job.job = group;
  return job;
}

// The rate of a control group by its own counters, which no neighbor adds to.
std::optional<JobRate> group_rate(const Blocks& blocks, const std::string& group,
                                  const std::vector<std::size_t>& candidates) {
  std::vector<Series> series;
  for (const auto place : candidates) {
    if (blocks.candidates()[place].quantity == Quantity::kGroupTime) continue;
    if (auto one = series_of(blocks, place, 1)) series.push_back(*std::move(one));
  }
  if (series.size() < 2) return std::nullopt;
  auto found = by_agreement(blocks, series);
  if (!found.empty() && found.front().is_known()) return of_group(std::move(found.front()), group);
  auto by_reads = by_own_reads(blocks, series);
  if (!by_reads) return std::nullopt;
  return of_group(*std::move(by_reads), group);
}

// How the rate goes along with the CPU time of each group.
struct Likeness {
  std::string group;
  double correlation = 0;
};

std::vector<Likeness> likenesses(const Blocks& blocks, const JobRate& job) {
  std::vector<Likeness> out;
  for (std::size_t i = 0; i < blocks.candidates().size(); ++i) {
    const auto& candidate = blocks.candidates()[i];
    if (candidate.quantity != Quantity::kGroupTime || candidate.group == kRootGroup) continue;
    const auto time = series_of(blocks, i, 1);
    if (!time) continue;
    const double r = stats::correlation(job.rate, time->level);
    if (!std::isnan(r)) out.push_back({candidate.group, r});
  }
  return out;
}

// Returns the group whose CPU time goes along with the rate, if one does clearly more than all
// others; of groups within one another that do alike, the innermost.
std::string group_like(const Blocks& blocks, const JobRate& job) {
  auto all = likenesses(blocks, job);
  std::ranges::sort(
      all, [](const Likeness& a, const Likeness& b) { return a.correlation > b.correlation; });
  if (all.empty() || all.front().correlation < kLeastLikeness) return {};
  const Likeness* best = &all.front();
  for (const auto& one : all) {
    if (one.correlation < all.front().correlation - kLikenessMargin) break;
    if (one.group == best->group || model::is_within(one.group, best->group)) {
      best = &one;
    } else if (!model::is_within(best->group, one.group)) {
      return {};
    }
  }
  return best->group;
}

// Returns the candidates of a job's members, in their order.
std::vector<std::size_t> candidates_of(const Blocks& blocks, const JobRate& job) {
  std::vector<std::size_t> out;
  for (const auto member : job.members) {
    const auto& all = blocks.candidates();
    const auto found = std::ranges::find(all, member, &Candidate::channel);
    out.push_back(static_cast<std::size_t>(found - all.begin()));
  }
  return out;
}

// The rate of a job by the members that it had before; nothing if they tell of none any more.
std::optional<JobRate> followed(const Blocks& blocks, const JobRate& job) {
  if (job.kind == JobKind::kGpus) return gpu_rate(blocks);
  const auto candidates = candidates_of(blocks, job);
  if (job.by_bursts) return by_bursts(blocks, candidates);
  const auto samples = job.kind == JobKind::kGroup ? 1 : samples_needed(blocks);
  std::vector<Series> series;
  Agreement agreement;
  agreement.seed = job.lead;
  agreement.seed_leads = job.lead_alone;
  for (const auto candidate : candidates) {
    agreement.members.push_back(series.size());
    series.push_back(
        {candidate, blocks.candidates()[candidate].quantity, blocks.levels_of(candidate, samples)});
  }
  return rate_of(blocks, series, agreement);
}

}  // namespace

std::vector<JobRate> WorkMeter::follow(const std::vector<JobRate>& jobs) const {
  std::vector<JobRate> out;
  for (const auto& job : jobs) {
    auto anew = job.is_known() ? followed(blocks_, job) : job;
    if (!anew) continue;
    anew->kind = job.kind;
    anew->job = job.job;
    if (anew->is_known()) set_times(blocks_, *anew);
    out.push_back(*std::move(anew));
  }
  return out;
}

std::vector<JobRate> WorkMeter::estimate() const {
  if (whole_blocks(blocks_) < kFewestBlocks)
    return {without_rate("the run is too short to say what is usual")};
  auto out = host_rates(blocks_);
  for (auto& job : out) {
    if (job.is_known()) job.job = group_like(blocks_, job);
  }
  for (const auto& [group, candidates] : groups_of(blocks_)) {
    auto own = group_rate(blocks_, group, candidates);
    if (!own) continue;
    // The same job, seen through counters that others add to.
    const auto& name = group;  // clang before 16 captures no structured binding
    std::erase_if(out, [&](const JobRate& job) {
      if (job.kind != JobKind::kHost || !job.is_known()) return false;
      return (job.job == name && job.resources == own->resources) ||
             correlation_of_changes(own->rate, job.rate) > kSameJob;
    });
    out.push_back(*std::move(own));
  }
  if (auto gpus = gpu_rate(blocks_)) out.push_back(*std::move(gpus));
  for (auto& job : out) {
    if (job.is_known()) set_times(blocks_, job);
  }
  return out;
}

}  // namespace reveal::work
