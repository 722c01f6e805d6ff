#include "attribute/edges.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string_view>
#include <utility>

#include "attribute/consumers.h"
#include "detect/saturation_signals.h"
#include "feature/level.h"
#include "stats/quantile.h"
#include "stats/step_fit.h"

namespace reveal::attribute {
namespace {

using Samples = std::vector<window::TickSample>;

// What hosts, disks and networks do, where no saturation signal tells.
constexpr auto kActivities = std::to_array<std::string_view>({
    "cpu_busy_ratio",
    "cpu_running_tasks",
    "cpu_context_switches_total",
    "cpu_cgroup_pressure_some_seconds_total",
    "gpu_power_watts",
    "gpu_sm_busy_ratio",
    "memory_page_faults_total",
    "memory_cgroup_pressure_some_seconds_total",
    "memory_cgroup_limit_hits_total",
    "network_received_bytes_total",
    "network_sent_bytes_total",
    "network_tcp_retransmits_total",
    "storage_busy_ratio",
    "storage_read_sectors_total",
    "storage_reads_total",
    "storage_written_sectors_total",
    "storage_writes_total",
    "storage_cgroup_pressure_some_seconds_total",
});

// Told every two seconds or ten, of the time before: when it began they do not say.
constexpr auto kTooSlow =
    std::to_array<std::string_view>({"gpu_cgroup_sm_busy_ratio", "gpu_shared_sm_busy_ratio"});

constexpr std::size_t kMaxChannels = 8;
constexpr double kLeastExplained = 0.35;  // noise alone reaches 0.25 (step_fit_test.cc)
constexpr double kTail = 0.02;            // of the samples, on either side, that may stick out
constexpr std::size_t kLeastSamples = 3;
constexpr std::size_t kPulseSamples = 250;  // of more, each edge is fitted by itself
constexpr std::int64_t kAgree_ns = 500'000'000;
constexpr double kMost = 0.6;  // of the weight
constexpr std::size_t kWidenings = 3;
constexpr double kLeastShare = 0.05;  // of the blame, for an onset

struct Asked {
  model::ChannelId channel;
  bool falls = false;
};

// Returns whether the feature moves with the samples. Of others, such as a spread, what is less is
// no lower level.
bool says_where(const model::MetricDescriptor& metric, feature::FeatureId feature) {
  return feature::is_level(metric, feature) ||
         feature::descriptor(feature).shift == feature::FeatureShift::kFollows;
}

// Returns the channels that tell of the finding in that subsystem and have samples; the claim's and
// the culprit's first if it is the one to blame.
std::vector<Asked> asked_channels(const model::ChannelTable& channels,
                                  const window::TickHistory& ticks, const Finding& finding,
                                  model::Subsystem subsystem) {
  std::vector<Asked> out;
  const auto ask = [&](model::ChannelId channel, bool falls) {
    if (out.size() >= kMaxChannels || !ticks.keeps(channel)) return;
    if (!tells_edges(channels.metric(channel))) return;
    const bool known = std::any_of(out.begin(), out.end(),
                                   [&](const Asked& one) { return one.channel == channel; });
    if (!known) out.push_back({channel, falls});
  };
  const auto ask_evidence = [&](const Evidence& one) {
    const bool level = says_where(channels.metric(one.key.channel), one.key.feature);
    ask(one.key.channel, level && one.observed < one.baseline_median);
  };
  if (subsystem == finding.subsystem()) {
    if (finding.telling) ask_evidence(*finding.telling);
    if (finding.culprit) ask(finding.culprit->channel, false);
  }
  for (const auto& one : finding.evidence) {
    if (channels.metric(one.key.channel).subsystem == subsystem) ask_evidence(one);
  }
  return out;
}

// What is counted of a slow source comes with every tenth tick or so, and is nothing in between
// (derive/signal.h). If whatever there is lies whole periods apart, samples are taken by period.
Samples by_period(const Samples& samples) {
  constexpr std::size_t kFewest = 4;
  std::size_t period = 0;
  std::size_t counted = 0;
  std::size_t last = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (samples[i].value == 0) continue;
    if (counted > 0) period = std::gcd(period, i - last);
    last = i;
    ++counted;
  }
  if (counted < kFewest || period < 2) return samples;
  Samples out;
  for (std::size_t end = last % period; end < samples.size(); end += period) {
    const auto begin = end + 1 < period ? 0 : end + 1 - period;
    out.push_back({samples[begin].begin_ns, samples[end].end_ns, samples[end].value});
  }
  return out;
}

std::int64_t period_of(const Samples& samples) {
  std::vector<double> steps;
  for (const auto& one : samples) steps.push_back(static_cast<double>(one.end_ns - one.begin_ns));
  return std::llround(stats::median(std::move(steps)));
}

// Returns the rise in half of a series; nothing if two levels explain little of it.
std::optional<stats::Pulse> clear_rise(const std::vector<double>& half) {
  auto out = stats::fit_rise(half, kLeastSamples);
  if (out && out->explained < kLeastExplained) out.reset();
  return out;
}

bool is_inside(const std::vector<double>& half, const stats::Pulse& levels) {
  return stats::median(half) > (levels.inside + levels.outside) / 2;
}

// Returns the stretch at the higher level; nothing if two levels explain little. Of a long series
// each half has an edge of its own, and the middle is taken to be inside. A half without an edge is
// inside throughout.
std::optional<stats::Pulse> stretch_in(const std::vector<double>& values) {
  if (values.size() <= kPulseSamples) {
    auto out = stats::fit_pulse(values, kLeastSamples);
    if (out && out->explained < kLeastExplained) out.reset();
    return out;
  }
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  const std::vector<double> first(values.begin(), middle);
  const std::vector<double> last(values.rbegin(), std::make_reverse_iterator(middle));
  const auto rise = clear_rise(first);
  const auto fall = clear_rise(last);
  if (!rise && !fall) return std::nullopt;
  if (!rise && !is_inside(first, *fall)) return std::nullopt;
  if (!fall && !is_inside(last, *rise)) return std::nullopt;
  auto out = rise ? *rise : *fall;
  out.begin = rise ? rise->begin : 0;
  out.end = values.size() - (fall ? fall->begin : 0);
  if (rise && fall) out.explained = std::min(rise->explained, fall->explained);
  return out;
}

// Returns for how long the stretch was on within a sample, as its value tells: half way between the
// levels is half of the time.
std::int64_t inside_ns(const window::TickSample& sample, double value, const stats::Pulse& pulse) {
  const double part =
      std::clamp((value - pulse.outside) / (pulse.inside - pulse.outside), 0.0, 1.0);
  return std::llround(part * static_cast<double>(sample.end_ns - sample.begin_ns));
}

// The ticks in which a finding's edges are looked for: its windows, and as many around them.
struct Search {
  std::uint64_t first = 0;
  std::uint64_t end = 0;
};

std::uint64_t ticks_of(const window::TickHistory& ticks, std::int64_t span_ns) {
  return static_cast<std::uint64_t>(span_ns / ticks.interval_ns());
}

std::optional<Search> search_of(const window::TickHistory& ticks, const Finding& finding) {
  if (ticks.interval_ns() <= 0 || ticks.tick_count() == 0) return std::nullopt;
  const auto& front = finding.windows.front().span;
  const auto& back = finding.windows.back().span;
  const auto length = ticks_of(ticks, front.end_ns - front.begin_ns);
  const auto around = 2 * length;
  return Search{front.first_sequence - std::min(front.first_sequence, around),
                back.first_sequence + length + around};
}

// A stretch that goes on where the samples end may end soon after: the search is widened.
std::optional<EdgeWitness> ask(const window::TickHistory& ticks, const Asked& asked,
                               Search search) {
  std::optional<EdgeWitness> out;
  std::size_t before = 0;
  for (std::size_t i = 0; i <= kWidenings; ++i) {
    const auto samples = ticks.samples(asked.channel, search.first, search.end);
    if (samples.size() == before) break;
    before = samples.size();
    out = witness_of(samples, asked.falls);
    if (!out || out->end_ns) break;
    search.end += (search.end - search.first) / 2;
  }
  return out;
}

// Slow channels are heard only if there is no other.
void keep_fastest(std::vector<EdgeWitness>& witnesses) {
  std::int64_t fastest = 0;
  for (const auto& one : witnesses) {
    if (fastest == 0 || one.period_ns < fastest) fastest = one.period_ns;
  }
  std::erase_if(witnesses, [&](const EdgeWitness& one) { return one.period_ns > 2 * fastest; });
}

// Returns what the channels say that say something.
std::vector<EdgeWitness> heard(const window::TickHistory& ticks, const std::vector<Asked>& asked,
                               const Search& search) {
  std::vector<EdgeWitness> out;
  for (const auto& one : asked) {
    if (auto witness = ask(ticks, one, search)) out.push_back(*witness);
  }
  keep_fastest(out);
  return out;
}

// What lies far from the windows is something else.
std::int64_t window_length_ns(const Finding& finding) {
  return finding.windows.front().span.end_ns - finding.windows_begin_ns();
}

std::optional<Edge> sound_begin(std::optional<Edge> edge, const Finding& finding) {
  const bool sound = edge && edge->at_ns > finding.windows_begin_ns() - window_length_ns(finding) &&
                     edge->at_ns < finding.windows_end_ns();
  return sound ? edge : std::nullopt;
}

std::optional<Edge> sound_end(std::optional<Edge> edge, const Finding& finding) {
  const bool sound = edge && edge->at_ns > finding.windows_begin_ns() &&
                     edge->at_ns < finding.windows_end_ns() + 10 * window_length_ns(finding);
  return sound ? edge : std::nullopt;
}

// A clock that was set meanwhile makes wall times worthless.
bool clock_was_set(const Finding& finding) {
  return finding.windows_length_ns() != finding.windows_end_ns() - finding.windows_begin_ns();
}

}  // namespace

