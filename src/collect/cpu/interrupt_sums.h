// The values of /proc/interrupts: counts of the rows that the kernel names, and sums over the
// numbered rows of one kind of device, kept from text to text.
//
// A server with 1,200 interrupts and 96 cores has a text of 1.4 MB, of which little changes from
// one reading to the next. The kernel pads its counts, so a row that changed has changed in place:
// the text before is kept, rows are compared byte by byte, and only those that differ are read,
// both as they were and as they are, and their differences added. Whatever does not fit that
// (another header, length, name or description of a row) is read as a whole.
//
// A missing row would make a sum smaller without notice. So if the text ends in the middle of
// a line, or a row lacks a number for each core, no sum has a value; named rows are not
// affected.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collect/cpu/interrupts_metrics.h"
#include "procfs/cpu_table.h"

namespace reveal::collect {

class InterruptSums {
 public:
  // Takes the next text of the file.
  void update(std::string_view text);

  // Returns the core of each column.
  std::span<const std::uint32_t> cpus() const { return reader_.cpus(); }

  // Returns the value of the metric in that row of interrupt_rows().
  procfs::Value value(std::size_t row, std::size_t column) const {
    return sums_[row * cpus().size() + column];
  }

  // Returns how many rows the latest text cost to read.
  std::size_t rows_read() const { return rows_read_; }

 private:
  // A line of the text kept, and what its counts are added to.
  struct Line {
    std::size_t begin = 0;
    std::size_t size = 0;  // with its newline
    bool is_row = false;
    bool in_total = false;
    bool of_device = false;
    std::optional<std::size_t> metric;  // by row of interrupt_rows()
  };

  bool update_changed(std::string_view text);
  bool replace(const Line& line, std::string_view now);
  void read_all(std::string_view text);
  void read_line(std::string_view text, std::size_t begin);
  void place(Line& line, const procfs::CpuTableRow& row) const;
  bool is_whole(const procfs::CpuTableRow& row) const;
  bool is_of_host(const procfs::CpuTableRow& row) const;
  void add(const Line& line, const procfs::CpuTableRow& row);
  void add(std::size_t metric, std::size_t column, std::uint64_t count);
  void forget_sums();

  std::span<const MetricRow<IrqKey>> rows_ = interrupt_rows();
  procfs::CpuTableReader reader_;
  std::string text_;
  std::vector<Line> lines_;
  std::vector<procfs::Value> sums_;  // a metric after the other, by column
  std::vector<procfs::Value> old_counts_;
  std::vector<procfs::Value> new_counts_;
  bool all_there_ = false;
  std::size_t rows_read_ = 0;
};

}  // namespace reveal::collect
