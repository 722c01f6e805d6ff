#include "select/selection_plan.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string_view>
#include <tuple>

#include "select/greedy.h"

namespace reveal::select {
namespace {

struct Candidate {
  std::size_t channel;
  std::string name;
  std::int16_t rank;
  float variation;  // single precision: what differs by less is a tie, decided by name
};

float variation_of(const CoMoments& run, std::size_t channel) {
  const double mean = run.mean(channel);
  if (mean == 0.0) return std::numeric_limits<float>::infinity();
  return static_cast<float>(run.standard_deviation(channel) / std::abs(mean));
}

bool before(const Candidate& a, const Candidate& b) {
  return std::tie(a.rank, b.variation, a.name) < std::tie(b.rank, a.variation, b.name);
}

struct Attachment {
  std::string representative;
  double r;
};

// Returns every dropped channel's closest representative over all plans, first come on a tie.
std::map<std::string, Attachment> attachments(std::span<const SelectionPlan> plans,
                                              const std::set<std::string>& kept) {
  std::map<std::string, Attachment> out;
  for (const auto& plan : plans) {
    for (const auto& cluster : plan.clusters) {
      for (const auto& member : cluster.members) {
        if (kept.contains(member.channel)) continue;
        const auto [it, added] =
            out.try_emplace(member.channel, Attachment{cluster.representative, member.r});
        if (!added && std::abs(member.r) > std::abs(it->second.r)) {
          it->second = {cluster.representative, member.r};
        }
      }
    }
  }
  return out;
}

}  // namespace

SelectionPlan plan(const CoMoments& run, const model::ChannelTable& channels, double threshold) {
  SelectionPlan out;
  out.threshold = threshold;
  std::vector<Candidate> candidates;
  for (std::size_t i = 0; i < run.channel_count(); ++i) {
    const model::ChannelId id(i);
    if (run.is_constant(i)) {
      out.constant.push_back(channels.name(id));
    } else {
      candidates.push_back({i, channels.name(id), channels.metric(id).rank, variation_of(run, i)});
    }
  }
  std::ranges::sort(out.constant);
  std::ranges::sort(candidates, before);

  // Most channels of a host never move; only the others are worth a row of the matrix.
  std::vector<std::size_t> moving;
  moving.reserve(candidates.size());
  for (const Candidate& candidate : candidates) moving.push_back(candidate.channel);
  std::vector<std::string> names;
  names.reserve(candidates.size());
  for (const Candidate& candidate : candidates) names.push_back(candidate.name);
  out.clusters = clusters(names, run.correlations(moving), threshold);
  return out;
}

SelectionPlan unite(std::span<const SelectionPlan> plans) {
  SelectionPlan out;
  if (!plans.empty()) out.threshold = plans.front().threshold;
  std::set<std::string> kept;
  std::map<std::string, std::size_t> cluster_of;
  for (const auto& plan : plans) {
    out.threshold = std::max(out.threshold, plan.threshold);
    for (const auto& cluster : plan.clusters) {
      if (!kept.insert(cluster.representative).second) continue;
      cluster_of.emplace(cluster.representative, out.clusters.size());
      out.clusters.push_back({cluster.representative, {}});
    }
  }
  const auto attached = attachments(plans, kept);
  for (const auto& [channel, to] : attached) {
    out.clusters[cluster_of.at(to.representative)].members.push_back({channel, to.r});
  }
  std::set<std::string> constant;
  for (const auto& plan : plans) constant.insert(plan.constant.begin(), plan.constant.end());
  for (const auto& channel : constant) {
    if (!kept.contains(channel) && !attached.contains(channel)) out.constant.push_back(channel);
  }
  return out;
}

Selection apply(const SelectionPlan& plan, const model::ChannelTable& channels) {
  enum class Fate { kKept, kDropped, kConstant };
  std::map<std::string_view, Fate> fates;
  for (const auto& cluster : plan.clusters) {
    fates.emplace(cluster.representative, Fate::kKept);
    for (const auto& member : cluster.members) fates.emplace(member.channel, Fate::kDropped);
  }
  for (const auto& channel : plan.constant) fates.emplace(channel, Fate::kConstant);
  for (const auto& channel : plan.left_out) fates.emplace(channel, Fate::kConstant);

  Selection out;
  for (std::size_t i = 0; i < channels.channel_count(); ++i) {
    const model::ChannelId id(i);
    const auto it = fates.find(channels.name(id));
    if (it == fates.end()) ++out.unknown;
    const bool event = channels.metric(id).kind == model::Kind::kEvent;
    const bool keep =
        it == fates.end() || it->second == Fate::kKept || (it->second == Fate::kConstant && event);
    out.keep.push_back(keep);
    if (keep) ++out.kept;
  }
  return out;
}

}  // namespace reveal::select
