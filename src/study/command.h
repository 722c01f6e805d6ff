// `reveal study` behind its options.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "pipeline/config.h"

namespace reveal::study {

// What a user asks for.
struct Order {
  std::string name;  // of the study
  std::vector<std::string> directories;
  std::vector<std::string> after;     // later ones, of a study that compares
  std::vector<std::string> channels;  // shell patterns, of a study that chooses
  bool json = false;                  // print JSON, not text
  std::string output;  // the directory that JSON and page are written into; empty: none
};

// Return the names of all studies, and what --help says of the choice.
std::vector<std::string> names();
std::string help();

// Runs the study, tells what of the recordings was damaged, and prints the result. Fails with
// kUsage for another name or if `after` or `channels` is not what the study takes, and as the study
// does.
base::Result<void> execute(const Order& order, const pipeline::PipelineConfig& config);

}  // namespace reveal::study
