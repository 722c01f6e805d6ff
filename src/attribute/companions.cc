#include "attribute/companions.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "attribute/consumers.h"
#include "attribute/edges.h"
#include "attribute/lagged_correlation.h"
#include "attribute/side_by_side.h"
#include "stats/quantile.h"

namespace reveal::attribute {
namespace {

// What the host does beside what tells edges; frequencies and interrupts by core are
// read less often than ticks.
constexpr auto kBeside = std::to_array<std::string_view>({
    "cpu_blocked_tasks",
    "cpu_device_interrupt_top_ratio",
    "cpu_forks_total",
    "cpu_host_busy_frequency_hertz",
    "cpu_host_frequency_hertz",
    "cpu_interrupt_imbalance_ratio",
    "cpu_interrupts_total",
    "cpu_softirqs_total",
    "gpu_sm_clock_hertz",
    "memory_reclaimed_background_pages_total",
    "memory_reclaimed_direct_pages_total",
    "storage_dirtied_pages_total",
});

constexpr std::int64_t kMostLag_ns = 2'000'000'000;
constexpr std::size_t kMostTicks = 600;
constexpr std::size_t kFewestTicks = 40;
constexpr std::size_t kFewestSamples = 10;
constexpr std::size_t kMostStretches = 12;
constexpr std::size_t kFewestStretches = 3;
constexpr double kLeastCorrelation = 0.8;
constexpr double kLeastDeviations = 6;
constexpr double kAboveUsual = 0.3;
constexpr double kSpreads = 2.0;  // times the median of the other stretches

using Values = std::vector<double>;

// Returns what the correlation of so many samples must have at least: Fisher's transform of one
// that is none has a standard deviation of 1 / sqrt(samples - 3).
double least_correlation(std::size_t samples) {
  const double deviation = 1 / std::sqrt(static_cast<double>(samples) - 3);
  return std::max(kLeastCorrelation, std::tanh(kLeastDeviations * deviation));
}

double mean_of(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

double spread_of(const Values& values) {
  const double mean = mean_of(values);
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return std::sqrt(squares / static_cast<double>(values.size()));
}

// The finding, a window's length more on either side as far as there are samples, and as many other
// stretches as there are.
struct TickRanges {
  TickRange own;
  std::size_t before = 0;  // ticks of it before the finding
  std::size_t after = 0;
  std::vector<TickRange> others;
};

std::optional<TickRanges> tick_ranges_of(const window::TickHistory& ticks, model::ChannelId leader,
                                         const Finding& finding) {
  if (ticks.interval_ns() <= 0) return std::nullopt;
  const auto& front = finding.windows.front().span;
  const auto& back = finding.windows.back().span;
  const auto window =
      static_cast<std::uint64_t>((front.end_ns - front.begin_ns) / ticks.interval_ns());
  const std::uint64_t end = back.first_sequence + window;
  TickRanges out;
  out.before = std::min(front.first_sequence, window);
  out.after = ticks.samples(leader, end, end + window).size();
  out.own = {front.first_sequence - out.before, end + out.after};
  std::uint64_t next = out.own.end;
  if (out.own.end - out.own.first > kMostTicks) {
    out.own.end = out.own.first + kMostTicks;
    out.after = 0;
  }
  const std::uint64_t length = out.own.end - out.own.first;
  for (std::size_t k = 1; k <= kMostStretches / 2; ++k, next += length) {
    if (out.own.first >= k * length) {
      out.others.push_back({out.own.first - k * length, out.own.first - (k - 1) * length});
    }
    out.others.push_back({next, next + length});
  }
  return out;
}

// Returns the claim's channel or, if its samples are not kept, the strongest of its subsystem.
std::optional<model::ChannelId> leader_of(const model::ChannelTable& channels,
                                          const window::TickHistory& ticks,
                                          const Finding& finding) {
  if (finding.telling && ticks.keeps(finding.telling->key.channel)) {
    return finding.telling->key.channel;
  }
  for (const auto& one : finding.evidence) {
    const auto channel = one.key.channel;
    if (channels.metric(channel).subsystem != finding.subsystem()) continue;
    if (ticks.keeps(channel) && !is_group_metric(channels.metric(channel).name)) return channel;
  }
  return std::nullopt;
}

class Search {
 public:
  Search(const window::TickHistory& ticks, model::ChannelId leader, const TickRanges& stretches)
      : ticks_(ticks),
        leader_(leader),
        before_(stretches.before),
        after_(stretches.after),
        own_(lead_of(ticks, leader, stretches.own)) {
    for (const TickRange& other : stretches.others) {
      if (auto lead = lead_of(ticks, leader, other)) others_.push_back(std::move(*lead));
    }
  }

  bool is_possible() const {
    if (!own_ || others_.size() < kFewestStretches) return false;
    const auto needed =
        std::max({kFewestTicks, 2 * most_lag(ticks_.interval_ns()) + 1, before_ + after_ + 1});
    return own_->values.size() >= needed && spread_of(own_->values) > 0;
  }

  std::optional<Companion> ask(model::ChannelId channel) const {
    const auto both = side_by_side(ticks_, *own_, channel);
    if (!both || both->second.size() < kFewestSamples) return std::nullopt;
    const double spread = spread_of(both->second);
    if (!(spread > 0)) return std::nullopt;
    const auto found = strongest(*both);
    if (std::abs(found.r) < least_correlation(both->second.size())) return std::nullopt;
    const auto observed = mean_in_finding(*both);
    if (!observed) return std::nullopt;
    Companion out{.leader = leader_,
                  .channel = channel,
                  .correlation = found.r,
                  .lag_ns = found.lag * both->step_ns,
                  .observed = *observed};
    if (!compare(spread, out)) return std::nullopt;
    return out;
  }

 private:
  static std::size_t most_lag(std::int64_t step_ns) {
    return static_cast<std::size_t>(kMostLag_ns / step_ns);
  }

  static LaggedCorrelation strongest(const SideBySide& both) {
    const auto few = (both.first.size() - 1) / 2;
    return strongest_correlation(both.first, both.second,
                                 static_cast<int>(std::min(most_lag(both.step_ns), few)));
  }

  // Returns what the second channel had on average while the finding lasted.
  std::optional<double> mean_in_finding(const SideBySide& both) const {
    const auto at = [&](std::size_t tick) {
      return own_->from_ns + static_cast<std::int64_t>(tick) * ticks_.interval_ns();
    };
    const auto begin_ns = at(before_);
    const auto end_ns = at(own_->values.size() - after_);
    Values within;
    for (std::size_t i = 0; i < both.second.size(); ++i) {
      if (both.at_ns[i] >= begin_ns && both.at_ns[i] < end_ns) within.push_back(both.second[i]);
    }
    return within.empty() ? std::nullopt : std::optional(mean_of(within));
  }

  // Says how the channel does elsewhere; returns whether that is known, and less than here.
  bool compare(double spread, Companion& companion) const {
    Values correlations;
    Values spreads;
    Values means;
    for (const Lead& lead : others_) {
      const auto both = side_by_side(ticks_, lead, companion.channel);
      if (!both || both->second.size() < kFewestSamples) continue;
      correlations.push_back(std::abs(strongest(*both).r));
      spreads.push_back(spread_of(both->second));
      means.push_back(mean_of(both->second));
    }
    if (correlations.size() < kFewestStretches) return false;
    std::ranges::sort(correlations);
    companion.usual_correlation = correlations[correlations.size() - 2];
    companion.usual = stats::median(std::move(means));
    return spread >= kSpreads * stats::median(std::move(spreads)) &&
           std::abs(companion.correlation) >= companion.usual_correlation + kAboveUsual;
  }

  const window::TickHistory& ticks_;
  model::ChannelId leader_;
  std::size_t before_;
  std::size_t after_;
  std::optional<Lead> own_;
  std::vector<Lead> others_;
};

bool is_stronger(const Companion& a, const Companion& b) {
  return std::abs(a.correlation) > std::abs(b.correlation);
}

// Keeps the strongest of each subsystem, and of these the strongest.
void keep_few(const model::ChannelTable& channels, std::vector<Companion>& companions) {
  std::ranges::stable_sort(companions, is_stronger);
  std::array<bool, model::kSubsystemCount> known{};
  std::erase_if(companions, [&](const Companion& one) {
    bool& seen = known[static_cast<std::size_t>(channels.metric(one.channel).subsystem)];
    return std::exchange(seen, true);
  });
  if (companions.size() > kMostCompanions) companions.resize(kMostCompanions);
}

}  // namespace

bool tells_ticks(const model::MetricDescriptor& metric) {
  return tells_edges(metric) || std::ranges::find(kBeside, metric.name) != kBeside.end();
}

std::vector<Companion> companions_of(const model::ChannelTable& channels,
                                     const window::TickHistory& ticks, const Finding& finding) {
  std::vector<Companion> out;
  const auto leader = leader_of(channels, ticks, finding);
  if (!leader) return out;
  const auto stretches = tick_ranges_of(ticks, *leader, finding);
  if (!stretches) return out;
  const Search search(ticks, *leader, *stretches);
  if (!search.is_possible()) return out;
  const auto own = channels.metric(*leader).subsystem;
  for (std::size_t i = 0; i < channels.channel_count(); ++i) {
    const model::ChannelId channel(i);
    const auto& metric = channels.metric(channel);
    if (metric.subsystem == own || !ticks.keeps(channel) || is_group_metric(metric.name)) continue;
    if (const auto found = search.ask(channel)) out.push_back(*found);
  }
  keep_few(channels, out);
  return out;
}

}  // namespace reveal::attribute
