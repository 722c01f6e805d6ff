#include "attribute/attribution.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "attribute/chance.h"
#include "attribute/edges.h"
#include "attribute/faults.h"
#include "attribute/incidents.h"
#include "attribute/merge.h"
#include "attribute/parts.h"
#include "attribute/scored_windows.h"
#include "attribute/severity.h"
#include "attribute/stalled.h"
#include "attribute/usual.h"
#include "attribute/usual_values.h"
#include "detect/usual_contributions.h"
#include "model/cgroup_instance.h"
#include "stats/quantile.h"

namespace reveal::attribute {
namespace {

using Rows = std::vector<std::size_t>;

Rows rows_outside(const std::vector<Rows>& groups, std::size_t row_count) {
  std::vector<bool> inside(row_count, false);
  for (const auto& group : groups) {
    for (const auto row : group) inside[row] = true;
  }
  Rows out;
  for (std::size_t row = 0; row < row_count; ++row) {
    if (!inside[row]) out.push_back(row);
  }
  return out;
}

// Returns the detector that can rule out that work was stalled, if there is one.
std::optional<std::size_t> saturation_verdict(const AttributionInput& input) {
  for (std::size_t i = 0; i < input.run.detector_count(); ++i) {
    if (tells_stalls(input.channels, input.run.sees_saturation(i))) return i;
  }
  return std::nullopt;
}

// A job that is slow for longer is told of where detectors flag something: that may be its usual,
// and what happens in it would be one finding.
constexpr std::int64_t kLongestAlone_ns = 30'000'000'000;

// Returns whether at least half of a window lies in a slowdown.
bool lies_in(const window::WindowSpan& window, const work::Slowdown& one) {
  return 2 * one.shared_ns(window.begin_ns, window.end_ns) >= window.end_ns - window.begin_ns;
}

// Returns whether detectors see a stall in a good part of a slowdown, a third: then the stall tells
// when the job was disturbed, for it may have been slow before and after for another reason.
bool is_told_by_a_stall(const AttributionInput& input, const FindingRule& rule,
                        const detect::DetectorVerdict& saturation, const work::Slowdown& one) {
  std::int64_t seen_ns = 0;
  std::int64_t seen_until_ns = one.begin_ns;
  for (std::size_t row = 0; row < input.matrix.row_count(); ++row) {
    const auto& window = input.matrix.window(row);
    if (!rule.flags(window, input.verdict.agreement[row]) || !is_stalled(saturation, row)) continue;
    const auto new_ns = one.shared_ns(std::max(window.begin_ns, seen_until_ns), window.end_ns);
    seen_ns += std::max<std::int64_t>(new_ns, 0);
    seen_until_ns = std::max(seen_until_ns, window.end_ns);
  }
  return 3 * seen_ns >= one.end_ns - one.begin_ns;
}

// Returns the slowdowns that flag windows by themselves: those that count (is_harmed()), and that
// no stall tells better.
std::vector<work::Slowdown> witnesses(const AttributionInput& input, const FindingRule& rule,
                                      std::size_t saturation) {
  const auto tells = [&](const work::Slowdown& one) {
    return counts(one) && one.end_ns - one.begin_ns <= kLongestAlone_ns &&
           !is_told_by_a_stall(input, rule, input.verdict.detectors[saturation], one);
  };
  std::vector<work::Slowdown> out;
  for (const auto& job : input.jobs) {
    std::ranges::copy_if(job.slowdowns, std::back_inserter(out), tells);
  }
  return out;
}

// Returns the votes on each window. Where a job is slow it is a witness by itself: where all waits
// are usual, or nobody waits where the kernel sees it, no detector may exceed its limit.
std::vector<int> votes_of(const AttributionInput& input, const AttributionOptions& options) {
  auto out = input.verdict.agreement;
  const auto saturation = saturation_verdict(input);
  if (!options.slow_jobs || !saturation) return out;
  const auto slow = witnesses(input, options.rule, *saturation);
  const auto& silent = input.verdict.silent;
  for (std::size_t row = 0; row < out.size(); ++row) {
    const bool speaks = row >= silent.size() || !silent[row];
    const auto& window = input.matrix.window(row);
    if (speaks &&
        std::ranges::any_of(slow, [&](const auto& one) { return lies_in(window, one); })) {
      out[row] = std::max(out[row], options.rule.min_agreement);
    }
  }
  return out;
}

// Returns the usual values of the run's windows that are in no finding and no change.
Usual usual_in(const AttributionInput& input, const Rows& baseline) {
  Usual out;
  for (std::size_t i = 0; i < input.run.detector_count(); ++i) {
    out.contributions.push_back(detect::usual_contributions(input.run, i, baseline));
  }
  const auto known = std::make_shared<std::map<std::size_t, UsualColumn>>();
  out.column = [&input, &baseline, known](std::size_t live) {
    const auto [it, is_new] = known->try_emplace(live);
    if (is_new) {
      const auto values = usual_values(input.matrix, input.run.design().columns[live], baseline);
      it->second = {stats::median(values), stats::mad(values)};
    }
    return it->second;
  };
  return out;
}

// Returns the usual values of a saved baseline, or those of the run's own windows, `baseline`.
Usual usual_of_run(const AttributionInput& input, const Rows& baseline) {
  return input.saved != nullptr ? usual_of(*input.saved) : usual_in(input, baseline);
}

// Columns that are usual in `change` are not to blame either. All of a run may differ from a saved
// baseline; what stalls its work is what differs from the rest of the run.
Usual usual_with(const AttributionInput& input, Usual usual, const Rows& change) {
  for (std::size_t i = 0; i < input.run.detector_count(); ++i) {
    auto& parts = usual.contributions[i];
    clear_absent(parts, input.run.design());
    parts = parts.cwiseMax(detect::usual_contributions(input.run, i, change)).eval();
  }
  return usual;
}

// Returns the usual level of a column, for patterns. A lasting condition is in all windows of a
// run, so the level is the saved baseline's if there is one.
PatternReader::UsualLevel usual_levels_of(const AttributionInput& input, const Rows& baseline) {
  if (input.saved != nullptr) return usual_levels(*input.saved, input.run.design());
  return [&](std::size_t column) -> std::optional<double> {
    const auto values = usual_values(input.matrix, column, baseline);
    if (values.empty()) return std::nullopt;
    return stats::median(values);
  };
}

// Returns, by row, whether a window is in no group, shares no sample with one that is, and may
// raise an alarm.
std::vector<bool> calm_rows(const AttributionInput& input, const std::vector<Rows>& groups) {
  std::vector<bool> out(input.matrix.row_count(), true);
  for (std::size_t row = 0; row < input.verdict.silent.size(); ++row) {
    if (input.verdict.silent[row]) out[row] = false;
  }
  for (const auto& group : groups) {
    const auto begin_ns = input.matrix.window(group.front()).begin_ns;
    const auto end_ns = input.matrix.window(group.back()).end_ns;
    for (std::size_t row = 0; row < out.size(); ++row) {
      const auto& span = input.matrix.window(row);
      if (span.begin_ns <= end_ns && span.end_ns >= begin_ns) out[row] = false;
    }
  }
  return out;
}

double highest(const std::vector<double>& strengths, const Rows& rows) {
  double out = 0;
  for (const auto row : rows) out = std::max(out, strengths[row]);
  return out;
}

// Returns those of the rows that are a finding's windows.
Rows rows_of(const feature::FeatureMatrix& matrix, const Finding& finding, const Rows& rows) {
  Rows out;
  for (const auto row : rows) {
    if (out.size() == finding.windows.size()) break;
    if (matrix.window(row).id == finding.windows[out.size()].span.id) out.push_back(row);
  }
  return out;
}

// Returns whether a finding that begins in that window may have begun with the run, whose first
// windows raise no alarm. Compared with a saved baseline, the start of a run is as usual as the
// rest.
bool at_start(const AttributionInput& input, std::size_t row) {
  const auto& silent = input.verdict.silent;
  const bool is_first = row == 0 || (row <= silent.size() && silent[row - 1]);
  return input.saved == nullptr && input.begins_run && is_first;
}

std::vector<Stretch> split(const AttributionInput& input, std::optional<std::size_t> saturation,
                           const Rows& group) {
  if (!saturation) return {{group}};
  const auto& verdict = input.verdict.detectors[*saturation];
  return input.saved != nullptr
             ? split_into_islands(input.matrix, verdict, group)
             : split_by_stall(input.matrix, verdict, group, at_start(input, group.front()));
}

// Returns the windows without stalled work of a group that was split against a saved baseline;
// nothing for any other group.
Rows change_around(const AttributionInput& input, const std::vector<Stretch>& parts) {
  if (input.saved == nullptr || parts.size() < 2) return {};
  for (const auto& part : parts) {
    if (!part.stalled) return part.rows;
  }
  return {};
}

// Returns the findings of windows that belong together, by fault and in the order of time, with
// their fields.
std::vector<Finding> findings_in(const AttributionInput& input, const Attributor& attributor,
                                 const Readers& readers, const Rows& rows,
                                 std::optional<std::size_t> saturation) {
  std::vector<Finding> out;
  Faults faults(attributor, input.matrix, input.channels, saturation);
  for (const auto row : rows) faults.add(row, attributor.blame(row), readers, out);
  auto all = faults.take_ended();
  all.insert(all.end(), faults.open().begin(), faults.open().end());
  for (auto& fault : all) {
    Finding& finding = *finding_of(fault, out);
    const auto begin_ns = finding.windows_begin_ns();
    const auto end_ns = finding.windows_end_ns();
    fault.tally.idle = idle_in(input.jobs, begin_ns, end_ns);
    fault.tally.harmed = is_harmed(input.jobs, begin_ns, end_ns);
    attributor.tell(fault.tally, readers, finding);
  }
  return out;
}

// A job that gets less done in a change does something else, or is as slow at other times: that is
// no loss, and a change must not say that it was one.
void forget_loss(Finding& change) {
  if (!change.harm || !change.harm->slow) return;
  change.harm.reset();
  change.severity = severity_of(change);
}

// Returns whether the processes of the group that used more processors waited for one another, and
// nobody else did: the host's control groups tell who waits.
bool waits_for_itself(const model::ChannelTable& channels, const Finding& finding) {
  constexpr std::string_view kOfGroup = "cpu_cgroup_pressure_some_seconds_total";
  if (!finding.culprit || finding.sufferer || !finding.telling) return false;
  const auto& told = channels.metric(finding.telling->key.channel).name;
  if (told != kOfGroup && told != "cpu_pressure_some_seconds_total") return false;
  const auto culprit = model::group_of(channels.channel(finding.culprit->channel).instance);
  for (std::size_t i = 0; i < channels.channel_count(); ++i) {
    const model::ChannelId channel(i);
    const auto group = model::group_of(channels.channel(channel).instance);
    if (channels.metric(channel).name == kOfGroup && !model::are_of_one_line(group, culprit)) {
      return true;
    }
  }
  return false;
}

// Returns whether nobody was harmed where something waited: the jobs are known to have kept their
// rates, and the wait was slight, or that of a group for its own processes. `saturation`: the name
// of the detector of saturation signals.
bool is_harmless(const AttributionInput& input, std::string_view saturation,
                 const Finding& finding) {
  const bool alarmed = std::ranges::find(finding.detectors, saturation) != finding.detectors.end();
  return (!alarmed || waits_for_itself(input.channels, finding)) &&
         kept_their_rates(input.jobs, finding.begin_ns(), finding.end_ns());
}

std::vector<Finding>& list_of(Kind kind, Attributed& out) {
  switch (kind) {
    case Kind::kChange:
      return out.changes;
    case Kind::kLowConfidence:
      return out.low_confidence;
    case Kind::kFinding:
      break;
  }
  return out.findings;
}

// Returns whether windows are flagged by rank alone. Then they are as many as was asked for,
// whatever happened, and nothing can be said of what chance makes.
bool is_by_rank(const detect::Verdict& verdict) {
  return std::ranges::all_of(verdict.detectors,
                             [](const auto& detector) { return std::isnan(detector.alarm_limit); });
}

}  // namespace

std::vector<std::vector<double>> channel_shares(const AttributionInput& input,
                                                const AttributionOptions& options) {
  const auto groups = merge_flagged(input.matrix, input.verdict.agreement, options.rule);
  const std::size_t rows = input.matrix.row_count();
  const Rows baseline = rows_outside(groups, rows);
  const ScoredRunWindows windows(input.run, input.verdict);
  const Attributor attributor(windows, input.matrix, input.channels, usual_of_run(input, baseline),
                              options.evidence);
  std::vector<std::vector<double>> out;
  for (std::size_t row = 0; row < rows; ++row) out.push_back(attributor.channel_shares(row));
  return out;
}

Attributed attribute(const AttributionInput& input, const AttributionOptions& options) {
  const auto groups = merge_flagged(input.matrix, votes_of(input, options), options.rule);
  const auto saturation = saturation_verdict(input);
  const auto strong = strengths(input.verdict, options.rule.min_agreement, saturation);
  const auto chance =
      is_by_rank(input.verdict) ? std::nullopt : Chance::learn(strong, calm_rows(input, groups));
  Attributed out;
  if (chance) out.by_chance = chance->findings(0);
  if (groups.empty()) return out;
  const Rows baseline = rows_outside(groups, input.matrix.row_count());
  const ScoredRunWindows windows(input.run, input.verdict);
  const Usual usual = usual_of_run(input, baseline);
  const Readers readers{
      PatternReader(input.channels, input.matrix, usual_levels_of(input, baseline)),
      ConsumerReader(input.channels, input.matrix), StallReader(input.channels, input.matrix),
      input.processes, input.ticks};
  const auto attributor_by = [&](const Usual& by) {
    return Attributor(windows, input.matrix, input.channels, by, options.evidence);
  };
  const auto take = [&](Finding found, const Stretch& part) {
    const auto own = rows_of(input.matrix, found, part.rows);
    found.at_start = at_start(input, own.front());
    // What detectors find by chance says nothing of what they did not find.
    if (chance && !found.detectors.empty()) {
      found.by_chance = chance->findings(highest(strong, own));
    }
    set_harm(input.jobs, found);
    const bool harmed =
        !found.at_start && is_harmed(input.jobs, found.windows_begin_ns(), found.windows_end_ns());
    const bool stalled =
        part.stalled && !(saturation && is_harmless(input, windows.name(*saturation), found));
    const Kind kind = options.rule.kind_of(stalled || harmed, found.by_chance);
    if (kind == Kind::kChange) forget_loss(found);
    list_of(kind, out).push_back(std::move(found));
  };
  const Attributor attributor = attributor_by(usual);
  for (const auto& rows : groups) {
    const auto parts = split(input, saturation, rows);
    const Rows change = change_around(input, parts);
    std::optional<Attributor> within;
    if (!change.empty()) within.emplace(attributor_by(usual_with(input, usual, change)));
    for (const auto& part : parts) {
      const auto& by = within && part.stalled ? *within : attributor;
      const auto seen = part.stalled ? saturation : std::nullopt;
      for (auto& one : findings_in(input, by, readers, part.rows, seen)) {
        take(std::move(one), part);
      }
    }
  }
  part_edges(out.findings);
  number_incidents(out.findings);
  return out;
}

}  // namespace reveal::attribute
