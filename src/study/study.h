// The studies of the paper (arXiv 2510.26008) on anybody's recordings: one row of a registry each.
//
// A study reads recordings and returns tables; how these are shown is not its business
// (study/result_text.h, study/result_json.h). docs/how_to/study.md says what each tells, and
// docs/paper.md how that compares with the paper.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "pipeline/config.h"
#include "study/result.h"

namespace reveal::study {

struct Request {
  // Of the recordings, at least one. Studies of workloads take words as workloads_of() does, and
  // that of overhead takes a file.
  std::vector<std::string> directories;
  pipeline::PipelineConfig config;         // of the studies that analyze them
  std::vector<std::string> after = {};     // of the later recordings, if a study compares two sides
  std::vector<std::string> channels = {};  // shell patterns, if a study chooses; none: its choice
};

struct Study {
  std::string_view name;
  std::string_view help;  // a noun phrase
  base::Result<Result> (*run)(const Request& request);
  bool compares = false;  // it wants Request::after
  bool chooses = false;   // it takes Request::channels
};

// Returns all studies.
std::span<const Study> studies();

// Returns the study of that name, or nullptr.
const Study* find(std::string_view name);

// One file each. Each fails as replay::replay() does, with the directory as the error's place, and
// with kTooLittle if the recordings are too few or too short.
base::Result<Result> study_pruning(const Request& request);
base::Result<Result> study_reproducibility(const Request& request);
base::Result<Result> study_cv(const Request& request);
base::Result<Result> study_variance(const Request& request);
base::Result<Result> study_anova(const Request& request);
base::Result<Result> study_granularity(const Request& request);
base::Result<Result> study_patterns(const Request& request);
base::Result<Result> study_causes(const Request& request);
base::Result<Result> study_impact(const Request& request);
base::Result<Result> study_storage(const Request& request);
base::Result<Result> study_embedding(const Request& request);
base::Result<Result> study_hosts(const Request& request);
base::Result<Result> study_overhead(const Request& request);

}  // namespace reveal::study
