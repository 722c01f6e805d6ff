#include "attribute/attributor.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "attribute/claim.h"
#include "attribute/companions.h"
#include "attribute/edges.h"
#include "attribute/excess.h"
#include "attribute/parts.h"
#include "attribute/processes.h"
#include "attribute/shares.h"
#include "attribute/succession.h"
#include "detect/saturation_parts.h"
#include "feature/feature.h"
#include "work/counters.h"

namespace reveal::attribute {
namespace {

constexpr double kNearly = 0.5;  // of the largest share

std::int64_t missed_ns(const window::TickHistory& ticks, const Finding& finding) {
  const auto& last = finding.windows.back().span;
  const std::int64_t interval_ns = std::max<std::int64_t>(ticks.interval_ns(), 1);
  const auto length = static_cast<std::uint64_t>((last.end_ns - last.begin_ns) / interval_ns);
  const auto missing =
      ticks.missing(finding.windows.front().span.first_sequence, last.first_sequence + length);
  return static_cast<std::int64_t>(missing) * interval_ns;
}

// Returns the live columns with the means of what GPUs do (work/counters.h), all of one share.
std::vector<Part> parts_of_gpu_work(const model::ChannelTable& channels,
                                    const detect::Design& design,
                                    const feature::FeatureMatrix& matrix) {
  const auto mean = feature::find_feature("mean");
  std::vector<Part> out;
  for (std::size_t live = 0; live < design.columns.size(); ++live) {
    if (design.columns[live] == detect::kAbsentColumn) continue;
    const auto key = matrix.column(design.columns[live]);
    const auto* const counter = work::find_work_counter(channels.metric(key.channel).name);
    if (counter == nullptr || counter->resource != model::Subsystem::kGpu) continue;
    if (work::is_work(counter->quantity) && key.feature == mean) out.push_back({live, 1});
  }
  return out;
}

// Returns each column's share of the whole; nothing is of nothing.
Eigen::VectorXd shares_of(Eigen::VectorXd total) {
  const double sum = total.sum();
  if (sum > 0) total /= sum;
  return total;
}

// Gives a subsystem half of the blame, beside its part of the other half.
void lean(SubsystemShares& shares, model::Subsystem subsystem) {
  for (double& share : shares) share /= 2;
  shares[static_cast<std::size_t>(subsystem)] += 0.5;
}

// What the claim says is the first that a reader looks for.
void put_first(const Evidence& claimed, std::size_t most, std::vector<Evidence>& evidence) {
  std::erase_if(evidence, [&](const Evidence& one) { return one.key == claimed.key; });
  evidence.insert(evidence.begin(), claimed);
  if (evidence.size() > most) evidence.resize(most);
}

}  // namespace

void Tally::forget_rows(std::size_t count) {
  const auto gone = std::ranges::lower_bound(rows, count) - rows.begin();
  rows.erase(rows.begin(), rows.begin() + gone);
  families.erase(families.begin(), families.begin() + gone);
  for (auto& row : rows) row -= count;
  if (doer && count > 0) doer->rows.clear();
}

void Tally::take_out(const Families& others, std::size_t row) {
  for (std::size_t i = rows.size(); i > 0 && rows[i - 1] >= row; --i) families[i - 1] &= ~others;
}

Tally Attributor::begin() const {
  return {.total = Eigen::VectorXd::Zero(windows_.layout().x.cols())};
}

// A column that the run lacks cannot exceed anything and has no value to show as evidence.
Eigen::VectorXd Attributor::excess(std::size_t detector, std::size_t row) const {
  Eigen::VectorXd parts = windows_.contributions(detector, row);
  if (usual_.contributions[detector].size() > 0) parts -= usual_.contributions[detector];
  clear_absent(parts, windows_.layout());
  return excess_shares(std::move(parts), {});
}

Blame Attributor::blame(std::size_t row) const {
  Blame out;
  WindowBlame sum(windows_.layout().x.cols());
  for (std::size_t i = 0; i < windows_.detector_count(); ++i) {
    if (!windows_.testifies(i, row)) continue;
    auto shares = excess(i, row);
    sum.add(shares, windows_.sees_saturation(i));
    out.by_detector.emplace_back(i, std::move(shares));
  }
  // Of a window that no detector flags, what deviates most by all of them is the best guess.
  for (std::size_t i = 0; out.by_detector.empty() && i < windows_.detector_count(); ++i) {
    sum.add(excess(i, row), windows_.sees_saturation(i));
  }
  out.total = sum.total();
  return out;
}

std::size_t Attributor::family_of_column(std::size_t live) const {
  const auto key = matrix_.column(windows_.layout().columns[live]);
  return static_cast<std::size_t>(family_of(channels_.metric(key.channel).subsystem));
}

Blame Attributor::part_of(const Blame& blame, const Families& families) const {
  Blame out = blame;
  for (Eigen::Index live = 0; live < out.total.size(); ++live) {
    // What the run lacks has no blame.
    if (out.total[live] <= 0 || families[family_of_column(static_cast<std::size_t>(live))])
      continue;
    out.total[live] = 0;
    for (auto& [detector, shares] : out.by_detector) shares[live] = 0;
  }
  return out;
}

bool Attributor::is_stalled(std::size_t detector, std::size_t row) const {
  return windows_.flags(detector, row) ||
         windows_.score(detector, row) > windows_.stall_limit(detector, row);
}

FamilyStalls Attributor::stalls(std::size_t detector, std::size_t row) const {
  FamilyStalls out{};
  Eigen::VectorXd parts = windows_.contributions(detector, row);
  clear_absent(parts, windows_.layout());
  const auto own = detect::own_scores(parts, windows_.score(detector, row));
  for (Eigen::Index live = 0; live < own.size(); ++live) {
    if (own[live] <= windows_.stall_limit(detector, row)) continue;
    auto& family = out[family_of_column(static_cast<std::size_t>(live))];
    family.stalled = true;
    family.alarmed = family.alarmed || (windows_.flags(detector, row) &&
                                        own[live] > windows_.alarm_limit(detector, row));
  }
  return out;
}

void Attributor::add(std::size_t row, const Blame& blame, Tally& tally, Finding& finding,
                     const Families& families) const {
  const bool explained = finding.windows.size() < limits_.windows;
  FlaggedWindow window{matrix_.window(row), {}};
  for (const auto& [i, shares] : blame.by_detector) {
    if (!windows_.flags(i, row)) continue;
    tally.flagging.insert(i);
    window.detectors.push_back(
        {windows_.name(i), windows_.score(i, row),
         explained ? evidence(shares, limits_.of_window, {row}) : std::vector<Evidence>()});
  }
  finding.windows.push_back(std::move(window));
  finding.agreement =
      std::max(finding.agreement, static_cast<std::size_t>(windows_.agreement(row)));
  tally.rows.push_back(row);
  tally.families.push_back(families);
  tally.total += blame.total;
}

void Attributor::tell(const Tally& tally, const Readers& readers, Finding& finding) const {
  const Eigen::VectorXd shares = shares_of(tally.total);
  finding.detectors.clear();
  for (const auto i : tally.flagging) finding.detectors.push_back(windows_.name(i));
  finding.subsystems = subsystems(shares);
  finding.evidence = notable_evidence(shares, tally.rows);
  const bool idle = is_idle(tally);
  if (idle) {
    lean(finding.subsystems, *tally.idle);
  } else if (are_taken(tally, readers, shares, finding)) {
    lean(finding.subsystems, model::Subsystem::kCpu);
  } else if (const auto first = changed_first(tally, readers, shares, finding)) {
    lean(finding.subsystems, *first);
  }
  speak(shares, tally.rows, idle, finding);
  finding.patterns = readers.patterns.read(tally.rows, finding.subsystems);
  set_culprit(tally, readers, finding);
  finding.sufferer = readers.consumers.sufferer(tally.rows, finding.culprit, tally.families);
  if (readers.ticks != nullptr) {
    refine_edges(channels_, *readers.ticks, finding);
    finding.missed_ns = std::max(finding.missed_ns, missed_ns(*readers.ticks, finding));
    finding.companions = companions_of(channels_, *readers.ticks, finding);
  }
  set_process(tally, readers, finding);
  // Live, the first rows of a finding that lasts for long are gone; what they told stays.
  const auto stall =
      readers.stalls.read(tally.rows, finding.culprit, finding.sufferer, tally.families);
  if (stall && (!finding.stall || stall->seconds > finding.stall->seconds)) finding.stall = stall;
  finding.severity = severity_of(finding);
}

bool Attributor::sees_no_stall(const Tally& tally) const {
  return std::ranges::none_of(tally.flagging,
                              [&](std::size_t i) { return windows_.sees_saturation(i); });
}

bool Attributor::is_idle(const Tally& tally) const {
  return tally.idle && sees_no_stall(tally);
}

// A slow job sends less and touches less memory, so detectors blame these, too. If no detector
// sees what waits, but processes came that took processors, then those are what it lacks.
bool Attributor::are_taken(const Tally& tally, const Readers& readers,
                           const Eigen::VectorXd& shares, const Finding& told) const {
  if (!tally.harmed || readers.processes == nullptr || !sees_no_stall(tally)) return false;
  const auto share = [&](model::Subsystem subsystem) {
    return told.subsystems[static_cast<std::size_t>(subsystem)];
  };
  const auto blamed = told.subsystem();
  constexpr auto kCpu = model::Subsystem::kCpu;
  if (blamed == kCpu || share(kCpu) < kNearly * share(blamed)) return false;
  Finding finding = told;
  speak(shares, tally.rows, false, finding);
  if (readers.ticks != nullptr) refine_edges(channels_, *readers.ticks, finding);
  return take_processors(*readers.processes, channels_, finding);
}

// Of a slowdown that no detector flags, the subsystem with the most blame may only show what
// followed: connections of a job that lacks a core send again, too. What changed first is closer to
// the cause, if it has nearly as much of the blame.
std::optional<model::Subsystem> Attributor::changed_first(const Tally& tally,
                                                          const Readers& readers,
                                                          const Eigen::VectorXd& shares,
                                                          const Finding& told) const {
  if (!tally.flagging.empty() || readers.ticks == nullptr) return std::nullopt;
  Finding finding = told;
  speak(shares, tally.rows, false, finding);
  refine_edges(channels_, *readers.ticks, finding);
  const auto blamed = finding.subsystem();
  const auto own = std::ranges::find(finding.onsets, blamed, &Onset::subsystem);
  if (own == finding.onsets.end()) return std::nullopt;
  const double enough = kNearly * finding.subsystems[static_cast<std::size_t>(blamed)];
  for (const auto& onset : finding.onsets) {
    if (onset.edge.at_ns + onset.edge.error_ns >= own->edge.at_ns - own->edge.error_ns) break;
    if (finding.subsystems[static_cast<std::size_t>(onset.subsystem)] >= enough) {
      return onset.subsystem;
    }
  }
  return std::nullopt;
}

void Attributor::set_culprit(const Tally& tally, const Readers& readers, Finding& finding) const {
  if (tally.doer && tally.doer->rows.empty()) {
    finding.culprit = tally.doer->culprit;
    return;
  }
  if (tally.doer) {
    finding.culprit =
        readers.consumers.culprit(tally.doer->rows, finding.subsystem(), tally.rows.back());
    return;
  }
  finding.culprit = readers.consumers.culprit(tally.rows, finding.subsystem());
  if (readers.processes != nullptr && is_cleared_by(*readers.processes, channels_, finding)) {
    finding.culprit.reset();
  }
}

void Attributor::set_process(const Tally& tally, const Readers& readers, Finding& finding) const {
  finding.process.reset();
  if (tally.doer) {
    finding.process = tally.doer->process;
  } else if (readers.processes != nullptr) {
    finding.process = process_of(*readers.processes, channels_, finding);
  }
  finding.no_process = finding.process ? "" : why_no_process(readers.processes);
}

Doer Attributor::doer(const Tally& tally, const Readers& readers, std::int64_t until_ns,
                      Finding finding) const {
  const Eigen::VectorXd shares = shares_of(tally.total);
  finding.subsystems = subsystems(shares);
  if (is_idle(tally)) lean(finding.subsystems, *tally.idle);
  Doer out{.subsystem = finding.subsystem()};
  // It still goes on in the latest row: what comes after these rows is not what is usual.
  out.culprit = readers.consumers.culprit(tally.rows, out.subsystem, matrix_.row_count() - 1);
  if (tally.rows.front() == 0) out.rows = tally.rows;
  if (readers.processes == nullptr) return out;
  const Edge until{until_ns, 0};
  finding.culprit = out.culprit;
  finding.begin_edge.reset();
  finding.end_edge = until;
  if (is_cleared_by(*readers.processes, channels_, finding)) {
    finding.culprit.reset();
    out.culprit.reset();
    out.rows.clear();
  }
  if (readers.ticks != nullptr) refine_edges(channels_, *readers.ticks, finding);
  finding.end_edge = until;
  if (finding.begin_ns() >= until_ns) finding.begin_edge.reset();
  out.process = process_of(*readers.processes, channels_, finding);
  return out;
}

SubsystemShares Attributor::subsystems(const Eigen::VectorXd& shares) const {
  return subsystem_shares(channels_, by_channel(shares));
}

std::vector<double> Attributor::channel_shares(std::size_t row) const {
  WindowBlame blame(windows_.layout().x.cols());
  for (std::size_t i = 0; i < windows_.detector_count(); ++i) {
    blame.add(excess(i, row), windows_.sees_saturation(i));
  }
  // A detector whose score has nothing above the usual does not count.
  return by_channel(shares_of(blame.total()));
}

std::vector<Evidence> Attributor::evidence(const Eigen::VectorXd& shares, std::size_t count,
                                           const std::vector<std::size_t>& rows) const {
  std::vector<Evidence> out;
  for (const Part& part : strongest(shares, count)) {
    out.push_back(compare(part.live, part.share, rows));
  }
  return out;
}

std::vector<Evidence> Attributor::notable_evidence(const Eigen::VectorXd& shares,
                                                   const std::vector<std::size_t>& rows) const {
  constexpr std::size_t kLookedAt = 4;  // times as many as are kept
  std::vector<Evidence> out;
  for (const Part& part : strongest(shares, kLookedAt * limits_.of_finding)) {
    if (out.size() == limits_.of_finding) break;
    const auto one = compare(part.live, part.share, rows);
    if (!is_negligible(channels_, one)) out.push_back(one);
  }
  return out.empty() ? evidence(shares, limits_.of_finding, rows) : out;
}

// Compares a live column's value with the usual. Of several windows it takes the one farthest from
// the median.
Evidence Attributor::compare(std::size_t live, double share,
                             const std::vector<std::size_t>& rows) const {
  const std::size_t column = windows_.layout().columns[live];
  const auto [median, mad] = usual_.column(live);
  double observed = std::nan("");
  std::size_t seen = rows.front();
  for (const auto row : rows) {
    const double value = matrix_.at(row, column);
    if (!std::isfinite(value)) continue;
    if (std::fabs(value - median) <= std::fabs(observed - median)) continue;
    observed = value;
    seen = row;
  }
  return {matrix_.column(column), observed, median, mad, share, matrix_.window(seen).id};
}

std::vector<double> Attributor::by_channel(const Eigen::VectorXd& shares) const {
  return attribute::by_channel(shares, windows_.layout(), matrix_, channels_.channel_count());
}

// The claim is about the subsystem at fault, whose evidence need not be among the first few.
void Attributor::speak(const Eigen::VectorXd& shares, const std::vector<std::size_t>& rows,
                       bool idle, Finding& finding) const {
  const auto& design = windows_.layout();
  const auto parts = idle ? parts_of_gpu_work(channels_, design, matrix_)
                          : telling_parts(shares, channels_, design, matrix_, finding.subsystem());
  std::vector<Evidence> candidates;
  std::vector<double> own;  // contributions of these
  for (const Part& part : parts) {
    const auto one = compare(part.live, part.share, rows);
    // What is idle shows in what fell.
    if (idle && !(one.observed < one.baseline_median)) continue;
    candidates.push_back(one);
    own.push_back(shares(static_cast<Eigen::Index>(part.live)));
  }
  const Evidence* telling = most_telling(candidates);
  finding.claim = telling != nullptr ? claim(channels_, *telling) : std::string(kNoClaim);
  finding.telling.reset();
  if (telling == nullptr) return;
  finding.telling = *telling;
  finding.telling->contribution = own[static_cast<std::size_t>(telling - candidates.data())];
  put_first(*finding.telling, limits_.of_finding, finding.evidence);
}

}  // namespace reveal::attribute
