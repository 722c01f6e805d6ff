// What recording costs, beside the floor that nobody can go below.
//
// Three loads take turns in one process at the same pace: (record) the sampler over all collectors
// with its frames stored on disk, (collect) the same with the frames counted and dropped, and
// (pread) a loop that does nothing but read the same files through descriptors kept open. The
// differences are what storing, and what parsing and the perf groups, add to the kernel's
// formatting. CPU time is that of the thread; medians over the rounds stand against a busy machine.
//
//   record_bench [interval in ms = 100] [seconds per round = 5] [rounds = 5]
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include "base/unique_fd.h"
#include "collect/registry.h"
#include "collect/sampler.h"
#include "collect/tick_clock.h"
#include "store/segment_writer.h"

namespace {

using namespace reveal;
using std::chrono::milliseconds;

struct Plan {
  milliseconds interval{100};
  milliseconds round{5000};
  int rounds = 5;
};

struct Cost {
  double cpu_ms_per_second = 0;
  double us_per_tick = 0;
  std::size_t channels = 0;
};

// Stands for the disk: takes every frame and keeps nothing.
class CountingSink final : public model::FrameSink {
 public:
  base::Result<void> begin(const model::RunFacts&) override { return {}; }
  base::Result<void> write(const model::ChannelTable&, const model::Frame& frame) override {
    fresh_ += static_cast<std::size_t>(
        std::count(frame.validity.begin(), frame.validity.end(), model::Validity::kFresh));
    return {};
  }
  base::Result<void> finish() override { return {}; }
  std::size_t fresh() const { return fresh_; }

 private:
  std::size_t fresh_ = 0;
};

Cost cost_of(std::int64_t cpu_ns, std::int64_t wall_ns, std::uint64_t ticks, std::size_t channels) {
  return {1e3 * static_cast<double>(cpu_ns) / static_cast<double>(wall_ns),
          1e-3 * static_cast<double>(cpu_ns) / static_cast<double>(ticks), channels};
}

// Runs `read` once a tick for a round; opening is not counted.
template <typename Read>
Cost paced(const Plan& plan, Read read) {
  const auto last = static_cast<std::uint64_t>(plan.round / plan.interval);
  collect::TickClock clock(plan.interval, last, -1);
  const auto cpu = collect::clock_ns(CLOCK_THREAD_CPUTIME_ID);
  const auto wall = collect::clock_ns(CLOCK_MONOTONIC);
  std::uint64_t ticks = 0;
  std::size_t channels = 0;
  for (; clock.wait(); ++ticks) channels = read();
  return cost_of(collect::clock_ns(CLOCK_THREAD_CPUTIME_ID) - cpu,
                 collect::clock_ns(CLOCK_MONOTONIC) - wall, ticks, channels);
}

// Reads a file to its end without looking at it; seq files return short reads.
bool read_all(int fd, std::vector<char>& buffer) {
  off_t at = 0;
  for (;;) {
    const ssize_t got = ::pread(fd, buffer.data(), buffer.size(), at);
    if (got <= 0) return at > 0 && got == 0;
    at += got;
  }
}

Cost measure_floor(const Plan& plan, const std::vector<base::UniqueFd>& files) {
  std::vector<char> buffer(1 << 20);
  return paced(plan, [&] {
    std::size_t readable = 0;
    for (const auto& file : files) readable += read_all(file.get(), buffer) ? 1U : 0U;
    return readable;
  });
}

std::optional<Cost> measure_sampler(const Plan& plan, model::FrameSink& sink) {
  auto sampler = collect::Sampler::open({.interval = plan.interval, .duration = plan.round});
  if (!sampler || !sink.begin((*sampler)->facts())) return std::nullopt;
  const auto cpu = collect::clock_ns(CLOCK_THREAD_CPUTIME_ID);
  const auto wall = collect::clock_ns(CLOCK_MONOTONIC);
  std::uint64_t ticks = 0;
  for (; const auto* frame = (*sampler)->next().value_or(nullptr); ++ticks) {
    if (!sink.write((*sampler)->channels(), *frame)) return std::nullopt;
  }
  const auto cpu_ns = collect::clock_ns(CLOCK_THREAD_CPUTIME_ID) - cpu;
  const auto wall_ns = collect::clock_ns(CLOCK_MONOTONIC) - wall;
  if (!sink.finish()) return std::nullopt;
  return cost_of(cpu_ns, wall_ns, ticks, (*sampler)->channels().channel_count());
}

// The files that the registry's metrics name as their source.
std::vector<base::UniqueFd> files_of_registry() {
  std::set<std::string> paths;
  for (const auto& collector : collect::registry()) {
    for (const auto& metric : collector.metrics()) {
      if (metric.source.starts_with("/proc/")) {
        paths.emplace(metric.source.substr(0, metric.source.find(' ')));
      }
    }
  }
  std::vector<base::UniqueFd> files;
  std::vector<char> buffer(1 << 20);
  for (const auto& path : paths) {
    base::UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (file.valid() && read_all(file.get(), buffer)) files.push_back(std::move(file));
  }
  return files;
}

// Records a round into a directory of its own, which is removed afterwards.
std::optional<Cost> measure_recording(const Plan& plan) {
  const auto directory =
      std::filesystem::current_path() / ("record_bench." + std::to_string(::getpid()));
  auto writer = store::SegmentWriter::create(directory);
  if (!writer) {
    std::fprintf(stderr, "%s\n", writer.error().message().c_str());
    return std::nullopt;
  }
  auto cost = measure_sampler(plan, *writer);
  std::filesystem::remove_all(directory);
  return cost;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// The rounds of one load.
struct Series {
  const char* name;
  std::vector<Cost> rounds;

  double of(double (*part)(const Cost&)) const {
    std::vector<double> values;
    for (const auto& cost : rounds) values.push_back(part(cost));
    return median(values);
  }
};

double cpu_ms_per_second(const Cost& cost) {
  return cost.cpu_ms_per_second;
}
double us_per_tick(const Cost& cost) {
  return cost.us_per_tick;
}

// Ratios are taken round by round: neighbours in time saw the same machine.
double ratio_to(const Series& load, const Series& floor) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < load.rounds.size(); ++i) {
    ratios.push_back(load.rounds[i].cpu_ms_per_second / floor.rounds[i].cpu_ms_per_second);
  }
  return median(ratios);
}

