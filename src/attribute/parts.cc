#include "attribute/parts.h"

#include <algorithm>
#include <cmath>

#include "attribute/claim.h"
#include "attribute/finding.h"

namespace reveal::attribute {

std::vector<Part> strongest(const Eigen::VectorXd& shares, std::size_t count) {
  std::vector<Part> parts;
  for (Eigen::Index live = 0; live < shares.size(); ++live) {
    if (shares[live] > 0) parts.push_back({static_cast<std::size_t>(live), shares[live]});
  }
  const auto larger = [](const Part& a, const Part& b) {
    return a.share != b.share ? a.share > b.share : a.live < b.live;
  };
  count = std::min(count, parts.size());
  std::partial_sort(parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(count), parts.end(),
                    larger);
  parts.resize(count);
  return parts;
}

std::vector<double> by_channel(const Eigen::VectorXd& shares, const detect::Design& design,
                               const feature::FeatureMatrix& matrix, std::size_t channels) {
  std::vector<double> out(channels, std::nan(""));
  for (std::size_t live = 0; live < design.columns.size(); ++live) {
    if (design.columns[live] == detect::kAbsentColumn) continue;
    auto& sum = out[matrix.column(design.columns[live]).channel.index()];
    sum = (std::isnan(sum) ? 0.0 : sum) + shares[static_cast<Eigen::Index>(live)];
  }
  return out;
}

void clear_absent(Eigen::VectorXd& values, const detect::Design& design) {
  for (std::size_t live = 0; live < design.columns.size(); ++live) {
    if (design.columns[live] == detect::kAbsentColumn) values[static_cast<Eigen::Index>(live)] = 0;
  }
}

std::optional<Part> telling_part(const Eigen::VectorXd& shares, const model::ChannelTable& channels,
                                 const detect::Design& design, const feature::FeatureMatrix& matrix,
                                 model::Subsystem subsystem) {
  constexpr std::size_t kCandidates = 400;
  const auto parts = strongest(shares, kCandidates);
  std::vector<Evidence> candidates;  // not compared yet: only one of them will be
  candidates.reserve(parts.size());
  for (const Part& part : parts) {
    candidates.push_back(
        {.key = matrix.column(design.columns[part.live]), .contribution = part.share});
  }
  const auto* telling = most_telling(channels, candidates, subsystem);
  if (telling == nullptr) return std::nullopt;
  return parts[static_cast<std::size_t>(telling - candidates.data())];
}

}  // namespace reveal::attribute
