// The result of a comparison of two runs of one host, or of one job, at different times, as plain
// values from which every output is rendered. docs/compare.md documents the JSON.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "fleet/facts.h"
#include "fleet/grid.h"
#include "fleet/host_levels.h"
#include "fleet/level_change.h"
#include "fleet/matching.h"
#include "fleet/recognition.h"
#include "fleet/work_change.h"

namespace reveal::fleet {

// One of the two runs, or the part of it that is compared.
struct ComparedRun {
  std::string recording;  // its directory, as it was given
  Recorded recorded;      // of the part
  Grid grid;
};

struct BeforeAfter {
  std::array<ComparedRun, 2> runs;   // before, after
  std::vector<LevelChange> changes;  // the largest effect first
  std::vector<RecognizedPattern> patterns;
  std::vector<FactDifference> facts;  // `observed` before, `usual` after
  std::vector<WorkChange> work;       // at least one; the known ones first
  std::size_t quantities = 0;         // compared
  std::size_t constant = 0;           // of these: one and the same number in both runs
  std::size_t facts_compared = 0;
  std::vector<PartialMetric> lacking;  // metrics that one of them lacks

  bool one_host() const { return runs[0].recorded.name == runs[1].recorded.name; }
  // Returns how long both runs have in common, if they are of one host; they are then no two looks
  // at it.
  std::int64_t shared_ns() const;
};

// Returns the buckets of two runs, of one length in both. Fails with kTooLittle if one has fewer
// than its levels can be told by.
base::Result<std::array<Grid, 2>> grids_of(const std::array<Recorded, 2>& runs);

// Compares the runs. Fails with kUsage if they have nothing in common. REQUIRES: `levels` are
// theirs, before and after, and all frames have been taken.
base::Result<BeforeAfter> compare_runs(std::array<ComparedRun, 2> runs,
                                       std::span<const HostLevels> levels, const JoinedWork& work);

}  // namespace reveal::fleet
