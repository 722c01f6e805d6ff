// Recordings as a data set for research (docs/how_to/exchange.md, "A data set"): a folder with a
// part for each of them, and a description of all.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "pipeline/config.h"
#include "tables/annotations.h"
#include "tables/dataset_entry.h"

namespace reveal::tables {

struct DatasetOrder {
  std::vector<std::string> recordings;  // DIR or NAME=DIR; NAME is its folder's
  std::vector<std::string> labels;      // KEY=VALUE, of all recordings
  AnnotationFiles known;
  std::string output;  // a folder, new or empty
};

// Writes the data set, and calls `tell` with each of its parts. Fails with kUsage if the folder is
// neither new nor empty, or a word is wrong, as read_annotations() and write_dataset_entry() do,
// and if a file cannot be written.
base::Result<void> write_dataset(const DatasetOrder& order, const pipeline::PipelineConfig& config,
                                 const std::function<void(const DatasetEntry&)>& tell);

}  // namespace reveal::tables
