// The answer of Prometheus' (or VictoriaMetrics', Thanos', Mimir's) HTTP API to a range query:
//
//   {"status": "success", "data": {"resultType": "matrix", "result": [
//     {"metric": {"__name__": "up", "cpu": "0"}, "values": [[1700000000.5, "1"], ...]}, ...]}}
//
// Read as a stream, so that only the samples take memory. Source:
// https://prometheus.io/docs/prometheus/latest/querying/api/#range-queries
#pragma once

#include <filesystem>

#include "base/result.h"
#include "exchange/gathering.h"
#include "exchange/import_options.h"
#include "exchange/text_input.h"

namespace reveal::exchange {

// Row of Format. Of several hosts (labels instance, node, host) only the one that the options name
// is taken; fails with kUsage if they name none.
base::Result<void> gather_prometheus(const std::filesystem::path& path,
                                     const ImportOptions& options, Gathering& out);

// The same for a text that is open. `stem` names series without a name.
base::Result<void> gather_prometheus_text(TextInput input, std::string_view stem,
                                          const ImportOptions& options, Gathering& out);

}  // namespace reveal::exchange
