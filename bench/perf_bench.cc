// What a reading of perf counters costs beyond the system calls that it needs: one read() a core,
// and one of the list of cores online, which tells when a core went or came.
//
// The same software events are counted twice on each core: by the collector, and in bare groups of
// which only the leader is read. Readings take turns, one every `interval`; CPU time of the thread,
// medians. Hardware events take the same way through the collector, so the difference is theirs
// too; the kernel's own part is not.
//
//   perf_bench [interval in ms = 20] [readings of each = 200]
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/unique_fd.h"
#include "collect/collectors.h"
#include "collect/tick_clock.h"
#include "perf/events.h"

namespace {

using namespace reveal;

// A group on one core, as its bare descriptors; the first one leads.
std::vector<base::UniqueFd> bare_group(int cpu) {
  std::vector<base::UniqueFd> out;
  for (const auto& event : perf::software_events()) {
    perf_event_attr attr{};
    attr.size = sizeof(attr);
    attr.type = event.code.type;
    attr.config = event.code.config;
    attr.read_format =
        PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
    const int leader = out.empty() ? -1 : out.front().get();
    base::UniqueFd fd(static_cast<int>(
        ::syscall(SYS_perf_event_open, &attr, -1, cpu, leader, PERF_FLAG_FD_CLOEXEC)));
    if (fd.valid()) out.push_back(std::move(fd));
  }
  return out;
}

template <typename Work>
double cpu_us(Work work) {
  const auto begin = collect::clock_ns(CLOCK_THREAD_CPUTIME_ID);
  work();
  return 1e-3 * static_cast<double>(collect::clock_ns(CLOCK_THREAD_CPUTIME_ID) - begin);
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

int main(int argc, char** argv) {
  const int interval = argc > 1 ? std::atoi(argv[1]) : 20;
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 200;
  if (interval < 1 || rounds < 1) {
    std::fprintf(stderr, "usage: perf_bench [interval in ms] [readings of each]\n");
    return 2;
  }
  model::ChannelTable channels;
  model::Frame frame;
  const auto collector = collect::make_perf_software();
  if (const auto opened = collector->open({}, channels); !opened) {
    std::printf("perf_bench: %s\n", opened.error().message().c_str());
    return 0;  // a host without perf events has nothing to measure
  }
  std::vector<std::vector<base::UniqueFd>> groups;
  for (int cpu = 0; cpu < ::sysconf(_SC_NPROCESSORS_ONLN); ++cpu) {
    if (auto group = bare_group(cpu); !group.empty()) groups.push_back(std::move(group));
  }
  const base::UniqueFd online(::open("/sys/devices/system/cpu/online", O_RDONLY | O_CLOEXEC));
  std::array<std::uint64_t, 1024> buffer{};
  const auto size = sizeof(buffer);
  const auto read_groups = [&] {
    for (const auto& group : groups) {
      if (::read(group.front().get(), buffer.data(), size) < 0) std::abort();
    }
  };
  const auto read_all = [&] {
    if (::pread(online.get(), buffer.data(), size, 0) < 0) std::abort();
    read_groups();
  };
  const auto collect_all = [&] {
    collect::FrameWriter writer(channels, frame, "perf_software");
    collector->collect(writer);
  };
  std::array<std::vector<double>, 3> times;
  collect::TickClock clock(std::chrono::milliseconds(interval),
                           static_cast<std::uint64_t>(rounds) * times.size(), -1);
  for (std::size_t turn = 0; clock.wait(); turn = (turn + 1) % times.size()) {
    times[turn].push_back(turn == 0 ? cpu_us(collect_all)
                                    : (turn == 1 ? cpu_us(read_all) : cpu_us(read_groups)));
  }
  const auto count = static_cast<double>(channels.channel_count());
  const double ours = median(times[0]);
  const double bare = median(times[1]);
  std::printf("%zu cores, %zu channels, a reading every %d ms; medians of %d\n", groups.size(),
              channels.channel_count(), interval, rounds);
  std::printf("%-12s %12s %18s %15s\n", "load", "us/reading", "us/channel-sample", "ratio to bare");
  constexpr std::array<const char*, 3> kNames = {"collector", "bare", "  read alone"};
  for (std::size_t i = 0; i < times.size(); ++i) {
    const double us = median(times[i]);
    std::printf("%-12s %12.1f %18.3f %15.2f\n", kNames[i], us, us / count, us / bare);
  }
  std::printf("%-12s %12.1f %18.3f\n", "beyond bare", ours - bare, (ours - bare) / count);
  return 0;
}
