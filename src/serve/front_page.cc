#include "serve/front_page.h"

#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "http/target.h"
#include "serve/status_json.h"
#include "text/html.h"
#include "text/quantity.h"
#include "text/time_text.h"
#include "text/words.h"

namespace reveal::serve {
namespace {

using http::encoded;

// The empty icon keeps browsers from asking for one.
constexpr std::string_view kLiveHead =
    "<link rel=\"icon\" href=\"data:,\">\n<link rel=\"stylesheet\" href=\"live.css\">\n"
    "<script src=\"live.js\" defer></script>\n";

using text::html;

std::string item(std::string_view name, std::string_view value) {
  return fmt::format("<dt>{}</dt><dd>{}</dd>\n", name, html(value));
}

std::string state_text(const AgentState& state) {
  std::string out(to_string(state.state));
  if (!state.reason.empty()) out += ": " + state.reason;
  if (state.state_since_wall_ns) out += ", since " + text::iso_time(*state.state_since_wall_ns);
  return out;
}

std::string ticks_text(const Published& published) {
  const auto& ticks = published.state->recorder.ticks;
  if (!ticks) return "none yet";
  const auto age = text::span_text(published.tick_age.count());
  const bool fresh = published.tick_age <= kMostTickAge;
  return fmt::format("{}, the last {} ago{}", *ticks, age,
                     fresh ? "" : ": the recorder stands still");
}

std::string storage_text(const StorageState& storage) {
  std::string out = storage.ready ? "frames are stored" : "frames are not stored";
  if (storage.recording_bytes) {
    out += ", " + text::format_quantity(static_cast<double>(*storage.recording_bytes), "bytes");
  }
  if (!storage.last_error.empty()) out += "; last error: " + storage.last_error;
  return out;
}

std::string finding_item(const Finding& finding) {
  return fmt::format("<li><a href=\"api/v1/findings/{}\">{}</a> ({}, {}, since {})</li>\n",
                     encoded(finding.id), html(finding.claim), html(finding.subsystem),
                     html(finding.severity), text::iso_time(finding.begin_wall_ns));
}

std::string open_findings(const AgentState& state) {
  std::string items;
  std::size_t open = 0;
  for (const auto& finding : state.findings) {
    if (finding.open && ++open <= kMostListedFindings) items += finding_item(finding);
  }
  if (open == 0) return "<p>No finding is open.</p>\n";
  auto out = "<ol>\n" + items + "</ol>\n";
  if (open > kMostListedFindings) {
    out += fmt::format("<p>And {} more.</p>\n", open - kMostListedFindings);
  }
  return out;
}

}  // namespace

std::string front_page(const Published& published, std::int64_t wall_ns, bool is_live) {
  const auto& state = *published.state;
  const auto host = html(state.host);
  auto out = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width\">\n"
      "<title>Reveal on {}</title>\n{}</head>\n<body>\n{}<h1>Reveal on {}</h1>\n<dl>\n",
      host, is_live ? kLiveHead : "", is_live ? "<noscript>\n" : "", host);
  out += item("State", state_text(state));
  out += item("Ticks", ticks_text(published));
  out += item("Storage", storage_text(state.storage));
  out += item("This page", "as of " + text::iso_time(wall_ns));
  out += "</dl>\n<h2>Open findings</h2>\n" + open_findings(state);
  out +=
      "<p><a href=\"api/v1/status\">status</a>, <a href=\"api/v1/findings\">findings</a>, "
      "<a href=\"metrics\">metrics</a></p>\n";
  if (is_live) out += "</noscript>\n";
  out += "</body>\n</html>\n";
  return out;
}

}  // namespace reveal::serve
