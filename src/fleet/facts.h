// Facts that are not measured: kernel, drivers, governors, sizes, limits. A host that differs in
// one from most others may be slow because of it from its first second on.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "fleet/host_levels.h"

namespace reveal::fleet {

// A fact of one host that most have otherwise.
struct FactDifference {
  std::size_t host = 0;
  std::string subject;   // "kernel release", "Swappiness"
  std::string observed;  // with its unit
  std::string usual;     // what the most hosts have
  std::size_t usual_hosts = 0;
};

struct FactComparison {
  std::size_t compared = 0;  // facts that two hosts or more have
  std::vector<FactDifference> differences;
  // Of which no two hosts have the same, or none has a majority: nobody is the outlier host.
  std::vector<std::string> scattered;
};

// Returns the facts in which hosts differ. Of two hosts, that the first has another than the
// second. Who owns which control group is not a fact of a host, and left out.
FactComparison compare_facts(std::span<const HostLevels> hosts);

}  // namespace reveal::fleet
