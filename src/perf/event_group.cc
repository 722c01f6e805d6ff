#include "perf/event_group.h"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <string>

#include <fmt/format.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace reveal::perf {
namespace {

// What one read() returns: nr, time_enabled, time_running, then the values.
constexpr std::size_t kHeaderWords = 3;
// perf_event_attr::config3 came with Linux 6.3, as word 16 of the structure, PERF_ATTR_SIZE_VER8.
constexpr std::size_t kConfig3At = 128;
constexpr std::size_t kSizeWithConfig3 = 136;
// A sampling event's longest period: so many events for one interrupt.
constexpr std::uint64_t kLongestPeriod = 0x7fffffff;

// As large as the newest structure that is used here; what a kernel's header lacks stays zero.
union Attributes {
  perf_event_attr attr;
  std::uint64_t words[kSizeWithConfig3 / sizeof(std::uint64_t)];
};

int open_event(const EventCode& event, std::uint32_t cpu, int leader, GroupOptions options) {
  Attributes all{};
  static_assert(sizeof(all.words) >= sizeof(all.attr));
  all.attr.size = event.config3 == 0 ? sizeof(all.attr) : kSizeWithConfig3;
  all.attr.type = event.type;
  all.attr.config = event.config;
  all.attr.config1 = event.config1;
  all.attr.config2 = event.config2;
  all.words[kConfig3At / sizeof(std::uint64_t)] = event.config3;
  all.attr.disabled = options.stopped && leader < 0 ? 1 : 0;
  if (event.precise > 0) {
    all.attr.precise_ip = event.precise & 3U;
    all.attr.sample_period = kLongestPeriod;
  }
  all.attr.read_format =
      PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  const bool in_cgroup = options.cgroup_fd >= 0;
  const unsigned long flags = PERF_FLAG_FD_CLOEXEC | (in_cgroup ? PERF_FLAG_PID_CGROUP : 0UL);
  return static_cast<int>(::syscall(SYS_perf_event_open, &all.attr,
                                    in_cgroup ? options.cgroup_fd : -1, static_cast<int>(cpu),
                                    leader, flags));
}

std::string paranoid_level() {
  std::ifstream in("/proc/sys/kernel/perf_event_paranoid");
  std::string level;
  return in >> level ? level : "unknown";
}

}  // namespace

// The kernel's own check of perf_event_paranoid says EACCES; EPERM comes from what guards system
// calls before it, which in containers is seccomp.
base::Error refusal(int errno_value, std::string_view event) {
  const std::string where = fmt::format("perf event {}", event);
  switch (errno_value) {
    case EACCES:
      return {base::ErrorKind::kPermission,
              fmt::format("needs CAP_PERFMON or kernel.perf_event_paranoid <= 0, which is {} here",
                          paranoid_level()),
              where, "sudo sysctl kernel.perf_event_paranoid=0"};
    case EPERM:
      return {base::ErrorKind::kPermission,
              "perf_event_open is forbidden here, as the seccomp profile of containers does", where,
              "start the container with --cap-add PERFMON or a profile that allows "
              "perf_event_open"};
    case ENOSYS:
      return {base::ErrorKind::kAbsent, "this kernel has no perf events", where, ""};
    case EINVAL:
    case ENODEV:
    case ENOENT:
    case ENODATA:
    case EOPNOTSUPP:
      return {base::ErrorKind::kAbsent, "not known to this kernel or machine", where, ""};
    case EBUSY:
      return {base::ErrorKind::kAbsent, "its counter is in use", where, "stop other profilers"};
    case EMFILE:
    case ENFILE:
      return {base::ErrorKind::kIo, "too many open files", where, "raise `ulimit -n`"};
    default:
      return base::fail_errno(errno_value, "cannot be opened", where).value();
  }
}

base::Result<EventGroup> EventGroup::open(std::uint32_t cpu, std::span<const EventCode> events,
                                          GroupOptions options) {
  EventGroup group;
  for (std::size_t i = 0; i < events.size(); ++i) {
    const int leader = group.fds_.empty() ? -1 : group.fds_.front().get();
    base::UniqueFd fd(open_event(events[i], cpu, leader, options));
    group.refusals_.push_back(fd.valid() ? 0 : errno);
    if (!fd.valid()) continue;
    group.fds_.push_back(std::move(fd));
    group.event_of_.push_back(i);
  }
  if (!group.fds_.empty()) {
    group.buffer_.resize(kHeaderWords + group.fds_.size());
    group.last_.resize(group.fds_.size(), 0);
    group.total_.resize(group.fds_.size(), 0);
    return group;
  }
  if (events.empty()) return base::fail(base::ErrorKind::kAbsent, "no perf event to open");
  return base::Unexpected(refusal(group.refusals_.front(), "open"));
}

base::Result<void> EventGroup::read(std::span<ScaledCount> counts) {
  std::fill(counts.begin(), counts.end(), std::nullopt);
  const std::size_t size = buffer_.size() * sizeof(buffer_.front());
  const ssize_t got = ::read(fds_.front().get(), buffer_.data(), size);
  if (got < 0) return base::fail_errno(errno, "perf events cannot be read");
  if (static_cast<std::size_t>(got) != size || buffer_[0] != fds_.size()) {
    return base::fail(base::ErrorKind::kIo, "short read of perf events: the core may be offline");
  }
  const std::uint64_t enabled = buffer_[1] - enabled_ns_;
  const std::uint64_t running = buffer_[2] - running_ns_;
  if (enabled != 0 && running == 0) return {};  // the next read spans this interval too
  enabled_ns_ = buffer_[1];
  running_ns_ = buffer_[2];
  for (std::size_t i = 0; i < event_of_.size(); ++i) {
    const std::uint64_t raw = buffer_[kHeaderWords + i];
    const ScaledCount grown = enabled == running ? ScaledCount(raw - last_[i])
                                                 : scaled_count(raw - last_[i], enabled, running);
    last_[i] = raw;
    total_[i] += grown.value_or(0);
    counts[event_of_[i]] = total_[i];
  }
  return {};
}

// On the leader alone: the others of a group run when it does, and each one asked for by name would
// be an interrupt of its own on the core.
void EventGroup::resume() {
  (void)::ioctl(fds_.front().get(), PERF_EVENT_IOC_ENABLE, 0);
}
void EventGroup::stop() {
  (void)::ioctl(fds_.front().get(), PERF_EVENT_IOC_DISABLE, 0);
}

}  // namespace reveal::perf
