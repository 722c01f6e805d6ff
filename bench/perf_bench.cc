// What a reading of perf counters costs beyond the system calls that it needs: one read() a core,
// and one of the list of cores online, which tells when a core went or came.
//
// The same software events are counted twice on each core: by the collector, and in bare groups of
// which only the leader is read. Readings take turns, one every `interval`; CPU time of the thread,
// medians. Hardware events take the same way through the collector, so the difference is theirs
// too; the kernel's own part is not.
//
//   perf_bench [interval in ms = 20] [readings of each = 200]
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/unique_fd.h"
#include "collect/registry.h"
#include "collect/tick_clock.h"
#include "perf/events.h"
#include "stats/quantile.h"
#include "timing.h"

namespace {

using namespace reveal;

struct Load {
  const char* name;
  std::function<void()> work;
  std::vector<double> us;  // by reading
};

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
  const auto collector = collect::find_collector("perf_software")->make();
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
  std::array<Load, 3> loads = {
      {{"collector", collect_all, {}}, {"bare", read_all, {}}, {"  read alone", read_groups, {}}}};
  collect::TickClock clock(std::chrono::milliseconds(interval),
                           static_cast<std::uint64_t>(rounds) * loads.size(), -1);
  for (std::size_t turn = 0; clock.wait(); turn = (turn + 1) % loads.size()) {
    loads[turn].us.push_back(bench::cpu_us(loads[turn].work));
  }
  const auto count = static_cast<double>(channels.channel_count());
  const double ours = stats::median(loads[0].us);
  const double bare = stats::median(loads[1].us);
  std::printf("%zu cores, %zu channels, a reading every %d ms; medians of %d\n", groups.size(),
              channels.channel_count(), interval, rounds);
  std::printf("%-12s %12s %18s %15s\n", "load", "us/reading", "us/channel-sample", "ratio to bare");
  for (const Load& load : loads) {
    const double us = stats::median(load.us);
    std::printf("%-12s %12.1f %18.3f %15.2f\n", load.name, us, us / count, us / bare);
  }
  std::printf("%-12s %12.1f %18.3f\n", "beyond bare", ours - bare, (ours - bare) / count);
  return 0;
}
