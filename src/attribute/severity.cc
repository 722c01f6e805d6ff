#include "attribute/severity.h"

#include <algorithm>
#include <tuple>

#include "attribute/finding.h"
#include "attribute/harm.h"
#include "model/cgroup_instance.h"

namespace reveal::attribute {
namespace {

// Returns whether a group that waited is known to be of another job than the one whose rate is
// known.
bool is_of_another_job(const Stall& stall, const Harm& harm) {
  return !stall.group.empty() && !harm.job.empty() &&
         !model::are_of_one_line(stall.group, harm.job);
}

double known_seconds(const Severity& severity) {
  return severity.basis == SeverityBasis::kUnknown ? -1 : severity.seconds;
}

}  // namespace

Severity severity_of(const Finding& finding) {
  Severity out;
  if (finding.harm) {
    const auto& harm = *finding.harm;
    out = {harm.slow ? std::max(harm.loss.lost_s, 0.0) : 0.0, SeverityBasis::kWork};
  }
  if (!finding.stall) return out;
  const auto& stall = *finding.stall;
  if (finding.harm && !finding.harm->slow && is_unclear(finding.harm->loss)) {
    // Neither tells more than the other allows.
    const double lost_s = std::max(finding.harm->loss.lost_s, 0.0);
    out = {lost_s, SeverityBasis::kWork};
    if (stall.seconds < lost_s) out = {stall.seconds, SeverityBasis::kStall};
  }
  if (finding.harm && !is_of_another_job(stall, *finding.harm)) return out;
  if (stall.seconds > known_seconds(out)) out = {stall.seconds, SeverityBasis::kStall};
  return out;
}

std::optional<double> seconds_of(const Severity& severity) {
  if (severity.basis == SeverityBasis::kUnknown) return std::nullopt;
  return severity.seconds;
}

std::string_view word_of(std::optional<double> seconds) {
  if (!seconds) return "unknown";
  if (*seconds < kModerate_s) return "minor";
  return *seconds < kMajor_s ? "moderate" : "major";
}

bool reaches(std::optional<double> seconds, std::string_view word) {
  const double least = word == "major" ? kMajor_s : word == "moderate" ? kModerate_s : 0;
  return seconds.value_or(kModerate_s) >= least;
}

std::string_view to_string(SeverityBasis basis) {
  switch (basis) {
    case SeverityBasis::kWork:
      return "work";
    case SeverityBasis::kStall:
      return "stall";
    case SeverityBasis::kUnknown:
      break;
  }
  return "";
}

bool is_graver(const Finding& a, const Finding& b) {
  const auto order = [](const Finding& it) {
    return std::tuple(it.at_start, -known_seconds(it.severity), -static_cast<double>(it.agreement),
                      it.begin_ns());
  };
  return order(a) < order(b);
}

}  // namespace reveal::attribute
