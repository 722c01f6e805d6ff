// --features: which features are computed.
#pragma once

#include <string>

#include "base/result.h"
#include "feature/feature_choice.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace reveal::cli {

class FeatureList {
 public:
  // Adds --features, and --config where the subcommand has none yet: what adds one itself does so
  // before.
  void declare(CLI::App& app);

  // Returns the features of the list as typed: names of features and profiles, with commas between.
  // Without one, those that the configuration file names, else the default profile. Fails with
  // kUsage on an unknown name, and where the file cannot be read or understood.
  base::Result<feature::FeatureChoice> choice() const;
  // Returns whether a list was typed.
  bool typed() const { return !typed_.empty(); }

 private:
  std::string typed_;
  std::string file_;
  const CLI::Option* config_ = nullptr;  // the subcommand's own, or of file_; none: not declared
};

}  // namespace reveal::cli
