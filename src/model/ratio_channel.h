// A channel that is computed from the rates of others. Over a stretch of time its value follows
// from theirs in it, because a ratio over a time is the ratio of sums, not the mean of the ratios
// of its ticks: ten retransmits of a thousand segments and none of ten are 1 %, not 0.5 %.
#pragma once

#include <span>
#include <vector>

#include "model/metric.h"

namespace reveal::model {

struct RatioChannel {
  ChannelId output;
  std::vector<ChannelId> inputs;  // counters and events, each before the output
  // Takes the inputs' rates per second, in their order. NaN if it is undefined, as without one that
  // must be known.
  double (*compute)(std::span<const double> rates) = nullptr;
  bool takes_unknown = false;  // whether rates that are not known (NaN) are passed
};

}  // namespace reveal::model
