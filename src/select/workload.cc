#include "select/workload.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

#include "select/greedy.h"

namespace reveal::select {
namespace {

using Eigen::Index;

Index at(std::size_t place) {
  return static_cast<Index>(place);
}

// All channels of the runs by name, with the mean of their correlations.
Correlations unordered_mean(std::span<const Correlations> runs) {
  std::map<std::string, std::int16_t> ranks;
  for (const auto& run : runs) {
    for (std::size_t i = 0; i < run.names.size(); ++i) ranks.emplace(run.names[i], run.ranks[i]);
  }
  Correlations out;
  std::map<std::string, Index> places;
  for (const auto& [name, rank] : ranks) {
    places.emplace(name, at(places.size()));
    out.names.push_back(name);
    out.ranks.push_back(rank);
  }
  const Index n = at(ranks.size());
  out.r = Eigen::MatrixXd::Zero(n, n);
  Eigen::MatrixXd count = Eigen::MatrixXd::Zero(n, n);
  for (const auto& run : runs) {
    std::vector<Index> to;
    for (const auto& name : run.names) to.push_back(places.at(name));
    out.r(to, to) += run.r;
    count(to, to).array() += 1;
  }
  out.r.array() /= count.array().max(1);
  std::set<std::string> constant;
  for (const auto& run : runs) constant.insert(run.constant.begin(), run.constant.end());
  std::ranges::copy_if(constant, std::back_inserter(out.constant),
                       [&ranks](const std::string& name) { return !ranks.contains(name); });
  return out;
}

// By channel, the population variance of its correlations with the others; single precision: what
// differs by less is a tie, decided by name.
std::vector<float> variances(const Eigen::MatrixXd& r) {
  std::vector<float> out;
  const auto others = static_cast<double>(r.rows() - 1);
  for (Index i = 0; i < r.rows(); ++i) {
    const double mean = (r.col(i).sum() - r(i, i)) / others;
    const double apart = r(i, i) - mean;
    const double squares = (r.col(i).array() - mean).square().sum() - apart * apart;
    out.push_back(others > 0 ? static_cast<float>(squares / others) : 0.0F);
  }
  return out;
}

}  // namespace

Correlations correlations_of(const CoMoments& run, const model::ChannelTable& channels) {
  Correlations out;
  std::vector<std::size_t> moving;
  for (std::size_t i = 0; i < run.channel_count(); ++i) {
    const model::ChannelId id(i);
    if (run.is_constant(i)) {
      out.constant.push_back(channels.name(id));
      continue;
    }
    moving.push_back(i);
    out.names.push_back(channels.name(id));
    out.ranks.push_back(channels.metric(id).rank);
  }
  std::ranges::sort(out.constant);
  out.r = run.correlations(moving);
  return out;
}

Correlations without(const Correlations& run, const std::set<std::string>& names) {
  Correlations out;
  std::vector<Index> left;
  for (std::size_t i = 0; i < run.names.size(); ++i) {
    if (names.contains(run.names[i])) continue;
    left.push_back(static_cast<Index>(i));
    out.names.push_back(run.names[i]);
    out.ranks.push_back(run.ranks[i]);
  }
  out.r = run.r(left, left);
  std::ranges::copy_if(run.constant, std::back_inserter(out.constant),
                       [&](const std::string& name) { return !names.contains(name); });
  return out;
}

Correlations mean_correlations(std::span<const Correlations> runs) {
  auto mean = unordered_mean(runs);
  const auto variance = variances(mean.r);
  std::vector<Index> order(mean.names.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](Index i) {
    const auto place = static_cast<std::size_t>(i);
    return std::tuple(mean.ranks[place], -variance[place]);
  });
  Correlations out;
  for (const auto i : order) {
    out.names.push_back(mean.names[static_cast<std::size_t>(i)]);
    out.ranks.push_back(mean.ranks[static_cast<std::size_t>(i)]);
  }
  out.r = mean.r(order, order);
  out.constant = std::move(mean.constant);
  return out;
}

SelectionPlan plan(const Correlations& by_priority, double threshold) {
  SelectionPlan out;
  out.threshold = threshold;
  out.clusters = clusters(by_priority.names, by_priority.r, threshold);
  out.constant = by_priority.constant;
  return out;
}

}  // namespace reveal::select
