// Samples as VictoriaMetrics exports them (/api/v1/export): one JSON object a line, a series or a
// part of one: {"metric": {LABELS}, "values": [...], "timestamps": [ms since the epoch, ...]}.
#pragma once

#include <filesystem>

#include "base/result.h"
#include "exchange/gathering.h"
#include "exchange/import_options.h"
#include "exchange/text_lines.h"

namespace reveal::exchange {

// Row of Format. Errors name file and line.
base::Result<void> gather_victoriametrics(const std::filesystem::path& path,
                                          const ImportOptions& options, Gathering& out);

// The same for lines that are open; `stem` is the metric of series that do not name theirs.
base::Result<void> gather_victoriametrics_lines(TextLines lines, std::string_view stem,
                                                const ImportOptions& options, Gathering& out);

}  // namespace reveal::exchange
