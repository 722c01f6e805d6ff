// What the first records of another program's CSV tell: which of them is the header, and which
// columns tell apart rows of one moment (a GPU, a processor, a disk).
#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/result.h"
#include "exchange/csv.h"
#include "text/parse_number.h"
#include "text/parse_time.h"

namespace reveal::exchange {

// Records that can be looked at before they are read.
class AheadRecords {
 public:
  using Cells = CsvRecords::Cells;
  using Row = std::vector<std::string>;

  explicit AheadRecords(CsvRecords records) : records_(std::move(records)) {}

  // Looks at the next records, not more than this many and some 200,000 cells.
  void look(std::size_t most) {
    constexpr std::size_t kMaxCells = 200'000;
    std::size_t cells = 0;
    while (rows_.size() < most && cells < kMaxCells) {
      const auto record = records_.next();
      if (!record) {
        failure_ = record.error();  // told when it is reached
        break;
      }
      if (*record == nullptr) break;
      rows_.emplace_back((*record)->begin(), (*record)->end());
      wheres_.push_back(records_.where());
      cells += rows_.back().size();
    }
  }
  const std::vector<Row>& ahead() const { return rows_; }
  void skip(std::size_t rows) { at_ = rows; }

  base::Result<const Cells*> next() {
    if (at_ < rows_.size()) {
      cells_.assign(rows_[at_].begin(), rows_[at_].end());
      where_ = wheres_[at_++];
      return &cells_;
    }
    where_.clear();
    if (failure_) return base::Unexpected(*failure_);
    return records_.next();
  }
  std::string where() const { return where_.empty() ? records_.where() : where_; }
  char separator() const { return records_.separator(); }

 private:
  CsvRecords records_;
  std::vector<Row> rows_;
  std::vector<std::string> wheres_;
  std::optional<base::Error> failure_;
  std::size_t at_ = 0;
  std::string where_;
  Cells cells_;
};

// Gives all records to a table, and then ends it.
template <typename Table>
base::Result<void> take_all(AheadRecords& records, Table& table) {
  for (;;) {
    const auto cells = records.next();
    if (!cells) return base::pass(cells);
    if (*cells == nullptr) break;
    if (auto done = table.take(**cells); !done) return done;
  }
  table.end();
  return {};
}

inline bool is_number_or_date(std::string_view cell) {
  return text::parse_number(cell).has_value() || text::parse_date(cell).has_value();
}

// Returns whether the cells are names, rather than mostly numbers.
inline bool has_names(const AheadRecords::Row& row) {
  std::size_t names = 0;
  std::size_t numbers = 0;
  for (const auto& cell : row) {
    if (text::trimmed(cell).empty()) continue;
    is_number_or_date(cell) ? ++numbers : ++names;
  }
  return names > numbers;
}

// Returns the place of the header among the first records: the first with names that is as wide as
// the record behind it. Before it may stand "sep=;", comments and what a program says of itself. 0
// if there is none.
inline std::size_t find_header(const std::vector<AheadRecords::Row>& rows) {
  constexpr std::size_t kMaxPreamble = 10;
  for (std::size_t i = 0; i < rows.size() && i < kMaxPreamble; ++i) {
    const std::string_view first = rows[i].empty() ? std::string_view() : rows[i].front();
    if (first.starts_with("sep=") && i == 0) continue;
    const bool annotation =
        first == "#group" || first == "#datatype" || first == "#default";  // InfluxDB
    if (annotation || rows[i].size() < 2 || !has_names(rows[i])) continue;
    if (i + 1 == rows.size() || rows[i + 1].size() == rows[i].size()) return i;
  }
  return 0;
}

// Fails if there is no header, or if it is a line of numbers.
inline base::Result<void> check_header(const CsvRecords::Cells* header, const std::string& where) {
  constexpr std::size_t kMaxColumns = 1'000'000;
  if (header == nullptr) {
    return base::fail(base::ErrorKind::kTooLittle, "is empty", where, "export the data again");
  }
  if (header->size() > kMaxColumns) {
    return base::fail(base::ErrorKind::kUsage, fmt::format("has {} columns", header->size()), where,
                      "split it into files of at most a million, in one directory");
  }
  const bool names = std::any_of(header->begin(), header->end(), [](std::string_view cell) {
    return !text::trimmed(cell).empty() && !text::parse_number(cell) && !text::parse_date(cell);
  });
  if (names) return {};
  return base::fail(base::ErrorKind::kCorrupt, "the first line has no column names", where,
                    "put a line such as time,cpu_busy_ratio before it");
}

// Fails if the column of times has a time for its name: names and units of a GPU make a line of
// values look like one of names.
inline base::Result<void> check_time_name(std::string_view cell, const std::string& where) {
  if (!is_number_or_date(cell)) return {};
  return base::fail(base::ErrorKind::kCorrupt,
                    fmt::format("the first line has no column names, but the time {}", cell), where,
                    "put a line such as time,cpu_busy_ratio before it; nvidia-smi writes one "
                    "without noheader");
}

inline std::string lower_case(std::string_view text) {
  std::string out(text::trimmed(text));
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
  }
  return out;
}

