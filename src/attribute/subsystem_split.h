// Two faults in a row are two findings, even if no calm window lies between them: a group of
// flagged windows is cut where stalled work moves from one subsystem to another.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "detect/verdict.h"
#include "feature/feature_matrix.h"
#include "model/metric.h"

namespace reveal::attribute {

// A run of so many windows at most does not part what is of one.
inline constexpr std::size_t kShortRun = 2;
// A subsystem with that share of the blame clearly stalls the work: no other can have as much.
inline constexpr double kClearly = 0.6;

// Returns the subsystem, storage for memory: what is short of memory swaps, and what is written
// waits in memory.
model::Subsystem family_of(model::Subsystem subsystem);

// Returns the subsystem that stalls the work of a window, if it is clearly one; nothing if none is,
// or no work is stalled.
using StalledBy = std::function<std::optional<model::Subsystem>(std::size_t row)>;

// Returns the rows as parts in time order, one if there is nothing to cut.
//   1. A run is windows on end that one subsystem stalls, or none clearly does. Those of
//      one family count as one. A window or two of another subsystem do not end a run.
//   2. A run counts if its first and last windows stalled by that subsystem share no sample, and
//      one of them raises an alarm of the detector of saturation signals. What is left of other
//      runs is part of the one before; of the first one that counts if it is before that.
//   3. Between two runs that count, the cut is where the later one begins.
std::vector<std::vector<std::size_t>> split_by_subsystem(const feature::FeatureMatrix& matrix,
                                                         const detect::DetectorVerdict& saturation,
                                                         const std::vector<std::size_t>& rows,
                                                         const StalledBy& stalled_by);

// Returns the subsystem with that share of the blame, of which memory's and storage's are one's
// together; nothing if no share reaches `least`.
std::optional<model::Subsystem> clearly_one(const std::array<double, model::kSubsystemCount>& blame,
                                            double least);

}  // namespace reveal::attribute
