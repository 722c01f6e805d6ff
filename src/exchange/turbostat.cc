#include "exchange/turbostat.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "exchange/channel_name.h"
#include "exchange/csv_cells.h"
#include "exchange/line_words.h"
#include "exchange/table_errors.h"
#include "text/parse_number.h"
#include "text/parse_time.h"

namespace reveal::exchange {
namespace {

using base::ErrorKind;
using base::Result;

constexpr std::string_view kTime = "Time_Of_Day_Seconds";
constexpr std::string_view kRemedy =
    "write the file with turbostat --enable Time_Of_Day_Seconds -i 1 -o FILE";

// Which part of the machine a column tells of; that of a package stands in the row of its first
// processor, that of a core in the row of its first thread.
enum class Part : std::uint8_t { kProcessor, kCore, kPackage, kKey, kNone };

struct Column {
  std::string_view head;
  Part part;
  std::string_view metric;  // empty: of the name
  std::string_view unit;
  double scale = 1.0;
};
constexpr Column kColumns[] = {
    {"Package", Part::kKey, "", ""},
    {"Core", Part::kKey, "", ""},
    {"CPU", Part::kKey, "", ""},
    {"Die", Part::kNone, "", ""},
    {"Node", Part::kNone, "", ""},
    {"APIC", Part::kNone, "", ""},
    {"X2APIC", Part::kNone, "", ""},
    {"usec", Part::kNone, "", ""},
    {kTime, Part::kNone, "", ""},
    {"Avg_MHz", Part::kProcessor, "cpu_average_frequency_hertz", "hertz", 1e6},
    {"Busy%", Part::kProcessor, "cpu_unhalted_ratio", "ratio", 0.01},
    {"Bzy_MHz", Part::kProcessor, "cpu_busy_frequency_hertz", "hertz", 1e6},
    {"TSC_MHz", Part::kProcessor, "cpu_tsc_hertz", "hertz", 1e6},
    {"IPC", Part::kProcessor, "cpu_ipc_ratio", "ratio"},
    {"IRQ", Part::kProcessor, "cpu_interrupts", "interrupts"},
    {"NMI", Part::kProcessor, "cpu_nmi_interrupts", "interrupts"},
    {"SMI", Part::kProcessor, "cpu_smi", "interrupts"},
    {"CoreTmp", Part::kCore, "cpu_core_temperature_celsius", "celsius"},
    {"CoreThr", Part::kCore, "cpu_core_throttles", "events"},
    {"CPU%c3", Part::kCore, "cpu_core_c3_ratio", "ratio", 0.01},
    {"CPU%c6", Part::kCore, "cpu_core_c6_ratio", "ratio", 0.01},
    {"CPU%c7", Part::kCore, "cpu_core_c7_ratio", "ratio", 0.01},
    {"CPU%c1", Part::kProcessor, "cpu_core_c1_ratio", "ratio", 0.01},
    {"PkgTmp", Part::kPackage, "cpu_package_temperature_celsius", "celsius"},
    {"PkgWatt", Part::kPackage, "cpu_package_power_watts", "watts"},
    {"CorWatt", Part::kPackage, "cpu_cores_power_watts", "watts"},
    {"RAMWatt", Part::kPackage, "memory_dram_power_watts", "watts"},
    {"GFXWatt", Part::kPackage, "gpu_power_watts", "watts"},
    {"GFXMHz", Part::kPackage, "gpu_frequency_hertz", "hertz", 1e6},
    {"GFX%rc6", Part::kPackage, "gpu_rc6_percent", "ratio", 0.01},
    {"GFXAMHz", Part::kPackage, "gpu_actual_frequency_hertz", "hertz", 1e6},
    {"UncMHz", Part::kPackage, "cpu_uncore_frequency_hertz", "hertz", 1e6},
    {"PKG_%", Part::kPackage, "cpu_package_power_limited_ratio", "ratio", 0.01},
    {"RAM_%", Part::kPackage, "memory_dram_power_limited_ratio", "ratio", 0.01},
    {"SysWatt", Part::kPackage, "cpu_platform_power_watts", "watts"},
};

bool says_percent(std::string_view head) {
  return head.find('%') != std::string_view::npos;
}

// Columns that it does not name are those of idle states, and what --add adds.
Column column_of(std::string_view head) {
  const auto found = std::ranges::find(kColumns, head, &Column::head);
  if (found != std::end(kColumns)) return *found;
  const bool package = head.starts_with("Pkg%") || head.starts_with("Totl%");
  return {head, package ? Part::kPackage : Part::kProcessor, "", says_percent(head) ? "ratio" : "",
          says_percent(head) ? 0.01 : 1.0};
}

class TurbostatTable {
 public:
  TurbostatTable(const AheadRecords& records, const ImportOptions& options, Gathering& out)
      : records_(records), options_(options), out_(out) {}

