// High quantiles of shares from 0 to 1 of the last hour, in two half hours: the older one goes when
// the newer one is full.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace reveal::peers {

class ShareQuantile {
 public:
  static constexpr std::size_t kHalfHour = 1800;  // windows
  // So many shares must lie above a quantile, for it to be known.
  static constexpr double kFewestAbove = 10;

  // Takes a share of one host in this window.
  void add(double share);
  // Says that all hosts' shares of this window were added.
  void end_window();

  // Returns an upper bound of the quantile, 1/256 above it at most; nothing as long as it is not
  // known. REQUIRES: above 0, below 1.
  std::optional<double> quantile(double of) const;

 private:
  static constexpr std::size_t kBins = 256;
  using Bins = std::array<std::uint64_t, kBins>;

  Bins now_{};
  Bins before_{};
  std::size_t windows_ = 0;
  std::uint64_t count_ = 0;  // of both
};

}  // namespace reveal::peers