bool tells_edges(const model::MetricDescriptor& metric) {
  if (metric.scope == model::Scope::kCore || metric.kind == model::Kind::kStatic) return false;
  if (std::ranges::find(kTooSlow, metric.name) != kTooSlow.end()) return false;
  return detect::find_saturation_signal(metric.name) != nullptr || is_group_metric(metric.name) ||
         std::ranges::find(kActivities, metric.name) != kActivities.end();
}

std::optional<EdgeWitness> witness_of(const Samples& ticks, bool falls) {
  const auto samples = by_period(ticks);
  std::vector<double> values;
  for (const auto& one : samples) values.push_back(falls ? -one.value : one.value);
  stats::clip_outliers(values, kTail);
  const auto pulse = stretch_in(values);
  if (!pulse) return std::nullopt;
  EdgeWitness out;
  out.weight = pulse->explained;
  out.period_ns = period_of(samples);
  const auto inside = [&](std::size_t at) { return inside_ns(samples[at], values[at], *pulse); };
  if (pulse->begin >= kLeastSamples) {
    out.begin_ns = samples[pulse->begin].end_ns - inside(pulse->begin) - inside(pulse->begin - 1);
  }
  if (pulse->end + kLeastSamples <= values.size()) {
    out.end_ns = samples[pulse->end - 1].begin_ns + inside(pulse->end - 1) + inside(pulse->end);
  }
  return out;
}

