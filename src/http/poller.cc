#include "http/poller.h"

#include <algorithm>
#include <array>
#include <cerrno>

#include <sys/epoll.h>
#include <sys/eventfd.h>

namespace reveal::http {
namespace {

constexpr std::uint64_t kWakeId = 0;
// Added up by the kernel: so many nudges never come between two waits.
constexpr std::uint64_t kWake = std::uint64_t{1} << 32;

std::uint32_t events_of(Poller::Interest interest) {
  switch (interest) {
    case Poller::Interest::kNothing:
      return 0;
    case Poller::Interest::kRead:
      return EPOLLIN;
    case Poller::Interest::kWrite:
      return EPOLLOUT;
    case Poller::Interest::kBoth:
      return EPOLLIN | EPOLLOUT;
  }
  return 0;
}

int control(int epoll, int operation, int fd, std::uint64_t id, std::uint32_t events) {
  epoll_event event{};
  event.events = events;
  event.data.u64 = id;
  return ::epoll_ctl(epoll, operation, fd, &event);
}

}  // namespace

base::Result<Poller> Poller::make() {
  base::UniqueFd epoll(::epoll_create1(EPOLL_CLOEXEC));
  if (!epoll.valid()) return base::fail_errno(errno, "cannot wait for connections");
  base::UniqueFd event(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!event.valid() || control(epoll.get(), EPOLL_CTL_ADD, event.get(), kWakeId, EPOLLIN) != 0) {
    return base::fail_errno(errno, "cannot wait for connections");
  }
  return Poller(std::move(epoll), std::move(event));
}

base::Result<void> Poller::add(int fd, std::uint64_t id, Interest interest) {
  if (control(epoll_.get(), EPOLL_CTL_ADD, fd, id, events_of(interest)) == 0) return {};
  return base::fail_errno(errno, "cannot wait for a connection");
}

void Poller::change(int fd, std::uint64_t id, Interest interest) {
  control(epoll_.get(), EPOLL_CTL_MOD, fd, id, events_of(interest));
}

bool Poller::wait(std::optional<std::chrono::milliseconds> time,
                  const std::function<void(std::uint64_t)>& each) {
  std::array<epoll_event, 64> events{};
  const int time_ms = time ? static_cast<int>(std::max<std::int64_t>(time->count(), 0)) : -1;
  const int count = ::epoll_wait(epoll_.get(), events.data(), events.size(), time_ms);
  bool goes_on = true;
  for (int i = 0; i < count; ++i) {
    const auto id = events[static_cast<std::size_t>(i)].data.u64;
    if (id == kWakeId) {
      eventfd_t said = 0;
      ::eventfd_read(event_.get(), &said);
      goes_on = said < kWake;
    } else {
      each(id);
    }
  }
  return goes_on;
}

void Poller::wake() const {
  ::eventfd_write(event_.get(), kWake);
}

void Poller::nudge() const {
  ::eventfd_write(event_.get(), 1);
}

}  // namespace reveal::http
