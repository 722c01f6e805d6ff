#include "cli/output.h"

#include <cerrno>
#include <cstdlib>
#include <string>
#include <string_view>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "base/unique_fd.h"
#include "cli/exit_status.h"
#include "report/json.h"
#include "report/text.h"
#include "select/selection_file.h"

namespace reveal::cli {
namespace {

// NO_COLOR: https://no-color.org, "when present and not an empty string".
bool colours_on(std::FILE* stream) {
  const char* no_color = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  return ::isatty(::fileno(stream)) == 1 && (no_color == nullptr || *no_color == '\0') &&
         (term == nullptr || std::string_view(term) != "dumb");
}

base::Result<void> write_all(int fd, std::string_view text, const std::string& where) {
  while (!text.empty()) {
    const auto written = ::write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return base::fail_errno(errno, "cannot write", where);
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

}  // namespace

int complain(const base::Error& error) {
  fmt::print(stderr, "reveal: {}\n", error.message());
  return exit_status(error);
}

int complain_before_command(const base::Error& error, const std::vector<std::string>& command) {
  const int status = complain(error);
  if (command.empty() || status == kUsage) return status;
  if (error.where != command.front()) return kNotStarted;
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
    return base::fail_errno(errno, "cannot rename to its final name", temporary);
  }
  return {};
}

base::Result<void> publish(const report::Report& report, const select::SelectionPlan& plan,
                           const std::filesystem::path& directory, Format format,
                           std::FILE* stream) {
  const auto json = report::to_json(report);
  // The person first: a full disk may refuse the files.
  const auto text =
      format == Format::kJson ? json : report::to_text(report, {.colours = colours_on(stream)});
  std::fwrite(text.data(), 1, text.size(), stream);
  std::fflush(stream);
  if (auto done = write_file(directory / "report.json", json); !done) return done;
  return write_file(directory / "selection.json", select::to_json(plan));
}

}  // namespace reveal::cli
