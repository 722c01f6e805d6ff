// JSON of other programs, told apart by its first member: sysstat's, OpenTelemetry's metrics, or
// the answer of Prometheus to a range query.
#pragma once

#include <filesystem>

#include "base/result.h"
#include "exchange/gathering.h"
#include "exchange/import_options.h"

namespace reveal::exchange {

// Member of Format.
base::Result<void> gather_json(const std::filesystem::path& path, const ImportOptions& options,
                               Gathering& out);

// The same of a file with one object a line: OpenTelemetry's metrics or VictoriaMetrics' export.
base::Result<void> gather_json_lines(const std::filesystem::path& path,
                                     const ImportOptions& options, Gathering& out);

}  // namespace reveal::exchange
