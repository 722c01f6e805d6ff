#include "cli/output.h"

#include <cerrno>
#include <cstdlib>
#include <string>
#include <string_view>

#include <fcntl.h>
#include <unistd.h>

#include "base/unique_fd.h"
#include "cli/exit_status.h"
#include "cli/streams.h"
#include "report/json.h"
#include "report/text.h"
#include "select/selection_file.h"

namespace reveal::cli {
namespace {

// NO_COLOR: https://no-color.org, "when present and not an empty string".
bool colours_on(int fd) {
  const char* no_color = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  return ::isatty(fd) == 1 && (no_color == nullptr || *no_color == '\0') &&
         (term == nullptr || std::string_view(term) != "dumb");
}

}  // namespace

int complain(const base::Error& error) {
  tell(error.message());
  return exit_status(error);
}

int complain_before_command(const base::Error& error, const std::vector<std::string>& command) {
  const int status = complain(error);
  return command.empty() ? status : kNotStarted;
}

int complain_of_command(const base::Error& error) {
  complain(error);
  return error.kind == base::ErrorKind::kAbsent ? kNotFound : kNotExecutable;
}

base::Result<void> write_file(const std::filesystem::path& path, const std::string& text) {
  const std::string temporary = path.string() + ".new";
  {
    const base::UniqueFd fd(
        ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
    if (!fd.valid()) return base::fail_errno(errno, "cannot create", temporary);
    if (auto written = write_all(fd.get(), text, temporary); !written) {
      ::unlink(temporary.c_str());
      return written;
    }
  }
  if (::rename(temporary.c_str(), path.c_str()) != 0) {
    const int error = errno;
    ::unlink(temporary.c_str());
    return base::fail_errno(error, "cannot replace", path.string());
  }
  return {};
}

base::Result<void> publish(const report::Report& report, const select::SelectionPlan& plan,
                           const std::filesystem::path& directory, Format format, int fd) {
  const auto json = report::to_json(report);
  // Neither outlet may cost the other: the disk may be full, and the reader of a pipe gone.
  auto saved = write_file(directory / "report.json", json);
  if (saved) saved = write_file(directory / "selection.json", select::to_json(plan));
  const auto printed = write_all(
      fd, format == Format::kJson ? json : report::to_text(report, {.colours = colours_on(fd)}),
      "the report");
  return saved ? printed : saved;
}

}  // namespace reveal::cli
