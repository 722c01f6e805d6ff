// Where an analyser keeps what it saw: a file of SQLite, or a database of a PostgreSQL server.
//
// Statements are written so that both understand them; $1 is the first parameter. What they do not
// have in common is in the schema alone. Not thread-safe.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"

namespace reveal::ledger {

enum class Dialect : std::uint8_t { kSqlite, kPostgres };

enum class Access : std::uint8_t {
  kWrite,  // a file is made if it is not there
  kRead,   // what is there stays as it is
};

using Value = std::variant<std::int64_t, std::string_view>;
using Row = std::vector<std::string>;  // numbers as decimal text; NULL is empty

// How a value can be shown besides as text.
enum class CellKind : std::uint8_t { kText, kNumber, kBoolean };

struct Column {
  std::string name;
  CellKind kind = CellKind::kText;
};

using Cell = std::optional<std::string_view>;  // nothing: NULL

// The rows that a user's statement gives, one after the other.
class Answer {
 public:
  virtual ~Answer() = default;

  // Empty if the statement gives no rows by its nature. In SQLite each row has kinds of its own:
  // these are of the row that was returned last.
  virtual const std::vector<Column>& columns() const = 0;
  // Returns the next row, a cell a column, valid until the next call; empty at the end.
  virtual base::Result<std::span<const Cell>> next() = 0;
};

class Database {
 public:
  virtual ~Database() = default;

  virtual Dialect dialect() const = 0;
  // Returns what people call it. It has no password.
  virtual const std::string& name() const = 0;

  // From now on no call may take long, for there is other work to do.
  virtual void hurry() = 0;

  // Between the two, what is written is written at once or not at all, and nobody else writes. Fail
  // with kBusy if another program has it for long, with kAway if the server does not answer. If
  // commit() fails with kAway nobody knows whether it was done.
  virtual base::Result<void> begin() = 0;
  virtual base::Result<void> commit() = 0;
  // Forgets what was written since begin(). To be called after a failure, too.
  virtual void roll_back() = 0;

  // Runs statements that have no parameters and of which no rows are wanted.
  virtual base::Result<void> run(const std::string& statements) = 0;

  // Runs one statement with values for its parameters, and returns its rows. Fails with kIo,
  // kNoSpace, or as begin().
  virtual base::Result<std::vector<Row>> query(const std::string& statement,
                                               const std::vector<Value>& values = {}) = 0;

  // Runs a user's statement, which only reads. The answer must not outlive the database, and has to
  // be read to its end before anything else is asked. Fails if it would write, or is more than one
  // statement.
  virtual base::Result<std::unique_ptr<Answer>> ask(const std::string& statement) = 0;
};

// Opens the database that a path, or a URL that begins with postgresql:// or postgres://, names.
// Fails with kAbsent without the library, with kIo if it cannot be opened.
base::Result<std::unique_ptr<Database>> open_database(const std::string& where, Access access);

}  // namespace reveal::ledger
