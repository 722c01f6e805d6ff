#include "pipeline/method.h"

#include <array>

namespace reveal::pipeline {
namespace {

settings::AnalysisSettings default_settings() {
  return {};
}

// arXiv 2510.26008, sections 4.2 to 4.4: redundant channels are pruned, detectors are fitted on the
// workload itself, and each flags what scores above its 99th percentile. One of them is enough: in
// Table 4 most rows name one.
settings::AnalysisSettings paper_settings() {
  settings::AnalysisSettings out;
  out.method = settings::kPaperMethod.name;
  out.feature_names = {"paper"};
  out.compared_with = "run";
  out.threshold = detect::kThresholdOff;
  out.min_agreement = 1;
  out.channels = "prune";
  out.warm_up = 0;
  out.detectors = {"zscore", "pca_mahalanobis", "isolation_forest"};
  return out;
}

constexpr std::array<Method, settings::kMethodNames.size()> kMethods{{
    {settings::kDefaultMethod, default_settings},
    {settings::kPaperMethod, paper_settings},
}};

}  // namespace

std::span<const Method> methods() {
  return kMethods;
}

const Method* find_method(std::string_view name) {
  for (const auto& method : kMethods) {
    if (method.name.name == name) return &method;
  }
  return nullptr;
}

}  // namespace reveal::pipeline
