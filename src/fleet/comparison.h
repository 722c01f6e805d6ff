// The result of a comparison of hosts, as plain values from which every output is rendered.
// docs/compare.md documents the JSON.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fleet/alike.h"
#include "fleet/difference.h"
#include "fleet/facts.h"
#include "fleet/grid.h"
#include "fleet/host_levels.h"
#include "fleet/matching.h"
#include "fleet/recognition.h"

namespace reveal::fleet {

struct HostResult {
  Recorded recorded;
  // By subsystem, that with the farthest difference first, and in it the farthest first.
  std::vector<Difference> differences;
  std::vector<FactDifference> facts;
  std::vector<RecognizedPattern> patterns;
  // Lasting differences count one each and a little more by size, known patterns four, what passes
  // a quarter of that.
  double score = 0;
};

struct Comparison {
  Grid grid;
  std::vector<HostResult> hosts;            // as they were given
  std::vector<std::size_t> ranking;         // the one that differs most first
  std::optional<std::size_t> outlier_host;  // the one host that differs; nobody of two
  std::size_t quantities = 0;               // compared
  std::size_t constant = 0;                 // of these: one and the same number everywhere
  std::vector<PartialMetric> lacking;       // metrics that some hosts lack
  std::size_t facts_compared = 0;
  std::vector<std::string> scattered_facts;
  std::vector<AlikeErrors> alike;
};

// Compares hosts. REQUIRES: `recorded` and `hosts` are in the same order, two or more, and all
// frames have been taken on `grid`.
Comparison compare(const Grid& grid, std::span<const Recorded> recorded,
                   std::span<const HostLevels> hosts);

}  // namespace reveal::fleet
