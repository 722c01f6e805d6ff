// What recording costs, beside the floor that nobody can go below.
//
// Three loads take turns in one process at the same pace: (record) the sampler over all collectors
// in their poll classes with its frames stored on disk, (collect) the same with the frames counted
// and dropped, and (pread) a loop that does nothing but read the same files at the same cadence
// through descriptors kept open. The differences are what storing, and what parsing, perf groups,
// netlink and files that collectors open anew add to the kernel's formatting. CPU time is that of
// the whole process, threads that read in the background included; medians over the rounds stand
// against a busy machine.
//
//   record_bench [interval in ms = 100] [seconds per round = 5] [rounds = 5]
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <time.h>
#include <unistd.h>

#include "base/unique_fd.h"
#include "collect/poll_class.h"
#include "collect/registry.h"
#include "collect/sampler.h"
#include "collect/tick_clock.h"
#include "kernel_files.h"
#include "stats/quantile.h"
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
  std::size_t channels = 0;  // files, for the floor
  double samples = 0;        // read, a second
};

// A file that a collector keeps open, and how often it is read.
struct PacedFile {
  base::UniqueFd fd;
  std::uint64_t every;  // ticks
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

Cost cost_of(std::int64_t cpu_ns, std::int64_t wall_ns, std::uint64_t ticks, std::size_t channels,
             std::size_t samples) {
  return {1e3 * static_cast<double>(cpu_ns) / static_cast<double>(wall_ns),
          1e-3 * static_cast<double>(cpu_ns) / static_cast<double>(ticks), channels,
          1e9 * static_cast<double>(samples) / static_cast<double>(wall_ns)};
}

// Runs `read` once a tick for a round; opening is not counted.
template <typename Read>
Cost paced(const Plan& plan, Read read) {
  const auto last = static_cast<std::uint64_t>(plan.round / plan.interval);
  collect::TickClock clock(plan.interval, last, -1);
  const auto cpu = collect::clock_ns(CLOCK_PROCESS_CPUTIME_ID);
  const auto wall = collect::clock_ns(CLOCK_MONOTONIC);
  std::uint64_t ticks = 0;
  std::size_t channels = 0;
  for (; clock.wait(); ++ticks) channels += read(ticks);
  return cost_of(collect::clock_ns(CLOCK_PROCESS_CPUTIME_ID) - cpu,
                 collect::clock_ns(CLOCK_MONOTONIC) - wall, ticks, channels, channels);
}

Cost measure_floor(const Plan& plan, const std::vector<PacedFile>& files) {
  std::vector<char> buffer(1 << 20);
  return paced(plan, [&](std::uint64_t tick) {
    std::size_t readable = 0;
    for (const auto& file : files) {
      if (tick % file.every == 0) readable += bench::read_whole(file.fd.get(), buffer) ? 1U : 0U;
    }
    return readable;
  });
}

std::optional<Cost> measure_sampler(const Plan& plan, model::FrameSink& sink,
                                    CountingSink& counted) {
  auto sampler = collect::Sampler::open({.interval = plan.interval, .duration = plan.round});
  if (!sampler || !sink.begin((*sampler)->facts())) return std::nullopt;
  // The first frame is that of a start: new channels, facts, all poll classes at once.
  const auto* first = (*sampler)->next().value_or(nullptr);
  if (first == nullptr || !sink.write((*sampler)->channels(), *first)) return std::nullopt;
  const auto cpu = collect::clock_ns(CLOCK_PROCESS_CPUTIME_ID);
  const auto wall = collect::clock_ns(CLOCK_MONOTONIC);
  std::uint64_t ticks = 0;
  for (; const auto* frame = (*sampler)->next().value_or(nullptr); ++ticks) {
    if (!sink.write((*sampler)->channels(), *frame)) return std::nullopt;
    if (!counted.write((*sampler)->channels(), *frame)) return std::nullopt;
  }
  const auto cpu_ns = collect::clock_ns(CLOCK_PROCESS_CPUTIME_ID) - cpu;
  const auto wall_ns = collect::clock_ns(CLOCK_MONOTONIC) - wall;
  if (!sink.finish()) return std::nullopt;
  return cost_of(cpu_ns, wall_ns, ticks, (*sampler)->channels().channel_count(), counted.fresh());
}

// The files that the collectors keep open on this host, which is all that they read again and again
// of proc and sysfs, but for the few that must be opened anew each time.
std::vector<PacedFile> files_of_registry(const Plan& plan) {
  const collect::PollPlan poll_plan;
  std::vector<PacedFile> files;
  for (const auto& descriptor : collect::registry()) {
    const auto poll_class = collect::poll_class_of(descriptor, poll_plan);
    if (!poll_class) continue;
    const auto before = bench::open_descriptors();
    const auto collector = descriptor.make();
    model::ChannelTable channels;
    if (!collector->open({}, channels)) continue;
    const auto every = collect::ticks_between(*poll_class, poll_plan, plan.interval);
    for (auto& file : bench::kernel_files_since(before)) files.push_back({std::move(file), every});
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
  CountingSink counted;
  auto cost = measure_sampler(plan, *writer, counted);
  std::filesystem::remove_all(directory);
  return cost;
}

// The rounds of one load.
struct Series {
  const char* name;
  std::vector<Cost> rounds;

  double of(double (*part)(const Cost&)) const {
    std::vector<double> values;
    for (const auto& cost : rounds) values.push_back(part(cost));
    return stats::median(values);
  }
};

double cpu_ms_per_second(const Cost& cost) {
  return cost.cpu_ms_per_second;
}
double samples_per_second(const Cost& cost) {
  return cost.samples;
}
double us_per_tick(const Cost& cost) {
  return cost.us_per_tick;
}

// Ratios are taken round by round: neighbors in time saw the same machine.
double ratio_to(const Series& load, const Series& floor) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < load.rounds.size(); ++i) {
    ratios.push_back(load.rounds[i].cpu_ms_per_second / floor.rounds[i].cpu_ms_per_second);
  }
  return stats::median(ratios);
}

void print(const Series& load, const Series& floor) {
  const double cpu = load.of(cpu_ms_per_second);
  const double samples = load.of(samples_per_second);
  std::printf("%-8s %10.3f %10.1f %12.0f %18.3f %15.2f\n", load.name, cpu, load.of(us_per_tick),
              samples, 1e3 * cpu / samples, ratio_to(load, floor));
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
    std::fprintf(stderr, "usage: record_bench [interval in ms] [seconds per round] [rounds]\n");
    return 2;
  }
  const auto files = files_of_registry(plan);
  Series record{"record", {}};
  Series collect_only{"collect", {}};
  Series floor{"pread", {}};
  for (int round = 0; round < plan.rounds; ++round) {
    CountingSink sink;
    const auto recorded = measure_recording(plan);
    CountingSink dropped;
    const auto collected = measure_sampler(plan, dropped, sink);
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
  std::printf("%-8s %10s %10s %12s %18s %15s\n", "load", "CPU ms/s", "us/tick", "samples/s",
              "us/channel-sample", "ratio to pread");
  for (const auto* load : {&record, &collect_only, &floor}) print(*load, floor);
  return 0;
}