// Names of columns that number things. A column of texts may have any name.
inline bool is_key_name(std::string_view name) {
  static constexpr std::string_view kNames[] = {
      "index", "gpu",          "gpu_id", "cpu",  "core",      "device", "dev",
      "disk",  "interface",    "iface",  "node", "numa_node", "socket", "port",
      "link",  "minor_number", "id",     "card", "package"};
  return std::ranges::find(kNames, lower_case(name)) != std::end(kNames);
}

// Returns the place of the first of these names that is in the header.
inline std::optional<std::size_t> find_column(const CsvRecords::Cells& header,
                                              std::initializer_list<std::string_view> names) {
  for (const auto name : names) {
    for (std::size_t i = 0; i < header.size(); ++i) {
      if (text::trimmed(header[i]) == name) return i;
    }
  }
  return std::nullopt;
}

class KeyColumns {
 public:
  // `rows` begin behind the header.
  KeyColumns(const AheadRecords::Row& header, std::vector<AheadRecords::Row> rows, std::size_t time)
      : header_(header), rows_(std::move(rows)), time_(time) {
    std::erase_if(rows_, [&](const auto& row) { return row.size() != header_.size(); });
  }

  // Returns the columns that together tell rows of one moment apart; none if each moment has one
  // row.
  std::vector<std::size_t> find() const {
    std::vector<std::size_t> candidates;
    for (std::size_t column = 0; column < header_.size(); ++column) {
      if (column != time_ && may_be_key(column)) candidates.push_back(column);
    }
    for (const std::size_t one : candidates) {
      if (tell_apart({one})) return {one};
    }
    for (const std::size_t one : candidates) {
      for (const std::size_t two : candidates) {
        if (one < two && tell_apart({one, two})) return {one, two};
      }
    }
    return {};
  }

 private:
  bool may_be_key(std::size_t column) const {
    bool texts = true;
    std::set<std::string_view> values;
    for (const auto& row : rows_) {
      const auto cell = text::trimmed(row[column]);
      const auto word = cell.substr(0, cell.find(' '));  // "97 %" is a number with its unit
      texts = texts && !cell.empty() && !is_number_or_date(cell) && !is_number_or_date(word);
      const bool whole = text::parse_i64(cell).has_value();
      if (!texts && !(whole && is_key_name(header_[column]))) {
        if (lower_case(cell) != "all" || !is_key_name(header_[column])) return false;
      }
      values.insert(cell);
    }
    return values.size() > 1;
  }

  // Rows are apart if no two of a moment have the same keys. Moments may differ by the time that a
  // program took from row to row; then the keys come again and again in the same order.
  bool tell_apart(const std::vector<std::size_t>& columns) const {
    std::set<std::string> moments;
    std::set<std::string> all;
    std::set<std::string> keys;
    std::vector<std::string> order;
    for (const auto& row : rows_) {
      std::string key;
      for (const std::size_t column : columns) key.append(row[column]).push_back('\0');
      moments.insert(row[time_]);
      all.insert(row[time_] + '\0' + key);
      keys.insert(key);
      order.push_back(std::move(key));
    }
    if (all.size() != rows_.size()) return false;
    if (moments.size() < rows_.size()) return true;
    const std::size_t period = keys.size();
    if (order.size() < 2 * period) return false;
    std::size_t odd = 0;  // a row that is lost makes two periods odd
    for (std::size_t i = 1; i < order.size(); ++i) {
      if (order[i] == order[i - 1]) ++odd;
    }
    for (std::size_t i = period; i < order.size(); ++i) {
      if (order[i] != order[i - period]) ++odd;
    }
    return odd <= order.size() / 8;
  }

  const AheadRecords::Row& header_;
  std::vector<AheadRecords::Row> rows_;
  std::size_t time_;
};

}  // namespace reveal::exchange
