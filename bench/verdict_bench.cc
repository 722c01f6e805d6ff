// From the last sample of a window to what is known of it: deriving a tick, cutting the window,
// computing its features, standardizing them and asking all detectors of a saved baseline.
//
//   verdict_bench
//
// 700 channels every 100 ms, as most hosts have them: counters and gauges, a third of which stand
// still most of the time. A baseline is learned from 10 minutes; then 1,200 windows come, one each
// second. CPU time of one core: median, 99th percentile and the longest. The floor is reading once
// what was learned, in the same run. No peer: scikit-learn and tsfresh need seconds for the parts
// of this (feature_peer.py, detector_peer.py).
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "detect/window_scorer.h"
#include "made_host.h"
#include "pipeline/pipeline.h"
#include "sound.h"
#include "stats/quantile.h"
#include "timing.h"

namespace {

using namespace reveal;
using bench::sound;

constexpr std::size_t kChannels = 700;
constexpr int kLearned = 6000;
constexpr std::size_t kJudged = 1200;

double read_us(const detect::FittedBaseline& baseline) {
  detect::StateWriter state;
  for (const auto& fitted : baseline.detectors) fitted.detector->save(state);
  std::vector<std::uint64_t> words(state.bytes().size() / sizeof(std::uint64_t));
  std::memcpy(words.data(), state.bytes().data(), words.size() * sizeof(std::uint64_t));
  std::vector<double> times;
  volatile std::uint64_t sink = 0;
  for (int i = 0; i < 101; ++i) {
    times.push_back(bench::cpu_us(
        [&] { sink = std::accumulate(words.begin(), words.end(), std::uint64_t{0}); }));
  }
  return stats::median(times);
}

}  // namespace

int main() {
  bench::MadeHost host(kChannels);
  pipeline::Pipeline learned{{}};
  sound(learned.begin(host.facts));
  for (int i = 0; i < kLearned; ++i) sound(learned.write(host.channels, host.tick()));
  const auto baseline =
      std::make_shared<const detect::FittedBaseline>(sound(sound(learned.copy_for_fit()).fit()));

  pipeline::Pipeline live{{}};
  sound(live.begin(host.facts));
  detect::WindowScorer scorer(baseline, {});
  std::vector<double> times;
  std::size_t alarms = 0;
  while (times.size() < kJudged) {
    const auto& frame = host.tick();
    const std::size_t known = live.window_count();
    const double us = bench::cpu_us([&] {
      sound(live.write(host.channels, frame));
      if (live.window_count() == known) return;
      alarms +=
          sound(scorer.judge(live.features(), live.channels(), known)).agreement >= 2 ? 1u : 0u;
    });
    if (live.window_count() > known && known > 0) times.push_back(us);
  }
  std::sort(times.begin(), times.end());
  const double floor = read_us(*baseline);
  fmt::print("From a window's last sample to its verdict: {} channels, {} columns, {} windows\n",
             kChannels, baseline->columns.size(), times.size());
  const auto line = [floor](std::string_view what, double us) {
    fmt::print("  {:24} {:10.3f} ms {:10.3f} ms {:8.1f}\n", what, 1e-3 * us, 1e-3 * floor,
               us / floor);
  };
  fmt::print("  {:24} {:>13} {:>13} {:>8}\n", "", "CPU", "floor", "ratio");
  line("median", stats::quantile(times, 0.5));
  line("99th percentile", stats::quantile(times, 0.99));
  line("longest", times.back());
  fmt::print("  {} of the windows were flagged by two detectors\n", alarms);
}
