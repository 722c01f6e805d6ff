#include "cli/feature_list.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "cli/config.h"
#include "cli/option_set.h"

namespace reveal::cli {
std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> names;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    names.push_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return names;
}

void FeatureList::declare(OptionSet& set, const std::string* config) {
  set.value("--features", typed_,
            "minimal, default, paper, full, or names with commas between (reveal features --list); "
            "else those of the configuration file, else default");
  config_ = config == nullptr ? &file_ : config;
  if (config != nullptr) return;
  set.value("--config", file_,
            fmt::format("configuration file (docs/how_to/configure.md); else {}, if it is there",
                        kSystemConfig));
}

base::Result<feature::FeatureChoice> FeatureList::choice() const {
  if (!typed_.empty()) {
    return feature::choose_features(split(typed_)).map_error([](base::Error error) {
      error.where = "--features " + error.where;
      return error;
    });
  }
  const auto config = load_config(config_ == nullptr ? "" : *config_);
  if (!config) return base::pass(config);
  if (config->features.empty()) return feature::default_features();
  return feature::choose_features(config->features);
}

}  // namespace reveal::cli
