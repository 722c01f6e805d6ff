#include "report/harm_sentences.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "attribute/claim.h"
#include "attribute/harm.h"
#include "attribute/processes.h"
#include "feature/feature.h"
#include "report/group_name.h"

namespace reveal::report {
namespace {

std::string group_sentence(const Names& names, std::string_view word,
                           const std::optional<attribute::GroupLevel>& level, std::int64_t end_ns) {
  if (!level) return {};
  return fmt::format("{}: {} {}.", word, group_name(names, level->channel, end_ns),
                     attribute::phrase_of(names.channels, *level));
}

std::string lag_phrase(std::int64_t lag_ns) {
  if (lag_ns == 0) return "at the same time";
  return fmt::format("{:.1f} s {}", std::abs(static_cast<double>(lag_ns)) / 1e9,
                     lag_ns > 0 ? "later" : "earlier");
}

std::string companion_sentence(const Names& names, const attribute::Companion& companion) {
  const attribute::Evidence level{
      {companion.channel, *feature::find_feature("mean")}, companion.observed, companion.usual};
  return fmt::format("Along with it: {}, {} (correlation {:.2f}, elsewhere {:.2f}).",
                     attribute::claim(names.channels, level), lag_phrase(companion.lag_ns),
                     companion.correlation, companion.usual_correlation);
}

// Threads that wait for one another may lose more than a processor does, but not many times as
// much.
std::string doubt_of_stolen_time(const Names& names, const attribute::Finding& finding) {
  constexpr double kTimes = 3;
  if (!finding.telling) return {};
  if (names.channels.metric(finding.telling->key.channel).name != "cpu_steal_ratio") return {};
  const auto& loss = finding.harm->loss;
  const double lost = 1 - loss.mean_rate - loss.mean_error;
  if (lost < kTimes * finding.telling->observed) return {};
  return " Stolen time alone does not explain so much: look for what else slows it.";
}

}  // namespace

std::string who_sentence(const Names& names, const attribute::Finding& finding) {
  return group_sentence(names, "Who", finding.culprit, finding.windows_end_ns());
}

std::string process_sentence(const Names& names, const attribute::Finding& finding) {
  if (!finding.process) return {};
  const auto& process = *finding.process;
  const auto more = process.count > 1 ? fmt::format(" and {} more of that name", process.count - 1)
                                      : std::string();
  // The sentence before it has named the culprit's group.
  const bool known = finding.culprit || process.group.empty();
  const auto group =
      known ? std::string() : " of " + group_name(names, "cg=" + process.group, finding.end_ns());
  return fmt::format("Process: {} (pid {}){}{} {}.", process.name, process.pid, more, group,
                     attribute::phrase_of(process));
}

std::string suffered_sentence(const Names& names, const attribute::Finding& finding) {
  return group_sentence(names, "Suffered", finding.sufferer, finding.windows_end_ns());
}

std::string stalled_sentence(const Names& names, const attribute::Finding& finding) {
  constexpr double kLeastTold_s = 0.05;  // less would be told as 0.0
  if (finding.severity.basis != attribute::SeverityBasis::kStall || !finding.stall) return {};
  const auto& stall = *finding.stall;
  if (stall.seconds < kLeastTold_s) return {};
  const auto& metric = names.channels.metric(stall.channel);
  const auto whose =
      stall.group.empty() ? "" : " of " + group_name(names, stall.channel, finding.end_ns());
  return fmt::format("Stalled: {:.1f} s ({}{}).", stall.seconds, metric.label, whose);
}

std::string work_sentence(const Names& names, const attribute::Finding& finding,
                          const text::Clock& clock) {
  if (!finding.harm) return {};
  constexpr double kMuchMore = 1.05;
  const auto& harm = *finding.harm;
  const auto& loss = harm.loss;
  const auto job =
      harm.job.empty() ? std::string("the job") : group_name(names, harm.job, harm.end_ns);
  const double error = std::max(std::ceil(loss.mean_error * 100), 1.0);
  const auto rate = fmt::format("{:.0f} % (± {:.0f})", loss.mean_rate * 100, error);
  if (!harm.slow && attribute::is_slow(loss)) {
    return fmt::format("Work: {} ran at {} of its usual rate, as before or after.", job, rate);
  }
  // More than usual, beyond the error: no rate that was kept.
  if (!harm.slow && loss.mean_rate - loss.mean_error > kMuchMore) {
    return fmt::format("Work: {} was not slowed: {} of its usual rate.", job, rate);
  }
  if (!harm.slow && attribute::is_unclear(loss)) {
    return fmt::format("Work: it is not clear whether {} was slowed: {} of its usual rate.", job,
                       rate);
  }
  if (!harm.slow) return fmt::format("Work: {} kept its usual rate: {}.", job, rate);
  return fmt::format("Work: {} ran at {} of its usual rate from {} to {}: {:.1f} s of work lost.{}",
                     job, rate, clock.time(harm.begin_ns), clock.time(harm.end_ns), loss.lost_s,
                     doubt_of_stolen_time(names, finding));
}

std::string missed_sentence(const attribute::Finding& finding) {
  if (finding.missed_ns < 1'000'000'000) return {};
  return fmt::format(
      "Missed: the recorder got no tick for {:.1f} s of it; counters tell what happened meanwhile.",
      static_cast<double>(finding.missed_ns) / 1e9);
}

std::string compared_sentence(const attribute::Finding& finding, const text::Clock& clock) {
  if (!finding.looks_like_ns) return {};
  return fmt::format("Compared: with the run of {} {}, which this looked like.",
                     clock.with_day().time(*finding.looks_like_ns), clock.name());
}

std::string unknown_sentence(const attribute::Finding& finding) {
  if (finding.subsystem() != model::Subsystem::kUnknown) return {};
  return "Subsystem: not known, because the names of the metrics that show it do not tell.";
}

std::vector<std::string> harm_sentences(const Names& names, const attribute::Finding& finding,
                                        const text::Clock& clock) {
  std::vector<std::string> out{unknown_sentence(finding),
                               who_sentence(names, finding),
                               process_sentence(names, finding),
                               suffered_sentence(names, finding),
                               work_sentence(names, finding, clock),
                               stalled_sentence(names, finding),
                               missed_sentence(finding),
                               compared_sentence(finding, clock)};
  std::erase(out, std::string());
  return out;
}

std::string incident_sentence(const Report& report, const attribute::Finding& finding) {
  std::vector<std::string> others;
  const attribute::Finding* first = nullptr;
  std::string name;  // of the first
  for (std::size_t i = 0; i < report.findings.size(); ++i) {
    const auto& one = report.findings[i];
    if (one.incident != finding.incident || one.incident == 0) continue;
    auto known_as =
        report.is_numbered ? std::to_string(i + 1) : std::string(model::to_string(one.subsystem()));
    if (one.incident_place == 1) {
      first = &one;
      name = std::move(known_as);
    } else {
      others.push_back(std::move(known_as));
    }
  }
  if (first == nullptr || others.empty()) return {};
  const std::string_view a = report.is_numbered ? "finding" : "a finding of";
  const std::string_view several = report.is_numbered ? "findings" : "findings of";
  if (finding.incident_place == 1) {
    return fmt::format("Incident: {} {} followed, so this is the likely cause.",
                       others.size() == 1 ? a : several, fmt::join(others, ", "));
  }
  return fmt::format("Incident: it followed {} {}, which began {:.1f} s earlier.", a, name,
                     static_cast<double>(finding.begin_ns() - first->begin_ns()) / 1e9);
}

std::vector<std::string> companion_sentences(const Names& names,
                                             const attribute::Finding& finding) {
  std::vector<std::string> out;
  for (const auto& one : finding.companions) out.push_back(companion_sentence(names, one));
  return out;
}

std::string order_sentence(const attribute::Finding& finding) {
  const auto& onsets = finding.onsets;
  std::vector<std::string_view> at_first;
  std::string later;
  for (const auto& [subsystem, edge] : onsets) {
    const auto& first = onsets.front().edge;
    const auto behind_ns = edge.at_ns - first.at_ns;
    if (behind_ns <= std::max(edge.error_ns, first.error_ns)) {
      at_first.push_back(model::to_string(subsystem));
    } else {
      later += fmt::format(", {} {:.1f} s later", model::to_string(subsystem),
                           static_cast<double>(behind_ns) / 1e9);
    }
  }
  if (later.empty()) return {};
  return fmt::format("Order: {} changed first{}.", fmt::join(at_first, " and "), later);
}

}  // namespace reveal::report
