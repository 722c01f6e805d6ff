#include "cli/feature_list.h"

#include <vector>

#include <CLI/CLI.hpp>

namespace reveal::cli {

void declare_feature_list(CLI::App& app, std::optional<std::string>& features) {
  app.add_option("--features", features,
                 "minimal, default, paper, full, or names with commas between (reveal features "
                 "--list)");
}

base::Result<feature::FeatureChoice> feature_choice(const std::string& list) {
  std::vector<std::string> names;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    names.push_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  auto choice = feature::choose_features(names);
  return choice.map_error([](base::Error error) {
    error.where = "--features " + error.where;
    return error;
  });
}

}  // namespace reveal::cli
