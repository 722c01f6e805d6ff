// reveal report: the page of what analyses found, from their report.json and the recordings.
#include <cerrno>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/exit_status.h"
#include "cli/output.h"
#include "cli/page_output.h"

namespace reveal::cli {
namespace {

struct ReportArguments {
  std::vector<std::string> directories;
  std::string output;
  bool open = false;
};

std::filesystem::path output_of(const ReportArguments& options) {
  if (!options.output.empty()) return options.output;
  const std::filesystem::path name = "report.html";
  return options.directories.size() == 1 ? std::filesystem::path(options.directories.front()) / name
                                         : name;
}

// Runs the desktop's opener, if there is one.
base::Result<void> open_page(const std::filesystem::path& page) {
  const std::string path = std::filesystem::absolute(page).string();
  constexpr const char* kRemedy = "open it in a browser, on any machine";
  const pid_t child = ::fork();
  if (child == 0) {
    // What it tries and misses would be lines of another program.
    const int nothing = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
    ::dup2(nothing, STDERR_FILENO);
    ::execlp("xdg-open", "xdg-open", path.c_str(), nullptr);
    ::_exit(kNotFound);
  }
  if (child < 0) return base::fail_errno(errno, "is written, but cannot be opened", path, kRemedy);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  const bool absent = WIFEXITED(status) && WEXITSTATUS(status) == kNotFound;
  return base::fail(base::ErrorKind::kIo,
                    absent ? "is written, but xdg-open cannot be run"
                           : "is written, but xdg-open found no browser that shows it",
                    path, kRemedy);
}

base::Result<void> write_report(const ReportArguments& options) {
  std::vector<PageSource> sources;
  for (const std::filesystem::path directory : options.directories) {
    sources.push_back({directory / "report.json", directory});
  }
  const auto output = output_of(options);
  if (auto done = render_page(sources, output, TellDamage::kYes); !done) return done;
  if (options.open) return open_page(output);
  return {};
}

}  // namespace

Action declare_report(OptionSet& set) {
  auto options = std::make_shared<ReportArguments>();
  set.value("DIR", options->directories, "directories of analyzed recordings, one for each host")
      .required();
  set.value("-o,--output", options->output,
            "file of the page (default: DIR/report.html; for several hosts ./report.html)")
      .placeholder("FILE");
  set.flag("--open", options->open, "then open it in the browser (xdg-open)");
  return [options](const Invocation&) {
    const auto done = write_report(*options);
    return done ? kDone : complain(done.error());
  };
}

}  // namespace reveal::cli
