// How channels move, alone and together: the sums that means, deviations and Pearson's correlation
// of every pair are made of, kept while ticks come and no tick is kept.
//
// Missing samples (NaN or infinite) leave a pair, not the whole tick: a channel that is read every
// second is compared with one that is read every 100 ms at the ticks where both were read. So a
// channel's sums are kept for each group of others (select/presence_groups.h). Samples enter as
// differences from the channel's first one, which are exact between near numbers and zero while it
// stands still; a channel costs a row of products only once it has moved. Over n ticks the
// differences cost at most log10(n) of the 16 digits.
//
// stats/correlation.h gives the same for one pair; this takes thousands of channels at the speed of
// matrix products. Memory: 8 bytes for each pair of channels that moved, 1,024 ticks of all
// channels, 16 bytes a channel and group. The same ticks give the same bits: the order of summation
// is fixed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "select/presence_groups.h"

namespace reveal::select {

// Fewer common samples than this say nothing about a pair: its r is 0.
inline constexpr std::size_t kMinPairs = 8;

class CoMoments {
 public:
  // Takes the next tick: one value a channel, channels that came since at the end.
  // REQUIRES: row.size() is not less than before.
  void add(std::span<const double> row);

  std::size_t channel_count() const { return channels_; }

  // Takes in what add() still holds back. The three below speak of the ticks before the last call.
  void settle();
  // Returns whether the channel never changed, or has no sample.
  bool is_constant(std::size_t channel) const;
  // Return the mean of the samples and the population standard deviation. REQUIRES: not constant.
  double mean(std::size_t channel) const;
  double standard_deviation(std::size_t channel) const;
  // Returns the symmetric matrix of r in [-1, 1] among those channels: 1 on the diagonal, 0 for
  // pairs with a constant channel.
  Eigen::MatrixXd correlations(std::span<const std::size_t> channels) const;

 private:
  // Differences from the channels' first samples, 0 if missing: one column a channel that moved.
  struct Block {
    std::vector<std::vector<std::uint64_t>> finite;  // by channel, a bit a tick
    Eigen::MatrixXd far;
  };

  Block read_pending();
  void take_groups(const PresenceGroups::Change& change);
  void add_by_group(const Eigen::MatrixXd& far, const Eigen::MatrixXd& present);
  double pearson(std::size_t a, std::size_t b) const;

  std::size_t channels_ = 0;
  std::vector<double> pending_;    // rows of `channels_` values
  std::vector<double> origin_;     // by channel: the first sample, or NaN
  std::vector<std::size_t> slot_;  // by channel: its row in the sums once it moved
  std::size_t moved_ = 0;
  PresenceGroups groups_;
  Eigen::MatrixXd count_;     // groups x groups: common samples
  Eigen::MatrixXd sum_;       // moved x groups: where the group has a sample
  Eigen::MatrixXd squares_;   // likewise
  Eigen::MatrixXd products_;  // moved x moved
};

}  // namespace reveal::select