void print(const Series& load, const Series& floor, std::size_t channels) {
  const double tick = load.of(us_per_tick);
  std::printf("%-8s %12.3f %12.1f %18.3f %14.2f\n", load.name, load.of(cpu_ms_per_second), tick,
              tick / static_cast<double>(channels), ratio_to(load, floor));
}

double number(int argc, char** argv, int place, double otherwise) {
  return argc > place ? std::strtod(argv[place], nullptr) : otherwise;
}

}  // namespace

int main(int argc, char** argv) {
  const Plan plan{milliseconds(static_cast<int>(number(argc, argv, 1, 100))),
                  milliseconds(static_cast<int>(1000 * number(argc, argv, 2, 5))),
                  static_cast<int>(number(argc, argv, 3, 5))};
  if (plan.interval.count() < 10 || plan.round < plan.interval || plan.rounds < 1) {
    std::fprintf(stderr, "usage: collect_bench [interval in ms] [seconds per round] [rounds]\n");
    return 2;
  }
  const auto files = files_of_registry();
  Series record{"record", {}};
  Series collect_only{"collect", {}};
  Series floor{"pread", {}};
  for (int round = 0; round < plan.rounds; ++round) {
    CountingSink sink;
    const auto recorded = measure_recording(plan);
    const auto collected = measure_sampler(plan, sink);
    if (!recorded || !collected || sink.fresh() == 0) {
      std::fprintf(stderr, "the sampler gave no frame\n");
      return 1;
    }
    record.rounds.push_back(*recorded);
    collect_only.rounds.push_back(*collected);
    floor.rounds.push_back(measure_floor(plan, files));
  }
  const auto channels = record.rounds.front().channels;
  std::printf("%zu channels, %zu files, every %d ms; medians of %d rounds\n", channels,
              files.size(), static_cast<int>(plan.interval.count()), plan.rounds);
  std::printf("%-8s %12s %12s %18s %14s\n", "load", "CPU ms/s", "us/tick", "us/channel-sample",
              "ratio to pread");
  for (const auto* load : {&record, &collect_only, &floor}) print(*load, floor, channels);
  return 0;
}
