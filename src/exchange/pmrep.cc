#include "exchange/pmrep.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "exchange/channel_name.h"
#include "exchange/csv_cells.h"
#include "exchange/table_errors.h"
#include "exchange/time_column.h"

namespace reveal::exchange {
namespace {

using base::Result;
using Cells = CsvRecords::Cells;

constexpr std::string_view kRemedy = "write the file with pmrep -o csv -t 1";

// Roots of PCP's names.
constexpr std::string_view kRoots[] = {
    "kernel.",    "mem.",   "swap.", "disk.",       "network.", "filesys.", "nfs.",
    "nfs4.",      "rpc.",   "vfs.",  "hinv.",       "proc.",    "cgroup.",  "ipc.",
    "sysfs.",     "tmpfs.", "xfs.",  "infiniband.", "nvidia.",  "denki.",   "perfevent.",
    "lmsensors.", "zfs.",   "pmcd.", "smart."};

struct Domain {
  std::string_view prefix;  // of a metric
  std::string_view label;   // the key of its instances
};
constexpr Domain kDomains[] = {
    {"kernel.percpu.", "cpu"},  {"disk.dev.", "dev"},  {"disk.partitions.", "dev"},
    {"disk.dm.", "dev"},        {"disk.md.", "dev"},   {"network.", "dev"},
    {"filesys.", "filesystem"}, {"mem.numa.", "node"}, {"kernel.pernode.", "node"},
    {"hinv.cpu.", "cpu"},       {"nvidia.", "gpu"},    {"cgroup.", "cg"},
    {"infiniband.", "dev"}};

bool is_metric(std::string_view head) {
  return std::ranges::any_of(kRoots, [&](std::string_view root) { return head.starts_with(root); });
}

// The instances of processors, nodes and GPUs are "cpu0", "node0" and "gpu0".
ChannelName channel_of(std::string_view head) {
  const auto dash = head.find('-');
  const auto metric = head.substr(0, dash);
  auto instance = dash == std::string_view::npos ? std::string_view() : head.substr(dash + 1);
  const auto found = std::ranges::find_if(
      kDomains, [&](const Domain& domain) { return metric.starts_with(domain.prefix); });
  const std::string_view label = found == std::end(kDomains) ? "instance" : found->label;
  if (instance.size() > label.size() && instance.starts_with(label)) {
    instance.remove_prefix(label.size());
  }
  return channel_of_labels(metric, {{std::string(label), std::string(instance)}}, {});
}

struct Unit {
  std::string_view theirs;
  std::string_view unit;
  double scale;
};
constexpr Unit kUnits[] = {{"b", "bytes", 1},
                           {"byte", "bytes", 1},
                           {"KB", "bytes", 1024},
                           {"Kbyte", "bytes", 1024},
                           {"MB", "bytes", 1048576},
                           {"Mbyte", "bytes", 1048576},
                           {"GB", "bytes", 1048576.0 * 1024},
                           {"s", "seconds", 1},
                           {"sec", "seconds", 1},
                           {"ms", "seconds", 1e-3},
                           {"millisec", "seconds", 1e-3},
                           {"us", "seconds", 1e-6},
                           {"microsec", "seconds", 1e-6},
                           {"ns", "seconds", 1e-9},
                           {"nanosec", "seconds", 1e-9},
                           {"%", "ratio", 0.01}};

// "KB / s" is 1024 bytes/s, "ms / s" a ratio.
MappingRule said_of(std::string_view unit) {
  MappingRule out;
  const auto slash = unit.find('/');
  const bool rate = slash != std::string_view::npos;
  const auto word = text::trimmed(unit.substr(0, slash));
  const auto found = std::ranges::find(kUnits, word, &Unit::theirs);
  if (rate) out.kind = model::Kind::kGauge;
  if (found == std::end(kUnits)) return out;
  out.scale = found->scale;
  out.unit = !rate                      ? std::string(found->unit)
             : found->unit == "seconds" ? "ratio"
                                        : std::string(found->unit) + "/s";
  return out;
}

class PmrepTable {
 public:
  PmrepTable(const AheadRecords& records, const ImportOptions& options, Gathering& out)
      : records_(records), options_(options), out_(out) {}

  void read_names(const Cells& cells) {
    heads_.assign(cells.begin(), cells.end());
    for (const auto cell : cells) {
      const bool skipped = options_.mapping.rule_of(std::string(cell)).skip.value_or(false);
      series_.push_back(is_metric(cell) && !skipped
                            ? std::optional(out_.series(channel_of(cell), cell))
                            : std::nullopt);
    }
  }

  Result<void> take(const Cells& cells) {
    if (std::equal(cells.begin(), cells.end(), heads_.begin(), heads_.end())) return {};
    if (cells.size() != heads_.size()) {
      return wrong_width(cells.size(), heads_.size(), records_.where(), kRemedy);
    }
    const auto time = time_.read(cells[0]);
    if (!time && is_units(cells)) {
      read_units(cells);
      return {};
    }
    if (!time) return not_a_time(heads_[0], cells[0], records_.where(), kRemedy);
    for (std::size_t i = 1; i < cells.size(); ++i) {
      const auto cell = text::trimmed(cells[i]);
      if (!series_[i] || nothing_.is(cell, heads_[i], records_)) continue;
      const auto number = read_value(cell, {}, records_.separator());
      if (!number) return not_a_number(heads_[i], cell, records_.where(), kRemedy);
      out_.add(*series_[i], *time, *number);
    }
    return {};
  }

  void end() {
    nothing_.tell(out_);
    for (const auto& id : series_) {
      if (id) settle(*id);
    }
    out_.remark("pmrep's times are local ones without their zone, and are taken for UTC");
  }

 private:
  static bool is_units(const Cells& cells) {
    return std::all_of(cells.begin() + 1, cells.end(),
                       [](std::string_view cell) { return !text::parse_number(cell); });
  }

  void read_units(const Cells& cells) {
    for (std::size_t i = 1; i < cells.size(); ++i) {
      if (series_[i]) out_.say(*series_[i], said_of(text::trimmed(cells[i])));
    }
  }

  // Pressure is counted in microseconds: its rate is a ratio.
  void settle(SeriesId id) {
    Series& series = out_.all()[id.index()];
    if (!series.real) return;
    series.said.kind = model::Kind::kGauge;
    if (series.metric.starts_with("kernel_all_pressure_") && series.metric.ends_with("_total") &&
        !series.said.unit) {
      series.said.unit = "ratio";
      series.said.scale = 1e-6;
    }
  }

  const AheadRecords& records_;
  const ImportOptions& options_;
  Gathering& out_;
  Nothing nothing_;
  TimeColumn time_{"time"};
  std::vector<std::string> heads_;
  std::vector<std::optional<SeriesId>> series_;  // by column
};

}  // namespace

bool is_pmrep(const std::vector<AheadRecords::Row>& rows) {
  if (rows.empty() || rows[0].size() < 2 || text::trimmed(rows[0][0]) != "Time") return false;
  return std::all_of(rows[0].begin() + 1, rows[0].end(), is_metric);
}

Result<void> gather_pmrep(AheadRecords& records, const ImportOptions& options, Gathering& out) {
  PmrepTable table(records, options, out);
  const auto names = records.next();
  if (!names) return base::pass(names);
  if (*names == nullptr) return {};
  table.read_names(**names);
  return take_all(records, table);
}

}  // namespace reveal::exchange
