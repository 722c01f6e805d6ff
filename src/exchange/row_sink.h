// Tables other than samples (windows, features, scores, ...), row by row.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>

#include "base/result.h"

namespace reveal::exchange {

// std::monostate and NaN: no value.
using Cell = std::variant<std::monostate, std::string, double, std::int64_t, std::uint64_t, bool>;

// A column, and what its cells hold if they hold something.
enum class CellType : std::uint8_t { kText, kReal, kInteger, kCount, kTruth };
struct RowColumn {
  std::string name;
  CellType type;
};

class RowSink {
 public:
  virtual ~RowSink() = default;
  // Called once, before the first row.
  virtual base::Result<void> begin(std::span<const RowColumn> columns) = 0;
  // REQUIRES: as many cells as there are columns, each empty or of its column's type.
  virtual base::Result<void> write(std::span<const Cell> row) = 0;
  // Called once, after the last row.
  virtual base::Result<void> finish() = 0;
};

}  // namespace reveal::exchange
