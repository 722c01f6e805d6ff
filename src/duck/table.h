// A table whose rows are made when a statement reads it, and only the columns that it reads: DuckDB
// calls for the next rows, so that an hour of samples never has to be in memory at once.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "duck/row_chunk.h"

namespace reveal::duck {

class RowSource {
 public:
  virtual ~RowSource() = default;
  // Adds the next rows to `chunk`, at most as many as it has room for. No row added: the end. Only
  // one thread at a time calls, but not always the same.
  virtual base::Result<void> fill(RowChunk& chunk) = 0;
};

// As many rows as are known beforehand, each made from its number.
class CountedRows : public RowSource {
 public:
  // `add` adds the row of that number, from 0 on.
  CountedRows(std::size_t count, std::function<void(RowChunk&, std::size_t)> add)
      : count_(count), add_(std::move(add)) {}
  base::Result<void> fill(RowChunk& chunk) override {
    for (; chunk.room() > 0 && next_ < count_; ++next_) add_(chunk, next_);
    return {};
  }

 private:
  std::size_t count_;
  std::function<void(RowChunk&, std::size_t)> add_;
  std::size_t next_ = 0;
};

struct Table {
  std::string_view name;
  std::string_view help;  // a sentence
  std::span<const Column> columns;
  // Begins to read the table from its first row; called whenever a statement does, at times from
  // several threads at once.
  std::function<base::Result<std::unique_ptr<RowSource>>()> open;
};

// Keeps the first error of all tables of a session, because DuckDB hands on nothing but its words.
class ErrorKeeper {
 public:
  void keep(const base::Error& error);
  // Returns the error and forgets it.
  std::optional<base::Error> take();

 private:
  std::mutex mutex_;
  std::optional<base::Error> error_;
};

// Makes `table` known to the connection as the table function reveal_<name>. What the table refers
// to must outlive the connection's database. Fails if the name is taken.
base::Result<void> register_table(const Api& api, DuckdbConnection connection, const Table& table,
                                  std::shared_ptr<ErrorKeeper> errors);

}  // namespace reveal::duck
