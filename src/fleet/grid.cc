#include "fleet/grid.h"

#include <algorithm>
#include <functional>
#include <vector>

#include <fmt/format.h>

#include "text/time_text.h"

namespace reveal::fleet {
namespace {

using base::ErrorKind;

// Returns the end of the last frame's interval.
std::int64_t end_of(const Recorded& host) {
  return host.end_ns + host.interval_ns;
}

std::string time_text(const Recorded& host) {
  return fmt::format("{} to {}", text::iso_time(host.begin_ns), text::iso_time(host.end_ns));
}

std::int64_t longest_interval(std::span<const Recorded> hosts) {
  std::int64_t out = kBucket_ns;
  for (const auto& host : hosts) out = std::max(out, host.interval_ns);
  return out;
}

std::int64_t rounded_up(std::int64_t ns, std::int64_t unit) {
  return (ns + unit - 1) / unit * unit;
}

// Returns how long a host must be in the grid.
std::int64_t least_ns(const Grid& grid) {
  return static_cast<std::int64_t>(kFewestWindows + kBucketsInWindow - 1) * grid.bucket_ns;
}

base::Result<void> check_part(const Recorded& host, const Grid& grid) {
  const std::int64_t part =
      std::min(end_of(host), grid.end_ns()) - std::max(host.begin_ns, grid.begin_ns);
  if (part <= 0) {
    return base::fail(
        ErrorKind::kUsage,
        fmt::format("was recorded at another time than the others: {}, but they {} to {}",
                    time_text(host), text::iso_time(grid.begin_ns), text::iso_time(grid.end_ns())),
        host.name, "leave it out, or compare recordings of the same time");
  }
  if (part < least_ns(grid)) {
    return base::fail(ErrorKind::kTooLittle,
                      fmt::format("has only {} in common with the others, but {} are needed",
                                  text::span_text(part), text::span_text(least_ns(grid))),
                      host.name, "leave it out, or record longer");
  }
  return {};
}

}  // namespace

Grid grid_between(std::int64_t begin_ns, std::int64_t end_ns, std::int64_t bucket_ns) {
  constexpr auto kMax = static_cast<std::int64_t>(kMaxBuckets);
  const std::int64_t needed = (end_ns - begin_ns + kMax - 1) / kMax;
  Grid out;
  out.bucket_ns = rounded_up(std::max(bucket_ns, needed), bucket_ns);
  out.begin_ns = rounded_up(begin_ns, out.bucket_ns);
  if (end_ns > out.begin_ns) {
    out.buckets = static_cast<std::size_t>((end_ns - out.begin_ns) / out.bucket_ns);
  }
  return out;
}

std::size_t quorum(std::size_t hosts) {
  return hosts <= 2 ? 2 : std::max<std::size_t>(3, hosts / 2 + 1);
}

base::Result<Grid> common_grid(std::span<const Recorded> hosts) {
  if (hosts.size() < 2) {
    return base::fail(ErrorKind::kUsage, "there is nothing to compare with", {},
                      "give two or more recordings of hosts that do the same job");
  }
  std::vector<std::int64_t> begins;
  std::vector<std::int64_t> ends;
  for (const auto& host : hosts) {
    begins.push_back(host.begin_ns);
    ends.push_back(end_of(host));
  }
  std::sort(begins.begin(), begins.end());
  std::sort(ends.begin(), ends.end(), std::greater<>());
  const std::size_t last = quorum(hosts.size()) - 1;
  if (ends[last] <= begins[last]) {
    return base::fail(
        ErrorKind::kUsage,
        fmt::format("the recordings have no time in common: {} is of {}, {} of {}", hosts[0].name,
                    time_text(hosts[0]), hosts[1].name, time_text(hosts[1])),
        {},
        "compare recordings of the same time, or two runs of one host with --before and --after");
  }
  const Grid grid = grid_between(begins[last], ends[last], longest_interval(hosts));
  for (const auto& host : hosts) {
    if (auto fits = check_part(host, grid); !fits) return base::pass(fits);
  }
  return grid;
}

}  // namespace reveal::fleet