  // The first line may have been without a tab, so that a record is a cell.
  Result<void> take(const std::string& line) {
    const Words cells = tab_cells(line);
    const bool names = std::ranges::find(cells, "Avg_MHz") != cells.end() ||
                       std::ranges::find(cells, "Busy%") != cells.end();
    if (names) return read_names(cells);
    if (heads_.empty()) return {};  // what it says of the machine
    // A row may end early: what is not of its processor is left out.
    if (cells.size() > heads_.size() || cells.size() <= time_) {
      return wrong_width(cells.size(), heads_.size(), records_.where(), kRemedy);
    }
    const auto time = text::parse_decimal_time(text::trimmed(cells[time_]), text::TimeUnit::kS);
    if (!time) return not_a_time(kTime, cells[time_], records_.where(), kRemedy);
    take_keys(cells);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const auto cell = text::trimmed(cells[i]);
      if (columns_[i].part == Part::kKey || columns_[i].part == Part::kNone) continue;
      if (says_nothing(cell)) continue;
      const auto number = text::parse_number(cell);
      if (!number) return not_a_number(heads_[i], cell, records_.where(), kRemedy);
      if (const auto id = series_of(i)) out_.add(*id, *time, *number);
    }
    return {};
  }

 private:
  Result<void> read_names(const Words& cells) {
    heads_.assign(cells.begin(), cells.end());
    columns_.clear();
    known_.clear();
    for (const auto& head : heads_) columns_.push_back(column_of(head));
    const auto time = std::ranges::find(heads_, kTime);
    if (time == heads_.end()) {
      return base::fail(ErrorKind::kUsage, "has no times (column Time_Of_Day_Seconds)",
                        records_.where(), std::string(kRemedy));
    }
    time_ = static_cast<std::size_t>(time - heads_.begin());
    return {};
  }

  // The line of the whole host has a dash in each.
  void take_keys(const Words& cells) {
    keys_.clear();
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (columns_[i].part != Part::kKey || text::trimmed(cells[i]) == "-") continue;
      keys_[columns_[i].head] = text::trimmed(cells[i]);
    }
  }

  std::string key(std::string_view head) const {
    const auto found = keys_.find(head);
    return found == keys_.end() ? std::string() : std::string(found->second);
  }

  // Cores are numbered anew in each package.
  ChannelName channel_of(std::size_t column) const {
    const Column& what = columns_[column];
    const auto metric =
        what.metric.empty() ? "cpu_" + metric_of_text(what.head) : std::string(what.metric);
    Labels labels;
    if (what.part == Part::kProcessor) labels = {{"cpu", key("CPU")}};
    if (what.part == Part::kPackage) labels = {{"package", key("Package")}};
    if (what.part == Part::kCore) labels = {{"package", key("Package")}, {"core", key("Core")}};
    if (what.part == Part::kPackage && labels[0].second.empty() && !keys_.empty()) {
      labels[0].second = "0";  // of a machine with one package, which it does not number
    }
    return channel_of_labels(metric, labels, {});
  }

  // Returns nothing if the user leaves it out.
  std::optional<SeriesId> series_of(std::size_t column) {
    const auto channel = channel_of(column);
    const auto place = std::pair(column, channel.instance);
    const auto known = known_.find(place);
    if (known != known_.end()) return known->second;
    std::optional<SeriesId> out;
    if (!options_.mapping.rule_of(heads_[column]).skip.value_or(false)) {
      out = out_.series(channel, heads_[column]);
      MappingRule said;
      said.kind = model::Kind::kGauge;
      if (!columns_[column].unit.empty()) {
        said.unit = columns_[column].unit;
        said.scale = columns_[column].scale;
      }
      out_.say(*out, std::move(said));
    }
    known_.emplace(place, out);
    return out;
  }

  const AheadRecords& records_;
  const ImportOptions& options_;
  Gathering& out_;
  std::vector<std::string> heads_;
  std::vector<Column> columns_;
  std::size_t time_ = 0;
  std::map<std::string_view, std::string_view> keys_;  // of the row
  std::map<std::pair<std::size_t, std::string>, std::optional<SeriesId>> known_;
};

}  // namespace

bool is_turbostat(const std::vector<AheadRecords::Row>& rows) {
  return std::ranges::any_of(rows, [](const AheadRecords::Row& row) {
    const std::string line = line_of(row);
    const Words cells = tab_cells(line);
    const auto has = [&](std::string_view head) {
      return std::ranges::find(cells, head) != cells.end();
    };
    return has("Avg_MHz") && has("Busy%");
  });
}

Result<void> gather_turbostat(AheadRecords& records, const ImportOptions& options, Gathering& out) {
  TurbostatTable table(records, options, out);
  for (;;) {
    const auto cells = records.next();
    if (!cells) return base::pass(cells);
    if (*cells == nullptr) return {};
    if (auto done = table.take(line_of(**cells)); !done) return done;
  }
}

}  // namespace reveal::exchange
