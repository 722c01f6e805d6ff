// --features: which features are computed.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "feature/feature_choice.h"

namespace reveal::cli {

class OptionSet;

// Returns what stands between commas.
std::vector<std::string> split(const std::string& list);

class FeatureList {
 public:
  // Adds --features, and --config unless the subcommand has it: then `config` is its value, and
  // must live as long as this.
  void declare(OptionSet& set, const std::string* config = nullptr);

  // Returns the features of the list as typed: names of features and profiles, with commas between.
  // Without one, those that the configuration file names, else the default profile. Fails with
  // kUsage on an unknown name, and where the file cannot be read or understood.
  base::Result<feature::FeatureChoice> choice() const;
  // Returns whether a list was typed.
  bool typed() const { return !typed_.empty(); }

 private:
  std::string typed_;
  std::string file_;
  const std::string* config_ = nullptr;  // the subcommand's own, or file_; null: not declared
};

}  // namespace reveal::cli
