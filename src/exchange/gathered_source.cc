#include "exchange/gathered_source.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "exchange/blanks.h"
#include "exchange/guess.h"
#include "exchange/known_names.h"

namespace reveal::exchange {
namespace {

using base::ErrorKind;
using base::Result;
using model::Frame;
using model::Validity;

constexpr std::int64_t kMs = 1'000'000;
constexpr std::int64_t kSecond = 1'000 * kMs;
constexpr double kMaxSpan_ns = 4e18;  // a century; sums of two still fit 63 bits
constexpr double kSnap = 0.1;         // how far a round number may be away, of itself
constexpr std::int64_t kRound[] = {
    kMs,          2 * kMs,       5 * kMs,       10 * kMs,      20 * kMs,      25 * kMs,
    50 * kMs,     100 * kMs,     200 * kMs,     250 * kMs,     500 * kMs,     kSecond,
    2 * kSecond,  5 * kSecond,   10 * kSecond,  15 * kSecond,  20 * kSecond,  30 * kSecond,
    60 * kSecond, 120 * kSecond, 300 * kSecond, 600 * kSecond, 900 * kSecond, 3600 * kSecond};

void sort_by_time(Series& series) {
  if (std::is_sorted(series.times_ns.begin(), series.times_ns.end())) return;
  std::vector<std::size_t> order(series.times_ns.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return series.times_ns[a] < series.times_ns[b];
  });
  Series sorted = series;
  for (std::size_t i = 0; i < order.size(); ++i) {
    sorted.times_ns[i] = series.times_ns[order[i]];
    sorted.bits[i] = series.bits[order[i]];
  }
  series = std::move(sorted);
}

// Returns the median distance of neighbors that differ; 0 if there are none.
std::int64_t median_spacing(const Series& series) {
  std::vector<std::int64_t> spacings;
  for (std::size_t i = 1; i < series.times_ns.size(); ++i) {
    const std::int64_t spacing = series.times_ns[i] - series.times_ns[i - 1];
    if (spacing > 0) spacings.push_back(spacing);
  }
  if (spacings.empty()) return 0;
  const auto middle = spacings.begin() + std::ssize(spacings) / 2;
  std::nth_element(spacings.begin(), middle, spacings.end());
  return *middle;
}

std::int64_t snapped(std::int64_t interval_ns) {
  for (const std::int64_t round : kRound) {
    const auto distance = static_cast<double>(std::abs(interval_ns - round));
    if (distance <= kSnap * static_cast<double>(round)) return round;
  }
  if (interval_ns < kMs) return interval_ns;
  return (interval_ns + kMs / 2) / kMs * kMs;
}

// What the series of one metric have in common.
struct MetricPlan {
  std::string metric;
  std::vector<std::size_t> series;
  MappingRule rule;  // of the first of them
};

std::string shown(std::string_view metric, std::string_view instance) {
  return instance.empty() ? std::string(metric) : fmt::format("{}{{{}}}", metric, instance);
}

// Gives the series their last names. Returns the metrics in the order in which they come.
std::vector<MetricPlan> plan_metrics(std::vector<Series>& series, const Mapping& mapping) {
  std::vector<MetricPlan> out;
  std::map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < series.size(); ++i) {
    Series& one = series[i];
    MappingRule rule = mapping.rule_of(one.name);
    rule.complete(one.said);
    if (!rule.metric) take_known_name(one.metric, one.instance, rule);
    if (rule.metric) one.metric = *rule.metric;
    if (rule.instance) one.instance = *rule.instance;
    const auto [place, is_new] = places.try_emplace(one.metric, out.size());
    if (is_new) out.push_back({one.metric, {}, std::move(rule)});
    out[place->second].series.push_back(i);
  }
  return out;
}

// Adds a metric with what is said and guessed of it; its samples become all whole or all real.
model::MetricId add_metric(const MetricPlan& plan, std::vector<Series>& series,
                           model::ChannelTable& out) {
  std::vector<const Series*> all;
  for (const std::size_t i : plan.series) all.push_back(&series[i]);
  const bool real =
      std::any_of(all.begin(), all.end(), [](const Series* one) { return one->real; });
  const Series& first = *all.front();
  const auto guessed = guess_unit(first.name, first.metric);
  const std::string label = plan.rule.label.value_or(guess_label(plan.metric));
  const std::string unit = plan.rule.unit.value_or(std::string(guessed.unit));
  model::MetricDescriptor metric;
  metric.name = plan.metric;
  metric.label = label;
  metric.unit = unit;
  metric.kind = plan.rule.kind.value_or(guess_kind(plan.metric, unit, all));
  metric.repr = real ? model::Repr::kF64 : model::Repr::kU64;
  metric.subsystem = plan.rule.subsystem.value_or(guess_subsystem(plan.metric, first.instance));
  metric.scope = plan.rule.scope.value_or(guess_scope(first.instance, metric.subsystem));
  metric.scale = plan.rule.scale.value_or(plan.rule.unit ? 1.0 : guessed.scale);
  metric.source = first.name;
  metric.collector = "import";
  const auto id = out.add_metric(metric);
  for (const std::size_t i : plan.series) {
    if (real) series[i].make_real();
  }
  return id;
}

}  // namespace

