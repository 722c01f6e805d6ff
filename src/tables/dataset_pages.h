// The description of a data set: metadata.json, schema/samples.json, schema/windows.json and
// README.txt.
#pragma once

#include <span>
#include <string>

#include "pipeline/config.h"
#include "tables/dataset.h"

namespace reveal::tables {

// Returns the JSON of all hosts and of the settings of the analysis.
std::string dataset_metadata(std::span<const DatasetEntry> entries,
                             const pipeline::PipelineConfig& config);

// Return the columns of samples.csv.gz and annotated.csv.gz with unit and meaning, as JSON.
std::string dataset_samples_schema();
std::string dataset_windows_schema(const pipeline::PipelineConfig& config);

// Returns the text that a newcomer reads first.
std::string dataset_readme();

}  // namespace reveal::tables
