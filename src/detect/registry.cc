// The table of all detectors. A new one is a file and, here, a declaration of what makes it and a
// row; it votes where a method or the user names it. Order is the order in reports: the simplest
// first.
#include <algorithm>
#include <array>
#include <iterator>

#include "detect/detector.h"

namespace reveal::detect {

std::unique_ptr<Detector> make_zscore(const DetectorOptions& options);
std::unique_ptr<Detector> make_levels(const DetectorOptions& options);
std::unique_ptr<Detector> make_breadth(const DetectorOptions& options);
std::unique_ptr<Detector> make_mahalanobis(const DetectorOptions& options);
std::unique_ptr<Detector> make_isolation_forest(const DetectorOptions& options);

namespace {

constexpr std::array kDetectors{
    DetectorDescriptor{"zscore", "Z-score", "mean distance from the usual, over all columns",
                       make_zscore},
    DetectorDescriptor{"levels", "Levels",
                       "share of channels' means and medians far from the usual, in robust units",
                       make_levels},
    DetectorDescriptor{"breadth", "Breadth", "share of columns far from the usual, however far",
                       make_breadth},
    DetectorDescriptor{"mahalanobis", "Mahalanobis",
                       "unusual combination of values, given how columns move together",
                       make_mahalanobis},
    DetectorDescriptor{"isolation_forest", "Isolation Forest",
                       "how few random splits set the window apart", make_isolation_forest,
                       /*knows_only_fitted=*/true, /*ordinary_score=*/0.5},
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

std::vector<DetectorDescriptor> chosen(const DetectorOptions& options) {
  std::vector<DetectorDescriptor> out;
  std::copy_if(kDetectors.begin(), kDetectors.end(), std::back_inserter(out), [&](const auto& row) {
    return std::find(options.names.begin(), options.names.end(), row.name) != options.names.end();
  });
  return out;
}

base::Result<std::vector<std::unique_ptr<Detector>>> fit_all(const Windows& x,
                                                             const DetectorOptions& options) {
  std::vector<std::unique_ptr<Detector>> out;
  for (const auto& descriptor : chosen(options)) {
    out.push_back(descriptor.make(options));
    if (auto fitted = out.back()->fit(x); !fitted) return base::Unexpected(fitted.error());
  }
  return out;
}

}  // namespace reveal::detect
