#include "pipeline/baseline_fit.h"

namespace reveal::pipeline {

base::Result<detect::FittedBaseline> BaselineFit::run(const detect::Pace& pace) const {
  auto paced = options;
  paced.pace = pace;
  auto out = detect::fit_baseline(matrix, channels, paced);
  if (!out) return out;
  out->origin = signature.origin;
  out->windows = signature.windows;
  out->dynamic_features = signature.dynamic_features;
  out->event_features = signature.event_features;
  return out;
}

}  // namespace reveal::pipeline
