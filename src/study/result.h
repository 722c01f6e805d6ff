// The result of a study, as plain values from which text and JSON are made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "store/segment_reader.h"

namespace reveal::study {

// A number whose unit is not that of its column, because rows differ.
struct Amount {
  double value = 0;
  std::string unit;  // as text::format_quantity() takes it
};

// A number, a text, or an amount. NaN: unknown, or undefined.
using Cell = std::variant<double, std::string, Amount>;

// Returns the number of a cell or of its amount. REQUIRES: it is not a text.
double number_of(const Cell& cell);

struct Column {
  std::string_view name;     // the key in JSON
  std::string_view heading;  // for people
  std::string_view unit;     // as text::format_quantity() takes it
};

struct Table {
  std::string_view name;   // the key in JSON
  std::string_view title;  // for people
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows;  // of one cell a column
  // How many rows people are shown, the table itself only if there is one; programs get all.
  std::size_t shown = std::numeric_limits<std::size_t>::max();
};

// Returns the place of the column with that key; that of the end if there is none.
std::size_t column_of(const Table& table, std::string_view name);

// A picture of a table. Columns are named by their keys.
struct Plot {
  enum class Kind : std::uint8_t {
    kLines,    // of each value, over the number that is the label
    kBars,     // of each value, beside the label
    kSpans,    // from the first value to the second, in seconds, beside the label
    kPoints,   // at the first two values (study/scatter.h)
    kCourses,  // of a value with its range, over a number that is no share (study/line_chart.h)
  };
  Kind kind = Kind::kLines;
  std::string_view title;
  std::string_view table;
  std::vector<std::string_view> labels;  // texts, which are joined
  std::vector<std::string_view> values;
  // Of spans: the column of the run's directory. Of courses: that of which each text has a picture
  // of its own; empty: one picture has all.
  std::string_view of = {};
};

// A recording that was studied.
struct Run {
  std::string directory;
  std::string host;
  std::int64_t begin_ns = 0;  // wall time of the first frame, and of the last
  std::int64_t end_ns = 0;
};

struct Result {
  std::string_view study;
  std::vector<Run> runs;
  std::vector<Table> tables;
  std::vector<Plot> plots;
  std::vector<std::string> notes;     // sentences on what the tables cannot say
  std::vector<store::Damage> damage;  // what of the recordings could not be read
};

// Returns the mean, the median and the population standard deviation of the numbers among `values`
// that are not NaN; NaN if there is none.
struct Summary {
  std::size_t count = 0;
  double mean = 0;
  double median = 0;
  double deviation = 0;
};
Summary summary(std::vector<double> values);

}  // namespace reveal::study