std::int64_t guess_interval(const std::vector<Series>& series) {
  std::vector<std::pair<std::int64_t, std::size_t>>
      medians;  // with how many samples they stand for
  std::size_t all = 0;
  for (const auto& one : series) {
    const std::int64_t spacing = median_spacing(one);
    if (spacing == 0) continue;
    medians.emplace_back(spacing, one.times_ns.size());
    all += one.times_ns.size();
  }
  std::sort(medians.begin(), medians.end());
  std::size_t passed = 0;
  for (const auto& [spacing, samples] : medians) {
    passed += samples;
    if (2 * passed >= all) return snapped(spacing);
  }
  return 0;
}

Result<GatheredSource> GatheredSource::make(Gathering gathering, const ImportOptions& options) {
  GatheredSource out;
  out.remarks_ = gathering.remarks();
  out.interval_chosen_ = options.interval_ns.has_value();
  out.series_ = std::move(gathering.all());
  if (auto done = out.choose_host(options); !done) return base::pass(done);
  out.settle();
  if (auto done = out.choose_interval(options); !done) return base::pass(done);
  if (auto done = out.add_channels(options.mapping); !done) return base::pass(done);
  out.one_clock_ = out.share_one_clock();
  out.cursors_.assign(out.series_.size(), 0);
  out.facts_.reveal_version = REVEAL_VERSION;
  out.facts_.start_wall_ns = out.first_ns_;
  return out;
}

Result<void> GatheredSource::choose_host(const ImportOptions& options) {
  std::set<std::string> hosts;
  for (const auto& one : series_) {
    if (!one.host.empty()) hosts.insert(one.host);
  }
  if (hosts.size() > 1 && !hosts.contains(options.host)) {
    constexpr std::size_t kShown = 5;
    std::vector<std::string> some(hosts.begin(), hosts.end());
    if (some.size() > kShown) some.resize(kShown);
    return base::fail(ErrorKind::kUsage,
                      fmt::format("the samples are of {} hosts ({}{})", hosts.size(),
                                  fmt::join(some, ", "), hosts.size() > kShown ? ", ..." : ""),
                      options.host.empty() ? "" : "--host " + options.host,
                      "a recording is of one: choose it with --host NAME");
  }
  if (hosts.size() > 1) {
    std::erase_if(series_,
                  [&](const Series& one) { return !one.host.empty() && one.host != options.host; });
  }
  facts_.host = options.host;
  if (facts_.host.empty()) facts_.host = hosts.empty() ? "imported" : *hosts.begin();
  return {};
}

// Puts the samples in the order of time, without those that are none.
void GatheredSource::settle() {
  std::size_t blanks = 0;
  for (auto& one : series_) {
    sort_by_time(one);
    if (one.doubtful.empty()) continue;
    blanks += settle_blanks(one);
    sort_by_time(one);
  }
  std::erase_if(series_, [](const Series& one) { return one.times_ns.empty(); });
  if (blanks == 0) return;
  remarks_.push_back(
      fmt::format("{} samples are left out, because their numbers stand for no value "
                  "(4294967295, DCGM's blanks and others)",
                  blanks));
}

Result<void> GatheredSource::choose_interval(const ImportOptions& options) {
  if (series_.empty()) {
    return base::fail(ErrorKind::kTooLittle, "no sample found", {},
                      "the file needs a column of times and at least one column of numbers");
  }
  first_ns_ = std::numeric_limits<std::int64_t>::max();
  std::int64_t last_ns = std::numeric_limits<std::int64_t>::min();
  for (const auto& one : series_) {
    first_ns_ = std::min(first_ns_, one.times_ns.front());
    last_ns = std::max(last_ns, one.times_ns.back());
  }
  const bool spans = static_cast<double>(last_ns) - static_cast<double>(first_ns_) < kMaxSpan_ns;
  if (spans) facts_.interval_ns = options.interval_ns.value_or(guess_interval(series_));
  constexpr std::int64_t kShortest_ns = 1'000;  // what a recording may have
  if (facts_.interval_ns >= kShortest_ns && first_ns_ < last_ns) return {};
  return base::fail(ErrorKind::kTooLittle, "the samples do not have two different times", {},
                    "--time-column names the column of times; --interval their distance");
}

Result<void> GatheredSource::add_channels(const Mapping& mapping) {
  std::vector<Series> arranged;
  for (const MetricPlan& plan : plan_metrics(series_, mapping)) {
    const auto id = add_metric(plan, series_, channels_);
    for (const std::size_t i : plan.series) {
      const std::size_t number = channels_.channel_count();
      if (channels_.add_channel(id, series_[i].instance).index() != number) {
        return base::fail(ErrorKind::kUsage,
                          fmt::format("{} is the second column for the channel {}", series_[i].name,
                                      shown(plan.metric, series_[i].instance)),
                          {}, "give it another metric or instance in --map");
      }
      arranged.push_back(std::move(series_[i]));
    }
  }
  series_ = std::move(arranged);
  remark_unknown();
  return {};
}

