#include "work/bursts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "stats/quantile.h"

namespace reveal::work {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
constexpr double kMostBusyShare = 0.3;  // of the ticks; a job that exchanges longer has no bursts
constexpr double kLeastPeriod_s = 0.8;  // shorter steps show in the counts of seconds
constexpr std::size_t kFewestBursts = 8;
constexpr double kSameBurst = 0.35;   // of a long gap: a shorter one lies within a burst
constexpr double kMostUnlike = 0.15;  // spread of the bursts' sizes, of their median
constexpr double kFewestAlike = 0.7;  // share of bursts that are one step
constexpr double kTogether_s = 0.35;
constexpr double kOverdue = 3;  // periods
// Smaller bursts are a network's housekeeping.
constexpr double kLeastBytes = 65536;
constexpr double kLeastThings = 20;

struct Burst {
  std::size_t first = 0;  // ticks since the first block
  std::size_t last = 0;
  double size = 0;
};

// A candidate's ticks over the run.
struct Ticks {
  std::vector<double> value;
  double mean = 0;
};

std::optional<Ticks> ticks_of(const Blocks& blocks, std::size_t candidate) {
  Ticks out{blocks.ticks_of(candidate, 0, blocks.finished().size())};
  std::size_t known = 0;
  for (const double value : out.value) {
    if (std::isnan(value)) continue;
    out.mean += value;
    ++known;
  }
  if (2 * known < out.value.size() || out.mean <= 0) return std::nullopt;
  out.mean /= static_cast<double>(known);
  return out;
}

// Ticks above the mean, joined where the gap between them is much shorter than the long ones.
std::vector<Burst> bursts_of(const Ticks& ticks) {
  std::vector<std::size_t> busy;
  for (std::size_t i = 0; i < ticks.value.size(); ++i) {
    if (ticks.value[i] > ticks.mean) busy.push_back(i);
  }
  const auto all = static_cast<double>(ticks.value.size());
  if (busy.size() < kFewestBursts || static_cast<double>(busy.size()) > kMostBusyShare * all) {
    return {};
  }
  std::vector<double> gaps;
  for (std::size_t i = 1; i < busy.size(); ++i) {
    if (busy[i] > busy[i - 1] + 1) gaps.push_back(static_cast<double>(busy[i] - busy[i - 1]));
  }
  if (gaps.size() + 1 < kFewestBursts) return {};
  std::ranges::sort(gaps);
  const double same = std::max(kSameBurst * stats::quantile(gaps, 0.75), 1.0);
  std::vector<Burst> out;
  for (const std::size_t at : busy) {
    if (out.empty() || static_cast<double>(at - out.back().last) > same) out.push_back({at, at, 0});
    out.back().last = at;
  }
  // What of a burst is below the mean belongs to it as well.
  for (auto& burst : out) {
    const std::size_t from = burst.first == 0 ? 0 : burst.first - 1;
    const std::size_t until = std::min(burst.last + 1, ticks.value.size() - 1);
    for (std::size_t i = from; i <= until; ++i) {
      burst.size += std::isnan(ticks.value[i]) ? 0 : ticks.value[i];
    }
  }
  return out;
}

// Returns how much a step must leave behind at least, in what is counted.
double least_size(Quantity quantity) {
  using enum Quantity;
  const bool bytes = quantity == kBytesReceived || quantity == kBytesSent ||
                     quantity == kBytesRead || quantity == kBytesWritten;
  return bytes ? kLeastBytes : kLeastThings;
}

struct Clock {
  std::size_t candidate = 0;
  std::vector<Burst> bursts;
  double usual_size = 0;
  double unlike = std::numeric_limits<double>::infinity();
  double period = 0;  // ticks
};

std::optional<Clock> clock_of(const Blocks& blocks, std::size_t candidate) {
  const auto ticks = ticks_of(blocks, candidate);
  if (!ticks) return std::nullopt;
  Clock out;
  out.candidate = candidate;
  out.bursts = bursts_of(*ticks);
  if (out.bursts.size() < kFewestBursts) return std::nullopt;
  std::vector<double> sizes;
  std::vector<double> periods;
  for (std::size_t i = 0; i < out.bursts.size(); ++i) {
    sizes.push_back(out.bursts[i].size);
    if (i > 0) periods.push_back(static_cast<double>(out.bursts[i].last - out.bursts[i - 1].last));
  }
  out.usual_size = stats::median(sizes);
  out.unlike = stats::kDeviationOfMad * stats::mad(sizes) / out.usual_size;
  out.period = stats::median(std::move(periods));
  const auto alike = std::ranges::count_if(
      sizes, [&](double size) { return std::abs(size / out.usual_size - 1) <= 2 * kMostUnlike; });
  const double least_ticks = kLeastPeriod_s * 1e9 / static_cast<double>(blocks.interval_ns());
  const double count = out.usual_size * static_cast<double>(blocks.interval_ns()) / 1e9;
  if (count < least_size(blocks.candidates()[candidate].quantity)) return std::nullopt;
  if (out.unlike > kMostUnlike || out.period < least_ticks ||
      static_cast<double>(alike) < kFewestAlike * static_cast<double>(sizes.size())) {
    return std::nullopt;
  }
  return out;
}

// Returns whether most bursts of `one` end with one of `other`.
bool are_together(const Clock& one, const Clock& other, double tolerance) {
  std::size_t together = 0;
  std::size_t k = 0;
  for (const auto& burst : one.bursts) {
    const auto at = static_cast<double>(burst.last);
    while (k + 1 < other.bursts.size() &&
           std::abs(static_cast<double>(other.bursts[k + 1].last) - at) <=
               std::abs(static_cast<double>(other.bursts[k].last) - at)) {
      ++k;
    }
    if (std::abs(static_cast<double>(other.bursts[k].last) - at) <= tolerance) ++together;
  }
  return static_cast<double>(together) >= kFewestAlike * static_cast<double>(one.bursts.size());
}

// Work done by the end of each tick, in steps; NaN where it is not known: before the first burst's
// end, between two bursts that a missing tick lies between, and in the step that is not over.
std::vector<double> steps_by_tick(const Clock& clock, const std::vector<double>& ticks) {
  std::vector<double> out(ticks.size() + 1, kMissing);
  double done = 0;
  const auto is_missing = [](double value) { return std::isnan(value); };
  for (std::size_t i = 1; i < clock.bursts.size(); ++i) {
    const std::size_t from = clock.bursts[i - 1].last + 1;
    const std::size_t until = clock.bursts[i].last + 1;
    // Two steps may have been too close to be told apart.
    const double steps = std::max(std::round(clock.bursts[i].size / clock.usual_size), 1.0);
    const auto length = static_cast<double>(until - from);
    const auto begin = ticks.begin();
    const bool gap = std::any_of(begin + static_cast<std::ptrdiff_t>(from),
                                 begin + static_cast<std::ptrdiff_t>(until), is_missing);
    out[from] = done;
    for (std::size_t k = from; k < until && !gap; ++k) {
      out[k] = done + steps * static_cast<double>(k - from) / length;
    }
    done += steps;
    out[until] = done;
  }
  // A job whose next burst is long overdue stands still.
  const std::size_t end = clock.bursts.back().last + 1;
  if (static_cast<double>(ticks.size() - end) > kOverdue * clock.period) {
    for (std::size_t k = end; k < out.size(); ++k) out[k] = done;
  }
  return out;
}

std::vector<double> rate_by_block(const Blocks& blocks, const Clock& clock) {
  const std::size_t each = blocks.ticks_per_block();
  const auto done = steps_by_tick(clock, ticks_of(blocks, clock.candidate)->value);
  std::vector<double> out;
  for (std::size_t i = 0; i < blocks.finished().size(); ++i) {
    const bool whole = blocks.finished()[i].is_whole;
    const double steps = done[(i + 1) * each] - done[i * each];
    out.push_back(whole ? steps * 1e9 / static_cast<double>(blocks.interval_ns()) /
                              static_cast<double>(each)
                        : kMissing);
  }
  return out;
}

}  // namespace

