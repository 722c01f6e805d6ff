#include "exchange/foreign_csv.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "exchange/channel_name.h"
#include "exchange/csv_samples.h"
#include "exchange/guess.h"
#include "exchange/time_column.h"
#include "text/parse_number.h"

namespace reveal::exchange {
namespace {

using base::ErrorKind;
using base::Result;
using Cells = CsvRecords::Cells;

constexpr std::size_t kMaxColumns = 1'000'000;
// What other programs write if there is no value.
constexpr std::string_view kNothing[] = {"",
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

bool is_nothing(std::string_view cell) {
  return std::find(std::begin(kNothing), std::end(kNothing), cell) != std::end(kNothing);
}

// Returns the number of "45 %" if the column is in that unit, and of "45" anyway.
std::optional<text::Number> read_value(std::string_view cell, std::string_view unit) {
  if (!unit.empty() && cell.size() > unit.size() && cell.ends_with(unit)) {
    cell.remove_suffix(unit.size());
  }
  return text::parse_number(cell);
}

base::Unexpected bad_value(const std::string& where, std::string_view column,
                           std::string_view cell) {
  return base::fail(ErrorKind::kCorrupt,
                    fmt::format("column {}: \"{}\" is not a number", column, cell), where,
                    "correct it, leave the cell empty, or leave the column out with skip = true in "
                    "--map");
}

Result<std::int64_t> read_time(TimeColumn& column, std::string_view cell,
                               const std::string& where) {
  if (const auto time = column.read(cell)) return *time;
  return base::fail(ErrorKind::kCorrupt,
                    fmt::format("column {}: \"{}\" is not a time", column.name(), cell), where,
                    kTimeRemedy);
}

Result<void> check_width(const Cells& cells, std::size_t width, const std::string& where) {
  if (cells.size() == width) return {};
  return base::fail(
      ErrorKind::kCorrupt, fmt::format("has {} cells, but the header has {}", cells.size(), width),
      where, "give every line one cell for each column; quote cells that hold the separator");
}

// Counts the cells that are written as no value, apart from empty ones, to tell of them once: an
// import that leaves something out says so.
class Nothing {
 public:
  // Returns whether the cell has no value.
  bool is(std::string_view cell, std::string_view column, const CsvRecords& records) {
    if (cell.empty()) return true;
    // Nearly all cells begin with a digit, and no such text is without a value.
    if (cell.front() >= '0' && cell.front() <= '9') return false;
    if (!is_nothing(cell)) {
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

// One column of a wide file.
struct ForeignColumn {
  std::string name;
  ChannelName channel;
  std::string unit;  // as in brackets
  bool skipped = false;
  std::optional<SeriesId> series;  // once it has held a number
};

class WideTable {
 public:
  WideTable(CsvRecords& records, const ImportOptions& options, Gathering& out)
      : records_(records), options_(options), out_(out) {}

  Result<void> read_header(const Cells& header, std::size_t time_column) {
    time_index_ = time_column;
    time_.emplace(header[time_column]);
    std::set<std::pair<std::string, std::string>> taken;
    for (const auto cell : header) {
      ForeignColumn column = column_of(cell);
      column.skipped = column.skipped || columns_.size() == time_column || is_own(cell, header);
      const bool is_new = taken.insert({column.channel.metric, column.channel.instance}).second;
      if (!column.skipped && !is_new) {
        return base::fail(ErrorKind::kUsage,
                          fmt::format("column {} is the second for the channel {}", column.name,
                                      shown(column.channel)),
                          records_.where(),
                          "rename it, or leave one out with skip = true in --map");
      }
      columns_.push_back(std::move(column));
    }
    return {};
  }

  void end() { nothing_.tell(out_); }

  Result<void> take(const Cells& cells) {
    const auto where = [&] { return records_.where(); };
    if (auto sound = check_width(cells, columns_.size(), records_.where()); !sound) return sound;
    const auto time = time_->read(cells[time_index_]);
    if (!time) return base::pass(read_time(*time_, cells[time_index_], where()));
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (columns_[i].skipped) continue;
      const auto cell = text::trimmed(cells[i]);
      if (nothing_.is(cell, columns_[i].name, records_)) continue;
      if (auto done = take_cell(columns_[i], *time, cell); !done) return done;
    }
    return {};
  }

 private:
  ForeignColumn column_of(std::string_view cell) const {
    ForeignColumn out;
    out.name = text::trimmed(cell);
    const auto unit = bracketed(out.name);
    out.unit = unit;
    const auto bare = unit.empty()
                          ? std::string_view(out.name)
                          : std::string_view(out.name).substr(
                                0, static_cast<std::size_t>(unit.data() - out.name.data()) - 1);
    out.channel = channel_of_name(bare);
    out.skipped = options_.mapping.rule_of(out.name).skip.value_or(false);
    return out;
  }

  // A file that reveal export wrote to standard output has no metadata beside it.
  static bool is_own(std::string_view cell, const Cells& header) {
    const bool own = header.size() > kWideColumns.size() &&
                     std::equal(kWideColumns.begin(), kWideColumns.end(), header.begin());
    return own && std::find(kWideColumns.begin(), kWideColumns.end(), cell) != kWideColumns.end();
  }

  static std::string shown(const ChannelName& channel) {
    return channel.instance.empty() ? channel.metric
                                    : fmt::format("{}{{{}}}", channel.metric, channel.instance);
  }

  // A column whose first cell is a text is one of texts.
  Result<void> take_cell(ForeignColumn& column, std::int64_t time, std::string_view cell) {
    const auto number = read_value(cell, column.unit);
    if (!number && column.series) return bad_value(records_.where(), column.name, cell);
    if (!number) {
      column.skipped = true;
      out_.remark(fmt::format("{}: column {} is left out: \"{}\" is not a number", records_.where(),
                              column.name, cell));
      return {};
    }
    if (!column.series) column.series = out_.series(column.channel, column.name);
    if (!std::isnan(number->real)) out_.add(*column.series, time, *number);
    return {};
  }

  CsvRecords& records_;
  const ImportOptions& options_;
  Gathering& out_;
  Nothing nothing_;
  std::size_t time_index_ = 0;
  std::optional<TimeColumn> time_;
  std::vector<ForeignColumn> columns_;
};

// Where the columns of a long file are.
struct LongHeader {
  std::size_t time = 0;
  std::size_t metric = 0;
  std::optional<std::size_t> instance;
  std::size_t value = 0;
};

std::optional<std::size_t> find_column(const Cells& header,
                                       std::initializer_list<std::string_view> names) {
  for (const auto name : names) {
    for (std::size_t i = 0; i < header.size(); ++i) {
      if (text::trimmed(header[i]) == name) return i;
    }
  }
  return std::nullopt;
}

std::optional<LongHeader> long_header(const Cells& header, std::size_t time) {
  const auto metric = find_column(header, {"metric", "channel", "name", "series"});
  const auto value = find_column(header, {"value"});
  if (!metric || !value || *metric == time || *value == time) return std::nullopt;
  return LongHeader{time, *metric, find_column(header, {"instance", "labels"}), *value};
}

class LongTable {
 public:
  LongTable(CsvRecords& records, const ImportOptions& options, Gathering& out)
      : records_(records), options_(options), out_(out) {}

  void read_header(const Cells& header, const LongHeader& places) {
    places_ = places;
    width_ = header.size();
    time_.emplace(header[places.time]);
    value_name_ = text::trimmed(header[places.value]);
  }

  void end() { nothing_.tell(out_); }

  Result<void> take(const Cells& cells) {
    if (auto sound = check_width(cells, width_, records_.where()); !sound) return sound;
    const auto value = text::trimmed(cells[places_.value]);
    if (nothing_.is(value, cells[places_.metric], records_)) return {};
    if (cells[places_.metric].empty()) return {};
    const auto time = read_time(*time_, cells[places_.time], records_.where());
    if (!time) return base::pass(time);
    const auto series = series_of(cells);
    if (!series) return {};
    const auto number = text::parse_number(value);
    if (!number) return bad_value(records_.where(), value_name_, value);
    out_.add(*series, *time, *number);
    return {};
  }

 private:
  // Returns nothing if the user leaves the channel out.
  std::optional<SeriesId> series_of(const Cells& cells) {
    key_ = cells[places_.metric];
    if (places_.instance && !cells[*places_.instance].empty()) {
      key_.append("{").append(cells[*places_.instance]).append("}");
    }
    const auto known = known_.find(key_);
    if (known != known_.end()) return known->second;
    const bool skipped = options_.mapping.rule_of(key_).skip.value_or(false);
    const auto id =
        skipped ? std::nullopt : std::optional(out_.series(channel_of_name(key_), key_));
    known_.emplace(key_, id);
    return id;
  }

  CsvRecords& records_;
  const ImportOptions& options_;
  Gathering& out_;
  Nothing nothing_;
  LongHeader places_;
  std::size_t width_ = 0;
  std::optional<TimeColumn> time_;
  std::string value_name_;
  std::string key_;
  std::map<std::string, std::optional<SeriesId>> known_;
};

template <typename Table>
Result<void> take_all(CsvRecords& records, Table& table) {
  for (;;) {
    const auto cells = records.next();
    if (!cells) return base::pass(cells);
    if (*cells == nullptr) {
      table.end();
      return {};
    }
    if (auto done = table.take(**cells); !done) return done;
  }
}

Result<void> check_header(const Cells* header, const std::string& where) {
  if (header == nullptr) {
    return base::fail(ErrorKind::kTooLittle, "is empty", where, "export the data again");
  }
  if (header->size() > kMaxColumns) {
    return base::fail(ErrorKind::kUsage, fmt::format("has {} columns", header->size()), where,
                      "split it into files of at most a million, in one directory");
  }
  const bool names = std::any_of(header->begin(), header->end(), [](std::string_view cell) {
    return !text::trimmed(cell).empty() && !text::parse_number(cell) && !text::parse_date(cell);
  });
  if (names) return {};
  return base::fail(ErrorKind::kCorrupt, "the first line has no column names", where,
                    "put a line such as time,cpu_busy_ratio before it");
}

}  // namespace

Result<void> gather_csv_records(CsvRecords records, const ImportOptions& options, Gathering& out) {
  const auto header = records.next();
  if (!header) return base::pass(header);
  if (auto sound = check_header(*header, records.where()); !sound) return sound;
  const auto time = find_time_column(**header, options.time_column, records.where());
  if (!time) return base::pass(time);
  if (const auto places = long_header(**header, *time)) {
    LongTable table(records, options, out);
    table.read_header(**header, *places);
    return take_all(records, table);
  }
  WideTable table(records, options, out);
  if (auto done = table.read_header(**header, *time); !done) return done;
  return take_all(records, table);
}

Result<void> gather_csv(const std::filesystem::path& path, const ImportOptions& options,
                        Gathering& out) {
  auto input = TextInput::open(path);
  if (!input) return base::pass(input);
  return gather_csv_records(CsvRecords(std::move(*input), 0), options, out);
}

}  // namespace reveal::exchange
