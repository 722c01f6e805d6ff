#include "exchange/vmstat.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "exchange/line_words.h"
#include "text/parse_number.h"
#include "text/parse_time.h"

namespace reveal::exchange {
namespace {

using base::ErrorKind;
using base::Result;

constexpr std::string_view kGroups = "procs ";  // how the line above the names begins

// vmstat's names, and those that say what they are; all are levels. Sizes are in KiB unless -S was
// given, which the file does not say. Shares by which detectors know a signal have Reveal's name.
struct Name {
  std::string_view own;
  std::string_view metric;
};
constexpr Name kNames[] = {{"r", "cpu_runnable_tasks"},   {"b", "storage_blocked_tasks"},
                           {"swpd", "memory_swap_used"},  {"free", "memory_free"},
                           {"buff", "memory_buffers"},    {"cache", "memory_cache"},
                           {"inact", "memory_inactive"},  {"active", "memory_active"},
                           {"si", "memory_swap_in_rate"}, {"so", "memory_swap_out_rate"},
                           {"bi", "storage_read_rate"},   {"bo", "storage_write_rate"},
                           {"in", "cpu_interrupts_rate"}, {"cs", "cpu_context_switches_rate"},
                           {"us", "cpu_user_percent"},    {"sy", "cpu_system_percent"},
                           {"id", "cpu_idle_percent"},    {"wa", "cpu_iowait_ratio"},
                           {"st", "cpu_steal_ratio"},     {"gu", "cpu_guest_percent"}};

std::string metric_of(std::string_view name) {
  const auto found = std::ranges::find(kNames, name, &Name::own);
  if (found != std::end(kNames)) return std::string(found->metric);
  return "vmstat_" + metric_of_text(name);
}

bool is_header(const Words& words) {
  return words.size() > 3 && words[0] == "r" && words[1] == "b";
}

class VmstatTable {
 public:
  VmstatTable(const AheadRecords& records, const ImportOptions& options, Gathering& out)
      : records_(records), options_(options), out_(out) {}

  Result<void> take(std::string_view line) {
    if (line.starts_with(kGroups)) return {};
    const auto words = words_of(line);
    if (is_header(words)) return read_header(words);
    // A date and a time stand below the name of the time zone.
    if (words.size() != series_.size() + 2) {
      return base::fail(
          ErrorKind::kCorrupt,
          fmt::format("has {} words, but its header asks for {}", words.size(), series_.size() + 2),
          records_.where(), "remove the line, or write the file with vmstat -n -t 1");
    }
    const auto date = words[words.size() - 2];
    const auto time = text::parse_date(fmt::format("{} {}", date, words.back()));
    if (!time) {
      return base::fail(ErrorKind::kCorrupt,
                        fmt::format("\"{} {}\" is not a time", date, words.back()),
                        records_.where(), "write the file with vmstat -n -t 1");
    }
    if (!since_boot_seen_) {
      since_boot_seen_ = true;
      return {};
    }
    return take_values(words, *time);
  }

 private:
  Result<void> read_header(const Words& words) {
    if (!series_.empty()) return {};  // it comes again once a screen
    const auto zone = words.back();
    if (!metric_of(zone).starts_with("vmstat_")) {
      return base::fail(ErrorKind::kUsage, "has no times", records_.where(),
                        "write the file with vmstat -n -t 1");
    }
    if (zone != "UTC" && zone != "GMT") {
      out_.remark(fmt::format("vmstat's times, of the zone {}, are taken for UTC", zone));
    }
    out_.remark("vmstat's first line of values is left out: it is the mean since the boot");
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
      const bool skipped = options_.mapping.rule_of(std::string(words[i])).skip.value_or(false);
      series_.push_back(skipped ? std::nullopt : std::optional(series_of(words[i])));
    }
    return {};
  }

  SeriesId series_of(std::string_view name) {
    const auto metric = metric_of(name);
    const auto id = out_.series({metric, ""}, name);
    MappingRule said;
    said.kind = model::Kind::kGauge;
    if (metric.ends_with("_percent") || metric.ends_with("_ratio")) {
      said.unit = "ratio";
      said.scale = 0.01;
    }
    out_.say(id, std::move(said));
    return id;
  }

  Result<void> take_values(const Words& words, std::int64_t time) {
    for (std::size_t i = 0; i < series_.size(); ++i) {
      const auto number = text::parse_number(words[i]);
      if (!number) {
        return base::fail(ErrorKind::kCorrupt, fmt::format("\"{}\" is not a number", words[i]),
                          records_.where(), "remove the line");
      }
      if (series_[i]) out_.add(*series_[i], time, *number);
    }
    return {};
  }

  const AheadRecords& records_;
  const ImportOptions& options_;
  Gathering& out_;
  bool since_boot_seen_ = false;
  std::vector<std::optional<SeriesId>> series_;  // by column
};

}  // namespace

bool is_vmstat(const std::vector<AheadRecords::Row>& rows) {
  return rows.size() > 1 && rows[0].size() == 1 && rows[0][0].starts_with(kGroups) &&
         rows[1].size() == 1 && is_header(words_of(rows[1][0]));
}

Result<void> gather_vmstat(AheadRecords& records, const ImportOptions& options, Gathering& out) {
  VmstatTable table(records, options, out);
  for (;;) {
    const auto cells = records.next();
    if (!cells) return base::pass(cells);
    if (*cells == nullptr) return {};
    if (auto done = table.take((*cells)->front()); !done) return done;
  }
}

}  // namespace reveal::exchange
