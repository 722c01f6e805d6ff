#include "study/result_page.h"

#include <algorithm>

#include <fmt/format.h>

#include "study/chart.h"
#include "text/html.h"
#include "text/quantity.h"
#include "text/time_text.h"

namespace reveal::study {
namespace {

using text::html;

constexpr std::string_view kStyle =
    "body{font:15px/1.5 system-ui,sans-serif;max-width:960px;margin:2em auto;padding:0 1em;"
    "color:CanvasText;background:Canvas}:root{color-scheme:light dark}"
    "table{border-collapse:collapse;display:block;overflow-x:auto}"
    "td,th{padding:.15em .7em;white-space:nowrap;text-align:right;border-bottom:1px solid #8884}"
    "td.text,th.text{text-align:left}"
    "svg{width:100%;font-size:12px}svg text{fill:currentColor}.axis{stroke:#8886}"
    "rect.c0{fill:#2b83c6}rect.c1{fill:#cc6b10}rect.c2{fill:#2b9150}polyline{fill:none;stroke-"
    "width:2}"
    "polyline.c0{stroke:#2b83c6}polyline.c1{stroke:#cc6b10}polyline.c2{stroke:#2b9150}"
    "polyline.c3{stroke:#9a57d8}"
    ".legend span{display:inline-block;width:1em;height:.6em;margin-left:1em}"
    "span.c0{background:#2b83c6}span.c1{background:#cc6b10}span.c2{background:#2b9150}"
    "span.c3{background:#9a57d8}"
    // Points of a scatter plot: p0 to p7 are groups, m1 to m3 states.
    ".p0{color:#2b83c6}.p1{color:#cc6b10}.p2{color:#2b9150}.p3{color:#9a57d8}.p4{color:#d2388f}"
    ".p5{color:#8a7a1e}.p6{color:#1aa3a3}.p7{color:#c94040}"
    "svg [class^=p]{fill:currentColor;fill-opacity:.7}svg .m1,svg .m2,svg .m3{stroke:CanvasText;"
    "stroke-width:2}svg .m2{stroke-dasharray:2 2}svg .m3{stroke:#888}"
    ".legend .dot,.legend .square{width:.7em;height:.7em}.legend .dot{border-radius:1em}"
    ".legend [class*=\" p\"]{background:currentColor}.legend .m1{border:2px solid}"
    ".legend .m2{border:2px dotted}.legend .m3{border:2px solid #888}"
    // Courses: a line and the range around it, in the color of its group.
    "g polyline{stroke:currentColor;stroke-linecap:round}polygon{fill-opacity:.15}"
    ".dashed polyline{stroke-dasharray:6 4}";

struct CellHtml {
  std::string_view unit;
  std::string operator()(double value) const {
    return fmt::format("<td>{}</td>",
                       value != value ? "-" : html(text::format_quantity(value, unit)));
  }
  std::string operator()(const Amount& amount) const { return CellHtml{amount.unit}(amount.value); }
  std::string operator()(const std::string& value) const {
    return fmt::format("<td class=\"text\">{}</td>", html(value));
  }
};

std::string table_html(const Table& table) {
  std::string out = fmt::format("<h2>{}</h2>\n", html(table.title));
  if (table.rows.empty()) return out + "<p>none</p>\n";
  out += "<table tabindex=\"0\"><tr>";
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const bool text = std::holds_alternative<std::string>(table.rows.front()[i]);
    out +=
        fmt::format("<th{}>{}</th>", text ? " class=\"text\"" : "", html(table.columns[i].heading));
  }
  out += "</tr>\n";
  const std::size_t shown = std::min(table.shown, table.rows.size());
  for (std::size_t row = 0; row < shown; ++row) {
    out += "<tr>";
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      out += std::visit(CellHtml{table.columns[i].unit}, table.rows[row][i]);
    }
    out += "</tr>\n";
  }
  out += "</table>\n";
  if (shown == table.rows.size()) return out;
  return out + fmt::format("<p>and {} more (--json)</p>\n", table.rows.size() - shown);
}

std::string runs_html(const std::vector<Run>& runs) {
  if (runs.empty()) return {};
  std::string out = "<ul>\n";
  for (const auto& run : runs) {
    out += fmt::format("<li>{} on {}: {}</li>\n", html(run.directory), html(run.host),
                       html(text::Clock().stretch(run.begin_ns, run.end_ns)));
  }
  return out + "</ul>\n";
}

std::string charts(const Result& result) {
  std::string out;
  for (const auto& plot : result.plots) {
    const auto table = std::ranges::find(result.tables, plot.table, &Table::name);
    if (table != result.tables.end()) out += chart(plot, *table, result.runs);
  }
  return out;
}

}  // namespace

std::string to_page(const Result& result) {
  std::string out = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
      "<meta name=\"viewport\" content=\"width=device-width\">"
      "<title>Reveal study: {0}</title><style>{1}</style></head>\n<body><main><h1>Reveal study: "
      "{0}</h1>\n",
      html(result.study), kStyle);
  out += runs_html(result.runs) + charts(result);
  for (const auto& table : result.tables) {
    if (table.shown > 0) out += table_html(table);
  }
  for (const auto& note : result.notes) out += fmt::format("<p>{}</p>\n", html(note));
  return out + "</main></body></html>\n";
}

}  // namespace reveal::study
