#include "exchange/foreign_csv.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "exchange/channel_name.h"
#include "exchange/csv_cells.h"
#include "exchange/csv_head.h"
#include "exchange/csv_samples.h"
#include "exchange/guess.h"
#include "exchange/known_layouts.h"
#include "exchange/time_column.h"
#include "text/parse_number.h"

namespace reveal::exchange {
namespace {

using base::ErrorKind;
using base::Result;
using Cells = CsvRecords::Cells;

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

// One column of a wide file.
struct ForeignColumn {
  std::string name;
  ChannelName channel;
  std::string unit;  // as in brackets
  bool skipped = false;
  std::optional<SeriesId> series{};                       // once it has held a number
  std::map<std::string, SeriesId, std::less<>> by_key{};  // likewise, if rows have keys
};

class WideTable {
 public:
  WideTable(AheadRecords& records, const ImportOptions& options, Gathering& out)
      : records_(records), options_(options), out_(out) {}

  // `keys`: the columns that tell rows of one moment apart.
  Result<void> read_header(const Cells& header, std::size_t time_column,
                           const std::vector<std::size_t>& keys) {
    time_index_ = time_column;
    keys_ = keys;
    header_.assign(header.begin(), header.end());
    of_nvidia_smi_ = std::any_of(header.begin(), header.end(), [](std::string_view cell) {
      const auto name = text::trimmed(cell);
      return name.starts_with("utilization.gpu") || name.starts_with("temperature.gpu");
    });
    time_.emplace(header[time_column]);
    std::set<std::pair<std::string, std::string>> taken;
    for (const auto cell : header) {
      ForeignColumn column = column_of(cell);
      const bool key = std::ranges::find(keys_, columns_.size()) != keys_.end();
      column.skipped =
          column.skipped || key || columns_.size() == time_column || is_own(cell, header);
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

  void end() {
    nothing_.tell(out_);
    odd_.tell(out_);
  }

  Result<void> take(const Cells& cells) {
    const auto where = [&] { return records_.where(); };
    if (is_none(cells)) {
      odd_.add(where());
      return {};
    }
    if (auto sound = check_width(cells, columns_.size(), records_.where()); !sound) return sound;
    const auto time = time_->read(cells[time_index_]);
    if (!time) return base::pass(read_time(*time_, cells[time_index_], where()));
    set_key(cells);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (columns_[i].skipped) continue;
      const auto cell = text::trimmed(cells[i]);
      if (nothing_.is(cell, columns_[i].name, records_)) continue;
      if (auto done = take_cell(columns_[i], *time, cell); !done) return done;
    }
    return {};
  }

 private:
  bool is_none(const Cells& cells) const {
    if (cells.size() != columns_.size()) return is_comment_or_restart(cells);
    return std::equal(cells.begin(), cells.end(), header_.begin(), header_.end());
  }

  // "cpu=1"; nothing for the row of all of them, which sadf numbers -1.
  void set_key(const Cells& cells) {
    key_.clear();
    Labels labels;
    for (const std::size_t column : keys_) {
      const std::string value(text::trimmed(cells[column]));
      if (value == "-1" || lower_case(value) == "all") continue;
      labels.emplace_back(key_name(column), value);
    }
    if (!labels.empty()) key_ = channel_of_labels("key", labels, {}).instance;
  }

  std::string key_name(std::size_t column) const {
    std::string name = lower_case(header_[column]);
    if (of_nvidia_smi_ && (name == "index" || name == "minor_number")) return "gpu";
    return metric_of_text(name);
  }

  SeriesId series_of(ForeignColumn& column) {
    const auto known = column.by_key.find(key_);
    if (known != column.by_key.end()) return known->second;
    ChannelName channel = column.channel;
    if (!key_.empty()) channel.instance += (channel.instance.empty() ? "" : ",") + key_;
    const auto id = out_.series(channel, column.name);
    column.by_key.emplace(key_, id);
    return id;
  }

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
    // Some of nvidia-smi's names do not say that they are a GPU's.
    if (of_nvidia_smi_ && out.channel.metric.find("gpu") == std::string::npos) {
      out.channel.metric.insert(0, "gpu_");
    }
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
    const auto number = read_value(cell, column.unit, records_.separator());
    if (!number && column.series) return bad_value(records_.where(), column.name, cell);
    if (!number) {
      column.skipped = true;
      out_.remark(fmt::format("{}: column {} is left out: \"{}\" is not a number", records_.where(),
                              column.name, cell));
      return {};
    }
    column.series = series_of(column);
    if (!std::isnan(number->real)) out_.add(*column.series, time, *number);
    return {};
  }

