// Samples as OpenMetrics, the text that Prometheus and VictoriaMetrics load, such as `promtool tsdb
// create-blocks-from openmetrics`. One way: values are in base units (raw times scale), what is
// stale is left out, and neither resets, notes nor gaps can be said. Source:
// https://github.com/prometheus/OpenMetrics/blob/main/specification/OpenMetrics.md
//
//   # TYPE memory_dirty_bytes gauge
//   # UNIT memory_dirty_bytes bytes
//   # HELP memory_dirty_bytes Memory that waits to be written back.
//   memory_dirty_bytes{host="h1"} 4096 1700000000.100
//   # EOF
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "exchange/format.h"
#include "model/frame.h"

namespace reveal::exchange {

// Row of Format.
base::Result<std::unique_ptr<model::FrameSink>> make_open_metrics_writer(
    const WriterOptions& options);

// Returns `{host="h1",cpu="3"}` for the instance "cpu=3" of host h1.
std::string open_metrics_labels(std::string_view host, std::string_view instance);

}  // namespace reveal::exchange
