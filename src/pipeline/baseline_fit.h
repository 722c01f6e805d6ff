// What a baseline is fitted on (detect::fit_baseline), apart from the run that goes on meanwhile.
#pragma once

#include "detect/fitted_baseline.h"
#include "feature/feature_matrix.h"
#include "model/channel_table.h"

namespace reveal::pipeline {

struct BaselineFit {
  feature::FeatureMatrix matrix;
  model::ChannelTable channels;
  detect::FitOptions options;
};

}  // namespace reveal::pipeline