  AheadRecords& records_;
  const ImportOptions& options_;
  Gathering& out_;
  Nothing nothing_;
  OddRows odd_;
  std::vector<std::size_t> keys_;
  std::vector<std::string> header_;
  bool of_nvidia_smi_ = false;
  std::string key_;  // of the row
  std::size_t time_index_ = 0;
  std::optional<TimeColumn> time_;
  std::vector<ForeignColumn> columns_;
};

// Where the columns of a long file are.
struct LongHeader {
  std::size_t time = 0;
  std::size_t metric = 0;
  std::optional<std::size_t> instance{};
  std::size_t value = 0;
  std::optional<std::size_t> group{};  // whose name comes before the metric's (InfluxDB)
  std::vector<std::size_t> labels{};   // columns that are labels
};

// InfluxDB's: _measurement and _field name the metric, and what does not begin with an underscore
// is a tag.
std::optional<LongHeader> influx_header(const Cells& header, std::size_t time) {
  const auto field = find_column(header, {"_field"});
  const auto value = find_column(header, {"_value"});
  if (!field || !value) return std::nullopt;
  LongHeader out{.time = time, .metric = *field, .value = *value};
  out.group = find_column(header, {"_measurement"});
  for (std::size_t i = 0; i < header.size(); ++i) {
    const auto name = text::trimmed(header[i]);
    if (name.empty() || name.starts_with('_') || name == "result" || name == "table") continue;
    if (i != time) out.labels.push_back(i);
  }
  return out;
}

std::optional<LongHeader> long_header(const Cells& header, std::size_t time) {
  if (auto influx = influx_header(header, time)) return influx;
  const auto metric = find_column(header, {"metric", "channel", "name", "series"});
  const auto value = find_column(header, {"value"});
  if (!metric || !value || *metric == time || *value == time) return std::nullopt;
  return LongHeader{.time = time,
                    .metric = *metric,
                    .instance = find_column(header, {"instance", "labels"}),
                    .value = *value};
}

class LongTable {
 public:
  LongTable(AheadRecords& records, const ImportOptions& options, Gathering& out)
      : records_(records), options_(options), out_(out) {}

  void read_header(const Cells& header, const LongHeader& places) {
    places_ = places;
    width_ = header.size();
    header_.assign(header.begin(), header.end());
    time_.emplace(header[places.time]);
    value_name_ = text::trimmed(header[places.value]);
  }

  void end() { nothing_.tell(out_); }

  Result<void> take(const Cells& cells) {
    if (cells.size() == width_ ? std::equal(cells.begin(), cells.end(), header_.begin())
                               : is_comment_or_restart(cells)) {
      return {};
    }
    if (auto sound = check_width(cells, width_, records_.where()); !sound) return sound;
    const auto value = text::trimmed(cells[places_.value]);
    if (nothing_.is(value, cells[places_.metric], records_)) return {};
    if (cells[places_.metric].empty()) return {};
    const auto time = read_time(*time_, cells[places_.time], records_.where());
    if (!time) return base::pass(time);
    const auto series = series_of(cells);
    if (!series) return {};
    const auto number = read_value(value, {}, records_.separator());
    if (!number) return bad_value(records_.where(), value_name_, value);
    out_.add(*series, *time, *number);
    return {};
  }

 private:
  // Returns nothing if the user leaves the channel out.
  std::optional<SeriesId> series_of(const Cells& cells) {
    key_ = cells[places_.metric];
    if (places_.group) key_.insert(0, std::string(cells[*places_.group]) + "_");
    for (const std::size_t label : places_.labels) {
      key_.append("\0", 1).append(cells[label]);
    }
    if (places_.instance && !cells[*places_.instance].empty()) {
      key_.append("{").append(cells[*places_.instance]).append("}");
    }
    const auto known = known_.find(key_);
    if (known != known_.end()) return known->second;
    const std::string name = key_.substr(0, key_.find('\0'));
    const bool skipped = options_.mapping.rule_of(name).skip.value_or(false);
    const auto id =
        skipped ? std::nullopt : std::optional(out_.series(channel_of(name, cells), name));
    known_.emplace(key_, id);
    return id;
  }

  ChannelName channel_of(const std::string& name, const Cells& cells) const {
    if (places_.labels.empty()) return channel_of_name(name);
    Labels labels;
    for (const std::size_t label : places_.labels) {
      if (!cells[label].empty()) labels.emplace_back(header_[label], cells[label]);
    }
    return channel_of_labels(metric_of_text(name), labels, {"host"});
  }

  AheadRecords& records_;
  const ImportOptions& options_;
  Gathering& out_;
  Nothing nothing_;
  LongHeader places_;
  std::size_t width_ = 0;
  std::vector<std::string> header_;
  std::optional<TimeColumn> time_;
  std::string value_name_;
  std::string key_;
  std::map<std::string, std::optional<SeriesId>> known_;
};

}  // namespace

Result<void> gather_csv_records(CsvRecords plain, const ImportOptions& options, Gathering& out) {
  constexpr std::size_t kLookedAt = 512;
  AheadRecords records(std::move(plain));
  records.look(kLookedAt);
  if (const auto* layout = known_layout(records.ahead()))
    return layout->gather(records, options, out);
  const std::size_t place = find_header(records.ahead());
  records.skip(place);
  const auto header = records.next();
  if (!header) return base::pass(header);
  if (auto sound = check_header(*header, records.where()); !sound) return sound;
  const auto time = find_time_column(**header, options.time_column, records.where());
  if (!time) return base::pass(time);
  if (auto sound = check_time_name((**header)[*time], records.where()); !sound) return sound;
  if (const auto places = long_header(**header, *time)) {
    LongTable table(records, options, out);
    table.read_header(**header, *places);
    return take_all(records, table);
  }
  const auto& rows = records.ahead();
  const auto behind = rows.begin() + static_cast<std::ptrdiff_t>(place) + 1;
  const KeyColumns keys(rows[place], {behind, rows.end()}, *time);
  WideTable table(records, options, out);
  if (auto done = table.read_header(**header, *time, keys.find()); !done) return done;
  return take_all(records, table);
}

Result<void> gather_csv(const std::filesystem::path& path, const ImportOptions& options,
                        Gathering& out) {
  auto input = TextInput::open(path);
  if (!input) return base::pass(input);
  return gather_csv_records(CsvRecords(std::move(*input), 0), options, out);
}

}  // namespace reveal::exchange
