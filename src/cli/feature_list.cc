#include "cli/feature_list.h"

#include <algorithm>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "cli/config.h"

namespace reveal::cli {
namespace {

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> names;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    names.push_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return names;
}

}  // namespace

void FeatureList::declare(CLI::App& app) {
  app.add_option("--features", typed_,
                 "minimal, default, paper, full, or names with commas between (reveal features "
                 "--list); else those of the configuration file, else default");
  config_ = app.get_option_no_throw("--config");
  if (config_ != nullptr) return;
  config_ = app.add_option("--config", file_,
                           fmt::format("configuration file (docs/how_to/configure.md); else {}, "
                                       "if it is there",
                                       kSystemConfig));
}

base::Result<feature::FeatureChoice> FeatureList::choice() const {
  if (!typed_.empty()) {
    return feature::choose_features(split(typed_)).map_error([](base::Error error) {
      error.where = "--features " + error.where;
      return error;
    });
  }
  const bool named = config_ != nullptr && !config_->empty();
  const auto config = load_config(named ? config_->results().front() : "");
  if (!config) return base::pass(config);
  if (config->features.empty()) return feature::default_features();
  return feature::choose_features(config->features);
}

}  // namespace reveal::cli
