#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/exit_status.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/replayed.h"
#include "duck/session.h"
#include "sql/fleet.h"
#include "sql/print.h"
#include "sql/tables.h"
#include "text/streams.h"

namespace reveal::cli {
namespace {

namespace fs = std::filesystem;
using Recordings = std::vector<std::unique_ptr<sql::Recording>>;

struct SqlArguments {
  std::vector<std::string> words;  // DIR... and then perhaps the statement
  std::string fleet;               // an analyser's database, in place of DIR...
  std::string format = "table";
  std::string output;
  duck::SessionOptions sql;
  SettingOptions analysis;
};

// What the words ask for.
struct Request {
  std::vector<std::string> directories;
  std::string statement;  // empty: print the tables
};

// The last word is the statement, unless it is a directory, or there is no other. A statement has
// at least two words, so a single one is a directory that is not there. A fleet is the first word.
base::Result<Request> understand(const std::vector<std::string>& words) {
  Request out{words, {}};
  if (words.empty()) return base::fail(base::ErrorKind::kUsage, "DIR or --fleet is required");
  const std::string& last = words.back();
  std::error_code ignored;
  const bool is_word = last.find_first_of(" \t\n") == std::string::npos;
  if (words.size() == 1 && is_word) return out;
  if (fs::is_directory(last, ignored)) return out;
  if (last != "-" && is_word) {
    return base::fail(base::ErrorKind::kUsage, "is neither a directory nor a statement", last);
  }
  out.directories.pop_back();
  if (out.directories.empty()) {
    return base::fail(base::ErrorKind::kUsage, "no recording was given", {},
                      "reveal sql DIR \"SELECT ...\"");
  }
  out.statement = last;
  if (last == "-") {
    auto read = text::read_input("the statement");
    if (!read) return base::pass(read);
    out.statement = std::move(*read);
  }
  return out;
}

base::Result<Recordings> open_recordings(const std::vector<std::string>& directories,
                                         const SettingOptions& analysis) {
  const auto config = analysis.config();
  if (!config) return base::pass(config);
  Recordings out;
  for (const auto& directory : directories) {
    auto opened =
        sql::Recording::open(directory, static_cast<std::int64_t>(out.size()) + 1, *config);
    if (!opened) return base::pass(opened);
    out.push_back(std::move(*opened));
  }
  return out;
}

base::Result<duck::Session> open_session(const duck::SessionOptions& options,
                                         const Recordings& recordings) {
  const auto library = duck::Library::load();
  if (!library) return base::pass(library);
  auto session = duck::Session::open(*library, options);
  if (!session) return session;
  for (const auto& table : sql::tables()) {
    if (auto added = session->add_table(sql::over(table, recordings)); !added) {
      return base::pass(added);
    }
  }
  return session;
}

base::Result<void> run_statement(const SqlArguments& options, const Request& request,
                                 const Recordings& recordings) {
  auto session = open_session(options.sql, recordings);
  if (!session) return base::pass(session);
  auto result = session->query(request.statement);
  if (!result) return base::pass(result);
  if (result->columns().empty()) return {};
  return sql::print_to(options.output, [&](const sql::TextSink& sink) {
    return sql::print_result(*result, sql::format_of(options.format), sink);
  });
}

base::Result<void> ask_fleet(const SqlArguments& options, const Request& request) {
  if (request.directories.size() > 1) {
    return base::fail(base::ErrorKind::kUsage, "with --fleet there are no recordings",
                      request.directories.back());
  }
  if (!request.statement.empty()) {
    return sql::print_to(options.output, [&](const sql::TextSink& sink) {
      return sql::print_fleet_answer(options.fleet, request.statement,
                                     sql::format_of(options.format), sink);
    });
  }
  const auto schema = sql::fleet_schema(options.fleet);
  return schema ? text::print(text::SafeText(*schema)) : base::pass(schema);
}

base::Result<void> ask(const SqlArguments& options) {
  auto words = options.words;
  if (!options.fleet.empty()) words.insert(words.begin(), options.fleet);
  const auto request = understand(words);
  if (!request) return base::pass(request);
  if (!options.fleet.empty()) return ask_fleet(options, *request);
  const auto recordings = open_recordings(request->directories, options.analysis);
  if (!recordings) return base::pass(recordings);
  if (request->statement.empty()) return text::print(text::SafeText(sql::schema()));
  const auto done = run_statement(options, *request, *recordings);
  for (const auto& recording : *recordings) tell_damage(recording->damage());
  return done;
}

}  // namespace

Action declare_sql(OptionSet& set) {
  auto options = std::make_shared<SqlArguments>();
  set.value("DIR... STATEMENT", options->words,
            "directories of recordings, and the statement; - reads it from standard input; "
            "without a statement, the tables and their columns are printed");
  set.value(
         "--fleet", options->fleet,
         "ask what an analyser kept in its --db, in place of recordings, by a statement of SQLite "
         "or PostgreSQL that only reads")
      .placeholder("DB");
  set.value("--format", options->format, "table, csv or json").choices({"table", "csv", "json"});
  set.value("-o,--output", options->output, "file for the result, instead of stdout")
      .placeholder("FILE");
  set.number("--memory", options->sql.memory_mib, 64, std::uint64_t{1} << 30,
             "MiB that DuckDB may use; the rest goes to a temporary folder");
  set.number("--threads", options->sql.threads, 1, 1024, "threads that DuckDB may use");
  set.flag("--files", options->sql.files,
           "allow the statement to read and write files, e.g. read_csv('jobs.csv')");
  options->analysis.declare(set, "analysis");
  return [options](const Invocation&) {
    const auto done = ask(*options);
    return done ? kDone : complain(done.error());
  };
}

}  // namespace reveal::cli
