// A column of times: which it is, and how its cells are read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "exchange/csv.h"
#include "text/parse_time.h"

namespace reveal::exchange {

// Returns which column of the header holds the times: the one named `wanted`, else one with a usual
// name (time, timestamp, time_ns, ts, date, ...), else the first. Fails with kUsage if there is no
// column `wanted`.
base::Result<std::size_t> find_time_column(const CsvRecords::Cells& header,
                                           const std::string& wanted, const std::string& where);

class TimeColumn {
 public:
  // A name that ends in _ns, _us, _ms or _s says the unit.
  explicit TimeColumn(std::string_view name);

  // Returns the cell's time in ns since the epoch, or nothing if it is none. The first number
  // decides the unit of all, unless the name says it.
  std::optional<std::int64_t> read(std::string_view cell);

  const std::string& name() const { return name_; }

 private:
  std::string name_;
  std::optional<text::TimeUnit> unit_;
};

// What to do about a cell that is not a time.
inline constexpr const char* kTimeRemedy =
    "times are numbers of s, ms, us or ns since 1970, or dates such as 2026-11-20T14:03:07Z or "
    "2026-11-20 14:03:07; --time-column says where they are";

}  // namespace reveal::exchange
