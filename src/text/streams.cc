#include "text/streams.h"

#include <cerrno>
#include <string>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "text/ascii.h"

namespace reveal::text {
namespace {

bool wait_writable(int fd) {
  pollfd waited{.fd = fd, .events = POLLOUT, .revents = 0};
  return ::poll(&waited, 1, -1) >= 0 || errno == EINTR;
}

}  // namespace

void reserve_standard_streams() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(fd, F_GETFD) >= 0 || errno != EBADF) continue;
    // The lowest free number is `fd` itself: the lower ones are open by now.
    const int wrong_way = fd == STDIN_FILENO ? O_WRONLY : O_RDONLY;
    static_cast<void>(::open("/dev/null", wrong_way | O_CLOEXEC));
  }
}

base::Result<void> write_all(int fd, std::string_view text, std::string_view where) {
  while (!text.empty()) {
    const auto written = ::write(fd, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
      continue;
    }
    if (errno == EINTR || (errno == EAGAIN && wait_writable(fd))) continue;
    return base::fail_errno(errno, "cannot write", std::string(where));
  }
  return {};
}

base::Result<std::string> read_input(std::string_view what) {
  std::string out;
  char buffer[4096];
  for (;;) {
    const auto got = ::read(STDIN_FILENO, buffer, sizeof(buffer));
    if (got == 0) return out;
    if (got > 0) {
      out.append(buffer, static_cast<std::size_t>(got));
    } else if (errno != EINTR) {
      return base::fail_errno(errno, "cannot read " + std::string(what), "standard input");
    }
  }
}

base::Result<void> print_on(int fd, const SafeText& text, std::string_view where) {
  return write_all(fd, is_ascii_wanted() ? to_ascii(text.view()) : std::string(text.view()), where);
}

base::Result<void> print(const SafeText& text) {
  return print_on(STDOUT_FILENO, text, "standard output");
}

base::Result<void> print_data(std::string_view data) {
  return write_all(STDOUT_FILENO, data, "standard output");
}

void tell(std::string_view line) {
  const SafeText safe(line);
  const auto shown = is_ascii_wanted() ? to_ascii(safe.view()) : std::string(safe.view());
  tell_raw("reveal: " + shown + "\n");
}

void tell_raw(std::string_view text) {
  static_cast<void>(write_all(STDERR_FILENO, text, "standard error"));
}

}  // namespace reveal::text
