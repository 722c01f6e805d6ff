// What watching a host takes beside recording it, per second of its time: reading what was recorded
// since the last second, deriving, windows and their features, verdicts, and the fits of what is
// usual that come in between.
//
//   live_bench
//
// 700 channels every 100 ms; each second is read as `reveal top` reads it. The first ten minutes,
// in which fits are frequent, are not counted. CPU time of one core: the median second, and the
// mean one, which has its share of the fits. The floor is reading the frames, in the same run.
#include <array>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/temp_dir.h"
#include "live/live_judge.h"
#include "made_host.h"
#include "pipeline/pipeline.h"
#include "sound.h"
#include "stats/quantile.h"
#include "store/followed_recording.h"
#include "store/segment_writer.h"
#include "timing.h"

namespace {

using namespace reveal;
using bench::sound;

constexpr std::size_t kChannels = 700;
constexpr int kTicksPerSecond = 10;
constexpr int kSettling_s = 600;
constexpr int kCounted_s = 600;

class Nothing : public model::FrameSink {
 public:
  base::Result<void> begin(const model::RunFacts&) override { return {}; }
  base::Result<void> write(const model::ChannelTable&, const model::Frame&) override { return {}; }
  base::Result<void> finish() override { return {}; }
};

// Something that follows the recording, and what its seconds took.
struct Follower {
  Follower(std::string_view named, const base::TempDir& dir, model::FrameSink& to)
      : name(named), recording(dir.path(), std::nullopt), sink(to) {}

  double read() {
    return bench::cpu_us([&] { sound(recording.read_new(sink)); });
  }
  double median_ms() const { return 1e-3 * stats::median(times); }
  double mean_ms() const {
    return 1e-3 * std::accumulate(times.begin(), times.end(), 0.0) /
           static_cast<double>(times.size());
  }

  std::string_view name;
  store::FollowedRecording recording;
  model::FrameSink& sink;
  std::vector<double> times{};
};

}  // namespace

int main() {
  const base::TempDir dir;
  bench::MadeHost host(kChannels);
  store::WriterOptions options;
  options.min_free_bytes = 0;
  auto writer = sound(store::SegmentWriter::create(dir.path(), options));
  sound(writer.begin(host.facts));
  Nothing nothing;
  pipeline::Pipeline pipeline{{}};
  live::LiveJudge judge{{}};
  std::array<Follower, 3> followers{Follower{"reading", dir, nothing},
                                    {"and features", dir, pipeline},
                                    {"and verdicts", dir, judge}};
  for (int second = 0; second < kSettling_s + kCounted_s; ++second) {
    for (int i = 0; i < kTicksPerSecond; ++i) sound(writer.write(host.channels, host.tick()));
    for (auto& follower : followers) {
      const double us = follower.read();
      if (second >= kSettling_s) follower.times.push_back(us);
    }
  }
  fmt::print("What watching takes per second: {} channels, {} findings in {} s\n", kChannels,
             judge.history().findings.size(), kSettling_s + kCounted_s);
  fmt::print("  {:14} {:>13} {:>13} {:>8}\n", "", "median", "mean", "ratio");
  const double floor = followers[0].mean_ms();
  for (const auto& follower : followers) {
    fmt::print("  {:14} {:10.3f} ms {:10.3f} ms {:8.1f}\n", follower.name, follower.median_ms(),
               follower.mean_ms(), follower.mean_ms() / floor);
  }
}
