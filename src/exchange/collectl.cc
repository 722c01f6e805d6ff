#include "exchange/collectl.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "exchange/channel_name.h"
#include "exchange/csv_cells.h"
#include "exchange/line_words.h"
#include "exchange/table_errors.h"
#include "text/parse_number.h"
#include "text/parse_time.h"

namespace reveal::exchange {
namespace {

using base::Result;
using model::Subsystem;

constexpr std::string_view kRemedy = "write the file with collectl -P, from its start";
constexpr std::int64_t kMinute_ns = 60'000'000'000;
constexpr double kFurthestZone = 1400;  // +1400: the Line Islands

// The part of a name in brackets, before a colon.
struct Section {
  std::string_view name;
  Subsystem subsystem;
  std::string_view label;  // the key of its instances
};
constexpr Section kSections[] = {
    {"CPU", Subsystem::kCpu, "cpu"},      {"INT", Subsystem::kCpu, "intr"},
    {"MEM", Subsystem::kMemory, "node"},  {"NUMA", Subsystem::kMemory, "node"},
    {"SLAB", Subsystem::kMemory, "slab"}, {"BUD", Subsystem::kMemory, "node"},
    {"DSK", Subsystem::kStorage, "dev"},  {"NFS", Subsystem::kStorage, "nfs"},
    {"INODE", Subsystem::kMemory, ""},    {"LUS", Subsystem::kStorage, "lustre"},
    {"NET", Subsystem::kNetwork, "dev"},  {"SOCK", Subsystem::kNetwork, ""},
    {"TCP", Subsystem::kNetwork, ""},     {"TCPX", Subsystem::kNetwork, ""},
    {"IB", Subsystem::kNetwork, "dev"},   {"IBINT", Subsystem::kNetwork, "dev"},
};

// Of [MEM], the columns that are not sizes.
constexpr std::string_view kNoSizes[] = {"PageIn",   "PageOut",  "PageFaults", "PageMajFaults",
                                         "SwapIn",   "SwapOut",  "HugeTotal",  "HugeFree",
                                         "HugeRsvd", "Alloc",    "Fill",       "PageAlloc",
                                         "PageFree", "PageActi", "PageInac"};

// "[NET:eth0]RxKB"
struct Head {
  std::string_view section;
  std::string_view instance;
  std::string_view name;
};

std::optional<Head> head_of(std::string_view cell) {
  const auto closing = cell.find(']');
  if (!cell.starts_with('[') || closing == std::string_view::npos) return std::nullopt;
  Head out{
      .section = cell.substr(1, closing - 1), .instance = {}, .name = cell.substr(closing + 1)};
  const auto colon = out.section.find(':');
  if (colon == std::string_view::npos) return out;
  out.instance = out.section.substr(colon + 1);
  out.section = out.section.substr(0, colon);
  return out;
}

const Section* section_of(std::string_view name) {
  const auto found = std::ranges::find(kSections, name, &Section::name);
  return found == std::end(kSections) ? nullptr : &*found;
}

MappingRule said_of(const Head& head) {
  MappingRule out;
  out.kind = model::Kind::kGauge;
  const auto* section = section_of(head.section);
  if (section != nullptr) out.subsystem = section->subsystem;
  const bool size = head.section == "MEM" &&
                    std::ranges::find(kNoSizes, head.name) == std::end(kNoSizes) &&
                    !head.name.ends_with('%');
  if (head.name.ends_with('%')) {
    out.unit = "ratio";
    out.scale = 0.01;
  } else if (size || head.name.find("KB") != std::string_view::npos) {
    out.unit = size ? "bytes" : "bytes/s";
    out.scale = 1024;
  }
  return out;
}

// Splits a record, whatever parts its cells.
Words cells_of(const std::string& line, char separator, const CsvRecords::Cells& cells) {
  if (cells.size() > 2 && separator != '\t') return cells;
  return words_of(line);
}

bool is_names(std::string_view first, const Words& cells) {
  const bool time = first == "#Date" || first == "#UTC" || first == "#Time";
  return time && cells.size() > 1 && head_of(cells.back()).has_value();
}

class CollectlTable {
 public:
  CollectlTable(const AheadRecords& records, const ImportOptions& options, Gathering& out)
      : records_(records), options_(options), out_(out) {}

