// What the anomalous windows of runs are blamed on: the evidence of a report, one entry a time.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "model/metric.h"
#include "report/report.h"
#include "study/analyzed.h"
#include "study/study.h"

namespace reveal::study {

// One detector's evidence in one window.
struct Blame {
  std::size_t run = 0;  // its place among the recordings
  std::uint64_t window = 0;
  Stretch stretch;  // of the window
  std::string channel;
  std::string metric;
  model::Subsystem subsystem = model::Subsystem::kCpu;
  std::string feature;
  std::string detector;
  double contribution = 0;  // 0 to 1
};

// Returns the evidence of all windows of findings, changes and findings of low confidence, each
// once, in the order of time. Analyzes the recordings, of which it adds what `out` has of them.
base::Result<std::vector<Blame>> blames_of(const Request& request, Result& out);

// Entries that have something in common.
struct BlameGroup {
  std::string name;
  model::Subsystem subsystem = model::Subsystem::kCpu;  // of the first one
  std::size_t count = 0;
  double contribution = 0;                                    // sum
  std::set<std::pair<std::size_t, std::uint64_t>> windows{};  // run and window
  double seconds = 0;                                         // that these windows cover
};

// Returns the groups of entries with the same name, those with the most entries first.
std::vector<BlameGroup> grouped(std::span<const Blame> all,
                                const std::function<std::string(const Blame&)>& name);

}  // namespace reveal::study
