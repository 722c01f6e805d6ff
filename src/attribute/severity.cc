#include "attribute/severity.h"

#include <algorithm>
#include <cmath>

namespace reveal::attribute {
namespace {

constexpr double kMaxEffect = 25;
constexpr double kNarrow = 0.1;  // what the narrowest counts as

}  // namespace

SeverityParts severity_of_nothing(const ScoredWindows& windows) {
  SeverityParts out{.effect = 1};
  for (std::size_t i = 0; i < windows.detector_count(); ++i) {
    if (windows.sees_saturation(i)) out.effect = 0;
  }
  return out;
}

void add_window(const ScoredWindows& windows, std::size_t row, SeverityParts& parts) {
  int all = 0;
  for (std::size_t i = 0; i < windows.detector_count(); ++i) {
    all += windows.votes(i);
    const double score = windows.score(i, row);
    if (windows.sees_saturation(i)) parts.effect = std::max(parts.effect, score);
    if (windows.name(i) == "outlier_share") {
      parts.outlier_share = std::max(parts.outlier_share, score);
    }
  }
  if (all == 0) return;
  parts.agreement = std::max(parts.agreement, static_cast<double>(windows.agreement(row)) / all);
}

double severity(const SeverityParts& parts, double seconds) {
  return std::sqrt(std::min(parts.effect, kMaxEffect)) * (kNarrow + parts.outlier_share) *
         parts.agreement * std::log2(1 + seconds);
}

}  // namespace reveal::attribute
