#include "procfs/net_dev.h"

#include <algorithm>

namespace reveal::procfs {
namespace {

struct Column {
  bool transmit;
  std::string_view name;
};

// By NetField.
constexpr Column kColumns[kNetFieldCount] = {
    {false, "bytes"}, {false, "packets"},   {false, "errs"}, {false, "drop"},   {false, "fifo"},
    {false, "frame"}, {false, "multicast"}, {true, "bytes"}, {true, "packets"}, {true, "errs"},
    {true, "drop"},   {true, "fifo"},       {true, "colls"}, {true, "carrier"},
};

std::size_t field_of(bool transmit, std::string_view name, std::size_t otherwise) {
  const auto* const it = std::find_if(
      std::begin(kColumns), std::end(kColumns),
      [&](const Column& column) { return column.transmit == transmit && column.name == name; });
  return it == std::end(kColumns) ? otherwise : static_cast<std::size_t>(it - std::begin(kColumns));
}

}  // namespace

void NetDevReader::learn(std::string_view header) {
  header_ = header;
  field_of_column_.clear();
  const auto first = header.find('|');
  const auto second = header.find('|', first + 1);
  if (first == std::string_view::npos || second == std::string_view::npos) return;
  for (const bool transmit : {false, true}) {
    WordCursor words(transmit ? header.substr(second + 1)
                              : header.substr(first + 1, second - first - 1));
    for (std::string_view word; words.next(word);) {
      field_of_column_.push_back(field_of(transmit, word, kUnwanted));
    }
  }
}

bool NetDevReader::read_line(std::string_view line, InterfaceStats& out) const {
  // Numbers hold no colon, but the name of an alias ("eth0:1") may: the last one ends the name. Old
  // kernels put no blank behind it.
  const auto colon = line.rfind(':');
  if (colon == std::string_view::npos) return false;
  out.name = WordCursor(line.substr(0, colon)).rest();
  if (out.name.empty()) return false;
  WordCursor words(line.substr(colon + 1));
  for (const std::size_t field : field_of_column_) {
    Value value;
    if (!words.next(value)) break;
    if (field != kUnwanted) out.fields[field] = value;
  }
  return true;
}

void NetDevReader::read(std::string_view text, std::vector<InterfaceStats>& out) {
  out.clear();
  LineCursor lines(text);
  std::string_view line;
  if (!lines.next(line) || !lines.next(line)) return;
  if (line != header_) learn(line);
  while (lines.next(line)) {
    InterfaceStats stats;
    if (read_line(line, stats)) out.push_back(stats);
  }
}

}  // namespace reveal::procfs
