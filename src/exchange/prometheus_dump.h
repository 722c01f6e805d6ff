// Samples as `promtool tsdb dump` prints them from the folder of a Prometheus, such as a snapshot
// of it: a line a sample, series after series; times are milliseconds since the epoch. Label values
// are quoted as strconv.Quote of Go does; so are names that are no plain words.
//
//   {__name__="node_load1", instance="node7:9100", job="node"} 0.53 1700000000000
#pragma once

#include <filesystem>
#include <string_view>

#include "base/result.h"
#include "exchange/gathering.h"
#include "exchange/import_options.h"
#include "exchange/text_lines.h"

namespace reveal::exchange {

// Returns whether the first line of a file is such a sample. False if it cannot be read.
bool is_prometheus_dump(const std::filesystem::path& path);

// Takes all samples; stale ones have no value. Errors name file and line.
base::Result<void> gather_prometheus_dump(const std::filesystem::path& path,
                                          const ImportOptions& options, Gathering& out);

// The same for lines that are open; `stem` is the metric of series that do not name theirs.
base::Result<void> gather_prometheus_dump_lines(TextLines lines, std::string_view stem,
                                                const ImportOptions& options, Gathering& out);

}  // namespace reveal::exchange
