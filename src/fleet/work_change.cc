#include "fleet/work_change.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stats/mean_error.h"
#include "work/counters.h"

namespace reveal::fleet {
namespace {

constexpr std::int64_t kBlock_ns = 1'000'000'000;  // as of work/blocks.h
// Blocks without a tick between the runs: what a counter did from one to the other is no change.
constexpr std::uint64_t kBlocksBetween = 5;
// A run in which the job's rate is known for less says nothing of it.
constexpr std::size_t kFewestRates = 12;

std::uint64_t ticks_per_block(std::int64_t interval_ns) {
  return static_cast<std::uint64_t>(
      std::max<std::int64_t>((kBlock_ns + interval_ns / 2) / interval_ns, 1));
}

// The mean of a run's rates, with what the job does by itself from minute to minute and what its
// counters disagree by.
stats::MeanError mean_of(const std::vector<double>& rates, const work::JobRate& job) {
  const std::size_t quarter = (rates.size() + kBatchesInRun - 1) / kBatchesInRun;
  auto out = stats::mean_error(rates, quarter);
  out.error = std::hypot(out.error, job.bias_error);
  return out;
}

WorkChange not_known(std::string why) {
  WorkChange out;
  out.not_known = std::move(why);
  return out;
}

}  // namespace

void JoinedWork::begin_run(std::int64_t interval_ns) {
  Span& run = runs_[begun_];
  run.interval_ns = interval_ns;
  if (begun_ == 1) {
    const auto block = ticks_per_block(runs_[0].interval_ns);
    run.begin = (runs_[0].end + block - 1) / block * block + kBlocksBetween * block;
  }
  run.end = run.begin;
  as_.clear();
  ++begun_;
}

void JoinedWork::grow(const model::ChannelTable& derived) {
  for (std::size_t i = as_.size(); i < derived.channel_count(); ++i) {
    const model::ChannelId id(i);
    const auto& metric = derived.metric(id);
    as_.emplace_back();
    if (work::find_work_counter(metric.name) == nullptr) continue;
    as_.back() = channels_.add_channel(channels_.add_metric(metric), derived.channel(id).instance);
  }
}

// The clock is the meter's own: the runs may overlap in time, or the later one be the first.
void JoinedWork::add(const model::ChannelTable& derived, std::uint64_t sequence,
                     std::span<const double> row) {
  Span& run = runs_[begun_ - 1];
  if (run.interval_ns != runs_[0].interval_ns) return;
  grow(derived);
  row_.assign(channels_.channel_count(), std::numeric_limits<double>::quiet_NaN());
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (as_[i]) row_[as_[i]->index()] = row[i];
  }
  if (!run.first) run.first = sequence;
  const std::uint64_t place = run.begin + (sequence - *run.first);
  run.end = place + 1;
  const auto wall_ns = static_cast<std::int64_t>(place + 1) * run.interval_ns;
  meter_.add(channels_, place, wall_ns, run.interval_ns, row_);
}

std::vector<double> JoinedWork::rates_in(const work::JobRate& job, const Span& span) const {
  const auto begin_ns = static_cast<std::int64_t>(span.begin) * span.interval_ns;
  const auto end_ns = static_cast<std::int64_t>(span.end) * span.interval_ns;
  std::vector<double> out;
  for (std::size_t i = 0; i < job.rate.size(); ++i) {
    const bool inside = job.begin_ns[i] >= begin_ns && job.end_ns[i] <= end_ns;
    if (inside && !std::isnan(job.rate[i])) out.push_back(job.rate[i]);
  }
  return out;
}

WorkChange JoinedWork::change_of(const work::JobRate& job) const {
  WorkChange out;
  out.kind = job.kind;
  out.job = job.job;
  out.counted = job.quantities;
  out.not_known = job.not_known;
  if (!out.is_known()) return out;
  const auto before = rates_in(job, runs_[0]);
  const auto after = rates_in(job, runs_[1]);
  if (std::min(before.size(), after.size()) < kFewestRates) {
    out.not_known = before.size() < after.size() ? "the job can hardly be seen in the run before"
                                                 : "the job can hardly be seen in the run after";
    return out;
  }
  const auto first = mean_of(before, job);
  const auto second = mean_of(after, job);
  if (!(first.mean > 0)) {
    out.not_known = "the job stood still in the run before";
    return out;
  }
  // Of a ratio, by the first order of its course; independent errors add as shares.
  stats::MeanError ratio =
      stats::difference({0, first.error * second.mean / first.mean / first.mean, first.freedom},
                        {0, second.error / first.mean, second.freedom});
  ratio.mean = second.mean / first.mean;
  const double half = stats::half_width(ratio, kWorkConfidence);
  out.rate = {ratio.mean, std::max(ratio.mean - half, 0.0), ratio.mean + half};
  return out;
}

std::vector<WorkChange> JoinedWork::result() const {
  if (runs_[0].interval_ns != runs_[1].interval_ns) {
    return {not_known("the runs were recorded at different intervals")};
  }
  std::vector<WorkChange> out;
  for (const auto& job : meter_.estimate()) out.push_back(change_of(job));
  if (out.empty()) out.push_back(not_known("no job could be told"));
  std::stable_partition(out.begin(), out.end(),
                        [](const WorkChange& one) { return one.is_known(); });
  return out;
}

}  // namespace reveal::fleet
