#include "cli/output.h"

#include <cstdlib>
#include <string>
#include <string_view>

#include <unistd.h>

#include "base/new_file.h"
#include "cli/documents.h"
#include "cli/exit_status.h"
#include "record/spawn.h"
#include "report/json.h"
#include "report/text.h"
#include "select/selection_file.h"
#include "text/streams.h"

namespace reveal::cli {

// NO_COLOR: https://no-color.org, "when present and not an empty string".
bool colors_on(int fd) {
  const char* no_color = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  return ::isatty(fd) == 1 && (no_color == nullptr || *no_color == '\0') &&
         (term == nullptr || std::string_view(term) != "dumb");
}

int complain(const base::Error& error) {
  text::tell(with_documents(error.message()));
  return exit_status(error);
}

int complain_before_command(const base::Error& error, const std::vector<std::string>& command) {
  const int status = complain(error);
  return command.empty() ? status : kNotStarted;
}

int fail_before_command(const base::Error& error, const std::vector<std::string>& command) {
  return error.kind == base::ErrorKind::kUsage ? complain_before_command(error, command)
                                               : run_without(error, command);
}

base::Error error_of(const std::exception& thrown) {
  return {base::ErrorKind::kIo,
          std::string("not enough memory, or an error of Reveal: ") + thrown.what(),
          {},
          {}};
}

void survive(const std::function<void()>& work) {
  try {
    work();
  } catch (const std::exception& thrown) {
    text::tell(error_of(thrown).message());
  }
}

int run_without(const base::Error& error, const std::vector<std::string>& command) {
  if (command.empty()) return complain(error);
  text::tell(error.message() + "; " + command.front() +
             " runs all the same, and nothing is recorded");
  return complain_of_command(record::become_command(command));
}

int complain_of_command(const base::Error& error) {
  complain(error);
  return error.kind == base::ErrorKind::kAbsent ? kNotFound : kNotExecutable;
}

base::Result<void> print_text(const report::Report& report, int fd, text::Zone zone) {
  const report::TextOptions options{.colors = colors_on(fd), .clock = text::Clock(zone)};
  return text::print_on(fd, text::SafeText::styled(report::to_text(report, options)), "the report");
}

base::Result<void> publish(const report::Report& report, const select::SelectionPlan& plan,
                           const std::filesystem::path& directory,
                           const std::function<base::Result<void>()>& print,
                           const std::function<base::Result<void>()>& more) {
  // Neither outlet may cost the other: the disk may be full, and the reader of a pipe gone.
  auto saved = base::write_new_file(directory / "report.json", report::to_json(report));
  if (saved) saved = base::write_new_file(directory / "selection.json", select::to_json(plan));
  const auto printed = print();
  if (!saved) return saved;
  const auto made = more();
  return printed ? made : printed;
}

}  // namespace reveal::cli
