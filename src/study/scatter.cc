#include "study/scatter.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include "study/group_colors.h"
#include "text/html.h"
#include "text/quantity.h"

namespace reveal::study {
namespace {

using text::html;

constexpr double kWidth = 900;
constexpr double kHeight = 600;
constexpr double kMargin = 12;

struct Point {
  double x = 0;
  double y = 0;
  std::size_t group = 0;
  std::string state;
  std::string hint;
};

std::vector<Point> points_of(const Plot& plot, const Table& table,
                             std::vector<std::string>& groups) {
  std::vector<Point> out;
  for (const auto& row : table.rows) {
    const auto number = [&](std::size_t i) {
      return std::get<double>(row[column_of(table, plot.values[i])]);
    };
    const auto& group = std::get<std::string>(row[column_of(table, plot.labels[0])]);
    const auto& state = std::get<std::string>(row[column_of(table, plot.labels[1])]);
    out.push_back({number(0), number(1), index_in(groups, group), state,
                   fmt::format("{}, {}{}{}", group, text::format_quantity(number(2), "seconds"),
                               state.empty() ? "" : ", ", state)});
  }
  return out;
}

// From values to places in the picture.
class Scale {
 public:
  explicit Scale(const std::vector<Point>& points) {
    for (const auto& point : points) {
      low_x_ = std::min(low_x_, point.x);
      high_x_ = std::max(high_x_, point.x);
      low_y_ = std::min(low_y_, point.y);
      high_y_ = std::max(high_y_, point.y);
    }
    factor_ = std::min((kWidth - 2 * kMargin) / std::max(high_x_ - low_x_, kLeast),
                       (kHeight - 2 * kMargin) / std::max(high_y_ - low_y_, kLeast));
  }
  double x(double value) const { return kWidth / 2 + factor_ * (value - (low_x_ + high_x_) / 2); }
  double y(double value) const { return kHeight / 2 - factor_ * (value - (low_y_ + high_y_) / 2); }

 private:
  static constexpr double kLeast = std::numeric_limits<double>::min();
  double low_x_ = std::numeric_limits<double>::infinity();
  double high_x_ = -std::numeric_limits<double>::infinity();
  double low_y_ = std::numeric_limits<double>::infinity();
  double high_y_ = -std::numeric_limits<double>::infinity();
  double factor_ = 1;
};

std::string classes(std::size_t group, std::size_t state) {
  return color_class(group) + (state == 0 ? "" : fmt::format(" m{}", state));
}

std::string mark_at(const Point& point, const Scale& at, std::size_t state) {
  const double radius = state == 0 ? 3 : 5;
  const auto attributes = fmt::format("class=\"{}\"", classes(point.group, state));
  const auto hint = fmt::format("<title>{}</title>", html(point.hint));
  const double x = at.x(point.x);
  const double y = at.y(point.y);
  if (is_second_turn(point.group)) {
    return fmt::format(R"(<rect {} x="{:.1f}" y="{:.1f}" width="{}" height="{}">{}</rect>)",
                       attributes, x - radius, y - radius, 2 * radius, 2 * radius, hint);
  }
  return fmt::format(R"(<circle {} cx="{:.1f}" cy="{:.1f}" r="{}">{}</circle>)", attributes, x, y,
                     radius, hint);
}

std::string legend(const std::vector<std::string>& groups, const std::vector<std::string>& states) {
  std::string out = "<p class=\"legend\">";
  for (std::size_t i = 0; i < groups.size(); ++i) {
    out += legend_entry(i, groups[i]);
  }
  for (std::size_t i = 1; i < states.size(); ++i) {
    out += legend_entry("dot", fmt::format("m{}", i), states[i]);
  }
  return out + "</p>\n";
}

}  // namespace

std::string scatter(const Plot& plot, const Table& table) {
  std::vector<std::string> groups;
  std::vector<std::string> states{""};
  const auto points = points_of(plot, table, groups);
  const Scale at(points);
  std::string plain;
  std::string marked;  // above the others
  for (const auto& point : points) {
    const std::size_t state = index_in(states, point.state);
    (state == 0 ? plain : marked) += mark_at(point, at, state);
  }
  return legend(groups, states) +
         fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">{}{}</svg>\n",
                     kWidth, kHeight, html(plot.title), plain, marked);
}

}  // namespace reveal::study
