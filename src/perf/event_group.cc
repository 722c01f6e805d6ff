#include "perf/event_group.h"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <string>

#include <fmt/format.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace reveal::perf {
namespace {

// What one read() returns: nr, time_enabled, time_running, then the values.
constexpr std::size_t kHeaderWords = 3;

int open_event(const EventDescriptor& event, std::uint32_t cpu, int leader) {
  perf_event_attr attr{};
  attr.size = sizeof(attr);
  attr.type = event.type;
  attr.config = event.config;
  attr.read_format =
      PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  return static_cast<int>(::syscall(SYS_perf_event_open, &attr, -1, static_cast<int>(cpu), leader,
                                    PERF_FLAG_FD_CLOEXEC));
}

std::string paranoid_level() {
  std::ifstream in("/proc/sys/kernel/perf_event_paranoid");
  std::string level;
  return in >> level ? level : "unknown";
}

}  // namespace

base::Error refusal(int errno_value, const EventDescriptor& event) {
  const std::string where = fmt::format("perf event {}", event.event);
  switch (errno_value) {
    case EACCES:
    case EPERM:
      return {base::ErrorKind::kPermission,
              fmt::format("needs CAP_PERFMON or kernel.perf_event_paranoid <= 0, which is {} here",
                          paranoid_level()),
              where, "sudo sysctl kernel.perf_event_paranoid=0"};
    case ENOSYS:
      return {base::ErrorKind::kAbsent, "this kernel has no perf events", where, ""};
    case EINVAL:
    case ENOENT:
    case EOPNOTSUPP:
      return {base::ErrorKind::kAbsent, "not known to this kernel or machine", where, ""};
    default:
      return base::fail_errno(errno_value, "cannot be opened", where).value();
  }
}

base::Result<EventGroup> EventGroup::open(std::uint32_t cpu,
                                          std::span<const EventDescriptor> events) {
  EventGroup group;
  for (std::size_t i = 0; i < events.size(); ++i) {
    const int leader = group.fds_.empty() ? -1 : group.fds_.front().get();
    base::UniqueFd fd(open_event(events[i], cpu, leader));
    group.refusals_.push_back(fd.valid() ? 0 : errno);
    if (!fd.valid()) continue;
    group.fds_.push_back(std::move(fd));
    group.event_of_.push_back(i);
  }
  if (!group.fds_.empty()) {
    group.buffer_.resize(kHeaderWords + group.fds_.size());
    return group;
  }
  if (events.empty()) return base::fail(base::ErrorKind::kAbsent, "no perf event to open");
  return base::Unexpected(refusal(group.refusals_.front(), events.front()));
}

base::Result<void> EventGroup::read(std::span<ScaledCount> counts) {
  std::fill(counts.begin(), counts.end(), std::nullopt);
  const std::size_t size = buffer_.size() * sizeof(buffer_.front());
  const ssize_t got = ::read(fds_.front().get(), buffer_.data(), size);
  if (got < 0) return base::fail_errno(errno, "perf events cannot be read");
  if (static_cast<std::size_t>(got) != size || buffer_[0] != fds_.size()) {
    return base::fail(base::ErrorKind::kIo, "perf events were read short: the core may be offline");
  }
  for (std::size_t i = 0; i < event_of_.size(); ++i) {
    counts[event_of_[i]] = scaled_count(buffer_[kHeaderWords + i], buffer_[1], buffer_[2]);
  }
  return {};
}

}  // namespace reveal::perf
