#include "select/co_moments.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stats/product.h"

namespace reveal::select {
namespace {

using Eigen::Index;

// Ticks taken in at once: 2,000 channels of them stay within 16 MB.
constexpr std::size_t kBlock = 1024;

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kNotMoved = ~std::size_t{0};

Index at(std::size_t place) {
  return static_cast<Index>(place);
}

void grow(Eigen::MatrixXd& matrix, Index rows, Index cols) {
  if (matrix.rows() == rows && matrix.cols() == cols) return;
  matrix.conservativeResizeLike(Eigen::MatrixXd::Zero(rows, cols));
}

// Returns the columns that the new ones came from, zeros for what came from nowhere.
Eigen::MatrixXd split_columns(const Eigen::MatrixXd& matrix,
                              const std::vector<std::size_t>& came_from) {
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(matrix.rows(), at(came_from.size()));
  for (std::size_t group = 0; group < came_from.size(); ++group) {
    if (came_from[group] != PresenceGroups::kNone)
      out.col(at(group)) = matrix.col(at(came_from[group]));
  }
  return out;
}

// Makes samples differences from the first one, 0 if missing, and sets the bits of those that are
// there. Returns whether any differs.
bool take_origin(Eigen::Ref<Eigen::VectorXd> samples, double& origin,
                 std::vector<std::uint64_t>& finite) {
  if (!std::isnan(origin) && samples.allFinite()) {
    finite.assign(finite.size(), ~std::uint64_t{0});
    if (samples.size() % 64 != 0) finite.back() >>= 64 - samples.size() % 64;
    samples.array() -= origin;
    return (samples.array() != 0).any();
  }
  bool moves = false;
  for (Index tick = 0; tick < samples.size(); ++tick) {
    const double value = samples[tick];
    const bool is_there = std::isfinite(value);
    if (is_there && std::isnan(origin)) origin = value;
    const auto bit = static_cast<std::size_t>(tick);
    if (is_there) finite[bit / 64] |= std::uint64_t{1} << (bit % 64);
    samples[tick] = is_there ? value - origin : 0.0;
    moves = moves || samples[tick] != 0;
  }
  return moves;
}

}  // namespace

void CoMoments::add(std::span<const double> row) {
  if (row.size() != channels_) {
    settle();
    channels_ = row.size();
    origin_.resize(channels_, kMissing);
    slot_.resize(channels_, kNotMoved);
  }
  pending_.insert(pending_.end(), row.begin(), row.end());
  if (pending_.size() >= kBlock * channels_) settle();
}

void CoMoments::settle() {
  if (pending_.empty()) return;
  const std::size_t ticks = pending_.size() / channels_;
  const Block block = read_pending();
  pending_.clear();
  const auto change = groups_.add(block.finite, ticks);
  take_groups(change);
  grow(sum_, at(moved_), at(groups_.count()));
  grow(squares_, at(moved_), at(groups_.count()));
  grow(products_, at(moved_), at(moved_));
  count_ += stats::gram({change.present, true});
  add_by_group(block.far, change.present);
  products_ += stats::gram({block.far, true});
}

// A few groups are not worth the packing that a product of matrices begins with.
void CoMoments::add_by_group(const Eigen::MatrixXd& far, const Eigen::MatrixXd& present) {
  constexpr Index kFew = 8;
  if (present.cols() > kFew) {
    stats::add_product({far, true}, {present}, sum_);
    stats::add_product({far.cwiseAbs2(), true}, {present}, squares_);
    return;
  }
  for (Index slot = 0; slot < far.cols(); ++slot) {
    for (Index group = 0; group < present.cols(); ++group) {
      sum_(slot, group) += far.col(slot).dot(present.col(group));
      squares_(slot, group) += far.col(slot).cwiseAbs2().dot(present.col(group));
    }
  }
}

// Pending samples lie row by row; channels are turned a few at a time, a cache line of each row.
CoMoments::Block CoMoments::read_pending() {
  constexpr std::size_t kTile = 8;
  const std::size_t ticks = pending_.size() / channels_;
  Block out;
  out.finite.resize(channels_, std::vector<std::uint64_t>((ticks + 63) / 64));
  std::vector<Eigen::VectorXd> columns(moved_);
  Eigen::MatrixXd tile(at(ticks), at(kTile));
  for (std::size_t first = 0; first < channels_; first += kTile) {
    const std::size_t last = std::min(first + kTile, channels_);
    for (std::size_t tick = 0; tick < ticks; ++tick) {
      const double* row = pending_.data() + tick * channels_;
      for (std::size_t i = first; i < last; ++i) tile(at(tick), at(i - first)) = row[i];
    }
    for (std::size_t i = first; i < last; ++i) {
      auto far = tile.col(at(i - first));
      if (!take_origin(far, origin_[i], out.finite[i])) continue;
      if (slot_[i] == kNotMoved) slot_[i] = moved_++;
      columns.resize(moved_);
      columns[slot_[i]] = far;
    }
  }
  out.far = Eigen::MatrixXd::Zero(at(ticks), at(moved_));
  for (std::size_t slot = 0; slot < moved_; ++slot) {
    if (columns[slot].size() > 0) out.far.col(at(slot)) = columns[slot];
  }
  return out;
}

void CoMoments::take_groups(const PresenceGroups::Change& change) {
  const auto& came_from = change.came_from;
  const auto before = static_cast<std::size_t>(count_.cols());
  bool same = before == came_from.size();
  for (std::size_t group = 0; same && group < before; ++group) same = came_from[group] == group;
  if (same) return;
  count_ = split_columns(split_columns(count_, came_from).transpose(), came_from);
  sum_ = split_columns(sum_, came_from);
  squares_ = split_columns(squares_, came_from);
}

bool CoMoments::is_constant(std::size_t channel) const {
  return slot_[channel] == kNotMoved;
}

double CoMoments::mean(std::size_t channel) const {
  const Index group = at(groups_.of(channel));
  return origin_[channel] + sum_(at(slot_[channel]), group) / count_(group, group);
}

double CoMoments::standard_deviation(std::size_t channel) const {
  const Index group = at(groups_.of(channel));
  const Index row = at(slot_[channel]);
  const double from_origin = sum_(row, group) / count_(group, group);
  return std::sqrt(
      std::max(squares_(row, group) / count_(group, group) - from_origin * from_origin, 0.0));
}

double CoMoments::pearson(std::size_t a, std::size_t b) const {
  const Index row_a = at(slot_[a]);
  const Index row_b = at(slot_[b]);
  const Index group_a = at(groups_.of(a));
  const Index group_b = at(groups_.of(b));
  const double count = count_(group_a, group_b);
  if (count < static_cast<double>(kMinPairs)) return 0.0;
  const double mean_a = sum_(row_a, group_b) / count;
  const double mean_b = sum_(row_b, group_a) / count;
  const double variance_a = squares_(row_a, group_b) / count - mean_a * mean_a;
  const double variance_b = squares_(row_b, group_a) / count - mean_b * mean_b;
  // What is left below this of its own squares is rounding: over the common samples the channel
  // stands still.
  constexpr double kStill = 1e-12;
  const auto stands_still = [&](double variance, Index row, Index group) {
    return !(variance > kStill * squares_(row, group) / count_(group, group));
  };
  if (stands_still(variance_a, row_a, group_a) || stands_still(variance_b, row_b, group_b))
    return 0;
  const double covariance = products_(row_a, row_b) / count - mean_a * mean_b;
  const double r = covariance / std::sqrt(variance_a * variance_b);
  return std::isfinite(r) ? std::clamp(r, -1.0, 1.0) : 0.0;
}

Eigen::MatrixXd CoMoments::correlations(std::span<const std::size_t> channels) const {
  const Index n = at(channels.size());
  Eigen::MatrixXd out = Eigen::MatrixXd::Identity(n, n);
  for (Index j = 0; j < n; ++j) {
    const std::size_t b = channels[static_cast<std::size_t>(j)];
    for (Index i = j + 1; i < n; ++i) {
      const std::size_t a = channels[static_cast<std::size_t>(i)];
      const bool moved = !is_constant(a) && !is_constant(b);
      out(i, j) = out(j, i) = moved ? pearson(a, b) : 0.0;
    }
  }
  return out;
}

}  // namespace reveal::select
