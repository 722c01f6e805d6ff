// Metrics of OpenTelemetry in the JSON encoding of its protocol: ResourceMetrics, as one document
// or one object a line, which is what the Collector's file exporter writes.
// Source: opentelemetry-proto, metrics/v1/metrics.proto and the OTLP specification.
#pragma once

#include <filesystem>
#include <string_view>

#include "base/result.h"
#include "exchange/gathering.h"
#include "exchange/import_options.h"
#include "exchange/text_input.h"

namespace reveal::exchange {

// Takes gauges and sums, and of histograms and summaries their count and sum. A sum that is
// monotonic is a counter; one of deltas is added up. The resource's host.name is the host; its
// other attributes are part of the instance only if two resources have the same metric. Fails with
// kCorrupt on text that is no whole JSON, and on points without a time or a number.
base::Result<void> gather_otlp(const std::filesystem::path& path, const ImportOptions& options,
                               Gathering& out);

// The same of a text.
base::Result<void> gather_otlp_text(std::string text, const std::string& where,
                                    const ImportOptions& options, Gathering& out);

}  // namespace reveal::exchange