// A finding can say where to look only of metrics whose subsystem is known.
void GatheredSource::remark_unknown() {
  constexpr std::size_t kShown = 5;
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < channels_.metric_count(); ++i) {
    const auto& metric = channels_.metric(model::MetricId(i));
    if (metric.subsystem == model::Subsystem::kUnknown) names.push_back(metric.name);
  }
  if (names.empty()) return;
  const std::size_t all = names.size();
  if (all > kShown) names.resize(kShown);
  remarks_.push_back(fmt::format(
      "the names of {} of the {} metrics do not tell a subsystem ({}{}); --map can state it", all,
      channels_.metric_count(), fmt::join(names, ", "), all > kShown ? ", ..." : ""));
}

std::uint64_t GatheredSource::tick_of(std::int64_t time_ns) const {
  const auto since = static_cast<std::uint64_t>(time_ns - first_ns_);
  const auto interval = static_cast<std::uint64_t>(facts_.interval_ns);
  return since / interval + (since % interval >= (interval + 1) / 2 ? 1 : 0);
}

// Returns whether all series were sampled at times of the longest one, and these lie apart: rows
// of a table, of which none may be lost only because two came a little close.
bool GatheredSource::share_one_clock() const {
  const auto longer = [](const Series& a, const Series& b) {
    return a.times_ns.size() < b.times_ns.size();
  };
  const auto& times = std::max_element(series_.begin(), series_.end(), longer)->times_ns;
  // A table without holes: whatever its times are, each row is one tick.
  const bool whole = std::all_of(series_.begin(), series_.end(),
                                 [&](const Series& one) { return one.times_ns == times; });
  const bool apart_at_all = std::adjacent_find(times.begin(), times.end()) == times.end();
  if (whole && apart_at_all && !interval_chosen_) return true;
  const std::int64_t apart = facts_.interval_ns / 4;
  const auto close = [apart](std::int64_t a, std::int64_t b) { return b - a < apart; };
  if (std::adjacent_find(times.begin(), times.end(), close) != times.end()) return false;
  return std::all_of(series_.begin(), series_.end(), [&](const Series& one) {
    return std::includes(times.begin(), times.end(), one.times_ns.begin(), one.times_ns.end());
  });
}

// Returns where the tick ends that begins with a sample of this time.
std::int64_t GatheredSource::end_of_tick(std::int64_t begin_ns) const {
  if (one_clock_) return begin_ns + 1;
  const std::uint64_t half = (static_cast<std::uint64_t>(facts_.interval_ns) + 1) / 2;
  const auto middle = tick_of(begin_ns) * static_cast<std::uint64_t>(facts_.interval_ns);
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(first_ns_) + middle + half);
}

// Takes the channel's samples of a tick; the last one counts.
void GatheredSource::take(std::size_t series, std::int64_t end_ns) {
  const Series& one = series_[series];
  std::size_t& cursor = cursors_[series];
  bool any = false;
  for (; cursor < one.times_ns.size() && one.times_ns[cursor] < end_ns; ++cursor) {
    if (any) ++crowded_;
    any = true;
    frame_.wall_ns = std::min(frame_.wall_ns, one.times_ns[cursor]);
    frame_.bits[series] = one.bits[cursor];
    frame_.validity[series] = Validity::kFresh;
  }
}

Result<const Frame*> GatheredSource::next() {
  std::optional<std::int64_t> begin_ns;
  for (std::size_t i = 0; i < series_.size(); ++i) {
    if (cursors_[i] >= series_[i].times_ns.size()) continue;
    const std::int64_t own = series_[i].times_ns[cursors_[i]];
    if (!begin_ns || own < *begin_ns) begin_ns = own;
  }
  if (!begin_ns) return nullptr;
  frame_.wall_ns = std::numeric_limits<std::int64_t>::max();
  frame_.bits.assign(series_.size(), 0);
  frame_.validity.assign(series_.size(), Validity::kMissing);
  const std::int64_t end_ns = end_of_tick(*begin_ns);
  for (std::size_t i = 0; i < series_.size(); ++i) take(i, end_ns);
  const std::uint64_t tick = tick_of(*begin_ns);
  frame_.sequence = began_ ? std::max(tick, last_tick_ + 1) : tick;
  frame_.mono_ns = frame_.wall_ns - first_ns_ + facts_.interval_ns;
  frame_.gap = began_ && frame_.sequence > last_tick_ + 1 ? model::kGapLate : model::kNoGap;
  began_ = true;
  last_tick_ = frame_.sequence;
  return &frame_;
}

std::vector<std::string> GatheredSource::remarks() const {
  auto out = remarks_;
  if (crowded_ > 0) {
    out.push_back(
        fmt::format("{} samples share a tick with a later one of their channel, which "
                    "counts; a shorter --interval keeps them",
                    crowded_));
  }
  return out;
}

}  // namespace reveal::exchange
