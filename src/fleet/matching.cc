#include "fleet/matching.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace reveal::fleet {
namespace {

constexpr float kNone = std::numeric_limits<float>::quiet_NaN();

// The series of one metric: by host, then by key.
using SeriesOfMetric = std::vector<std::map<std::string, const LevelSeries*>>;

// In the order in which the metrics appear, the hosts one after the other.
std::vector<std::pair<std::string, SeriesOfMetric>> by_metric(std::span<const HostLevels> hosts) {
  std::vector<std::pair<std::string, SeriesOfMetric>> out;
  std::map<std::string, std::size_t> place;
  for (std::size_t host = 0; host < hosts.size(); ++host) {
    for (const auto& series : hosts[host].series()) {
      if (series.levels.empty()) continue;
      const auto [it, is_new] = place.emplace(series.quantity.metric, out.size());
      if (is_new) out.emplace_back(series.quantity.metric, SeriesOfMetric(hosts.size()));
      out[it->second].second[host].emplace(series.quantity.key(), &series);
    }
  }
  return out;
}

std::size_t hosts_with(const SeriesOfMetric& series) {
  return static_cast<std::size_t>(
      std::count_if(series.begin(), series.end(), [](const auto& host) { return !host.empty(); }));
}

// Returns the keys of all hosts that have the metric.
std::vector<std::string> shared_keys(const SeriesOfMetric& series) {
  std::vector<std::string> out;
  const auto first =
      std::find_if(series.begin(), series.end(), [](const auto& host) { return !host.empty(); });
  for (const auto& of_key : *first) {
    const std::string& key = of_key.first;
    const bool everywhere = std::all_of(series.begin(), series.end(), [&](const auto& host) {
      return host.empty() || host.contains(key);
    });
    if (everywhere) out.push_back(key);
  }
  return out;
}

ComparedQuantity of_key(const SeriesOfMetric& series, const std::string& key) {
  ComparedQuantity out;
  for (const auto& host : series) {
    const auto it = host.find(key);
    if (it == host.end()) {
      out.levels.emplace_back();
      continue;
    }
    out.quantity = it->second->quantity;
    out.buckets_a_reading = std::max(out.buckets_a_reading, it->second->buckets_a_reading());
    out.levels.emplace_back(it->second->levels);
  }
  return out;
}

// Adds up the buckets, leaving out what is not there.
class Folding {
 public:
  void add(const std::vector<float>& levels) {
    sums_.resize(levels.size(), 0.0);
    counts_.resize(levels.size(), 0);
    for (std::size_t i = 0; i < levels.size(); ++i) {
      if (std::isnan(levels[i])) continue;
      sums_[i] += levels[i];
      ++counts_[i];
    }
  }
  std::vector<float> folded(Fold fold) const {
    std::vector<float> out(sums_.size(), kNone);
    for (std::size_t i = 0; i < out.size(); ++i) {
      if (counts_[i] == 0) continue;
      const double divisor = fold == Fold::kMean ? counts_[i] : 1.0;
      out[i] = static_cast<float>(sums_[i] / divisor);
    }
    return out;
  }

 private:
  std::vector<double> sums_;
  std::vector<std::uint32_t> counts_;
};

// What hosts have of the metric besides the shared keys, folded; `storage` holds the levels.
ComparedQuantity of_rest(const SeriesOfMetric& series, const std::vector<std::string>& shared,
                         std::vector<std::vector<float>>& storage) {
  ComparedQuantity out;
  storage.assign(series.size(), {});
  for (std::size_t host = 0; host < series.size(); ++host) {
    Folding folding;
    for (const auto& [key, one] : series[host]) {
      if (std::find(shared.begin(), shared.end(), key) != shared.end()) continue;
      if (one->quantity.fold != Fold::kNone) continue;
      out.quantity = folded(one->quantity);
      out.buckets_a_reading = std::max(out.buckets_a_reading, one->buckets_a_reading());
      folding.add(one->levels);
    }
    storage[host] = folding.folded(out.quantity.fold);
  }
  for (const auto& levels : storage) out.levels.emplace_back(levels);
  return out;
}

std::size_t hosts_in(const ComparedQuantity& compared) {
  return static_cast<std::size_t>(
      std::count_if(compared.levels.begin(), compared.levels.end(),
                    [](const auto& levels) { return !levels.empty(); }));
}

}  // namespace

MatchResult for_each_compared(std::span<const HostLevels> hosts, std::size_t least,
                              const std::function<void(const ComparedQuantity&)>& visit) {
  MatchResult out;
  std::vector<std::vector<float>> storage;
  for (const auto& [metric, series] : by_metric(hosts)) {
    if (hosts_with(series) < hosts.size()) {
      PartialMetric lacking{metric, {}};
      for (const auto& host : series) lacking.has.push_back(!host.empty());
      out.lacking.push_back(std::move(lacking));
    }
    const auto shared = shared_keys(series);
    for (const auto& key : shared) {
      const auto compared = of_key(series, key);
      if (hosts_in(compared) < least) continue;
      visit(compared);
      ++out.compared;
    }
    const auto rest = of_rest(series, shared, storage);
    if (hosts_in(rest) < least) continue;
    visit(rest);
    ++out.compared;
  }
  return out;
}

}  // namespace reveal::fleet
