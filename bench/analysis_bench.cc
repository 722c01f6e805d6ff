// What `reveal analyze` costs once a recording is on the disk: replay, derivation, pruning,
// windows, features, detection and attribution, in one process.
//
//   analysis_bench [DIR...]                      analyze these, or 700 made-up channels over 1 h
//   analysis_bench make DIR CHANNELS SECONDS     only write such a recording
//
// CPU time of all threads and the most memory that was held, medians of rounds, beside the floor in
// the same run: reading the recording and adding up its values. No peer does all of this; what
// Python needs for one window's features and for the detectors, feature_peer.py and
// detector_peer.py tell.
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/temp_dir.h"
#include "collect/tick_clock.h"
#include "made_host.h"
#include "pipeline/pipeline.h"
#include "sound.h"
#include "stats/quantile.h"
#include "store/segment_reader.h"
#include "store/segment_writer.h"

namespace {

using namespace reveal;
using bench::fail;
using bench::sound;
namespace fs = std::filesystem;

constexpr int kRounds = 3;

// Two disturbances of ten seconds, one at a third and one at two thirds of the run.
void make(const fs::path& dir, std::size_t channels, std::uint64_t seconds) {
  bench::MadeHost host(channels);
  auto writer = sound(store::SegmentWriter::create(dir));
  sound(writer.begin(host.facts));
  const std::uint64_t ticks = seconds * 10;
  for (std::uint64_t i = 0; i < ticks; ++i) {
    const bool disturbed = i % (ticks / 3) < 100 && i >= ticks / 3 && i < ticks / 3 * 2 + 100;
    sound(writer.write(host.channels, host.tick(disturbed)));
  }
  sound(writer.finish());
}

struct Cost {
  double seconds = 0;
  double mebibytes = 0;
  std::uint64_t answer = 0;  // what the work returned
};

// Does the work in a process of its own, so that memory counts from nothing.
template <typename Work>
Cost cost_of(Work work) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) fail("no pipe");
  const pid_t child = fork();
  if (child == 0) {
    const auto begin = collect::clock_ns(CLOCK_PROCESS_CPUTIME_ID);
    const std::uint64_t answer = work();
    const auto end = collect::clock_ns(CLOCK_PROCESS_CPUTIME_ID);
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    const Cost cost{1e-9 * static_cast<double>(end - begin),
                    static_cast<double>(used.ru_maxrss) / 1024, answer};
    const bool told = write(ends[1], &cost, sizeof cost) == sizeof cost;
    _exit(told ? 0 : 1);
  }
  Cost cost;
  close(ends[1]);
  const bool known = read(ends[0], &cost, sizeof cost) == sizeof cost;
  close(ends[0]);
  waitpid(child, nullptr, 0);
  if (!known) fail("the work failed");
  return cost;
}

template <typename Work>
Cost median_cost(Work work) {
  std::vector<double> seconds;
  std::vector<double> memory;
  std::uint64_t answer = 0;
  for (int i = 0; i < kRounds; ++i) {
    const Cost cost = cost_of(work);
    seconds.push_back(cost.seconds);
    memory.push_back(cost.mebibytes);
    answer = cost.answer;
  }
  return {stats::median(seconds), stats::median(memory), answer};
}

// Returns the frames.
std::uint64_t add_up(const fs::path& dir) {
  auto reader = sound(store::SegmentReader::open(dir));
  std::uint64_t frames = 0;
  volatile std::uint64_t sink = 0;
  for (; const auto* frame = sound(reader.next()); ++frames) {
    std::uint64_t sum = 0;
    for (const std::uint64_t value : frame->bits) sum += value;
    sink = sink + sum;
  }
  return frames;
}

// Returns the findings.
std::size_t analyze(const fs::path& dir) {
  auto reader = sound(store::SegmentReader::open(dir));
  pipeline::PipelineConfig config;
  config.most_values = pipeline::kMostValues;
  pipeline::Pipeline pipeline(std::move(config));
  sound(pipeline.begin(reader.facts()));
  while (const auto* frame = sound(reader.next())) {
    sound(pipeline.write(reader.channels(), *frame));
  }
  sound(pipeline.finish());
  return sound(pipeline.analyze()).findings.size();
}

void measure(const std::string& name, const fs::path& dir) {
  const Cost floor = median_cost([&] { return add_up(dir); });
  const Cost whole = median_cost([&] { return analyze(dir); });
  fmt::print("  {:20} {:>8} {:>8} {:9.2f} {:9.2f} {:8.1f} {:8.0f} {:8.0f}\n", name, floor.answer,
             whole.answer, whole.seconds, floor.seconds, whole.seconds / floor.seconds,
             whole.mebibytes, floor.mebibytes);
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (!words.empty() && words.front() == "make") {
    if (words.size() != 4) fail("usage: analysis_bench make DIR CHANNELS SECONDS");
    make(words[1], std::stoull(words[2]), std::stoull(words[3]));
    return 0;
  }
  fmt::print("Analysis of a whole recording, s of CPU and MiB\n");
  fmt::print("  {:20} {:>8} {:>8} {:>9} {:>9} {:>8} {:>8} {:>8}\n", "recording", "frames",
             "findings", "analysis", "floor", "ratio", "memory", "floor's");
  for (const auto& dir : words) measure(fs::path(dir).filename(), dir);
  if (words.empty()) {
    base::TempDir scratch;
    make(scratch.path() / "hour", 700, 3600);
    measure("700 made, 1 h", scratch.path() / "hour");
  }
}
