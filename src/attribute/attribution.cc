#include "attribute/attribution.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "attribute/chance.h"
#include "attribute/claim.h"
#include "attribute/excess.h"
#include "attribute/merge.h"
#include "attribute/parts.h"
#include "attribute/severity.h"
#include "attribute/shares.h"
#include "attribute/stalled.h"
#include "attribute/usual_values.h"
#include "detect/usual_contributions.h"
#include "stats/quantile.h"

namespace reveal::attribute {
namespace {

using Rows = std::vector<std::size_t>;

// Attributes the findings of one run; holds what all of them are compared with.
class Attribution {
 public:
  // What is usual in `change` is not to blame either: all of such a run may differ from a saved
  // baseline, and what stalls work in it is what differs from the rest of it.
  Attribution(const AttributionInput& input, const AttributionOptions& options, Rows baseline,
              const Rows& change = {})
      : input_(input), options_(options), baseline_(std::move(baseline)) {
    for (std::size_t i = 0; i < input.run.detector_count(); ++i) {
      Eigen::VectorXd usual = usual_of(i);
      if (!change.empty()) {
        usual = usual.cwiseMax(detect::usual_contributions(input.run, i, change));
      }
      excess_.emplace_back(input.run, i, std::move(usual));
    }
  }

  Finding find(const Rows& rows) {
    Finding finding;
    Eigen::VectorXd total = Eigen::VectorXd::Zero(input_.run.design().x.cols());
    std::set<std::size_t> agreeing;
    for (const auto row : rows) {
      finding.windows.push_back(explain(row, total, agreeing));
      const auto votes = static_cast<std::size_t>(input_.verdict.agreement[row]);
      finding.agreement = std::max(finding.agreement, votes);
    }
    finding.severity = severity(severity_parts(input_.run, input_.verdict, rows),
                                static_cast<double>(finding.length_ns()) / 1e9);
    if (total.sum() > 0) total /= total.sum();
    for (const auto i : agreeing) {
      finding.detectors.push_back(input_.verdict.detectors[i].name);
    }
    finding.subsystems = subsystem_shares(input_.channels, by_channel(total));
    finding.evidence = evidence(total, options_.finding_evidence, rows);
    speak(total, rows, finding);
    return finding;
  }

  std::vector<double> channel_shares(std::size_t row) const {
    WindowBlame blame(input_.run.design().x.cols());
    for (std::size_t i = 0; i < excess_.size(); ++i) {
      blame.add(excess_[i].shares(row), input_.run.sees_saturation(i));
    }
    const Eigen::VectorXd total = blame.total();
    // A detector in whose score nothing is above the usual has no say.
    const double sum = total.sum();
    return by_channel(sum > 0 ? Eigen::VectorXd(total / sum) : total);
  }

 private:
  // Returns the usual part of each column in a score; none where the run lacks the column, for then
  // nothing can exceed it, and there is no value to show as evidence.
  Eigen::VectorXd usual_of(std::size_t detector) const {
    if (input_.saved == nullptr) {
      return detect::usual_contributions(input_.run, detector, baseline_);
    }
    Eigen::VectorXd out = input_.saved->usual[detector];
    clear_absent(out, input_.run.design());
    return out;
  }

  // Adds the window's shares, detector by detector, to `total`.
  FlaggedWindow explain(std::size_t row, Eigen::VectorXd& total, std::set<std::size_t>& agreeing) {
    FlaggedWindow window{input_.matrix.window(row), {}};
    WindowBlame blame(total.size());
    for (std::size_t i = 0; i < input_.run.detector_count(); ++i) {
      const auto& verdict = input_.verdict.detectors[i];
      if (!verdict.flagged[row]) continue;
      agreeing.insert(i);
      const Eigen::VectorXd shares = excess_[i].shares(row);
      blame.add(shares, input_.run.sees_saturation(i));
      window.detectors.push_back({verdict.name, verdict.scores[static_cast<Eigen::Index>(row)],
                                  evidence(shares, options_.window_evidence, {row})});
    }
    total += blame.total();
    return window;
  }

