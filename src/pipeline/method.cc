#include "pipeline/method.h"

#include <array>
#include <string>
#include <utility>

#include "detect/threshold.h"

namespace reveal::pipeline {
namespace {

PipelineConfig default_config() {
  return {};
}

// arXiv 2510.26008, sections 4.2 to 4.4: redundant channels are pruned, detectors are fitted on the
// workload itself, and each flags what scores above its 99th percentile.
PipelineConfig paper_config() {
  const std::array<std::string, 1> profile{"paper"};
  PipelineConfig out;
  out.method = "paper";
  if (auto features = feature::choose_features(profile)) out.features = std::move(*features);
  out.baseline = detect::Baseline::kRun;
  out.threshold = detect::kThresholdOff;
  out.selection = SelectionMode::kPrune;
  out.warm_up = 0;
  out.detectors = {"zscore", "pca_mahalanobis", "isolation_forest"};
  return out;
}

constexpr std::array<Method, 2> kMethods{{
    {"default",
     "each window against the rest of the run, with a threshold that keeps quiet runs quiet",
     default_config},
    {"paper", "channels pruned, detectors fitted on the run itself, the highest 1 % flagged",
     paper_config},
}};

}  // namespace

std::span<const Method> methods() {
  return kMethods;
}

const Method* find_method(std::string_view name) {
  for (const auto& method : kMethods) {
    if (method.name == name) return &method;
  }
  return nullptr;
}

}  // namespace reveal::pipeline
