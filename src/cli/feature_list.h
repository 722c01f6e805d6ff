// --features: which features are computed.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "feature/feature_choice.h"

namespace CLI {
class App;
}

namespace reveal::cli {

void declare_feature_list(CLI::App& app, std::optional<std::string>& features);

// Returns the features of a list as typed: names of features and profiles, with commas between.
// Fails with kUsage on an unknown name.
base::Result<feature::FeatureChoice> feature_choice(const std::string& list);

}  // namespace reveal::cli
