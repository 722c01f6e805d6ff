#include "fleet/difference.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>
#include <tuple>
#include <utility>

#include "fleet/spread.h"
#include "stats/quantile.h"

namespace reveal::fleet {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
// Of a normal number's size: the quantile 0.95 is so many deviations.
constexpr double kTail = 0.95;
constexpr double kTailOfNormal = 1.96;
// Two hosts do not tell how far alike hosts lie from one another.
constexpr double kForTwo = 3;

using Series = std::vector<double>;
using ByHost = std::vector<Series>;

double median_of(Series values) {
  return values.empty() ? kNan : stats::median(std::move(values));
}

Series finite(const Series& values) {
  Series out;
  out.reserve(values.size());
  std::copy_if(values.begin(), values.end(), std::back_inserter(out),
               [](double v) { return std::isfinite(v); });
  return out;
}

// Returns the means over windows of buckets; NaN if more than one bucket is missing.
Series windows_of(std::span<const float> levels, const Grid& grid) {
  Series out(grid.windows(), kNan);
  if (levels.empty()) return out;
  for (std::size_t w = 0; w < out.size(); ++w) {
    double sum = 0;
    std::size_t count = 0;
    for (std::size_t i = w; i < w + kBucketsInWindow; ++i) {
      if (std::isnan(levels[i])) continue;
      sum += levels[i];
      ++count;
    }
    if (count + 1 >= kBucketsInWindow) out[w] = sum / static_cast<double>(count);
  }
  return out;
}

// How hosts lie to the median of all.
struct Usual {
  ByHost residuals;  // by host: distances in windows, less its offset
  Series offsets;    // by host: median distance; NaN where it has none
};

// One quantity of all hosts, by window, and what the peers of each host say.
class Field {
 public:
  Field(const ComparedQuantity& compared, const Grid& grid)
      : compared_(compared), grid_(grid), hosts_(compared.levels.size()) {
    for (const auto& levels : compared.levels) levels_.push_back(windows_of(levels, grid));
  }

  std::size_t hosts() const { return hosts_; }
  const Series& levels(std::size_t host) const { return levels_[host]; }
  std::size_t least_peers() const { return hosts_ == 2 ? 1 : 2; }
  const Quantity& quantity() const { return compared_.quantity; }
  const Grid& grid() const { return grid_; }
  std::span<const float> buckets(std::size_t host) const { return compared_.levels[host]; }
  // Returns how many windows more must be beyond the limit than within it.
  int fewest_beyond() const {
    const double seldom = std::ceil(kFewestReadings * compared_.buckets_a_reading);
    return compared_.buckets_a_reading > kReadOften
               ? std::max(kFewestBeyond, static_cast<int>(seldom))
               : kFewestBeyond;
  }
  bool has(std::size_t host) const { return !compared_.levels[host].empty(); }

  bool is_constant() const {
    std::optional<float> first;
    for (const auto& levels : compared_.levels) {
      for (const float level : levels) {
        if (std::isnan(level)) continue;
        if (!first) first = level;
        if (level != *first) return false;
      }
    }
    return true;
  }

  // Returns, by window, the median of the hosts but one; NaN if there are too few.
  Series peers_of(std::size_t host) const { return medians(host, least_peers()); }

  // Returns how hosts usually lie to the median of all; as shares of it if `relative`.
  Usual usual(bool relative) const {
    const Series middle = medians(hosts_, 2);
    Usual out{ByHost(hosts_), Series(hosts_, kNan)};
    for (std::size_t host = 0; host < hosts_; ++host) {
      Series distances(middle.size());
      for (std::size_t w = 0; w < middle.size(); ++w) {
        const double distance = levels_[host][w] - middle[w];
        distances[w] = relative ? distance / std::abs(middle[w]) : distance;
      }
      distances = finite(distances);
      if (distances.empty()) continue;
      out.offsets[host] = stats::median(distances);
      for (double& distance : distances) distance -= out.offsets[host];
      out.residuals[host] = std::move(distances);
    }
    return out;
  }

 private:
  Series medians(std::size_t but, std::size_t least) const {
    Series out(grid_.windows(), kNan);
    Series values;
    for (std::size_t w = 0; w < out.size(); ++w) {
      values.clear();
      for (std::size_t host = 0; host < hosts_; ++host) {
        if (host != but && std::isfinite(levels_[host][w])) values.push_back(levels_[host][w]);
      }
      if (values.size() >= least) out[w] = stats::median(values);
    }
    return out;
  }