  std::vector<Evidence> evidence(const Eigen::VectorXd& shares, std::size_t count,
                                 const Rows& rows) {
    std::vector<Evidence> out;
    for (const Part& part : strongest(shares, count)) out.push_back(compare(part, rows));
    return out;
  }

  // Compares a live column's value with the baseline. Of several windows the one farthest from the
  // median speaks.
  Evidence compare(const Part& part, const Rows& rows) {
    const std::size_t column = input_.run.design().columns[part.live];
    const auto [median, mad] =
        input_.saved != nullptr ? saved_baseline_of(part.live) : baseline_of(column);
    double observed = std::nan("");
    for (const auto row : rows) {
      const double value = input_.matrix.at(row, column);
      if (!std::isfinite(value)) continue;
      if (!(std::fabs(value - median) <= std::fabs(observed - median))) observed = value;
    }
    return {input_.matrix.column(column), observed, median, mad, part.share};
  }

  std::pair<double, double> saved_baseline_of(std::size_t live) const {
    const auto& column = input_.saved->columns[live];
    return {column.median, column.mad};
  }

  std::pair<double, double> baseline_of(std::size_t column) {
    const auto [it, is_new] = baseline_by_column_.try_emplace(column);
    if (is_new) {
      const auto values = usual_values(input_.matrix, column, baseline_);
      it->second = {stats::median(values), stats::mad(values)};
    }
    return it->second;
  }

  std::vector<double> by_channel(const Eigen::VectorXd& shares) const {
    return attribute::by_channel(shares, input_.run.design(), input_.matrix,
                                 input_.channels.channel_count());
  }

  // The claim speaks of the subsystem at fault, whose evidence need not be among the first few.
  void speak(const Eigen::VectorXd& total, const Rows& rows, Finding& finding) {
    std::vector<Evidence> candidates;
    for (const Part& part : telling_parts(total, input_.channels, input_.run.design(),
                                          input_.matrix, finding.subsystem())) {
      candidates.push_back(compare(part, rows));
    }
    const Evidence* telling = most_telling(candidates);
    finding.claim = telling != nullptr ? claim(input_.channels, *telling) : std::string(kNoClaim);
    if (telling != nullptr) finding.telling = *telling;
  }

