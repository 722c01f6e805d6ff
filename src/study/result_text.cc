#include "study/result_text.h"

#include <algorithm>

#include <fmt/format.h>

#include "text/quantity.h"
#include "text/safe_text.h"
#include "text/time_text.h"
#include "text/words.h"

namespace reveal::study {
namespace {

constexpr std::size_t kMostColumns = 60;  // of a text, beyond which its middle is left out

struct CellText {
  std::string_view unit;
  std::string operator()(double value) const {
    return value != value ? "-" : text::format_quantity(value, unit);
  }
  std::string operator()(const Amount& amount) const { return CellText{amount.unit}(amount.value); }
  std::string operator()(const std::string& value) const {
    return text::shortened(text::inert(value), kMostColumns, "…");
  }
};

bool is_text(const Table& table, std::size_t column) {
  return !table.rows.empty() && std::holds_alternative<std::string>(table.rows.front()[column]);
}

// Texts are aligned to the left, numbers to the right.
std::string line(const Table& table, const std::vector<std::string>& cells,
                 const std::vector<std::size_t>& widths) {
  std::string out = " ";
  for (std::size_t i = 0; i < cells.size(); ++i) {
    out += " " + (is_text(table, i) ? text::padded(cells[i], widths[i])
                                    : text::right_aligned(cells[i], widths[i]));
    out += " ";
  }
  out.erase(out.find_last_not_of(' ') + 1);
  return out + "\n";
}

}  // namespace

std::string to_text(const Table& table) {
  std::vector<std::vector<std::string>> lines(1);
  for (const auto& column : table.columns) lines[0].emplace_back(column.heading);
  const std::size_t shown = std::min(table.shown, table.rows.size());
  for (std::size_t row = 0; row < shown; ++row) {
    auto& cells = lines.emplace_back();
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      cells.push_back(std::visit(CellText{table.columns[i].unit}, table.rows[row][i]));
    }
  }
  std::vector<std::size_t> widths(table.columns.size(), 0);
  for (const auto& cells : lines) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      widths[i] = std::max(widths[i], text::columns_of(cells[i]));
    }
  }
  std::string out = fmt::format("\n{}\n", table.title);
  if (table.rows.empty()) return out + "  none\n";
  for (const auto& cells : lines) out += line(table, cells, widths);
  if (shown < table.rows.size()) {
    out += fmt::format("  and {} more (--json)\n", table.rows.size() - shown);
  }
  return out;
}

std::string to_text(const Result& result) {
  std::string out = fmt::format("Reveal study: {}\n", result.study);
  for (const auto& run : result.runs) {
    out += fmt::format("{} on {}: {}\n", text::inert(run.directory), text::inert(run.host),
                       text::Clock().stretch(run.begin_ns, run.end_ns));
  }
  for (const auto& table : result.tables) {
    if (table.shown > 0) out += to_text(table);
  }
  if (!result.notes.empty()) out += "\n";
  for (const auto& note : result.notes) out += text::inert(note) + "\n";
  return out;
}

}  // namespace reveal::study
