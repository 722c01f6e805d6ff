// The table of all detectors. A new detector is a file and, here, a declaration of its factory and
// a row; it votes if a method or the user names it. The order is that of reports: the simplest
// first.
#include <algorithm>
#include <array>
#include <iterator>

#include "detect/detector.h"

namespace reveal::detect {

std::unique_ptr<Detector> make_saturation(const DetectorOptions& options);
std::unique_ptr<Detector> make_subsystem_burst(const DetectorOptions& options);
std::unique_ptr<Detector> make_zscore(const DetectorOptions& options);
std::unique_ptr<Detector> make_robust_outlier_share(const DetectorOptions& options);
std::unique_ptr<Detector> make_outlier_share(const DetectorOptions& options);
std::unique_ptr<Detector> make_pca_mahalanobis(const DetectorOptions& options);
std::unique_ptr<Detector> make_pca_residual(const DetectorOptions& options);
std::unique_ptr<Detector> make_isolation_forest(const DetectorOptions& options);

namespace {

constexpr std::array kDetectors{
    DetectorDescriptor{"saturation", "Saturation",
                       "the largest rise of what says that work is stalled; it has two votes",
                       make_saturation, /*transductive=*/false, /*ordinary_score=*/0,
                       /*votes=*/2},
    DetectorDescriptor{"subsystem_burst", "Subsystem burst",
                       "how far three channels of one subsystem lie from the usual; two votes",
                       make_subsystem_burst, /*transductive=*/false, /*ordinary_score=*/0,
                       /*votes=*/2, /*needs_held_out=*/false, /*needs_still=*/true},
    DetectorDescriptor{"zscore", "Z-score", "mean distance from the usual, over all columns",
                       make_zscore},
    DetectorDescriptor{"robust_outlier_share", "Robust outliers",
                       "share of channels' means and medians far from the usual, in robust units",
                       make_robust_outlier_share},
    DetectorDescriptor{"outlier_share", "Outlier share",
                       "share of columns far from the usual, however far", make_outlier_share},
    DetectorDescriptor{
        "pca_mahalanobis", "PCA Mahalanobis",
        "unusual combination of values, given how columns move together (Hotelling's T²)",
        make_pca_mahalanobis},
    DetectorDescriptor{
        "pca_residual", "PCA residual",
        "what of a window the usual ways of moving together do not explain (SPE, Q statistic)",
        make_pca_residual, /*transductive=*/false, /*ordinary_score=*/0,
        /*votes=*/1, /*needs_held_out=*/true},
    DetectorDescriptor{"isolation_forest", "Isolation Forest",
                       "how few random splits set the window apart", make_isolation_forest,
                       /*transductive=*/true, /*ordinary_score=*/0.5},
};

}  // namespace

std::span<const DetectorDescriptor> registry() {
  return kDetectors;
}

std::optional<std::size_t> find_detector(std::string_view name) {
  for (std::size_t i = 0; i < kDetectors.size(); ++i) {
    if (kDetectors[i].name == name) return i;
  }
  return std::nullopt;
}

int votes_of(std::string_view name) {
  const auto place = find_detector(name);
  return place ? kDetectors[*place].votes : 1;
}

std::vector<DetectorDescriptor> chosen(const DetectorOptions& options) {
  std::vector<DetectorDescriptor> out;
  std::copy_if(kDetectors.begin(), kDetectors.end(), std::back_inserter(out), [&](const auto& row) {
    return std::find(options.names.begin(), options.names.end(), row.name) != options.names.end();
  });
  return out;
}

base::Result<void> fit_beside(Detector& detector, const Windows& x,
                              const std::vector<std::shared_ptr<const Detector>>& fitted) {
  for (const auto& other : fitted) {
    if (detector.fit_like(*other)) return {};
  }
  return detector.fit(x);
}

base::Result<std::vector<std::shared_ptr<const Detector>>> fit_all(const Design& design,
                                                                   const DetectorOptions& options) {
  std::vector<std::shared_ptr<const Detector>> out;
  for (const auto& descriptor : chosen(options)) {
    auto detector = descriptor.make(options);
    if (detector->sees_saturation() && design.saturation.live.empty()) continue;
    if (auto fitted = fit_beside(*detector, seen_by(*detector, design), out); !fitted) {
      return base::pass(fitted);
    }
    out.push_back(std::move(detector));
  }
  if (out.empty()) return nobody_sees();
  return out;
}

DetectorOptions for_own_windows(DetectorOptions options) {
  std::erase_if(options.names, [](std::string_view name) {
    const auto place = find_detector(name);
    return place && kDetectors[*place].needs_held_out;
  });
  return options;
}

base::Unexpected nobody_sees() {
  return base::fail(
      base::ErrorKind::kUsage,
      "no selected detector can score this run: saturation needs pressure or error metrics; "
      "pca_residual needs --baseline rest (docs/scores.md)",
      "--detectors", "name more --detectors");
}

Windows seen_by(const Detector& detector, const Design& design) {
  return detector.sees_saturation() ? design.saturation.x : design.x;
}

Eigen::VectorXd contributions_by_column(const Detector& detector, const Design& design,
                                        Eigen::Index row) {
  Eigen::VectorXd parts = detector.contributions(seen_by(detector, design), row);
  if (!detector.sees_saturation()) return parts;
  Eigen::VectorXd out = Eigen::VectorXd::Zero(design.x.cols());
  for (std::size_t i = 0; i < design.saturation.live.size(); ++i) {
    out(design.saturation.live[i]) = parts(static_cast<Eigen::Index>(i));
  }
  return out;
}

}  // namespace reveal::detect
