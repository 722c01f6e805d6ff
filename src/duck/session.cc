#include "duck/session.h"

#include <utility>

#include <fmt/format.h>

#include "base/temp_dir.h"

namespace reveal::duck {
namespace {

constexpr const char* kWhere = "SQL";

std::string quoted(std::string_view text, char quote) {
  std::string out(1, quote);
  for (const char c : text) {
    if (c == quote) out += quote;
    out += c;
  }
  return out + quote;
}

bool is_mistake_in_statement(int error_type) {
  return error_type == kDuckdbCatalogError || error_type == kDuckdbParserError ||
         error_type == kDuckdbSyntaxError || error_type == kDuckdbBinderError ||
         error_type == kDuckdbSettingsError;
}

base::Result<DuckdbDatabase> open_database(const Api& api, const SessionOptions& options,
                                           const std::string& spill) {
  DuckdbConfig config = nullptr;
  if (api.create_config(&config) != kDuckdbSuccess) {
    return base::fail(base::ErrorKind::kIo, "DuckDB does not start", kWhere);
  }
  const std::pair<const char*, std::string> settings[] = {
      {"memory_limit", fmt::format("{}MiB", options.memory_mib)},
      {"threads", fmt::format("{}", options.threads)},
      {"temp_directory", spill},
      {"autoinstall_known_extensions", "false"},
      {"autoload_known_extensions", "false"},
  };
  DuckdbDatabase database = nullptr;
  char* error = nullptr;
  int state = kDuckdbSuccess;
  for (const auto& [name, value] : settings) {
    if (state == kDuckdbSuccess) state = api.set_config(config, name, value.c_str());
  }
  if (state == kDuckdbSuccess) state = api.open_ext(nullptr, &database, config, &error);
  api.destroy_config(&config);
  if (state == kDuckdbSuccess) return database;
  std::string what = error == nullptr ? "DuckDB refuses its settings" : error;
  if (error != nullptr) api.free(error);
  return base::fail(base::ErrorKind::kIo, std::move(what), kWhere);
}

// Returns what shuts the database in; only its own folder for what does not fit in memory stays
// open.
std::string guard(const SessionOptions& options, const std::string& spill) {
  std::string sql;
  if (!options.files) {
    sql = fmt::format("SET allowed_directories = [{}]; SET enable_external_access = false; ",
                      sql_text(spill));
  }
  return sql + "SET lock_configuration = true";
}

}  // namespace

struct Session::State {
  Library library;
  base::TempDir spill;  // for what does not fit in memory
  DuckdbDatabase database = nullptr;
  DuckdbConnection connection = nullptr;
  std::shared_ptr<ErrorKeeper> errors = std::make_shared<ErrorKeeper>();

  State(Library the_library, base::TempDir the_spill)
      : library(std::move(the_library)), spill(std::move(the_spill)) {}
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    if (connection != nullptr) library.api().disconnect(&connection);
    if (database != nullptr) library.api().close(&database);
  }

  // Returns the error of a failed statement, and frees its result.
  base::Error error_of(DuckdbResult& result) const {
    const Api& api = library.api();
    const char* words = api.result_error(&result);
    base::Error error{base::ErrorKind::kIo, words == nullptr ? "failed" : words, kWhere, {}};
    if (is_mistake_in_statement(api.result_error_type(&result))) {
      error.kind = base::ErrorKind::kUsage;
    }
    api.destroy_result(&result);
    return errors->take().value_or(std::move(error));
  }
};

base::Result<Session> Session::open(const Library& library, const SessionOptions& options) {
  auto spill = base::TempDir::make("reveal-sql-");
  if (!spill) return base::pass(spill);
  auto state = std::make_unique<State>(library, std::move(*spill));
  const auto database = open_database(library.api(), options, state->spill.path().native());
  if (!database) return base::pass(database);
  state->database = *database;
  if (library.api().connect(state->database, &state->connection) != kDuckdbSuccess) {
    return base::fail(base::ErrorKind::kIo, "DuckDB refuses a connection", kWhere);
  }
  Session session(std::move(state));
  const auto guarded = session.execute(guard(options, session.state_->spill.path().native()));
  if (!guarded) return base::pass(guarded);
  return session;
}

Session::Session(std::unique_ptr<State> state) : state_(std::move(state)) {}
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;
Session::~Session() = default;

const std::string& Session::spill_folder() const {
  return state_->spill.path().native();
}

const Api& Session::api() const {
  return state_->library.api();
}

DuckdbConnection Session::connection() const {
  return state_->connection;
}

base::Result<void> Session::add_table(const Table& table) {
  if (auto done = register_table(api(), connection(), table, state_->errors); !done) return done;
  return execute(fmt::format("CREATE VIEW {0} AS SELECT * FROM reveal_{0}()", table.name));
}

base::Result<QueryResult> Session::query(const std::string& statements) {
  DuckdbResult result;
  if (api().query(connection(), statements.c_str(), &result) != kDuckdbSuccess) {
    return base::Unexpected(state_->error_of(result));
  }
  return QueryResult::take(api(), connection(), result);
}

base::Result<void> Session::execute(const std::string& statements) {
  DuckdbResult result;
  if (api().query(connection(), statements.c_str(), &result) != kDuckdbSuccess) {
    return base::Unexpected(state_->error_of(result));
  }
  api().destroy_result(&result);
  return {};
}

std::string sql_text(std::string_view text) {
  return quoted(text, '\'');
}

std::string quoted_name(std::string_view name) {
  return quoted(name, '"');
}

}  // namespace reveal::duck
