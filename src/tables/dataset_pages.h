// The description of a data set: metadata.json, the files of schema/, and README.txt.
#pragma once

#include <span>
#include <string>

#include "pipeline/config.h"
#include "tables/dataset_entry.h"

namespace reveal::tables {

// Returns the JSON of all recordings, with the settings of their analysis.
std::string dataset_metadata(std::span<const DatasetEntry> entries);

// Return the columns of samples.csv.gz, annotated.csv.gz, truth.csv.gz and steps.csv.gz with unit
// and meaning, as JSON.
std::string dataset_samples_schema();
std::string dataset_windows_schema(const pipeline::PipelineConfig& config);
std::string dataset_truth_schema();
std::string dataset_steps_schema();

// Returns the text that a newcomer reads first.
std::string dataset_readme();

}  // namespace reveal::tables
