// What recording costs, beside the floor that nobody can go below.
//
// Two loads alternate in one process at the same pace: (A) the sampler over all collectors, its
// frames given to a sink, and (B) a loop that only pread()s the same files through descriptors kept
// open. The difference is what our own code adds to the kernel's formatting. CPU time is that of
// the thread; medians over the rounds stand against a busy machine.
//
//   collect_bench [interval in ms = 100] [seconds per round = 5] [rounds = 5]
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <time.h>

#include "collect/registry.h"
#include "collect/sampler.h"
#include "collect/tick_clock.h"
#include "procfs/text_file.h"

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

Cost measure_floor(const Plan& plan, std::vector<procfs::TextFile>& files) {
  return paced(plan, [&] {
    std::size_t readable = 0;
    for (auto& file : files) readable += file.read().has_value() ? 1U : 0U;
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
std::vector<procfs::TextFile> files_of_registry() {
  std::set<std::string> paths;
  for (const auto& collector : collect::registry()) {
    for (const auto& metric : collector.metrics()) {
      if (metric.source.starts_with("/proc/")) {
        paths.emplace(metric.source.substr(0, metric.source.find(' ')));
      }
    }
  }
  std::vector<procfs::TextFile> files;
  for (const auto& path : paths) {
    procfs::TextFile file(path);
    if (file.read()) files.push_back(std::move(file));
  }
  return files;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

void print_row(const char* name, const Cost& cost) {
  std::printf("%-10s %12.3f %12.1f %10zu %16.3f\n", name, cost.cpu_ms_per_second, cost.us_per_tick,
              cost.channels, cost.us_per_tick / static_cast<double>(cost.channels));
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
  auto files = files_of_registry();
  std::printf("%-10s %12s %12s %10s %16s\n", "load", "CPU ms/s", "us/tick", "channels",
              "us/channel-tick");
  std::vector<double> all;
  std::vector<double> floors;
  std::vector<double> per_sample;
  std::vector<double> ratios;
  for (int round = 0; round < plan.rounds; ++round) {
    CountingSink sink;
    const auto sampled = measure_sampler(plan, sink);
    if (!sampled || sink.fresh() == 0) {
      std::fprintf(stderr, "the sampler gave no frame\n");
      return 1;
    }
    const Cost floor = measure_floor(plan, files);
    print_row("collect", *sampled);
    print_row("pread", floor);
    all.push_back(sampled->cpu_ms_per_second);
    floors.push_back(floor.cpu_ms_per_second);
    per_sample.push_back(sampled->us_per_tick / static_cast<double>(sampled->channels));
    ratios.push_back(sampled->cpu_ms_per_second / floor.cpu_ms_per_second);
  }
  std::printf(
      "\nmedian of %d rounds at %d ms: collect %.3f CPU ms/s, %.3f us per channel-sample; "
      "pread of the same %zu files %.3f CPU ms/s; ratio %.2f\n",
      plan.rounds, static_cast<int>(plan.interval.count()), median(all), median(per_sample),
      files.size(), median(floors), median(ratios));
  return 0;
}
