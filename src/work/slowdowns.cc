#include "work/slowdowns.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "stats/quantile.h"
#include "work/stretches.h"

namespace reveal::work {
namespace {

constexpr double kLeastFall = 0.15;   // of the usual, as the mean of a stretch
constexpr double kDip = 0.25;         // of the usual: clearly less, whatever its ups and downs
constexpr double kClearFall = 4;      // standard deviations of the job's own ups and downs
constexpr double kCertainFall = 0.6;  // whatever its ups and downs, if it lasts
constexpr std::size_t kCertainBlocks = 5;
constexpr std::size_t kUpsAndDowns = 5;  // blocks over which a job's own ups and downs are taken
constexpr std::size_t kFewestSteps = 5;
constexpr std::size_t kLongestWait = 60;  // of GPUs; longer is a pause, whoever holds them
constexpr double kHeld = 0.8;             // of the GPU memory before: less is another job, or none
constexpr std::size_t kMostWaits = 2;     // of GPUs in a run; more are the job's own pauses
constexpr std::size_t kEdgeBlocks = 4;
constexpr std::size_t kBesideBlocks = 15;
constexpr std::size_t kAroundBlocks = 7;    // on each side, for what is usual around a block
constexpr double kRiseShare = 0.8;          // of the blocks, that rise less
constexpr double kRiseDeviations = 0.8416;  // how far that share lies, of a normal distribution
constexpr double kClearEdge = 3;            // standard deviations of a step from side to side
constexpr double kClearBeside = 5;  // of the same: there are thousands of stretches in an hour
constexpr double kEdgeShare = 0.5;  // of a stretch's depth, that comes or goes at once
constexpr std::size_t kStartBlocks = 10;   // as long a job may take to start or to end
constexpr std::size_t kWarmUpBlocks = 20;  // at the recording's begin, where a start is not seen
constexpr std::size_t kFewestPhases = 3;
constexpr double kPhaseDepth = 0.12;   // difference of two phases' rates
constexpr double kPhaseLength = 0.5;   // of their lengths, as a share
constexpr double kPhaseSpacing = 0.2;  // of the times from one to the next

bool stands_still_at(const JobRate& job, std::size_t block) {
  return block < job.rate.size() && job.rate[block] < kStandstill;
}

// Next to a standstill, or to the recording's begin, a job that starts or ends is slow for a while.
bool is_start_or_end(const JobRate& job, const Stretch& stretch) {
  const std::size_t length = stretch.last - stretch.first + 1;
  const bool beside = (stretch.first > 0 && stands_still_at(job, stretch.first - 1)) ||
                      stands_still_at(job, stretch.last + 1);
  const auto before = job.rate.begin() + static_cast<std::ptrdiff_t>(stretch.first);
  const bool at_begin =
      std::all_of(job.rate.begin(), before, [](double rate) { return std::isnan(rate); });
  return (beside && length <= kStartBlocks) || (at_begin && length <= kWarmUpBlocks);
}

bool are_alike(const Stretch& a, const Stretch& b) {
  const auto one = static_cast<double>(a.last - a.first + 1);
  const auto other = static_cast<double>(b.last - b.first + 1);
  return std::abs(a.mean - b.mean) <= kPhaseDepth &&
         std::abs(one - other) <= std::max(1.0, kPhaseLength * std::max(one, other));
}

// Returns whether `stretch` is one of several alike that come at regular times.
bool is_phase(const Stretch& stretch, const std::vector<Stretch>& all) {
  std::vector<double> times;
  for (const auto& one : all) {
    if (are_alike(one, stretch)) times.push_back(static_cast<double>(one.first + one.last) / 2);
  }
  if (times.size() < kFewestPhases) return false;
  std::vector<double> spacings;
  for (std::size_t i = 1; i < times.size(); ++i) spacings.push_back(times[i] - times[i - 1]);
  const double usual = stats::median(spacings);
  const auto regular =
      static_cast<std::size_t>(std::ranges::count_if(spacings, [&](double spacing) {
        return std::abs(spacing - usual) <= std::max(kPhaseSpacing * usual, 1.0);
      }));
  return regular + 1 >= kFewestPhases && 4 * regular >= 3 * spacings.size();
}

// A fall is clear beside what blocks vary by, or if it is very deep for some time.
bool is_clear(const JobRate& job, const Stretch& stretch) {
  const double fall = 1 - stretch.mean;
  return fall >= kClearFall * job.error_of_mean(static_cast<double>(stretch.known)) ||
         (fall >= kCertainFall && stretch.known >= kCertainBlocks);
}

struct Mean {
  double rate = std::nan("");
  std::size_t blocks = 0;
};

// Returns the mean of the known rates of up to `blocks` blocks from `from` in steps of `direction`;
// NaN if there are none.
Mean mean_from(const JobRate& job, std::size_t from, int direction,
               std::size_t blocks = kEdgeBlocks) {
  double sum = 0;
  Mean out;
  for (std::size_t n = 0, i = from; n < blocks && i < job.rate.size();
       ++n, i += static_cast<std::size_t>(direction)) {
    if (std::isnan(job.rate[i])) continue;
    sum += job.rate[i];
    ++out.blocks;
  }
  if (out.blocks > 0) out.rate = sum / static_cast<double>(out.blocks);
  return out;
}

// Whether a stretch begins at once, and ends at once: by a share of its depth, and clearly.
struct Edges {
  bool begin = false;
  bool end = false;
};

Edges edges_of(const JobRate& job, const Stretch& stretch, const Noise& noise = {}) {
  const auto is_edge = [&](const Mean& outside, const Mean& inside) {
    const double error = std::hypot(noise.of_mean(static_cast<double>(outside.blocks)),
                                    noise.of_mean(static_cast<double>(inside.blocks)));
    return outside.rate - inside.rate >=
           std::max(kEdgeShare * (1 - stretch.mean), kClearEdge * error);
  };
  const auto within = std::min(kEdgeBlocks, stretch.last - stretch.first + 1);
  return {is_edge(mean_from(job, stretch.first - 1, -1), mean_from(job, stretch.first, 1, within)),
          is_edge(mean_from(job, stretch.last + 1, 1), mean_from(job, stretch.last, -1, within))};
}

// Demand that rises and falls in the course of minutes is no slowdown; something that happens to a
// job begins or ends at once.
bool has_an_edge(const JobRate& job, const Noise& noise, const Stretch& stretch) {
  const auto edges = edges_of(job, stretch, noise);
  return edges.begin || edges.end;
}

// What others do to a job begins and ends at once.
bool has_both_edges(const JobRate& job, const Stretch& stretch) {
  const auto edges = edges_of(job, stretch);
  return edges.begin && edges.end;
}

// Differences from one mean over kUpsAndDowns known blocks to the next. A gap may lie between.
std::vector<double> steps_of(const std::vector<double>& rate) {
  std::vector<double> steps;
  double before = std::nan("");
  double sum = 0;
  std::size_t count = 0;
  for (const double one : rate) {
    if (std::isnan(one)) {
      sum = 0;
      count = 0;
      continue;
    }
    sum += one;
    if (++count < kUpsAndDowns) continue;
    const double mean = sum / kUpsAndDowns;
    if (!std::isnan(before)) steps.push_back(std::abs(mean - before));
    before = mean;
    sum = 0;
    count = 0;
  }
  return steps;
}

// Returns whether programs hold about as much memory from the block before a stretch to the one
// after it. REQUIRES: there are such blocks.
bool is_held(const JobRate& job, const Stretch& stretch) {
  if (job.held.size() != job.rate.size()) return false;
  const double least = kHeld * job.held[stretch.first - 1];
  const auto begin = job.held.begin() + static_cast<std::ptrdiff_t>(stretch.first);
  const auto end = job.held.begin() + static_cast<std::ptrdiff_t>(stretch.last + 2);
  // NaN is neither.
  return least > 0 && std::all_of(begin, end, [&](double held) { return held >= least; });
}

// GPUs that do nothing while a job holds them, for up to a minute, and go on as before: the job
// waits for its data, a peer or a disk. (Of other jobs nobody can tell that from a pause, nor of a
// server that often has nothing to do.) `all`: the stretches in which the job is slow.
bool is_wait_of_gpus(const JobRate& job, const Stretch& stretch, const std::vector<Stretch>& all) {
  const auto is_long_enough = [](const Stretch& one) { return one.known >= kFewestSlowBlocks; };
  if (job.kind != JobKind::kGpus || !stretch.stands_still || !is_long_enough(stretch) ||
      stretch.last - stretch.first + 1 > kLongestWait || !has_both_edges(job, stretch)) {
    return false;
  }
  const auto still = std::ranges::count_if(
      all, [&](const Stretch& one) { return one.stands_still && is_long_enough(one); });
  return static_cast<std::size_t>(still) <= kMostWaits && is_held(job, stretch);
}

// Returns the stretches that came at once, went at once, and are none of the job's own: others did
// that to it.
std::vector<Stretch> done_by_others(const JobRate& job) {
  const auto low = lower_by(job, kDip);
  std::vector<Stretch> out;
  std::ranges::copy_if(low, std::back_inserter(out), [&](const Stretch& one) {
    if (is_phase(one, low)) return false;
    return is_wait_of_gpus(job, one, low) ||
           (has_both_edges(job, one) && !one.stands_still && !is_start_or_end(job, one));
  });
  return out;
}

// How far the job strays by itself from one stretch of several blocks to the next. What comes at
// once and stays is a change, not its own ups and downs, so differences are taken; what others did
// to it is left out if enough is left.
double ups_and_downs(const JobRate& job) {
  auto rate = job.rate;
  for (const auto& dip : done_by_others(job)) {
    for (std::size_t i = dip.first; i <= dip.last; ++i) rate[i] = std::nan("");
  }
  auto steps = steps_of(rate);
  if (steps.size() < kFewestSteps) steps = steps_of(job.rate);
  return steps.empty() ? 0
                       : stats::kDeviationOfMad / std::sqrt(2.0) * stats::median(std::move(steps));
}

// How far a block rises above those around it, where others do nothing to the job: what is done to
// it slows it, so that rises are its own ups, and its downs are as far.
double rises_of(const JobRate& job) {
  auto rate = job.rate;
  for (const auto& dip : done_by_others(job)) {
    for (std::size_t i = dip.first; i <= dip.last; ++i) rate[i] = std::nan("");
  }
  std::vector<double> rises;
  std::vector<double> around;
  for (std::size_t i = kAroundBlocks; i + kAroundBlocks < rate.size(); ++i) {
    if (std::isnan(rate[i])) continue;
    around.clear();
    for (std::size_t k = i - kAroundBlocks; k <= i + kAroundBlocks; ++k) {
      if (!std::isnan(rate[k])) around.push_back(rate[k]);
    }
    if (around.size() > kAroundBlocks) rises.push_back(rate[i] - stats::median(around));
  }
  if (rises.size() < kBesideBlocks) return 0;
  std::ranges::sort(rises);
  return std::max(0.0, stats::quantile(rises, kRiseShare) / kRiseDeviations);
}

// Beside what went before or comes after, the job is slow by `fall` too, and clearly: else its
// usual was the exception. That is a share of what it did there: where others slow it all the time,
// that is less than its usual.
bool stands_out(const JobRate& job, const Noise& noise, const Stretch& stretch, double fall) {
  const auto is_slower_than = [&](const Mean& beside) {
    const bool is_certain =
        stretch.known >= kCertainBlocks && stretch.mean <= (1 - kCertainFall) * beside.rate;
    const double error = std::hypot(noise.of_mean(static_cast<double>(stretch.known)),
                                    noise.of_mean(static_cast<double>(beside.blocks)));
    return stretch.mean <= (1 - fall) * beside.rate &&
           (is_certain || beside.rate - stretch.mean >= kClearBeside * error);
  };
  return is_slower_than(mean_from(job, stretch.first - 1, -1, kBesideBlocks)) ||
         is_slower_than(mean_from(job, stretch.last + 1, 1, kBesideBlocks));
}

bool is_slowdown(const JobRate& job, const Noise& noise, const Stretch& stretch, double fall) {
  return stretch.known >= kFewestSlowBlocks && !stretch.stands_still && stretch.mean <= 1 - fall &&
         is_clear(job, stretch) && !is_start_or_end(job, stretch) &&
         has_an_edge(job, noise, stretch) && stands_out(job, noise, stretch, fall);
}

Slowdown told(const JobRate& job, const Stretch& stretch) {
  Slowdown out;
  out.begin_ns = job.begin_ns[stretch.first];
  out.end_ns = job.end_ns[stretch.last];
  out.loss = lost(job, out.begin_ns, out.end_ns).value_or(Loss{});
  const auto is_known = [](double rate) { return !std::isnan(rate); };
  const auto first = job.rate.begin() + static_cast<std::ptrdiff_t>(stretch.first);
  const auto after = job.rate.begin() + static_cast<std::ptrdiff_t>(stretch.last + 1);
  out.from_begin = std::none_of(job.rate.begin(), first, is_known);
  out.to_end = std::none_of(after, job.rate.end(), is_known);
  return out;
}

}  // namespace

std::vector<Slowdown> slowdowns(const JobRate& job) {
  const double stray = std::max(ups_and_downs(job), job.bias_error);
  const double fall = std::min(std::max(kLeastFall, kClearFall * stray), kCertainFall);
  const Noise noise{std::max(job.block_error, rises_of(job)), job.bias_error};
  const auto low = lower_by(job, fall);
  std::vector<Slowdown> out;
  for (const auto& dip : low) {
    if (is_phase(dip, low)) continue;
    if (is_wait_of_gpus(job, dip, low)) {
      out.push_back(told(job, dip));
      continue;
    }
    for (const auto& part : without_standstills(job, dip)) {
      if (is_slowdown(job, noise, part, fall)) out.push_back(told(job, part));
    }
  }
  return out;
}

std::vector<Slowdown> dips(const JobRate& job) {
  std::vector<Slowdown> out;
  for (const auto& dip : done_by_others(job)) out.push_back(told(job, dip));
  return out;
}

std::vector<Slowdown> pauses(const JobRate& job) {
  std::vector<Slowdown> out;
  for (const auto& stretch : below(job, kStandstill)) out.push_back(told(job, stretch));
  return out;
}

}  // namespace reveal::work
