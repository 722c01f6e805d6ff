// The vocabulary of sysstat: sar's reports as `sadf -d` heads them and as `sadf -j` and
// `iostat -o JSON` name them, and what each column is here. All its values are levels, and rates
// per second that sysstat has computed.
// Sources: sar(1), sadf(1), iostat(1), of sysstat 11 to 12.7.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace reveal::exchange {

// How `sadf -j` writes the names of columns.
enum class JsonNames : std::uint8_t {
  kSame,     // as sadf -d, but "%util" is "util-percent"
  kPercent,  // "%user" is "user"
  kRate,     // "rxpck/s" is "rxpck"
  kKb,       // "kbmemfree" is "memfree"
  kPsi,      // "%scpu-10" is "some_avg10"
};

// A report: columns that stand in one table.
struct SysstatReport {
  std::string_view section;   // in JSON
  std::string_view json_key;  // the member that tells its objects apart; empty if there is one
  std::string_view key;       // the same as the head of a column
  std::string_view first;     // how the first column behind the key may be headed; a space between
  std::string_view label;     // the key of instances here
  std::string_view prefix;    // of metrics that have no row of their own
  JsonNames names = JsonNames::kSame;
};

// What a column is here.
struct SysstatColumn {
  std::string metric;
  std::string unit;  // empty if it is not known
  double scale = 1.0;
};

// Returns all reports.
std::span<const SysstatReport> sysstat_reports();

// Returns the report whose table has these first heads, of which `key` is empty for none; else the
// first with that key.
const SysstatReport* report_of_heads(std::string_view key, std::string_view first);

// Returns the head of the column that JSON calls `name`: "rxpck/s" of "rxpck".
std::string head_of_json(const SysstatReport& report, std::string_view name);

// Returns what a column is. Heads without a row of their own get the report's prefix, "_rate" if
// they end in "/s" and "_percent" if they begin with a percent sign. Nothing for a column that says
// what another one of its report says in another unit.
std::optional<SysstatColumn> sysstat_column(const SysstatReport& report, std::string_view head);

}  // namespace reveal::exchange
