#include "report/cost.h"

#include <sys/resource.h>

namespace reveal::report {
namespace {

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

}  // namespace

Cost cost_since(std::chrono::steady_clock::time_point started) {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  Cost cost;
  cost.cpu_seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - started;
  cost.wall_seconds = wall.count();
  cost.max_rss_bytes = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
  return cost;
}

}  // namespace reveal::report
