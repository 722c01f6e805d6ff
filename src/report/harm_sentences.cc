#include "report/harm_sentences.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "attribute/processes.h"
#include "report/group_name.h"

namespace reveal::report {
namespace {

std::string group_sentence(const Names& names, std::string_view word,
                           const std::optional<attribute::GroupLevel>& level, std::int64_t end_ns) {
  if (!level) return {};
  return fmt::format("{}: {} {}.", word, group_name(names, level->channel, end_ns),
                     attribute::phrase_of(names.channels, *level));
}

}  // namespace

std::string who_sentence(const Names& names, const attribute::Finding& finding) {
  return group_sentence(names, "Who", finding.culprit, finding.end_ns());
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
  return group_sentence(names, "Suffered", finding.sufferer, finding.end_ns());
}

std::string stalled_sentence(const Names& names, const attribute::Finding& finding) {
  if (finding.severity.basis != attribute::SeverityBasis::kStall || !finding.stall) return {};
  const auto& stall = *finding.stall;
  const auto& metric = names.channels.metric(stall.channel);
  const auto whose =
      stall.group.empty() ? "" : " of " + group_name(names, stall.channel, finding.end_ns());
  return fmt::format("Stalled: {:.1f} s ({}{}).", stall.seconds, metric.label, whose);
}

std::string work_sentence(const Names& names, const attribute::Finding& finding,
                          const text::Clock& clock) {
  if (!finding.harm) return {};
  const auto& harm = *finding.harm;
  const auto& loss = harm.loss;
  const auto job =
      harm.job.empty() ? std::string("the job") : group_name(names, harm.job, harm.end_ns);
  const double error = std::max(std::ceil(loss.mean_error * 100), 1.0);
  const auto rate = fmt::format("{:.0f} % (± {:.0f})", loss.mean_rate * 100, error);
  if (!harm.slow) return fmt::format("Work: {} kept its usual rate: {}.", job, rate);
  return fmt::format("Work: {} ran at {} of its usual rate from {} to {}: {:.1f} s of work lost.",
                     job, rate, clock.time(harm.begin_ns), clock.time(harm.end_ns), loss.lost_s);
}

std::vector<std::string> harm_sentences(const Names& names, const attribute::Finding& finding,
                                        const text::Clock& clock) {
  std::vector<std::string> out{who_sentence(names, finding), process_sentence(names, finding),
                               suffered_sentence(names, finding),
                               work_sentence(names, finding, clock),
                               stalled_sentence(names, finding)};
  std::erase(out, std::string());
  return out;
}

}  // namespace reveal::report
