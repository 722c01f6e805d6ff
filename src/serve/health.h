// The verdict of `reveal health`, from the agent's status. A pure function: the same status and age
// give the same line.
//
// The codes are those of Nagios' plugins, which most monitors take; the line has their form, with
// numbers after a bar. Source: https://nagios-plugins.org/doc/guidelines.html
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "serve/status_json.h"

namespace reveal::serve {

// Also the exit status.
enum class Health : std::uint8_t {
  kOk = 0,
  kWarning = 1,   // a finding is open, or the agent learns or is degraded
  kCritical = 2,  // an open finding is major
  kUnknown = 3,   // no agent, an answer that is none, or no tick for too long
};

// Returns "OK", "WARNING", "CRITICAL" or "UNKNOWN".
std::string_view to_string(Health health);

struct HealthVerdict {
  Health health = Health::kUnknown;
  std::string line = {};  // "REVEAL WARNING - 1 open finding: ... | open_findings=1;..."
  // For Slurm's HealthCheckProgram: the reason for which an administrator may drain the node, which
  // begins with [node_problem]. Empty unless a finding is open: that Reveal does not run or does
  // not know yet is no fault of the node.
  std::string slurm = {};
};

// Judges the answer of /api/v1/status, or why there is none. A recorder that has not ticked for
// `max_age` is not known to be well.
HealthVerdict judge_health(const base::Result<std::string>& status,
                           std::chrono::nanoseconds max_age = kMostTickAge);

// Returns what stands in the status's place if there is none, in JSON: {"error": LINE}.
std::string health_json(const HealthVerdict& verdict);

}  // namespace reveal::serve
