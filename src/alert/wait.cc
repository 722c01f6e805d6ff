#include "alert/wait.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>

#include <poll.h>

namespace reveal::alert {

base::Result<void> wait_for(int fd, short events, Deadline deadline, const Stop* stop) {
  using std::chrono::milliseconds;
  // One that begins after its deadline looks once: what is there is there.
  for (;;) {
    std::array<pollfd, 2> polled = {pollfd{fd, events, 0},
                                    pollfd{stop == nullptr ? -1 : stop->fd(), POLLIN, 0}};
    const auto left = std::chrono::ceil<milliseconds>(deadline - std::chrono::steady_clock::now());
    const auto wait_ms = std::clamp<std::int64_t>(left.count(), 0, 3'600'000);
    const int count = ::poll(polled.data(), polled.size(), static_cast<int>(wait_ms));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return base::fail_errno(errno, "cannot wait");
    if (polled[1].revents != 0) return base::fail(base::ErrorKind::kIo, "Reveal is stopping");
    if (polled[0].revents != 0) return {};
    if (wait_ms == 0) return base::fail(base::ErrorKind::kIo, "no answer in time");
  }
}

}  // namespace reveal::alert
