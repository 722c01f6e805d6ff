#include "attribute/parts.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "feature/feature.h"

namespace reveal::attribute {
namespace {

std::vector<Part> telling_among(const std::vector<Part>& parts, const model::ChannelTable& channels,
                                const detect::Design& design, const feature::FeatureMatrix& matrix,
                                model::Subsystem subsystem) {
  constexpr std::size_t kMax = 24;
  constexpr double kLegibleWithin = 3.0;
  std::vector<Part> out;
  std::optional<Part> largest;
  for (const Part& part : parts) {
    const auto key = matrix.column(design.columns[part.live]);
    if (channels.metric(key.channel).subsystem != subsystem) continue;
    if (!largest) largest = part;
    if (part.share * kLegibleWithin < largest->share || out.size() == kMax) break;
    if (feature::descriptor(key.feature).legible) out.push_back(part);
  }
  if (out.empty() && largest) out.push_back(*largest);
  return out;
}

}  // namespace

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

std::vector<Part> telling_parts(const Eigen::VectorXd& shares, const model::ChannelTable& channels,
                                const detect::Design& design, const feature::FeatureMatrix& matrix,
                                model::Subsystem subsystem) {
  constexpr std::size_t kLookedAt = 400;
  auto out = telling_among(strongest(shares, kLookedAt), channels, design, matrix, subsystem);
  if (!out.empty()) return out;
  // Columns whose subsystem is not known may be many, and each of them stronger.
  const auto all = strongest(shares, static_cast<std::size_t>(shares.size()));
  return telling_among(all, channels, design, matrix, subsystem);
}

}  // namespace reveal::attribute
