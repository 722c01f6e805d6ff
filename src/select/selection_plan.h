// Correlation pruning (paper, section 4.1): of channels that move together, |r| > 0.5, one is kept.
// Reading and analysis get cheaper; the price is evidence, so the plan remembers which channel each
// kept one stands for, and a report can name the whole cluster.
//
// How: channels are visited by priority: rank of the metric, then the higher coefficient of
// variation (standard deviation over |mean|: unlike the variance, it does not favor channels in
// bytes), then name. A channel is kept unless it correlates with one that is kept already; then it
// joins the cluster of the one of these with the largest |r|. (One that is kept later may be
// nearer.) Greedy and not by connected groups: a chain a-b-c would lose c although no kept channel
// moves like it. So kept channels are pairwise uncorrelated, and every dropped one correlates with
// its representative.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "model/channel_table.h"
#include "select/co_moments.h"

namespace reveal::select {

inline constexpr double kDefaultThreshold = 0.5;

struct Member {
  std::string channel;  // "metric" or "metric{instance}"
  double r = 0.0;       // Pearson's r with the representative
  friend bool operator==(const Member&, const Member&) = default;
};

struct Cluster {
  std::string representative;   // kept
  std::vector<Member> members;  // dropped
  friend bool operator==(const Cluster&, const Cluster&) = default;
};

struct SelectionPlan {
  double threshold = kDefaultThreshold;  // on |r|, 0 to 1
  std::vector<Cluster> clusters;         // by priority
  std::vector<std::string> constant;     // channels that did not change, or had no sample; by name
  // Channels that vary, and were left out for another reason than their correlations; by name.
  std::vector<std::string> left_out = {};
  friend bool operator==(const SelectionPlan&, const SelectionPlan&) = default;
};

// Plans from one run, all of whose ticks `run` has settled. REQUIRES: `channels` holds at least
// run.channel_count() channels, and 0 <= threshold <= 1.
SelectionPlan plan(const CoMoments& run, const model::ChannelTable& channels,
                   double threshold = kDefaultThreshold);

// Joins the plans of several workloads: a channel kept in any of them is kept, one that is dropped
// in all joins the representative with which it had the largest |r|. The threshold is the highest.
SelectionPlan unite(std::span<const SelectionPlan> plans);

struct Selection {
  std::vector<bool> keep;   // by ChannelId
  std::size_t kept = 0;     // of which
  std::size_t unknown = 0;  // channels that the plan has never seen, all kept
};

// Applies a plan to the channels of a run. Event channels that were constant or left out are kept:
// an error that first happens after the plan was made is what it must not hide.
Selection apply(const SelectionPlan& plan, const model::ChannelTable& channels);

}  // namespace reveal::select
