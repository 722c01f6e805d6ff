#include "attribute/severity.h"

#include <algorithm>
#include <cmath>

namespace reveal::attribute {
namespace {

constexpr double kMostEffect = 25;
constexpr double kNarrow = 0.1;  // what the narrowest counts as

double largest(const Eigen::VectorXd& scores, const std::vector<std::size_t>& rows) {
  double out = 0;
  for (const auto row : rows) out = std::max(out, scores(static_cast<Eigen::Index>(row)));
  return out;
}

}  // namespace

SeverityParts severity_parts(const detect::ScoredRun& run, const detect::Verdict& verdict,
                             const std::vector<std::size_t>& rows) {
  SeverityParts out{.effect = 1};
  int all = 0;
  for (std::size_t i = 0; i < verdict.detectors.size(); ++i) {
    const auto& detector = verdict.detectors[i];
    all += detector.votes;
    if (run.sees_saturation(i)) out.effect = largest(detector.scores, rows);
    if (detector.name == "outlier_share") out.outlier_share = largest(detector.scores, rows);
  }
  int most = 0;
  for (const auto row : rows) most = std::max(most, verdict.agreement[row]);
  out.agreement = all > 0 ? static_cast<double>(most) / all : 0;
  return out;
}

double severity(const SeverityParts& parts, double seconds) {
  return std::sqrt(std::min(parts.effect, kMostEffect)) * (kNarrow + parts.outlier_share) *
         parts.agreement * std::log2(1 + seconds);
}

}  // namespace reveal::attribute
