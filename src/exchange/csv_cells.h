// Cells and rows of other programs' CSV: their numbers, what stands for no value, and rows that are
// none.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "exchange/csv_head.h"
#include "exchange/gathering.h"
#include "text/parse_number.h"

namespace reveal::exchange {

// What other programs write if there is no value.
inline constexpr std::string_view kNothing[] = {"",
                                                "NA",
                                                "N/A",
                                                "n/a",
                                                "na",
                                                "NaN",
                                                "nan",
                                                "null",
                                                "NULL",
                                                "None",
                                                "-",
                                                "[N/A]",
                                                "[Not Supported]",
                                                "[Unknown Error]"};

// Any text in brackets is what nvidia-smi writes instead of a number ("[GPU is lost]"), perf's
// stand in angle brackets.
inline bool says_nothing(std::string_view cell) {
  if (cell.size() > 2 && cell.front() == '[' && cell.back() == ']') return true;
  if (cell.starts_with("<not ") && cell.back() == '>') return true;
  return std::find(std::begin(kNothing), std::end(kNothing), cell) != std::end(kNothing);
}

// Returns the number of "45 %" if the column is in that unit, and of "45" anyway.
// `separator`: of the cells; if it is not a comma, numbers may have a decimal comma.
inline std::optional<text::Number> read_value(std::string_view cell, std::string_view unit,
                                              char separator) {
  if (!unit.empty() && cell.size() > unit.size() && cell.ends_with(unit)) {
    cell.remove_suffix(unit.size());
  }
  const auto comma = separator == ',' ? std::string_view::npos : cell.find(',');
  if (comma == std::string_view::npos || cell.find('.') != std::string_view::npos) {
    return text::parse_number(cell);
  }
  std::string with_point(cell);
  with_point[comma] = '.';
  return text::parse_number(with_point);
}

// Counts the cells that are written as no value, apart from empty ones, to tell of them once: an
// import that leaves something out says so.
class Nothing {
 public:
  // Returns whether the cell has no value.
  bool is(std::string_view cell, std::string_view column, const AheadRecords& records) {
    if (cell.empty()) return true;
    // Nearly all cells begin with a digit, and no such text is without a value.
    if (cell.front() >= '0' && cell.front() <= '9') return false;
    if (!says_nothing(cell)) {
      const auto number = text::parse_number(cell);
      if (!number || std::isfinite(number->real)) return false;
    }
    if (count_++ == 0) {
      first_ = fmt::format("{}: column {}: \"{}\"", records.where(), column, cell);
    }
    return true;
  }

  void tell(Gathering& out) const {
    if (count_ == 0) return;
    out.remark(fmt::format("{} cell{} without a finite number left out; the first: {}", count_,
                           count_ == 1 ? " is" : "s are", first_));
  }

 private:
  std::uint64_t count_ = 0;
  std::string first_;
};

// Counts rows that are none, to tell of them once.
class OddRows {
 public:
  void add(const std::string& where) {
    if (count_++ == 0) first_ = where;
  }
  void tell(Gathering& out) const {
    if (count_ == 0) return;
    out.remark(
        fmt::format("{} line{} left out: a header again, a comment or a restart; the first: {}",
                    count_, count_ == 1 ? " is" : "s are", first_));
  }

 private:
  std::uint64_t count_ = 0;
  std::string first_;
};

inline bool is_comment_or_restart(const CsvRecords::Cells& cells) {
  if (!cells.empty() && cells.front().starts_with('#')) return true;
  return std::any_of(cells.begin(), cells.end(), [](std::string_view cell) {
    return cell.find("RESTART") != std::string_view::npos;
  });
}

}  // namespace reveal::exchange