  Result<void> take(const CsvRecords::Cells& record) {
    const std::string line = line_of(record);
    const auto cells = cells_of(line, records_.separator(), record);
    if (cells.empty()) return {};
    if (is_names(cells[0], cells)) return read_names(cells);
    if (cells[0].starts_with('#')) return read_preamble(words_of(line));
    if (heads_.empty()) return {};  // "waiting for 1 second sample..."
    if (cells.size() != heads_.size()) {
      return wrong_width(cells.size(), heads_.size(), records_.where(), kRemedy);
    }
    const auto time = time_of(cells);
    if (!time) return not_a_time(heads_[0], cells[0], records_.where(), kRemedy);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (!series_[i] || says_nothing(cells[i])) continue;
      const auto number = text::parse_number(cells[i]);
      if (!number) return not_a_number(heads_[i], cells[i], records_.where(), kRemedy);
      out_.add(*series_[i], *time, *number);
    }
    return {};
  }

  void end() {
    if (local_ && !offset_ns_) {
      out_.remark("collectl's times are local ones without their zone, and are taken for UTC");
    }
  }

 private:
  // "# Host: node7 ..." and "# Date: 20261125-073028 Secs: 1795591828 TZ: -0400"
  Result<void> read_preamble(const Words& words) {
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
      if (words[i] == "Host:" && i == 1) host_ = words[i + 1];
      if (words[i] != "TZ:") continue;
      const auto offset = text::parse_number(words[i + 1]);
      if (!offset || !(std::abs(offset->real) <= kFurthestZone)) continue;
      const auto minutes = static_cast<std::int64_t>(offset->real);  // -0430
      offset_ns_ = (minutes / 100 * 60 + minutes % 100) * kMinute_ns;
    }
    return {};
  }

  Result<void> read_names(const Words& cells) {
    if (!heads_.empty()) return {};  // the file of another run behind it
    heads_.assign(cells.begin(), cells.end());
    local_ = cells[0] != "#UTC";
    for (const auto cell : cells) {
      const auto head = head_of(cell);
      const bool skipped = options_.mapping.rule_of(std::string(cell)).skip.value_or(false);
      series_.push_back(head && !skipped && head->name != "Name"
                            ? std::optional(series_of(*head, cell))
                            : std::nullopt);
    }
    return {};
  }

  SeriesId series_of(const Head& head, std::string_view cell) {
    const auto* section = section_of(head.section);
    const bool labeled = section != nullptr && !section->label.empty();
    const Labels labels{
        {std::string(labeled ? section->label : "instance"), std::string(head.instance)}};
    const auto metric = fmt::format("{}_{}", head.section, head.name);
    const auto id = out_.series(channel_of_labels(metric, labels, {}), cell, host_);
    out_.say(id, said_of(head));
    return id;
  }

  std::optional<std::int64_t> time_of(const Words& cells) const {
    if (!local_) return text::parse_decimal_time(cells[0], text::TimeUnit::kS);
    std::string text(cells[0]);
    if (heads_.size() > 1 && heads_[1] == "Time") text.append(" ").append(cells[1]);
    const auto time = text::parse_date(text);
    std::int64_t utc = 0;
    if (!time || __builtin_sub_overflow(*time, offset_ns_.value_or(0), &utc)) return std::nullopt;
    return utc;
  }

  const AheadRecords& records_;
  const ImportOptions& options_;
  Gathering& out_;
  std::string host_;
  std::optional<std::int64_t> offset_ns_;
  bool local_ = false;
  std::vector<std::string> heads_;
  std::vector<std::optional<SeriesId>> series_;  // by column
};

}  // namespace

bool is_collectl(const std::vector<AheadRecords::Row>& rows) {
  constexpr std::size_t kMaxPreamble = 20;
  for (std::size_t i = 0; i < std::min(kMaxPreamble, rows.size()); ++i) {
    const CsvRecords::Cells cells(rows[i].begin(), rows[i].end());
    const std::string line = line_of(cells);
    const auto words = cells.size() > 2 ? cells : words_of(line);
    if (!words.empty() && is_names(words[0], words)) return true;
  }
  return false;
}

Result<void> gather_collectl(AheadRecords& records, const ImportOptions& options, Gathering& out) {
  CollectlTable table(records, options, out);
  return take_all(records, table);
}

}  // namespace reveal::exchange
