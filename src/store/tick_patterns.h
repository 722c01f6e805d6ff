// What happens to a column at each tick, as a small number: a channel's validity, or whether a
// collector was read. Columns that are read together share a pattern, so a block has few:
// docs/storage_format.md, "Patterns".
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "store/block_builder.h"
#include "store/bytes.h"
#include "store/step_model.h"

namespace reveal::store {

class TickPatterns {
 public:
  using Pattern = std::vector<std::uint8_t>;  // by tick

  // Appends the patterns of `columns` more columns; if a row is shorter, it has zeros.
  void add(const RowSet& rows, std::size_t columns);

  std::size_t columns() const { return pattern_of_.size(); }
  const Pattern& of(std::size_t column) const { return patterns_[pattern_of_[column]]; }
  // Returns the ticks after the first at which the pattern of `column` has an odd number: the
  // channel was read (fresh, reset), or the collector was.
  const TickList& moving(std::size_t column) const { return moving_[pattern_of_[column]]; }

  void put(Bytes& out) const;
  // Returns false if the bytes are not the patterns of `columns` columns over `ticks` ticks, or all
  // patterns together have more than `most` numbers.
  bool read(ByteCursor& in, std::size_t columns, std::size_t ticks, std::uint64_t most);

 private:
  void add_pattern(Pattern pattern);
  std::uint32_t intern(Pattern pattern);
  bool read_pattern(ByteCursor& in, std::size_t ticks);

  std::vector<Pattern> patterns_;
  std::vector<TickList> moving_;
  std::vector<std::uint32_t> pattern_of_;
};

}  // namespace reveal::store
