#include "peers/share_quantile.h"

#include <algorithm>
#include <numeric>

namespace reveal::peers {

void ShareQuantile::add(double share) {
  const auto bin = static_cast<std::size_t>(std::clamp(share, 0.0, 1.0) * kBins);
  ++now_[std::min(bin, kBins - 1)];
  ++count_;
}

void ShareQuantile::end_window() {
  if (++windows_ < kHalfHour) return;
  windows_ = 0;
  before_ = now_;
  now_ = {};
  count_ = std::accumulate(before_.begin(), before_.end(), std::uint64_t{0});
}

std::optional<double> ShareQuantile::quantile(double of) const {
  // What is left of 1 is not exact.
  const double above_it = static_cast<double>(count_) * (1 - of) + 1e-6;
  if (above_it < kFewestAbove) return std::nullopt;
  const auto allowed = static_cast<std::uint64_t>(above_it);
  std::uint64_t above = 0;
  for (std::size_t bin = kBins; bin-- > 0;) {
    above += now_[bin] + before_[bin];
    if (above > allowed) return static_cast<double>(bin + 1) / kBins;
  }
  return 0;
}

}  // namespace reveal::peers
