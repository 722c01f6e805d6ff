// A recording as part of a data set for research (docs/how_to/exchange.md, "A data set"):
//
//   HOST/raw/samples.csv.gz          all samples
//   HOST/filtered/samples.csv.gz     signals of the channels that selection keeps, in base units
//   HOST/windows/annotated.csv.gz    each window with its scores, findings, features, and what is
//                                    known of it
//   HOST/truth.csv.gz                what was really done to the host, if somebody said
//   HOST/steps.csv.gz                how long the job's steps took, likewise
//   HOST/selection.json              which channels were kept, and what the others move with
//   HOST/report.json                 what the analysis found, and with what settings
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/frame.h"
#include "pipeline/config.h"
#include "report/report.h"
#include "store/segment_reader.h"
#include "tables/annotations.h"

namespace reveal::tables {

struct DatasetEntry {
  std::string folder;
  std::vector<store::Damage> damage;  // what of the recording could not be read
  model::RunFacts facts;
  report::Json labels;
  report::Configuration configuration;
  std::int64_t begin_ns = 0;
  std::int64_t end_ns = 0;
  std::uint64_t frames = 0;
  std::size_t raw_channels = 0;
  std::size_t filtered_channels = 0;
  std::size_t windows = 0;
  std::size_t findings = 0;
};

// Writes the part of one recording below `out`, in a folder called `name`, or like the host if that
// is empty; it is numbered if there is one already. Fails if the recording cannot be read or
// analyzed, or a file not written.
base::Result<DatasetEntry> write_dataset_entry(const std::string& directory,
                                               const std::string& name, const Annotations& known,
                                               const pipeline::PipelineConfig& config,
                                               const std::filesystem::path& out);

}  // namespace reveal::tables
