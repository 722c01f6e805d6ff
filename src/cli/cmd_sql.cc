#include <cerrno>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/exit_status.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/replayed.h"
#include "duck/session.h"
#include "exchange/text_output.h"
#include "sql/print.h"
#include "sql/tables.h"
#include "text/streams.h"

namespace reveal::cli {
namespace {

namespace fs = std::filesystem;
using Recordings = std::vector<std::unique_ptr<sql::Recording>>;

struct SqlArguments {
  std::vector<std::string> words;  // DIR... and then perhaps the statement
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

base::Result<std::string> read_statement() {
  std::string out;
  char buffer[4096];
  for (;;) {
    const auto got = ::read(STDIN_FILENO, buffer, sizeof(buffer));
    if (got == 0) return out;
    if (got > 0) {
      out.append(buffer, static_cast<std::size_t>(got));
    } else if (errno != EINTR) {
      return base::fail_errno(errno, "cannot read the statement", "standard input");
    }
  }
}

// The last word is the statement, unless it is a directory, or there is no other. A statement has
// at least two words, so a single one is a directory that is not there.
base::Result<Request> understand(const std::vector<std::string>& words) {
  Request out{words, {}};
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
    auto read = read_statement();
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

sql::Format format_of(const std::string& word) {
  if (word == "csv") return sql::Format::kCsv;
  return word == "json" ? sql::Format::kJson : sql::Format::kTable;
}

base::Result<void> write_result(duck::QueryResult& result, const SqlArguments& options) {
  const auto format = format_of(options.format);
  if (result.columns().empty()) return {};
  if (options.output.empty()) return sql::print_result(result, format, text::print_data);
  auto file = exchange::TextOutput::create(options.output, false);
  if (!file) return base::pass(file);
  const auto written = sql::print_result(
      result, format, [&](std::string_view piece) { return file->append(piece); });
  return written ? file->finish() : written;
}

base::Result<void> run_statement(const SqlArguments& options, const Request& request,
                                 const Recordings& recordings) {
  auto session = open_session(options.sql, recordings);
  if (!session) return base::pass(session);
  auto result = session->query(request.statement);
  if (!result) return base::pass(result);
  return write_result(*result, options);
}

int sql(const SqlArguments& options) {
  const auto request = understand(options.words);
  if (!request) return complain(request.error());
  const auto recordings = open_recordings(request->directories, options.analysis);
  if (!recordings) return complain(recordings.error());
  if (request->statement.empty()) {
    const auto printed = text::print(text::SafeText(sql::schema()));
    return printed ? kDone : complain(printed.error());
  }
  const auto done = run_statement(options, *request, *recordings);
  for (const auto& recording : *recordings) tell_damage(recording->damage());
  return done ? kDone : complain(done.error());
}

}  // namespace

Action declare_sql(OptionSet& set) {
  auto options = std::make_shared<SqlArguments>();
  set.value("DIR... STATEMENT", options->words,
            "directories of recordings, and the statement; - reads it from standard input; "
            "without a statement, the tables and their columns are printed")
      .required();
  set.value("--format", options->format, "table, csv or json").choices({"table", "csv", "json"});
  set.value("-o,--output", options->output, "file for the result, instead of stdout")
      .placeholder("FILE");
  set.number("--memory", options->sql.memory_mib, 64, std::uint64_t{1} << 30,
             "MiB that DuckDB may use; the rest goes to a temporary folder");
  set.number("--threads", options->sql.threads, 1, 1024, "threads that DuckDB may use");
  set.flag("--files", options->sql.files,
           "allow the statement to read and write files, e.g. read_csv('jobs.csv')");
  options->analysis.declare(set, "analysis");
  return [options](const Invocation&) { return sql(*options); };
}

}  // namespace reveal::cli
