// Rows into a table of a session, some two thousand at a time.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "duck/row_chunk.h"
#include "duck/session.h"

namespace reveal::duck {

class TableAppender {
 public:
  // Creates `table` with columns c0, c1, ... of these types. `session` must outlive the appender.
  static base::Result<TableAppender> create(Session& session, const std::string& table,
                                            std::span<const ColumnType> types);
  TableAppender(TableAppender&&) noexcept;
  TableAppender& operator=(TableAppender&&) = delete;
  TableAppender(const TableAppender&) = delete;
  TableAppender& operator=(const TableAppender&) = delete;
  ~TableAppender();

  // Returns where the next row goes; there is room for it. Fails if DuckDB refuses the rows before:
  // out of memory, and of disk.
  base::Result<RowChunk*> rows();
  // Hands the rest over.
  base::Result<void> finish();

 private:
  TableAppender(const Api& api, std::size_t columns) : api_(api), columns_(columns) {}
  void begin_chunk();
  base::Result<void> flush();
  base::Unexpected refused() const;

  const Api& api_;
  std::size_t columns_;
  std::vector<std::uint64_t> all_;  // the columns' numbers
  DuckdbAppender appender_ = nullptr;
  DuckdbChunk chunk_ = nullptr;
  std::optional<RowChunk> rows_;
};

}  // namespace reveal::duck
