// What a baseline is fitted on, apart from the run that goes on meanwhile.
#pragma once

#include "base/result.h"
#include "detect/fitted_baseline.h"
#include "feature/feature_matrix.h"
#include "model/channel_table.h"

namespace reveal::pipeline {

struct BaselineFit {
  feature::FeatureMatrix matrix;
  model::ChannelTable channels;
  detect::FitOptions options;
  detect::FittedBaseline signature;  // what is not fitted: origin, windows and features

  // Fits it, with a call of `pace` between its parts. Fails as Pipeline::fit_baseline() does.
  base::Result<detect::FittedBaseline> run(const detect::Pace& pace) const;
};

}  // namespace reveal::pipeline
