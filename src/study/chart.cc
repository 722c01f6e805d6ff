#include "study/chart.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "study/line_chart.h"
#include "study/scatter.h"
#include "text/html.h"
#include "text/quantity.h"
#include "text/safe_text.h"

namespace reveal::study {
namespace {

using text::html;

constexpr int kWidth = 900;
constexpr int kLeft = 330;  // of bars and spans, beside their labels
constexpr int kLineHeight = 18;
constexpr std::size_t kMostRows = 20;
constexpr std::size_t kMostLetters = 43;  // of a label

using Rows = std::vector<const std::vector<Cell>*>;

double number(const std::vector<Cell>& row, std::size_t column) {
  return std::get<double>(row[column]);
}

std::string label_of(const Plot& plot, const Table& table, const std::vector<Cell>& row) {
  std::string out;
  for (const auto& name : plot.labels) {
    out += (out.empty() ? "" : " ") + std::get<std::string>(row[column_of(table, name)]);
  }
  return out;
}

std::string svg(int height, std::string_view title, const std::string& content) {
  return fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">{}</svg>\n", kWidth,
                     height, html(title), content);
}

std::string text_at(double x, double y, std::string_view anchor, std::string_view text) {
  return fmt::format(R"(<text x="{:.1f}" y="{:.1f}" text-anchor="{}">{}</text>)", x, y, anchor,
                     html(text));
}

std::string line_at(double x1, double y1, double x2, double y2) {
  return fmt::format(R"(<line class="axis" x1="{:.1f}" y1="{:.1f}" x2="{:.1f}" y2="{:.1f}"/>)", x1,
                     y1, x2, y2);
}

std::string bar_at(double x, double y, double width, double height, std::size_t color,
                   std::string_view hint) {
  return fmt::format(
      "<rect class=\"c{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\">"
      "<title>{}</title></rect>",
      color, x, y, std::max(width, 1.0), height, html(hint));
}

std::string row_label(int row, std::string_view label) {
  return text_at(kLeft - 8, row * kLineHeight + 13, "end",
                 text::shortened(text::inert(label), kMostLetters, "…"));
}

// The names of the values beside their colors.
std::string legend(const Plot& plot, const Table& table) {
  std::string out = "<p class=\"legend\">";
  for (std::size_t i = 0; i < plot.values.size(); ++i) {
    out += fmt::format("<span class=\"c{}\"></span> {} ", i,
                       html(table.columns[column_of(table, plot.values[i])].heading));
  }
  return out + "</p>\n";
}

// A line of each value over the first label's numbers; both axes are shares, from 0 to 1.
std::string lines(const Plot& plot, const Table& table) {
  constexpr double kLeftOfLines = 50;
  constexpr double kHigh = 280;
  constexpr int kHeight = 320;
  const auto x_at = [](double value) { return kLeftOfLines + value * (kWidth - 80); };
  const auto y_at = [](double value) { return 10 + (1 - value) * kHigh; };
  std::string out;
  for (int tenth = 0; tenth <= 10; tenth += 2) {
    const double value = tenth / 10.0;
    out += line_at(x_at(0), y_at(value), x_at(1), y_at(value));
    out += text_at(kLeftOfLines - 6, y_at(value) + 4, "end", fmt::format("{}", value));
    out += text_at(x_at(value), y_at(0) + 18, "middle", fmt::format("{}", value));
  }
  const std::size_t x = column_of(table, plot.labels.front());
  for (std::size_t i = 0; i < plot.values.size(); ++i) {
    const std::size_t y = column_of(table, plot.values[i]);
    std::string points;
    for (const auto& row : table.rows) {
      if (std::isnan(number(row, y))) continue;
      points += fmt::format("{:.1f},{:.1f} ", x_at(number(row, x)), y_at(number(row, y)));
    }
    out += fmt::format(R"(<polyline class="c{}" points="{}"/>)", i, points);
  }
  return legend(plot, table) + svg(kHeight, plot.title, out);
}

// A bar of each value for each row.
std::string bars(const Plot& plot, const Table& table) {
  std::string out;
  double most = 0;
  const std::size_t shown = std::min({table.rows.size(), table.shown, kMostRows});
  for (std::size_t row = 0; row < shown; ++row) {
    for (const auto& value : plot.values) {
      most = std::fmax(most, number(table.rows[row], column_of(table, value)));
    }
  }
  for (std::size_t row = 0; row < shown; ++row) {
    const auto label = label_of(plot, table, table.rows[row]);
    const auto top = static_cast<double>(row) * kLineHeight;
    out += row_label(static_cast<int>(row), label);
    for (std::size_t i = 0; i < plot.values.size(); ++i) {
      const std::size_t column = column_of(table, plot.values[i]);
      const double value = number(table.rows[row], column);
      if (std::isnan(value) || most <= 0) continue;
      const double high = (kLineHeight - 4.0) / static_cast<double>(plot.values.size());
      const auto words = text::format_quantity(value, table.columns[column].unit);
      out += bar_at(kLeft, top + 2 + static_cast<double>(i) * high,
                    value / most * (kWidth - kLeft - 20), high, i,
                    fmt::format("{}: {} {}", label, table.columns[column].heading, words));
    }
  }
  return legend(plot, table) + svg(static_cast<int>(shown) * kLineHeight + 4, plot.title, out);
}

// The labels of the rows of a picture: all, or those with the most spans.
std::vector<std::string> span_labels(const Plot& plot, const Table& table, const Rows& rows) {
  std::vector<std::string> out;
  std::map<std::string, std::size_t> counts;
  for (const auto* row : rows) {
    const auto label = label_of(plot, table, *row);
    if (++counts[label] == 1) out.push_back(label);
  }
  if (out.size() <= kMostRows) return out;
  std::ranges::stable_sort(out, std::ranges::greater(),
                           [&](const std::string& label) { return counts[label]; });
  out.resize(kMostRows);
  return out;
}

// A row for each label, with what lies between the two values of a row of the table.
std::string spans(const Plot& plot, const Table& table, const Rows& rows, double seconds) {
  const std::size_t begin = column_of(table, plot.values[0]);
  const std::size_t end = column_of(table, plot.values[1]);
  const auto labels = span_labels(plot, table, rows);
  const auto x_at = [seconds](double at) { return kLeft + at / seconds * (kWidth - kLeft - 20); };
  std::string out;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const auto middle = (static_cast<double>(i) + 0.5) * kLineHeight;
    out += row_label(static_cast<int>(i), labels[i]) + line_at(kLeft, middle, kWidth - 20, middle);
  }
  for (const auto* row : rows) {
    const auto found = std::ranges::find(labels, label_of(plot, table, *row));
    if (found == labels.end() || std::isnan(number(*row, begin))) continue;
    const auto top = static_cast<double>(found - labels.begin()) * kLineHeight + 3;
    out += bar_at(
        x_at(number(*row, begin)), top, x_at(number(*row, end)) - x_at(number(*row, begin)),
        kLineHeight - 6, 0,
        fmt::format("{}: {:.1f} s to {:.1f} s", *found, number(*row, begin), number(*row, end)));
  }
  const int bottom = static_cast<int>(labels.size()) * kLineHeight;
  out += text_at(kLeft, bottom + 14, "start", "0 s") +
         text_at(kWidth - 20, bottom + 14, "end", fmt::format("{:.0f} s", seconds));
  return svg(bottom + 20, plot.title, out);
}

