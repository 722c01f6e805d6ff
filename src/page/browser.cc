#include "page/browser.h"

#include <cerrno>
#include <string>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace reveal::page {
namespace {

constexpr int kCannotExecute = 127;  // as a shell has it

}  // namespace

base::Result<void> open_in_browser(const std::filesystem::path& page) {
  const std::string path = std::filesystem::absolute(page).string();
  constexpr const char* kRemedy = "open it in a browser, on any machine";
  const pid_t child = ::fork();
  if (child == 0) {
    // What it tries and misses would be lines of another program.
    const int nothing = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
    ::dup2(nothing, STDERR_FILENO);
    ::execlp("xdg-open", "xdg-open", path.c_str(), nullptr);
    ::_exit(kCannotExecute);
  }
  if (child < 0) return base::fail_errno(errno, "is written, but cannot be opened", path, kRemedy);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  const bool absent = WIFEXITED(status) && WEXITSTATUS(status) == kCannotExecute;
  return base::fail(base::ErrorKind::kIo,
                    absent ? "is written, but xdg-open cannot be run"
                           : "is written, but xdg-open found no browser that shows it",
                    path, kRemedy);
}

}  // namespace reveal::page