std::optional<Edge> agreed_edge(const std::vector<EdgeWitness>& witnesses, bool ends) {
  std::vector<std::pair<std::int64_t, const EdgeWitness*>> answers;
  double all = 0;
  std::int64_t agree_ns = kAgree_ns;
  for (const auto& one : witnesses) {
    all += one.weight;
    agree_ns = std::max(agree_ns, one.period_ns);
    const auto& at = ends ? one.end_ns : one.begin_ns;
    if (at) answers.emplace_back(*at, &one);
  }
  std::sort(answers.begin(), answers.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  double most = 0;
  std::vector<double> agreed;
  std::int64_t period_ns = 0;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    double weight = 0;
    std::vector<double> near;
    std::int64_t slowest_ns = 0;
    for (std::size_t k = i; k < answers.size() && answers[k].first - answers[i].first <= agree_ns;
         ++k) {
      weight += answers[k].second->weight;
      near.push_back(static_cast<double>(answers[k].first - answers[i].first));
      slowest_ns = std::max(slowest_ns, answers[k].second->period_ns);
    }
    if (weight <= most) continue;
    most = weight;
    for (auto& at : near) at += static_cast<double>(answers[i].first - answers.front().first);
    agreed = std::move(near);
    period_ns = slowest_ns;
  }
  if (agreed.empty() || most < kMost * all) return std::nullopt;
  const double middle = stats::median(agreed);
  const double apart = stats::kDeviationOfMad * stats::mad(agreed);
  return Edge{answers.front().first + std::llround(middle),
              std::max<std::int64_t>(period_ns, std::llround(apart))};
}

void refine_edges(const model::ChannelTable& channels, const window::TickHistory& ticks,
                  Finding& finding) {
  finding.begin_edge.reset();
  finding.end_edge.reset();
  finding.onsets.clear();
  const auto search = search_of(ticks, finding);
  if (!search || clock_was_set(finding)) return;
  for (std::size_t i = 0; i < finding.subsystems.size(); ++i) {
    if (finding.subsystems[i] < kLeastShare) continue;
    const auto subsystem = static_cast<model::Subsystem>(i);
    const auto witnesses =
        heard(ticks, asked_channels(channels, ticks, finding, subsystem), *search);
    const auto begin = sound_begin(agreed_edge(witnesses, false), finding);
    if (begin) finding.onsets.push_back({subsystem, *begin});
    if (subsystem != finding.subsystem()) continue;
    const auto end = sound_end(agreed_edge(witnesses, true), finding);
    if (begin && end && begin->at_ns >= end->at_ns) continue;
    finding.begin_edge = begin;
    finding.end_edge = end;
  }
  std::stable_sort(finding.onsets.begin(), finding.onsets.end(),
                   [](const Onset& a, const Onset& b) { return a.edge.at_ns < b.edge.at_ns; });
}

void part_edges(std::vector<Finding>& findings) {
  for (std::size_t i = 0; i < findings.size(); ++i) {
    for (std::size_t k = i + 1; k < findings.size(); ++k) {
      auto& one = findings[i];
      auto& next = findings[k];
      if (next.subsystem() != one.subsystem()) continue;
      if (one.end_ns() > next.begin_ns()) {
        one.end_edge.reset();
        next.begin_edge.reset();
      }
      break;
    }
  }
}

}  // namespace reveal::attribute
