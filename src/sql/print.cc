#include "sql/print.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <span>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "exchange/csv.h"
#include "exchange/text_output.h"
#include "text/safe_text.h"
#include "text/streams.h"

namespace reveal::sql {
namespace {

using duck::ResultCell;
using duck::ResultColumn;
using duck::ResultKind;

// Returns how many columns of a terminal a text takes: UTF-8's continuation bytes take none.
std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

// A cell of a table stays on its line and cannot command the terminal.
std::string shown(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n') {
      out += "\\n";
    } else if (byte < 0x20 || byte == 0x7F) {
      out += fmt::format("\\x{:02x}", byte);
    } else {
      out += c;
    }
  }
  return text::inert(out);
}

class TextTable {
 public:
  explicit TextTable(const std::vector<ResultColumn>& columns) : columns_(columns) {
    for (const auto& column : columns) {
      header_.push_back(shown(column.name));
      widths_.push_back(width(header_.back()));
    }
  }
  void add(std::span<const ResultCell> row) {
    auto& cells = rows_.emplace_back();
    for (std::size_t i = 0; i < row.size(); ++i) {
      cells.push_back(row[i] ? shown(*row[i]) : "NULL");
      widths_[i] = std::max(widths_[i], width(cells.back()));
    }
  }
  base::Result<void> write(const TextSink& sink) const {
    if (auto done = sink(line(header_)); !done) return done;
    std::string rule;
    for (const std::size_t cells : widths_) {
      rule += (rule.empty() ? "" : "  ") + std::string(cells, '-');
    }
    if (auto done = sink(rule + "\n"); !done) return done;
    for (const auto& row : rows_) {
      if (auto done = sink(line(row)); !done) return done;
    }
    return sink(fmt::format("({} row{})\n", rows_.size(), rows_.size() == 1 ? "" : "s"));
  }

 private:
  std::string line(const std::vector<std::string>& cells) const {
    std::string out;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::string padding(widths_[i] - width(cells[i]), ' ');
      if (i > 0) out += "  ";
      out += columns_[i].kind == ResultKind::kNumber ? padding + cells[i] : cells[i] + padding;
    }
    out.erase(out.find_last_not_of(' ') + 1);
    return out + "\n";
  }

  const std::vector<ResultColumn>& columns_;
  std::vector<std::string> header_;
  std::vector<std::size_t> widths_;
  std::vector<std::vector<std::string>> rows_;
};

base::Result<void> print_table(const ShownRows& rows, const TextSink& sink) {
  TextTable table(rows.columns);
  auto row = rows.next();
  for (; row && !row->empty(); row = rows.next()) table.add(*row);
  return row ? table.write(sink) : base::pass(row);
}

// Unlike NULL, an empty text is quoted.
void append_field(std::string& out, std::string_view text) {
  if (text.empty()) {
    out += "\"\"";
  } else {
    exchange::append_csv_cell(out, text);
  }
}

base::Result<void> print_csv(const ShownRows& rows, const TextSink& sink) {
  std::string line;
  for (const auto& column : rows.columns) {
    if (!line.empty()) line += ',';
    append_field(line, column.name);
  }
  if (auto done = sink(line + "\n"); !done) return done;
  auto row = rows.next();
  for (; row && !row->empty(); row = rows.next()) {
    line.clear();
    for (std::size_t i = 0; i < row->size(); ++i) {
      if (i > 0) line += ',';
      if ((*row)[i]) append_field(line, *(*row)[i]);
    }
    // A row of one NULL would be an empty line, which readers pass over.
    if (line.empty()) line = "NULL";
    if (auto done = sink(line + "\n"); !done) return done;
  }
  if (!row) return base::pass(row);
  return {};
}

std::string json_text(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::vector<std::string> json_keys(const std::vector<ResultColumn>& columns) {
  std::set<std::string> taken;
  std::vector<std::string> out;
  for (const auto& column : columns) {
    std::string name = column.name;
    for (int i = 2; !taken.insert(name).second; ++i) name = fmt::format("{}_{}", column.name, i);
    out.push_back(json_text(name));
  }
  return out;
}

std::string json_value(ResultKind kind, const ResultCell& cell) {
  if (!cell) return "null";
  if (kind == ResultKind::kText) return json_text(*cell);
  const bool finite = kind == ResultKind::kBoolean ||
                      cell->find_first_of("fn") == std::string_view::npos;  // inf, nan
  return finite ? std::string(*cell) : "null";
}

base::Result<void> print_json(const ShownRows& rows, const TextSink& sink) {
  const auto& columns = rows.columns;
  const auto keys = json_keys(columns);
  std::string_view before = "[\n";
  auto row = rows.next();
  for (; row && !row->empty(); row = rows.next()) {
    std::string text(before);
    for (std::size_t i = 0; i < row->size(); ++i) {
      text += fmt::format("{}{}: {}", i == 0 ? "  {" : ", ", keys[i],
                          json_value(columns[i].kind, (*row)[i]));
    }
    if (auto done = sink(text + "}"); !done) return done;
    before = ",\n";
  }
  if (!row) return base::pass(row);
  return sink(before == "[\n" ? "[]\n" : "\n]\n");
}

}  // namespace

base::Result<void> print_rows(const ShownRows& rows, Format format, const TextSink& sink) {
  switch (format) {
    case Format::kCsv:
      return print_csv(rows, sink);
    case Format::kJson:
      return print_json(rows, sink);
    case Format::kTable:
      break;
  }
  return print_table(rows, sink);
}

base::Result<void> print_result(duck::QueryResult& result, Format format, const TextSink& sink) {
  const auto next = [&]() -> base::Result<std::span<const duck::ResultCell>> {
    return result.next();
  };
  return print_rows({.columns = result.columns(), .next = next}, format, sink);
}

Format format_of(std::string_view word) {
  if (word == "csv") return Format::kCsv;
  return word == "json" ? Format::kJson : Format::kTable;
}

base::Result<void> print_to(const std::string& file,
                            const std::function<base::Result<void>(const TextSink&)>& print) {
  if (file.empty()) return print(text::print_data);
  auto output = exchange::TextOutput::create(file, false);
  if (!output) return base::pass(output);
  const auto written = print([&](std::string_view piece) { return output->append(piece); });
  return written ? output->finish() : written;
}

}  // namespace reveal::sql
