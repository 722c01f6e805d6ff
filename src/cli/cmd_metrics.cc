#include <algorithm>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "catalog/catalog.h"
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
  std::string format = "text";
  HostOptions host;
  SettingOptions settings;
};

nlohmann::ordered_json to_json(const catalog::Row& row) {
  nlohmann::ordered_json out = {{"name", row.metric.name},
                                {"unit", row.metric.unit},
                                {"kind", model::to_string(row.metric.kind)},
                                {"subsystem", model::to_string(row.metric.subsystem)},
                                {"scope", model::to_string(row.metric.scope)},
                                {"collector", row.collector},
                                {"source", row.metric.source},
                                {"alias", row.metric.alias},
                                {"help", row.metric.help},
                                {"documentation", row.metric.doc_url},
                                {"available", row.available()},
                                {"instances", row.instances}};
  if (!row.available()) {
    out["reason"] = row.reason;
    out["remedy"] = row.remedy;
  }
  return out;
}

std::string json_of(const std::vector<catalog::Row>& rows) {
  auto out = nlohmann::ordered_json::array();
  for (const auto& row : rows) out.push_back(to_json(row));
  return out.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

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

int metrics(const MetricsArguments& options) {
  if (options.format == "markdown") return print_page();
  const auto settings = options.settings.settings();
  if (!settings) return complain(settings.error());
  auto known = catalog::rows_of(options.host.root(), record::poll_plan_of(settings->collect));
  if (!known) return complain(known.error());
  auto rows = std::move(*known);
  if (options.available || options.missing) {
    std::erase_if(rows,
                  [&](const catalog::Row& row) { return row.available() == options.missing; });
  }
  const auto printed = options.format == "json" ? text::print_data(json_of(rows))
                                                : text::print(text::SafeText(text_of(rows)));
  return printed ? kDone : complain(printed.error());
}

}  // namespace

Action declare_metrics(OptionSet& set) {
  auto options = std::make_shared<MetricsArguments>();
  auto& available = set.flag("--available", options->available, "only metrics that this host has");
  set.flag("--missing", options->missing, "only metrics that this host lacks").excludes(available);
  set.value("--format", options->format,
            "text, json, or markdown (the reference page, for all hosts)")
      .choices({"text", "json", "markdown"});
  options->host.declare(set);
  options->settings.declare(set);
  return [options](const Invocation&) { return metrics(*options); };
}

}  // namespace reveal::cli
