// The shape of /proc/interrupts and /proc/softirqs: a header that names the online cores, then a
// row a source with one count a core. Columns belong to the core that the header names above them;
// when a core goes offline its column leaves and the ones behind it move up.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "procfs/text_cursor.h"

namespace reveal::procfs {

struct CpuTableRow {
  std::string_view name;          // "LOC", "36", "NET_RX"
  std::span<const Value> counts;  // by column; shorter than the header on rows like "ERR: 0"
  std::string_view description;   // what follows the counts, "PCI-MSI 1-edge virtio1-req.0"
};

class CpuTableReader {
 public:
  // Begins a text, which must outlive the reading of it. A text whose first line is not a header of
  // cores has no columns and no rows.
  void start(std::string_view text);

  // Returns the core of each column.
  std::span<const std::uint32_t> cpus() const { return cpus_; }

  // Moves to the next row. Returns false at the end. `row` is valid until the next call.
  bool next(CpuTableRow& row);

  // Reads one line as a row below the header of the text begun, its counts into `counts`. Returns
  // false for a line that is none.
  bool read_row(std::string_view line, std::vector<Value>& counts, CpuTableRow& row) const;

 private:
  bool read_header(std::string_view line);

  LineCursor lines_{std::string_view()};
  std::vector<std::uint32_t> cpus_;
  std::vector<Value> counts_;
};

}  // namespace reveal::procfs
