// Severity is harm: how much work a finding cost. docs/report.md has the scale.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace reveal::attribute {

struct Finding;

// What a severity was taken from.
enum class SeverityBasis : std::uint8_t {
  kUnknown,  // neither a work rate nor the time of stalls is known
  kStall,    // the time in which work was stalled (stall_time.h)
  kWork,     // the work that a job lost (harm.h)
};

struct Severity {
  // Seconds of usual work that were lost. By stalls it is the time that tasks waited, which is at
  // least as much. 0 if nobody was harmed or nothing is known.
  double seconds = 0;
  SeverityBasis basis = SeverityBasis::kUnknown;
};

// From so many seconds on harm is more than minor, and major.
inline constexpr double kModerate_s = 1;
inline constexpr double kMajor_s = 10;

// Returns the severity of a finding whose other fields are known. What the job lost counts if its
// work rate is known. Stalls count if no rate is, or if a control group of another job waited
// longer than that. If the rate leaves open whether the job was slow, the lesser of both counts.
Severity severity_of(const Finding& finding);

// Returns the severity as reports have it, in seconds; nothing if it is not known.
std::optional<double> seconds_of(const Severity& severity);

// Returns "minor", "moderate" or "major"; "unknown" if nothing is known.
std::string_view word_of(std::optional<double> seconds);

// Returns whether a severity in seconds is at least what the word says. One that is not known
// counts as moderate: somebody should look. REQUIRES: the word is "minor", "moderate" or "major".
bool reaches(std::optional<double> seconds, std::string_view word);

// Returns "work", "stall" or "".
std::string_view to_string(SeverityBasis basis);

// Returns whether `a` comes before `b` in lists: what begins with the run last, since that is
// seldom a fault; then the gravest first, then by votes, then by time.
bool is_graver(const Finding& a, const Finding& b);

}  // namespace reveal::attribute
