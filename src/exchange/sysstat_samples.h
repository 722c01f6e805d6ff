// Takes what the programs of sysstat print, whatever the layout, so that the same column of the
// same report is the same channel.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include "exchange/gathering.h"
#include "exchange/import_options.h"
#include "exchange/sysstat_columns.h"
#include "text/parse_number.h"

namespace reveal::exchange {

class SysstatSamples {
 public:
  // REQUIRES: both outlive it.
  SysstatSamples(const ImportOptions& options, Gathering& out) : options_(options), out_(out) {}

  // Adds a sample of a column, as sadf -d heads it. `key`: the processor, disk or interface of its
  // row; empty, "all" and "-1" are the whole host.
  void add(const SysstatReport& report, std::string_view key, std::string_view head,
           std::string_view host, std::int64_t time_ns, const text::Number& value);

 private:
  std::optional<SeriesId> series(const SysstatReport& report, std::string_view key,
                                 std::string_view head, std::string_view host);

  const ImportOptions& options_;
  Gathering& out_;
  std::map<std::tuple<const SysstatReport*, std::string, std::string, std::string>,
           std::optional<SeriesId>, std::less<>>
      known_;
};

// Returns the time that iostat -t prints: "11/28/26 11:09:43", "28.11.2026 11:09:43",
// "11/28/2026 11:09:43 AM", or ISO 8601. `day_first`: how dates with slashes are read. Nothing if
// it is no time. Without an offset it is taken for UTC.
std::optional<std::int64_t> parse_local_time(std::string_view text, bool day_first);

// Returns whether the first number of "28/11/26 ..." can only be a day. Dots say nothing: they are
// in versions of kernels as well.
bool says_day_first(std::string_view text);

}  // namespace reveal::exchange
