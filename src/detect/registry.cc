// The table of all detectors. A new one is a file and, here, a declaration of what makes it and a
// row. Order is the order in reports: the simplest first.
#include <array>

#include "detect/detector.h"

namespace reveal::detect {

std::unique_ptr<Detector> make_zscore(const DetectorOptions& options);
std::unique_ptr<Detector> make_mahalanobis(const DetectorOptions& options);
std::unique_ptr<Detector> make_isolation_forest(const DetectorOptions& options);

namespace {

constexpr std::array kDetectors{
    DetectorDescriptor{"zscore", "Z-score", "mean distance from the usual, over all columns",
                       make_zscore},
    DetectorDescriptor{"mahalanobis", "Mahalanobis",
                       "unusual combination of values, given how columns move together",
                       make_mahalanobis},
    DetectorDescriptor{"isolation_forest", "Isolation Forest",
                       "how few random splits set the window apart", make_isolation_forest},
};

}  // namespace

std::span<const DetectorDescriptor> registry() {
  return kDetectors;
}

}  // namespace reveal::detect