  const AttributionInput& input_;
  const AttributionOptions& options_;
  Rows baseline_;
  std::vector<ExcessContributions> excess_;
  std::map<std::size_t, std::pair<double, double>> baseline_by_column_;
};

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

// Returns what is usual in a column: in the run's windows that are in no finding and no change, or
// in those of a saved baseline, for what lasts is in all windows of a run.
PatternReader::UsualLevel usual_levels(const AttributionInput& input, const Rows& baseline) {
  if (input.saved == nullptr) {
    return [&](std::size_t column) -> std::optional<double> {
      const auto values = usual_values(input.matrix, column, baseline);
      if (values.empty()) return std::nullopt;
      return stats::median(values);
    };
  }
  std::map<std::size_t, double> medians;
  const auto& columns = input.run.design().columns;
  for (std::size_t live = 0; live < columns.size(); ++live) {
    medians.emplace(columns[live], input.saved->columns[live].median);
  }
  return [medians = std::move(medians)](std::size_t column) -> std::optional<double> {
    const auto found = medians.find(column);
    if (found == medians.end()) return std::nullopt;
    return found->second;
  };
}

// Returns the detector that can say of a finding that nothing was stalled, if there is one.
std::optional<std::size_t> saturation_verdict(const AttributionInput& input) {
  for (std::size_t i = 0; i < input.run.detector_count(); ++i) {
    if (tells_stalls(input.channels, input.run.sees_saturation(i))) return i;
  }
  return std::nullopt;
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

// Returns whether what begins in that window may have begun with the run, of which the first
// windows raise no alarm. Against a saved baseline a run's start is no stranger than the rest.
bool at_start(const AttributionInput& input, std::size_t row) {
  const auto& silent = input.verdict.silent;
  return input.saved == nullptr && (row == 0 || (row <= silent.size() && silent[row - 1]));
}

std::vector<Stretch> split(const AttributionInput& input, std::optional<std::size_t> judge,
                           const Rows& group) {
  if (!judge) return {{group}};
  const auto& saturation = input.verdict.detectors[*judge];
  return input.saved != nullptr
             ? split_into_islands(input.matrix, saturation, group)
             : split_by_stall(input.matrix, saturation, group, at_start(input, group.front()));
}

// Returns the windows in which nothing is stalled, of a group that was split against a saved
// baseline; nothing of any other.
Rows change_around(const AttributionInput& input, const std::vector<Stretch>& parts) {
  if (input.saved == nullptr || parts.size() < 2) return {};
  for (const auto& part : parts) {
    if (!part.stalled) return part.rows;
  }
  return {};
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

}  // namespace

model::Subsystem Finding::subsystem() const {
  const auto largest = std::max_element(subsystems.begin(), subsystems.end());
  return static_cast<model::Subsystem>(largest - subsystems.begin());
}

// A stride is positive and at most a window's length: beyond that the clock was set.
std::int64_t Finding::length_ns() const {
  const auto& last = windows.back().span;
  std::int64_t out = last.end_ns - last.begin_ns;
  for (std::size_t i = 1; i < windows.size(); ++i) {
    const auto& before = windows[i - 1].span;
    const auto& span = windows[i].span;
    const auto apart = static_cast<std::int64_t>(span.id.value() - before.id.value());
    out += std::clamp<std::int64_t>(span.begin_ns - before.begin_ns, 0,
                                    apart * (span.end_ns - span.begin_ns));
  }
  return out;
}

std::vector<std::vector<double>> channel_shares(const AttributionInput& input,
                                                const AttributionOptions& options) {
  const auto groups = merge_flagged(input.matrix, input.verdict.agreement, options.rule);
  const std::size_t rows = input.matrix.row_count();
  const Attribution attribution(input, options, rows_outside(groups, rows));
  std::vector<std::vector<double>> out;
  for (std::size_t row = 0; row < rows; ++row) out.push_back(attribution.channel_shares(row));
  return out;
}

Attributed attribute(const AttributionInput& input, const AttributionOptions& options) {
  const auto groups = merge_flagged(input.matrix, input.verdict.agreement, options.rule);
  const auto judge = saturation_verdict(input);
  const auto strong = strengths(input.verdict, options.rule.min_agreement, judge);
  const auto chance = Chance::learn(strong, calm_rows(input, groups));
  Attributed out;
  if (chance) out.by_chance = chance->findings(0);
  if (groups.empty()) return out;
  const Rows baseline = rows_outside(groups, input.matrix.row_count());
  Attribution attribution(input, options, baseline);
  const PatternReader patterns(input.channels, input.matrix, usual_levels(input, baseline));
  const auto take = [&](Attribution& by, const Stretch& part) {
    Finding found = by.find(part.rows);
    found.patterns = patterns.read(part.rows, found.subsystems);
    found.at_start = at_start(input, part.rows.front());
    if (chance) found.by_chance = chance->findings(highest(strong, part.rows));
    const Kind kind = options.rule.kind_of(part.stalled, found.by_chance);
    list_of(kind, out).push_back(std::move(found));
  };
  for (const auto& rows : groups) {
    const auto parts = split(input, judge, rows);
    const Rows change = change_around(input, parts);
    std::optional<Attribution> within;
    if (!change.empty()) within.emplace(input, options, baseline, change);
    for (const auto& part : parts) take(within && part.stalled ? *within : attribution, part);
  }
  return out;
}

}  // namespace reveal::attribute
