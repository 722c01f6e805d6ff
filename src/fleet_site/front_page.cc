#include "fleet_site/front_page.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "fleet_site/fleet_json.h"
#include "http/target.h"
#include "text/html.h"
#include "text/time_text.h"

namespace reveal::fleet_site {
namespace {

using http::encoded;
using text::html;

// The empty icon keeps browsers from asking for one.
constexpr std::string_view kScriptHead =
    "<link rel=\"icon\" href=\"data:,\">\n<link rel=\"stylesheet\" href=\"/fleet.css\">\n"
    "<script src=\"/fleet.js\" defer></script>\n";

std::string item(std::string_view name, std::string_view value) {
  return fmt::format("<dt>{}</dt><dd>{}</dd>\n", name, html(value));
}

std::string state_text(const FleetState& state) {
  std::string out(to_string(state.state));
  if (!state.reason.empty()) out += ": " + state.reason;
  return out;
}

std::string hosts_text(const FleetState& state) {
  auto out = fmt::format("{}", state.hosts);
  for (std::size_t i = 0; i < peers::kStandings; ++i) {
    if (state.standings.at(i) == 0) continue;
    out += fmt::format(", {} {}", state.standings.at(i),
                       peers::to_string(static_cast<peers::Standing>(i)));
  }
  return out;
}

std::string open_incidents(const FleetState& state) {
  std::string items;
  std::size_t open = 0;
  for (const auto& one : *state.incidents) {
    if (!one->is_open || ++open > kMostListedIncidents) continue;
    items += fmt::format("<li><a href=\"/api/v1/incidents/{}\">{}</a></li>\n", encoded(one->id),
                         html(one->sentence));
  }
  if (open == 0) return "<p>No incident is open.</p>\n";
  auto out = "<ol>\n" + items + "</ol>\n";
  if (open > kMostListedIncidents) {
    out += fmt::format("<p>And {} more.</p>\n", open - kMostListedIncidents);
  }
  return out;
}

std::string row_of(const GroupState& group) {
  const auto judged = group.judged_end_wall_ns ? text::iso_time(*group.judged_end_wall_ns) : "";
  return fmt::format(
      "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
      html(name_of_group(group.key).name), group.hosts->size(), group.present, group.slow,
      group.incidents_open, judged);
}

std::string groups_table(const FleetState& state) {
  const auto groups = shown_order(state);
  if (groups.empty()) return "<p>No host has told yet what it is.</p>\n";
  std::string out =
      "<table>\n<tr><th>group</th><th>hosts</th><th>present</th><th>slow</th>"
      "<th>open incidents</th><th>judged until</th></tr>\n";
  const auto listed = std::min(groups.size(), kMostListedGroups);
  for (std::size_t i = 0; i < listed; ++i) out += row_of(*groups[i]);
  out += "</table>\n";
  if (listed < groups.size()) out += fmt::format("<p>And {} more.</p>\n", groups.size() - listed);
  return out;
}

}  // namespace

std::string front_page(const FleetState& state, std::int64_t wall_ns, bool has_script) {
  const auto host = html(state.host);
  auto out = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width\">\n"
      "<title>Reveal: the fleet</title>\n{}</head>\n<body>\n<main id=\"summary\">\n"
      "<h1>The fleet, as {} sees it</h1>\n<dl>\n",
      has_script ? kScriptHead : "", host);
  out += item("State", state_text(state));
  out += item("Hosts", hosts_text(state));
  out += item("This page", "as of " + text::iso_time(wall_ns));
  out += "</dl>\n<h2>Open incidents</h2>\n" + open_incidents(state);
  out += "<h2>Groups</h2>\n" + groups_table(state);
  out +=
      "<p><a href=\"/api/v1/fleet\">fleet</a>, <a href=\"/api/v1/incidents\">incidents</a>, "
      "<a href=\"/metrics\">metrics</a></p>\n";
  return out + "</main>\n</body>\n</html>\n";
}

}  // namespace reveal::fleet_site
