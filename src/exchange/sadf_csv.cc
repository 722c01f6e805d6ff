#include "exchange/sadf_csv.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "exchange/csv_cells.h"
#include "exchange/sysstat_samples.h"
#include "exchange/time_column.h"
#include "text/parse_number.h"

namespace reveal::exchange {
namespace {

using base::ErrorKind;
using base::Result;
using Cells = CsvRecords::Cells;

constexpr std::size_t kBefore = 3;  // hostname, interval, timestamp
constexpr std::string_view kRemedy = "write the file with sadf -d FILE -- REPORTS";

bool is_head(const Cells& cells) {
  return cells.size() > kBefore && cells[0] == "# hostname" && cells[1] == "interval" &&
         cells[2] == "timestamp";
}

bool has_offset(std::string_view time) {
  return time.ends_with("UTC") || time.find_first_not_of("0123456789") == std::string_view::npos;
}

class SadfTables {
 public:
  SadfTables(const AheadRecords& records, const ImportOptions& options, Gathering& out)
      : records_(records), samples_(options, out), out_(out) {}

  Result<void> take(const Cells& cells) {
    if (is_head(cells)) return read_head(cells);
    if (is_comment_or_restart(cells) || is_comment(cells)) {
      odd_.add(records_.where());
      return {};
    }
    if (interrupts_ && cells.size() > width_) ++processors_left_out_;
    const bool wide = cells.size() == width_ || (interrupts_ && cells.size() > width_);
    if (!wide) {
      return base::fail(ErrorKind::kCorrupt,
                        fmt::format("has {} cells, but the header has {}", cells.size(), width_),
                        records_.where(), std::string(kRemedy));
    }
    const auto time = time_.read(cells[2]);
    if (!time) {
      return base::fail(ErrorKind::kCorrupt,
                        fmt::format("column timestamp: \"{}\" is not a time", cells[2]),
                        records_.where(), kTimeRemedy);
    }
    local_ = local_ || !has_offset(cells[2]);
    return take_values(cells, *time);
  }

  void end() {
    nothing_.tell(out_);
    odd_.tell(out_);
    if (local_)
      out_.remark("sadf's times are local ones without their zone, and are taken for UTC");
    if (processors_left_out_ > 0) {
      out_.remark(
          "the interrupts of single processors are left out, because sadf -d does not name "
          "these; their sums are there");
    }
  }

 private:
  // LINUX-RESTART is followed by a tab and the number of processors; COM is a comment of sadc.
  static bool is_comment(const Cells& cells) {
    return cells.size() == kBefore + 1 && (cells[1] == "-1" || cells[kBefore].starts_with("COM"));
  }

  Result<void> read_head(const Cells& cells) {
    const bool joined =
        std::ranges::any_of(cells, [](std::string_view cell) { return cell.ends_with("[...]"); });
    if (joined) {
      return base::fail(ErrorKind::kUsage, "has all reports on one line", records_.where(),
                        "write the file with sadf -d, without -h");
    }
    const auto second = cells.size() > kBefore + 1 ? cells[kBefore + 1] : std::string_view();
    report_ = report_of_heads("", cells[kBefore]);
    first_ = kBefore;
    if (report_ == nullptr) {
      report_ = report_of_heads(cells[kBefore], second);
      ++first_;
    }
    width_ = cells.size();
    heads_.assign(cells.begin(), cells.end());
    interrupts_ = heads_.back() == "CPU*";
    if (report_ == nullptr) {
      out_.remark(fmt::format("{}: the report with the columns {} is not known and left out",
                              records_.where(),
                              fmt::join(cells.begin() + kBefore, cells.end(), ", ")));
    }
    return {};
  }

  Result<void> take_values(const Cells& cells, std::int64_t time) {
    if (report_ == nullptr) return {};
    const auto key = first_ > kBefore ? text::trimmed(cells[kBefore]) : std::string_view();
    for (std::size_t i = first_; i < width_; ++i) {
      const auto cell = text::trimmed(cells[i]);
      if (heads_[i] == "DEVICE" || nothing_.is(cell, heads_[i], records_)) continue;
      const auto number = read_value(cell, {}, ';');
      if (!number) {
        return base::fail(ErrorKind::kCorrupt,
                          fmt::format("column {}: \"{}\" is not a number", heads_[i], cell),
                          records_.where(), "correct it, or leave the cell empty");
      }
      samples_.add(*report_, key, heads_[i], text::trimmed(cells[0]), time, *number);
    }
    return {};
  }

  const AheadRecords& records_;
  SysstatSamples samples_;
  Gathering& out_;
  Nothing nothing_;
  OddRows odd_;
  TimeColumn time_{"timestamp"};
  const SysstatReport* report_ = nullptr;
  std::vector<std::string> heads_;
  std::size_t first_ = kBefore;  // column of values
  std::size_t width_ = 0;
  bool interrupts_ = false;
  bool local_ = false;
  std::uint64_t processors_left_out_ = 0;
};

}  // namespace

bool is_sadf(const std::vector<AheadRecords::Row>& rows) {
  return !rows.empty() && is_head(Cells(rows[0].begin(), rows[0].end()));
}

Result<void> gather_sadf(AheadRecords& records, const ImportOptions& options, Gathering& out) {
  SadfTables tables(records, options, out);
  return take_all(records, tables);
}

}  // namespace reveal::exchange
