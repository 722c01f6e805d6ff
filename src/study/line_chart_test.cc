#include "study/line_chart.h"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "study/chart.h"

namespace reveal::study {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::vector<Cell> row(const char* chart, const char* line, double x, double y, double low,
                      double high) {
  return {std::string(chart), std::string(line),    x,
          Amount{y, "bytes"}, Amount{low, "bytes"}, Amount{high, "bytes"}};
}

Table made(std::vector<std::vector<Cell>> rows) {
  return {.name = "courses",
          .title = "Courses",
          .columns = {{"channel", "channel", ""},
                      {"host", "host", ""},
                      {"seconds", "time", "seconds"},
                      {"mean", "mean", ""},
                      {"low", "lowest", ""},
                      {"high", "highest", ""}},
          .rows = std::move(rows)};
}

Plot made_plot() {
  return {.kind = Plot::Kind::kCourses,
          .title = "Hosts",
          .table = "courses",
          .labels = {"host"},
          .values = {"seconds", "mean", "low", "high"},
          .of = "channel"};
}

std::size_t count(const std::string& text, std::string_view part) {
  std::size_t out = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++out;
  return out;
}

TEST(LineCharts, LinesAndRangesGoThroughTheValues) {
  // 780 wide from 90 on; 210 high, 0 at 230.
  const auto drawn =
      line_charts(made_plot(), made({row("a", "h1", 0, 4, 2, 8), row("a", "h1", 10, 2, 2, 4)}));
  EXPECT_THAT(drawn, HasSubstr(R"(<polyline points="90.0,125.0 870.0,177.5 "/>)"));
  EXPECT_THAT(drawn,
              HasSubstr(R"(<polygon points="90.0,20.0 870.0,125.0 870.0,177.5 90.0,177.5 "/>)"));
  EXPECT_THAT(drawn, HasSubstr("<h3>a</h3>"));
  EXPECT_THAT(drawn, HasSubstr(">8 bytes</text>"));
  EXPECT_THAT(drawn, HasSubstr(">10 s</text>"));
}

TEST(LineCharts, AHostHasOneColorInAllPictures) {
  const auto drawn = line_charts(
      made_plot(),
      made({row("a", "h1", 0, 1, 1, 1), row("a", "h2", 0, 2, 2, 2), row("b", "h2", 0, 3, 3, 3)}));
  EXPECT_EQ(count(drawn, "<svg"), 2U);
  EXPECT_EQ(count(drawn, "<g class=\"p0\"><title>h1</title>"), 1U);
  EXPECT_EQ(count(drawn, "<g class=\"p1\"><title>h2</title>"), 2U);
  EXPECT_EQ(count(drawn, "<span class=\"dot p1\"></span>&nbsp;h2 "), 2U);
  EXPECT_THAT(drawn, Not(HasSubstr("polygon")));  // no value has a range
}

TEST(LineCharts, TheNinthIsDashed) {
  std::vector<std::vector<Cell>> rows;
  for (const char* host : {"1", "2", "3", "4", "5", "6", "7", "8", "9"}) {
    rows.push_back(row("a", host, 0, 1, 1, 1));
  }
  const auto drawn = line_charts(made_plot(), made(std::move(rows)));
  EXPECT_EQ(count(drawn, "dashed"), 1U);
  EXPECT_THAT(drawn, HasSubstr("<g class=\"p0 dashed\"><title>9</title>"));
  EXPECT_THAT(drawn, HasSubstr("<span class=\"square p0\"></span>&nbsp;9 "));
}

TEST(LineCharts, AHoleBreaksTheLineAndALoneValueIsADot) {
  const auto drawn = line_charts(
      made_plot(), made({row("a", "h", 0, 5, 5, 5), row("a", "h", 1, 5, 5, 5),
                         row("a", "h", 2, kNan, kNan, kNan), row("a", "h", 4, 10, 10, 10)}));
  EXPECT_THAT(drawn, HasSubstr(R"(<polyline points="90.0,125.0 285.0,125.0 "/>)"));
  EXPECT_THAT(drawn, HasSubstr(R"(<polyline points="870.0,20.0 870.0,20.0 "/>)"));
}

TEST(LineCharts, WithoutAColumnOfPicturesThereIsOne) {
  auto plot = made_plot();
  plot.of = {};
  auto table =
      made({row("a", "h1", 0, 1, 1, 1), row("b", "h1", kNan, 7, 7, 7), row("b", "h2", 3, 2, 2, 2)});
  const auto drawn = chart(plot, table, {});
  EXPECT_EQ(count(drawn, "<svg"), 1U);
  EXPECT_EQ(count(drawn, "<polyline"), 2U);  // not of the row without a first value
  EXPECT_THAT(drawn, HasSubstr("<h2>Hosts</h2>"));
  EXPECT_THAT(drawn, HasSubstr("aria-label=\"Hosts\""));
}

TEST(LineCharts, NamesAreInert) {
  const auto drawn = line_charts(made_plot(), made({row("<a>", "<h>", 0, 1, 1, 1)}));
  EXPECT_THAT(drawn, Not(HasSubstr("<a>")));
  EXPECT_THAT(drawn, Not(HasSubstr("<h>")));
}

}  // namespace
}  // namespace reveal::study