  const ComparedQuantity& compared_;
  const Grid& grid_;
  std::size_t hosts_;
  ByHost levels_;
};

// Returns how much peers vary in time: the larger of two robust spreads, for what is mostly still
// has a median deviation of nothing.
double spread_in_time(const ByHost& residuals, std::size_t but) {
  Series sizes;
  for (std::size_t host = 0; host < residuals.size(); ++host) {
    if (host == but) continue;
    for (const double residual : residuals[host]) sizes.push_back(std::abs(residual));
  }
  if (sizes.empty()) return 0;
  std::sort(sizes.begin(), sizes.end());
  const double spread = std::max(stats::kDeviationOfMad * stats::median_of_sorted(sizes),
                                 stats::quantile(sizes, kTail) / kTailOfNormal);
  // Both of two hosts lie half their difference from the median.
  return residuals.size() == 2 ? 2 * spread : spread;
}

// A stretch of windows, the last one included.
struct Stretch {
  std::size_t first = 0;
  std::size_t last = 0;
  int excess = 0;  // windows beyond the limit less those within
};

// Returns the stretch with the greatest excess of `side`.
Stretch longest(const std::vector<int>& sides, int side) {
  Stretch best;
  Stretch open;
  for (std::size_t w = 0; w < sides.size(); ++w) {
    if (open.excess <= 0) open = {w, w, 0};
    open.excess += sides[w] == side ? 1 : -1;
    open.last = w;
    if (open.excess > best.excess) best = open;
  }
  return best;
}

// One host against its peers.
class Against {
 public:
  Against(const Field& field, std::size_t host, const Usual& plain, const Usual& relative,
          const Surroundings& around)
      : field_(field), peers_(field.peers_of(host)) {
    out_.host = host;
    out_.quantity = field.quantity();
    set_limit(plain, relative, around);
  }

  std::optional<Difference> difference() {
    if (!std::isfinite(limit_)) return std::nullopt;
    const auto sides = sides_of();
    const Stretch above = longest(sides, 1);
    const Stretch below = longest(sides, -1);
    const int side = above.excess >= below.excess ? 1 : -1;
    const Stretch stretch = side > 0 ? above : below;
    if (stretch.excess < field_.fewest_beyond()) return std::nullopt;
    measure(sides, side, stretch);
    place(stretch);
    return out_;
  }

 private:
  double level(std::size_t w) const { return field_.levels(out_.host)[w]; }

  Series others(const Series& offsets) const {
    Series out = offsets;
    out.erase(out.begin() + static_cast<std::ptrdiff_t>(out_.host));
    return finite(out);
  }

  void set_limit(const Usual& plain, const Usual& relative, const Surroundings& around) {
    const Series offsets = others(plain.offsets);
    const double usual = median_of(finite(peers_));
    limit_ = kNan;
    if (offsets.size() < field_.least_peers() || !std::isfinite(usual)) return;
    set_peers(offsets.size());
    out_.between_peers = peer_spread(offsets).limit;
    out_.in_time = kLimit * spread_in_time(plain.residuals, out_.host);
    out_.resolution = kLimit * resolution(field_.quantity(), usual, around) *
                      (field_.hosts() == 2 ? kForTwo : 1.0);
    limit_ = std::max(out_.between_peers + out_.in_time, out_.resolution);
    const Series shares = others(relative.offsets);
    if (shares.size() < field_.least_peers()) return;
    between_share_ = peer_spread(shares).limit;
    in_time_share_ = kLimit * spread_in_time(relative.residuals, out_.host);
  }

  void set_peers(std::size_t count) {
    Series medians;
    for (std::size_t host = 0; host < field_.hosts(); ++host) {
      if (host != out_.host) medians.push_back(median_of(finite(field_.levels(host))));
    }
    medians = finite(medians);
    out_.peer_count = count;
    out_.peers_low = *std::min_element(medians.begin(), medians.end());
    out_.peers_high = *std::max_element(medians.begin(), medians.end());
  }

  // What differs by a share of its level differs by more if that is high.
  double limit_at(std::size_t w) const {
    return std::max(limit_, (between_share_ + in_time_share_) * std::abs(peers_[w]));
  }

  std::vector<int> sides_of() const {
    std::vector<int> out(peers_.size(), 0);
    for (std::size_t w = 0; w < out.size(); ++w) {
      const double deviation = level(w) - peers_[w];
      const double limit = limit_at(w);
      out[w] = deviation > limit ? 1 : deviation < -limit ? -1 : 0;
    }
    return out;
  }

  // The levels are those of one window, so that they belong together: that of the median deviation.
  void measure(const std::vector<int>& sides, int side, const Stretch& stretch) {
    std::vector<std::size_t> told;
    std::size_t beyond = 0;
    std::size_t compared = 0;
    for (std::size_t w = 0; w < sides.size(); ++w) {
      if (std::isfinite(level(w) - peers_[w])) ++compared;
      if (sides[w] != side) continue;
      ++beyond;
      if (stretch.first <= w && w <= stretch.last) told.push_back(w);
    }
    const auto middle = told.begin() + static_cast<std::ptrdiff_t>((told.size() - 1) / 2);
    std::nth_element(told.begin(), middle, told.end(), [&](std::size_t a, std::size_t b) {
      return std::pair(level(a) - peers_[a], a) < std::pair(level(b) - peers_[b], b);
    });
    out_.observed = level(*middle);
    out_.peers = peers_[*middle];
    out_.limit = limit_at(*middle);
    out_.between_peers = std::max(out_.between_peers, between_share_ * std::abs(out_.peers));
    out_.in_time = std::max(out_.in_time, in_time_share_ * std::abs(out_.peers));
    out_.share = static_cast<double>(beyond) / static_cast<double>(compared);
  }

