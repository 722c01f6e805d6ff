// The result of a statement in DuckDB's own numbers, as it comes: it is never in memory as a whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "duck/row_chunk.h"
#include "duck/session.h"

namespace reveal::duck {

class ChunkStream {
 public:
  // Begins `statement`; `where` names what is read in errors. `session` must outlive the stream,
  // and run nothing else meanwhile.
  static base::Result<ChunkStream> begin(Session& session, const std::string& statement,
                                         std::string where);
  ChunkStream(ChunkStream&&) noexcept;
  ChunkStream& operator=(ChunkStream&&) noexcept;
  ~ChunkStream();

  std::size_t column_count() const;
  std::string column_name(std::size_t column) const;
  // Returns whether the values of the column are of that type.
  bool has_type(std::size_t column, ColumnType type) const;

  // Moves to the next row. Returns false at the end.
  base::Result<bool> next();

  bool is_null(std::size_t column) const;
  // Return the value in the row at hand. REQUIRES: not null, and the column has that type.
  std::int64_t integer(std::size_t column) const;
  std::uint64_t whole(std::size_t column) const;  // kUnsigned; of kDouble its bits
  std::string_view text(std::size_t column) const;

 private:
  struct State;
  explicit ChunkStream(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace reveal::duck
