#include <algorithm>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "catalog/catalog.h"
#include "catalog/catalog_json.h"
#include "catalog/metric_details.h"
#include "catalog/metrics_page.h"
#include "cli/command.h"
#include "cli/exit_status.h"
#include "cli/options.h"
#include "cli/output.h"
#include "record/from_settings.h"
#include "text/streams.h"

namespace reveal::cli {
namespace {

constexpr const char* kRow = "{:<46} {:<8} {:<10} {:<9} {:>8}  {}\n";

struct MetricsArguments {
  bool available = false;
  bool missing = false;
  bool values = false;
  std::vector<std::string> words;
  std::string format = "text";
  HostOptions host;
  SettingOptions settings;
};

std::string text_of(const std::vector<catalog::Row>& rows) {
  std::string out = fmt::format(kRow, "METRIC", "KIND", "UNIT", "SUBSYSTEM", "CHANNELS",
                                "SOURCE, OR WHY MISSING");
  std::size_t channels = 0;
  std::size_t available = 0;
  for (const auto& row : rows) {
    channels += row.instances.size();
    if (row.available()) ++available;
    out += fmt::format(kRow, row.metric.name, model::to_string(row.metric.kind), row.metric.unit,
                       model::to_string(row.metric.subsystem), row.instances.size(),
                       row.available() ? std::string(row.metric.source) : "missing: " + row.reason);
  }
  return out + fmt::format("{} of {} metrics are available, with {} channels.\n", available,
                           rows.size(), channels);
}

int print_page() {
  const auto printed = text::print_data(catalog::metrics_page());
  return printed ? kDone : complain(printed.error());
}

bool is_wanted(const MetricsArguments& options, const catalog::Row& row) {
  if ((options.available || options.missing) && row.available() == options.missing) return false;
  return options.words.empty() || std::ranges::any_of(options.words, [&](const auto& word) {
           return catalog::is_about(word, row);
         });
}

base::Result<std::string> answer(const MetricsArguments& options) {
  const auto settings = options.settings.settings();
  if (!settings) return base::pass(settings);
  const auto plan = record::poll_plan_of(settings->collect);
  auto rows = catalog::rows_of(options.host.root(), plan);
  if (!rows) return base::pass(rows);
  std::erase_if(*rows, [&](const catalog::Row& row) { return !is_wanted(options, row); });
  if (rows->empty() && !options.words.empty()) {
    return base::fail(base::ErrorKind::kUsage, "matches no metric here", options.words.front(),
                      "reveal metrics without a word lists all");
  }
  const bool in_full = options.format == "text" && (options.values || !options.words.empty());
  catalog::CurrentValues values;
  if (in_full || options.values) {
    auto now = catalog::current_values(options.host.root(), plan);
    if (now) values = std::move(*now);
  }
  if (options.format == "json") {
    return catalog::metrics_json(*rows, options.values ? &values : nullptr);
  }
  if (!in_full) return text_of(*rows);
  std::string out;
  for (const auto& row : *rows) out += (out.empty() ? "" : "\n") + catalog::details_of(row, values);
  return out;
}

int metrics(const MetricsArguments& options) {
  if (options.format == "markdown") return print_page();
  const auto out = answer(options);
  if (!out) return complain(out.error());
  const auto printed =
      options.format == "json" ? text::print_data(*out) : text::print(text::SafeText(*out));
  return printed ? kDone : complain(printed.error());
}

}  // namespace

Action declare_metrics(OptionSet& set) {
  auto options = std::make_shared<MetricsArguments>();
  set.value("WORD", options->words,
            "only these, in full and with their current values: a part of the name, a "
            "shell pattern of it, a collector, a subsystem, or another tool's name");
  auto& available = set.flag("--available", options->available, "only metrics that this host has");
  set.flag("--missing", options->missing, "only metrics that this host lacks").excludes(available);
  set.flag(
      "--values", options->values,
      "in full and with the current values, which takes 1.2 s (with --format json: with them)");
  set.value("--format", options->format,
            "text, json, or markdown (the reference page, for all hosts)")
      .choices({"text", "json", "markdown"});
  options->host.declare(set);
  options->settings.declare(set);
  return [options](const Invocation&) { return metrics(*options); };
}

}  // namespace reveal::cli