  // The first window beyond the limit reaches into the stretch by any part of its length; the first
  // bucket that is nearer to the stretch's level than to the peers' says when it began.
  void place(const Stretch& stretch) {
    const auto buckets = field_.buckets(out_.host);
    const auto is_in = [&](std::size_t bucket) {
      const std::size_t w = std::min(bucket, peers_.size() - 1);
      const double part = (buckets[bucket] - peers_[w]) / (out_.observed - out_.peers);
      return part > 0.5;  // false for NaN
    };
    std::size_t first = stretch.first;
    while (first + 1 < stretch.first + kBucketsInWindow && !is_in(first)) ++first;
    std::size_t last = stretch.last + kBucketsInWindow - 1;
    while (last > stretch.last && !is_in(last)) --last;
    out_.from_begin = stretch.first == 0;
    out_.to_end = stretch.last + 1 == peers_.size();
    const auto& grid = field_.grid();
    out_.since_ns = out_.from_begin ? grid.begin_ns : grid.at(first);
    out_.until_ns = out_.to_end ? grid.end_ns() : grid.at(last + 1);
    const std::size_t windows = stretch.last + 1 - stretch.first;
    out_.lasting = out_.share >= kLastingShare || (out_.to_end && windows >= kLastingWindows);
  }

  const Field& field_;
  Series peers_;
  double limit_ = kNan;       // the least in any window
  double between_share_ = 0;  // of the peers' median
  double in_time_share_ = 0;
  Difference out_;
};

// Returns how many events the host counted.
double total_of(std::span<const float> buckets, const Grid& grid) {
  double out = 0;
  for (const float level : buckets) {
    if (!std::isnan(level)) out += level;
  }
  return std::round(out * static_cast<double>(grid.bucket_ns) * 1e-9);
}

// Compares what was counted over the whole time. REQUIRES: the quantity is of events.
std::optional<Difference> total_difference(const Field& field, std::size_t host) {
  Series peers;
  for (std::size_t other = 0; other < field.hosts(); ++other) {
    if (other == host || !field.has(other)) continue;
    peers.push_back(total_of(field.buckets(other), field.grid()));
  }
  if (peers.size() < field.least_peers() || !field.has(host)) return std::nullopt;
  const auto spread = peer_spread(peers);
  Difference out;
  out.host = host;
  out.quantity = field.quantity();
  out.is_total = true;
  out.observed = total_of(field.buckets(host), field.grid());
  out.peers = spread.median;
  std::tie(out.peers_low, out.peers_high) = std::pair(
      *std::min_element(peers.begin(), peers.end()), *std::max_element(peers.begin(), peers.end()));
  out.peer_count = peers.size();
  out.between_peers = spread.limit;
  // Counts of independent events vary by their root.
  out.resolution = std::max(kFewestEvents - 0.5, kLimit * std::sqrt(out.peers_high)) *
                   (field.hosts() == 2 && out.peers_high > 0 ? kForTwo : 1.0);
  out.limit = std::max(out.between_peers, out.resolution);
  if (out.observed - out.peers <= out.limit) return std::nullopt;
  const auto buckets = field.buckets(host);
  const auto is_there = [](float level) { return level > 0; };
  const auto first = std::find_if(buckets.begin(), buckets.end(), is_there) - buckets.begin();
  const auto behind = buckets.rend() - std::find_if(buckets.rbegin(), buckets.rend(), is_there);
  out.since_ns = field.grid().at(static_cast<std::size_t>(first));
  out.until_ns = field.grid().at(static_cast<std::size_t>(behind));
  out.from_begin = first == 0;
  out.to_end = static_cast<std::size_t>(behind) == field.grid().buckets;
  out.share = static_cast<double>(behind - first) / static_cast<double>(field.grid().buckets);
  out.lasting = out.share >= kLastingShare;
  return out;
}

}  // namespace

double Difference::distance() const {
  return std::abs(observed - peers) / limit;
}

Judgment judge(const ComparedQuantity& compared, const Grid& grid, const Surroundings& around) {
  Judgment out;
  const Field field(compared, grid);
  out.moved = !field.is_constant();
  if (!out.moved) return out;
  const Usual plain = field.usual(false);
  const Usual relative = field.usual(true);
  for (std::size_t host = 0; host < field.hosts(); ++host) {
    if (!field.has(host)) continue;
    auto found = Against(field, host, plain, relative, around).difference();
    if (!found && field.quantity().kind == model::Kind::kEvent) {
      found = total_difference(field, host);
    }
    if (!found) continue;
    const bool is_lower_of_two = field.hosts() == 2 && found->observed < found->peers;
    if (!is_lower_of_two) out.differences.push_back(std::move(*found));
  }
  return out;
}

}  // namespace reveal::fleet
