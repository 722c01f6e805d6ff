#include "exchange/format.h"

#include <array>

#include "exchange/csv_samples.h"
#include "exchange/foreign_csv.h"
#include "exchange/foreign_json.h"
#include "exchange/json_lines.h"
#include "exchange/known_layouts.h"
#include "exchange/open_metrics.h"
#include "exchange/parquet.h"
#include "exchange/prometheus_dump.h"
#include "exchange/prometheus_json.h"
#include "exchange/text_rows.h"
#include "exchange/trace.h"

namespace reveal::exchange {
namespace {

// What is no table has a reader of its own.
base::Result<void> gather_text(const std::filesystem::path& path, const ImportOptions& options,
                               Gathering& out) {
  return is_prometheus_dump(path) ? gather_prometheus_dump(path, options, out)
                                  : gather_csv(path, options, out);
}

bool is_text(const std::filesystem::path& path) {
  return is_prometheus_dump(path) || is_known_text(path);
}

constexpr std::array<Format, 11> kFormats{{
    {"csv", " .csv", "comma-separated values", true, make_csv_writer, open_own_csv, gather_csv,
     make_csv_rows},
    {"csv.gz", " .csv.gz", "the same, compressed", true, make_csv_gz_writer, open_own_csv,
     gather_csv, make_csv_gz_rows},
    {"jsonl", " .jsonl .jsonl.gz .ndjson",
     "JSON, one line a tick, or of VictoriaMetrics or OpenTelemetry", false, make_json_lines_writer,
     open_own_json_lines, gather_json_lines, make_json_rows},
    {"tsv", " .tsv .tsv.gz", "tab-separated values", false, nullptr, nullptr, gather_csv},
    {"prom", " .prom .prom.gz .om .om.gz", "OpenMetrics, for Prometheus", false,
     make_open_metrics_writer, nullptr, nullptr},
    {"trace", " .trace.json .trace.json.gz", "Trace Event Format, for the Perfetto UI", false,
     make_trace_writer, nullptr, nullptr, nullptr, true},
    {"trace.gz", " .trace.gz", "the same, compressed", false, make_trace_gz_writer, nullptr,
     nullptr, nullptr, true},
    {"json", " .json .json.gz", "JSON of Prometheus, sysstat or OpenTelemetry", false, nullptr,
     nullptr, gather_json},
    {"text", " .txt .txt.gz .log .log.gz", "what vmstat, iostat, turbostat and others print", false,
     nullptr, nullptr, gather_text, nullptr, false, is_text},
    {"prom-json", "", "Prometheus' answer to a range query", false, nullptr, nullptr,
     gather_prometheus},
    {"parquet", " .parquet", "Parquet, through DuckDB", true, make_parquet_writer, open_own_parquet,
     gather_parquet, make_parquet_rows},
}};

template <typename Chosen>
std::string names(Chosen chosen) {
  std::string out;
  for (const auto& format : kFormats) {
    if (chosen(format)) out.append(out.empty() ? "" : ", ").append(format.name);
  }
  return out;
}

// Returns whether one of the extensions ends `name`.
bool has_extension(std::string_view extensions, std::string_view name) {
  while (!extensions.empty()) {
    extensions.remove_prefix(1);
    const auto one = extensions.substr(0, extensions.find(' '));
    if (name.size() > one.size() && name.ends_with(one)) return true;
    extensions.remove_prefix(one.size());
  }
  return false;
}

bool is_read(const Format& format) {
  return format.open_own != nullptr || format.gather != nullptr;
}

}  // namespace

std::span<const Format> formats() {
  return kFormats;
}

const Format* find_format(std::string_view name) {
  for (const auto& format : kFormats) {
    if (format.name == name) return &format;
  }
  return nullptr;
}

base::Result<const Format*> row_format(const std::string& name) {
  const Format* format = find_format(name);
  if (format != nullptr && format->make_rows != nullptr) return format;
  return base::fail(base::ErrorKind::kUsage, "is not a format of tables", "--format " + name,
                    "choose from " + row_formats());
}

const Format* format_of_file(const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  for (const auto& format : kFormats) {
    if (has_extension(format.extensions, name)) return &format;
  }
  return nullptr;
}

std::string written_formats() {
  return names([](const Format& format) { return format.make_writer != nullptr; });
}

std::string row_formats() {
  return names([](const Format& format) { return format.make_rows != nullptr; });
}

std::string read_formats() {
  return names(is_read);
}

}  // namespace reveal::exchange
