#include "study/line_chart.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "study/axis.h"
#include "study/group_colors.h"
#include "text/html.h"

namespace reveal::study {
namespace {

using text::html;

constexpr double kWidth = 900;
constexpr double kHeight = 260;
constexpr double kLeft = 90;
constexpr double kRight = kWidth - 30;
constexpr double kTop = 20;
constexpr double kBottom = 230;

struct Point {
  double x = 0;
  double y = 0;  // NaN: the line ends before it
  double low = 0;
  double high = 0;
};

struct Line {
  std::string name;
  std::size_t group = 0;  // that its color is of
  std::vector<Point> points;
};

struct Picture {
  std::string title;
  std::string unit;  // of y
  std::vector<Line> lines;
};

using PointAt = std::vector<Point>::const_iterator;

std::string unit_of(const Cell& cell, const Column& column) {
  const auto* amount = std::get_if<Amount>(&cell);
  return amount != nullptr ? amount->unit : std::string(column.unit);
}

// Returns the member with that name, which is added if it is new.
template <typename Named>
Named& named(std::vector<Named>& all, std::string Named::*name, const std::string& text) {
  const auto found = std::ranges::find(all, text, name);
  if (found != all.end()) return *found;
  Named& out = all.emplace_back();
  out.*name = text;
  return out;
}

std::vector<Picture> pictures_of(const Plot& plot, const Table& table) {
  std::vector<Picture> out;
  std::vector<std::string> groups;
  const std::size_t label = column_of(table, plot.labels.front());
  const std::size_t y = column_of(table, plot.values[1]);
  for (const auto& row : table.rows) {
    const auto value = [&](std::size_t i) {
      return number_of(row[column_of(table, plot.values[i])]);
    };
    const Point point{value(0), value(1), value(2), value(3)};
    if (std::isnan(point.x)) continue;
    const auto& title =
        plot.of.empty() ? std::string() : std::get<std::string>(row[column_of(table, plot.of)]);
    Picture& picture = named(out, &Picture::title, title);
    picture.unit = unit_of(row[y], table.columns[y]);
    Line& line = named(picture.lines, &Line::name, std::get<std::string>(row[label]));
    line.group = index_in(groups, line.name);
    line.points.push_back(point);
  }
  return out;
}

// The range of numbers that are not NaN.
class Range {
 public:
  void add(double value) {
    low_ = std::fmin(low_, value);
    high_ = std::fmax(high_, value);
  }
  Axis::Range get() const { return low_ <= high_ ? Axis::Range{low_, high_} : Axis::Range(); }

 private:
  double low_ = std::numeric_limits<double>::infinity();
  double high_ = -std::numeric_limits<double>::infinity();
};

struct Axes {
  Axis x;
  Axis y;
};

Axes axes_of(const Picture& picture, std::string_view unit_of_x) {
  Range x;
  Range y;
  for (const auto& line : picture.lines) {
    for (const auto& point : line.points) {
      x.add(point.x);
      for (const double value : {point.y, point.low, point.high}) y.add(value);
    }
  }
  return {Axis(x.get(), {kLeft, kRight}, unit_of_x), Axis(y.get(), {kBottom, kTop}, picture.unit)};
}

std::string text_at(double x, double y, std::string_view anchor, std::string_view text) {
  return fmt::format(R"(<text x="{:.1f}" y="{:.1f}" text-anchor="{}">{}</text>)", x, y, anchor,
                     html(text));
}

std::string rule(double x1, double y1, double x2, double y2) {
  return fmt::format(R"(<line class="axis" x1="{:.1f}" y1="{:.1f}" x2="{:.1f}" y2="{:.1f}"/>)", x1,
                     y1, x2, y2);
}

std::string grid(const Axes& axes) {
  std::string out = text_at(kLeft, kTop - 8, "start", axes.y.unit_beside());
  for (const double tick : axes.y.ticks()) {
    const double at = axes.y.place(tick);
    out += rule(kLeft, at, kRight, at) + text_at(kLeft - 6, at + 4, "end", axes.y.label(tick));
  }
  for (const double tick : axes.x.ticks()) {
    const double at = axes.x.place(tick);
    out += rule(at, kBottom, at, kBottom + 5) +
           text_at(at, kBottom + 18, "middle", axes.x.label(tick));
  }
  return out;
}

std::string place(const Axes& axes, double x, double y) {
  return fmt::format("{:.1f},{:.1f} ", axes.x.place(x), axes.y.place(y));
}

// The range around a piece of a line: the highs forward, the lows back.
std::string band(const Axes& axes, PointAt begin, PointAt end) {
  const bool is_range =
      std::any_of(begin, end, [](const Point& one) { return one.low < one.high; });
  if (!is_range || end - begin < 2) return {};
  std::string out;
  for (auto at = begin; at != end; ++at) out += place(axes, at->x, at->high);
  for (auto at = end; at != begin; --at) out += place(axes, (at - 1)->x, (at - 1)->low);
  return fmt::format(R"(<polygon points="{}"/>)", out);
}

std::string piece(const Axes& axes, PointAt begin, PointAt end) {
  std::string points;
  for (auto at = begin; at != end; ++at) points += place(axes, at->x, at->y);
  if (end - begin == 1) points += points;  // a line of no length is drawn as a dot
  return band(axes, begin, end) + fmt::format(R"(<polyline points="{}"/>)", points);
}

std::string drawn(const Line& line, const Axes& axes) {
  const auto is_gap = [](const Point& one) { return std::isnan(one.y); };
  std::string out;
  auto begin = line.points.begin();
  while ((begin = std::find_if_not(begin, line.points.end(), is_gap)) != line.points.end()) {
    const auto end = std::find_if(begin, line.points.end(), is_gap);
    out += piece(axes, begin, end);
    begin = end;
  }
  return fmt::format("<g class=\"{}{}\"><title>{}</title>{}</g>", color_class(line.group),
                     is_second_turn(line.group) ? " dashed" : "", html(line.name), out);
}

std::string legend(const Picture& picture) {
  std::string out = "<p class=\"legend\">";
  for (const auto& line : picture.lines) out += legend_entry(line.group, line.name);
  return out + "</p>\n";
}

}  // namespace

std::string line_charts(const Plot& plot, const Table& table) {
  const auto unit_of_x = table.columns[column_of(table, plot.values.front())].unit;
  std::string out;
  for (const auto& picture : pictures_of(plot, table)) {
    const auto axes = axes_of(picture, unit_of_x);
    std::string content = grid(axes);
    for (const auto& line : picture.lines) content += drawn(line, axes);
    if (!picture.title.empty()) out += fmt::format("<h3>{}</h3>\n", html(picture.title));
    const auto& name = picture.title.empty() ? plot.title : std::string_view(picture.title);
    out += legend(picture) +
           fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">{}</svg>\n",
                       kWidth, kHeight, html(name), content);
  }
  return out;
}

}  // namespace reveal::study