std::optional<BurstClock> burst_clock(const Blocks& blocks,
                                      const std::vector<std::size_t>& candidates) {
  std::vector<Clock> clocks;
  for (const auto candidate : candidates) {
    if (auto clock = clock_of(blocks, candidate)) clocks.push_back(*std::move(clock));
  }
  if (clocks.empty()) return std::nullopt;
  const auto best = std::ranges::min_element(clocks, {}, &Clock::unlike);
  const double tolerance = kTogether_s * 1e9 / static_cast<double>(blocks.interval_ns());
  BurstClock out;
  std::set<Quantity> quantities;
  std::set<model::Subsystem> resources;
  for (const auto& clock : clocks) {
    if (!are_together(*best, clock, tolerance)) continue;
    out.members.push_back(clock.candidate);
    quantities.insert(blocks.candidates()[clock.candidate].quantity);
    resources.insert(resource_of(blocks.candidates()[clock.candidate].quantity));
  }
  // What writes to a disk every few seconds is the kernel.
  if (quantities.size() < 2 || !resources.contains(model::Subsystem::kNetwork)) return std::nullopt;
  out.period_s = best->period * static_cast<double>(blocks.interval_ns()) / 1e9;
  out.rate = rate_by_block(blocks, *best);
  return out;
}

}  // namespace reveal::work