std::string span_charts(const Plot& plot, const Table& table, std::span<const Run> runs) {
  std::vector<std::string> names;
  std::map<std::string, Rows> by_name;
  for (const auto& row : table.rows) {
    const auto& name = std::get<std::string>(row[column_of(table, plot.of)]);
    if (by_name[name].empty()) names.push_back(name);
    by_name[name].push_back(&row);
  }
  std::string out;
  for (const auto& name : names) {
    const auto run = std::ranges::find(runs, name, &Run::directory);
    const double seconds =
        run == runs.end() ? 1 : static_cast<double>(run->end_ns - run->begin_ns) / 1e9;
    out += fmt::format("<h3>{}</h3>\n{}", html(name), spans(plot, table, by_name[name], seconds));
  }
  return out;
}

}  // namespace

std::string chart(const Plot& plot, const Table& table, std::span<const Run> runs) {
  if (table.rows.empty()) return {};
  std::string out = fmt::format("<h2>{}</h2>\n", html(plot.title));
  switch (plot.kind) {
    case Plot::Kind::kLines:
      return out + lines(plot, table);
    case Plot::Kind::kBars:
      return out + bars(plot, table);
    case Plot::Kind::kPoints:
      return out + scatter(plot, table);
    case Plot::Kind::kCourses:
      return out + line_charts(plot, table);
    case Plot::Kind::kSpans:
      break;
  }
  return out + span_charts(plot, table, runs);
}

}  // namespace reveal::study
