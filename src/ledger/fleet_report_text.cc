#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ledger/fleet_report.h"
#include "text/time_text.h"

namespace reveal::ledger {
namespace {

constexpr std::size_t kMostRows = 30;

using ReportJson = nlohmann::ordered_json;

ReportJson report_time(std::int64_t wall_ns) {
  return {{"ns", wall_ns}, {"utc", text::iso_time(wall_ns)}};
}

double in_seconds(std::int64_t ns) {
  return static_cast<double>(ns) / 1e9;
}

ReportJson row_json(const Costly& row) {
  return {{"who", row.who},
          {"host", row.host.empty() ? ReportJson() : ReportJson(row.host)},
          {"group", row.group},
          {"subsystem", row.subsystem.empty() ? ReportJson() : ReportJson(row.subsystem)},
          {"incidents", row.incidents},
          {"slow_seconds", in_seconds(row.slow_ns)},
          {"host_seconds", in_seconds(row.hosts_ns)},
          {"last_onset", report_time(row.last_onset_ns)},
          {"sentence", row.sentence}};
}

std::string row_text(const Costly& row, std::size_t width) {
  return fmt::format("{:<{}}  {:<9}  {:>9}  {:>12}  {:>12}  {}\n", peers::on_one_line(row.who),
                     width, row.subsystem.empty() ? "-" : row.subsystem, row.incidents,
                     text::span_text(row.slow_ns), text::span_text(row.hosts_ns),
                     text::iso_time(row.last_onset_ns).substr(0, 19));
}

}  // namespace

std::string to_text(const FleetReport& report) {
  auto out = fmt::format("{}: {} incident{}, {} open\n",
                         text::Clock().stretch(report.from_ns, report.to_ns), report.incidents,
                         report.incidents == 1 ? "" : "s", report.open);
  if (report.unreadable > 0) out += fmt::format("{} more cannot be read\n", report.unreadable);
  if (report.costly.empty()) return out;
  out += fmt::format("Hosts were slow for {} in all, those that waited for others included.\n\n",
                     text::span_text(report.hosts_ns));
  const auto shown = std::min(report.costly.size(), kMostRows);
  std::size_t width = 4;
  for (std::size_t i = 0; i < shown; ++i) width = std::max(width, report.costly[i].who.size());
  out += fmt::format("{:<{}}  {:<9}  {:>9}  {:>12}  {:>12}  {}\n", "HOST", width, "SUBSYSTEM",
                     "INCIDENTS", "SLOW", "HOSTS' TIME", "LAST (UTC)");
  for (std::size_t i = 0; i < shown; ++i) out += row_text(report.costly[i], width);
  if (shown < report.costly.size()) {
    out += fmt::format("and {} more (--json has all)\n", report.costly.size() - shown);
  }
  return out + "\nWhat cost most was seen last as:\n" + report.costly.front().sentence + "\n";
}

std::string to_json(const FleetReport& report) {
  ReportJson rows = ReportJson::array();
  for (const auto& row : report.costly) rows.push_back(row_json(row));
  const ReportJson out = {{"schema", "reveal.fleet_report"},
                          {"schema_version", 1},
                          {"from", report_time(report.from_ns)},
                          {"to", report_time(report.to_ns)},
                          {"incidents", report.incidents},
                          {"open", report.open},
                          {"unreadable", report.unreadable},
                          {"host_seconds", in_seconds(report.hosts_ns)},
                          {"costly", rows}};
  return out.dump(2, ' ', false, ReportJson::error_handler_t::replace) + "\n";
}

}  // namespace reveal::ledger
