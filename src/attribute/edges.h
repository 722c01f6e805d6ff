// When a finding began and ended, as closely as samples tell. Windows say that something happened;
// they are seconds long, and a window's edge is where they begin to notice it.
//
// Method: on each channel that says what happened (the claim's, those of the strongest evidence,
// the culprit's) the samples around the finding's windows are fitted by two levels, least squares,
// with the stretch of the higher one free (stats/step_fit.h). Channels whose samples two levels do
// not explain say nothing. The edge is the median over those that agree: most of them, by weight,
// within half a second. If they do not agree, or none says anything, the window's edge stays.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "attribute/finding.h"
#include "model/channel_table.h"
#include "window/tick_history.h"

namespace reveal::attribute {

// Returns whether samples of that metric tell when something happened: saturation signals, what
// control groups use, and the host's, its disks' and its networks' main activities. What the kernel
// or a driver smooths over seconds is left out.
bool tells_edges(const model::MetricDescriptor& metric);

// Sets the finding's edges and onsets by samples, or removes them. Each subsystem with a twentieth
// of the blame has an onset of its own, by its channels alone, if these agree; its edge is the
// subsystem's that is to blame. REQUIRES: its windows, evidence, telling
// and culprit are set.
void refine_edges(const model::ChannelTable& channels, const window::TickHistory& ticks,
                  Finding& finding);

// Removes edges by which a finding would reach into the next one of its subsystem: what goes on in
// both parts neither. REQUIRES: findings are in order of time.
void part_edges(std::vector<Finding>& findings);

// One channel's answer: where a stretch at a higher level lies.
struct EdgeWitness {
  std::optional<std::int64_t> begin_ns;  // nothing: not seen within the samples
  std::optional<std::int64_t> end_ns;
  double weight = 0;           // share of the variance that the two levels explain
  std::int64_t period_ns = 0;  // time from one sample to the next
};

// Returns what the samples of one channel say. `falls`: the stretch is at a lower level. Nothing if
// two levels explain little of them.
std::optional<EdgeWitness> witness_of(const std::vector<window::TickSample>& samples, bool falls);

// Returns the median of the witnesses' answers that agree; `ends`: about the end.
std::optional<Edge> agreed_edge(const std::vector<EdgeWitness>& witnesses, bool ends);

}  // namespace reveal::attribute
