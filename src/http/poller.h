// Waits for many sockets at once, and for another thread's call. Source: epoll(7), eventfd(2).
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>

#include "base/result.h"
#include "base/unique_fd.h"

namespace reveal::http {

class Poller {
 public:
  static base::Result<Poller> make();

  // What to wait for at a socket.
  enum class Interest : std::uint8_t { kNothing, kRead, kWrite, kBoth };

  // Begin to wait for a socket, and change what is waited for. `id` is not 0. Closing the socket
  // ends it.
  base::Result<void> add(int fd, std::uint64_t id, Interest interest);
  void change(int fd, std::uint64_t id, Interest interest);

  // Waits until something happens or the time is over; without one, for ever. Calls `each` with the
  // ids of the sockets where it did. Returns false once wake() was called.
  bool wait(std::optional<std::chrono::milliseconds> time,
            const std::function<void(std::uint64_t)>& each);

  // Ends wait(), from any thread: for good, and for once.
  void wake() const;
  void nudge() const;

 private:
  Poller(base::UniqueFd epoll, base::UniqueFd event)
      : epoll_(std::move(epoll)), event_(std::move(event)) {}

  base::UniqueFd epoll_;
  base::UniqueFd event_;
};

}  // namespace reveal::http
