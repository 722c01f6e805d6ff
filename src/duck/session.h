// A database of DuckDB in memory, and one connection to it. It reaches nothing outside: no network,
// no extensions, and files only if a session allows statements to read and write them. Data beyond
// its memory limit go to a folder that is deleted afterwards. For one thread; DuckDB uses some of
// its own inside.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "duck/library.h"
#include "duck/query_result.h"
#include "duck/table.h"

namespace reveal::duck {

struct SessionOptions {
  std::uint64_t memory_mib = 1024;  // above it DuckDB goes to disk, or says that it cannot
  unsigned threads = 2;
  bool files = false;  // statements may read and write files
};

class Session {
 public:
  // Fails if the library refuses an option, or no temporary folder can be made.
  static base::Result<Session> open(const Library& library, const SessionOptions& options);

  Session(Session&&) noexcept;
  Session& operator=(Session&&) noexcept;
  ~Session();

  // Lets statements read `table` by its name. What it refers to must outlive the session.
  base::Result<void> add_table(const Table& table);

  // Runs the statements and returns what the last one gives. Fails with kUsage if DuckDB does not
  // understand them: its message shows the place; with a table's own error if one fails.
  base::Result<QueryResult> query(const std::string& statements);

  // Runs statements of which nothing is wanted back.
  base::Result<void> execute(const std::string& statements);

  // Returns the folder that goes away with the session.
  const std::string& spill_folder() const;

  const Api& api() const;
  DuckdbConnection connection() const;

 private:
  struct State;
  explicit Session(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

// Return `text` as SQL writes a text, between single quotes, and a name, between double ones.
std::string sql_text(std::string_view text);
std::string quoted_name(std::string_view name);

}  // namespace reveal::duck
