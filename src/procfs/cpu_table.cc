#include "procfs/cpu_table.h"

#include <limits>

namespace reveal::procfs {
namespace {

constexpr std::string_view kColumnPrefix = "CPU";

Value cpu_of_column(std::string_view word) {
  if (!word.starts_with(kColumnPrefix)) return std::nullopt;
  const Value cpu = parse_u64(word.substr(kColumnPrefix.size()));
  if (!cpu || *cpu > std::numeric_limits<std::uint32_t>::max()) return std::nullopt;
  return cpu;
}

}  // namespace

bool CpuTableReader::read_header(std::string_view line) {
  WordCursor words(line);
  for (std::string_view word; words.next(word);) {
    const Value cpu = cpu_of_column(word);
    if (!cpu) return false;
    cpus_.push_back(static_cast<std::uint32_t>(*cpu));
  }
  return !cpus_.empty();
}

void CpuTableReader::start(std::string_view text) {
  cpus_.clear();
  lines_ = LineCursor(text);
  std::string_view header;
  if (lines_.next(header) && read_header(header)) return;
  cpus_.clear();
  lines_ = LineCursor(std::string_view());
}

bool CpuTableReader::read_row(std::string_view line, std::vector<Value>& counts,
                              CpuTableRow& row) const {
  const auto colon = line.find(':');
  if (colon == std::string_view::npos) return false;
  WordCursor name(line.substr(0, colon));
  row.name = name.rest();
  WordCursor words(line.substr(colon + 1));
  counts.clear();
  // Rubbish in place of a count keeps its column, so that the columns behind it stay where they
  // are.
  for (Value count; counts.size() < cpus_.size() && words.next(count);) counts.push_back(count);
  row.counts = counts;
  row.description = words.rest();
  return true;
}

bool CpuTableReader::next(CpuTableRow& row) {
  std::string_view line;
  do {
    if (!lines_.next(line)) return false;
  } while (!read_row(line, counts_, row));
  return true;
}

}  // namespace reveal::procfs
