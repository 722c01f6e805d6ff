// What watching a host takes beside recording it, per second of its time: reading what was recorded
// since the last second, deriving, windows and their features, verdicts, and the fits of what is
// usual that come in between.
//
//   live_bench [CHANNELS]
//
// 700 channels every 100 ms, or so many; each second is read as `reveal top` reads it. The first
// ten minutes, in which fits are frequent, are not counted. CPU time of one core: the median
// second, and the mean one, which has its share of the fits. The floor is reading the frames, in
// the same run. Memory is what each of them has allocated and not freed at the end.
#include <array>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <malloc.h>

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

constexpr std::size_t kUsualChannels = 700;
constexpr int kTicksPerSecond = 10;
constexpr int kSettling_s = 600;
constexpr int kCounted_s = 600;

class Nothing : public model::FrameSink {
 public:
  base::Result<void> begin(const model::RunFacts&) override { return {}; }
  base::Result<void> write(const model::ChannelTable&, const model::Frame&) override { return {}; }
  base::Result<void> finish() override { return {}; }
};

double allocated_mb() {
  const auto now = ::mallinfo2();
  return 1e-6 * static_cast<double>(now.uordblks + now.hblkhd);
}

// Something that follows the recording, and what its seconds took.
struct Follower {
  Follower(std::string_view named, const base::TempDir& dir, model::FrameSink& to)
      : name(named), recording(dir.path(), std::nullopt), sink(to) {}

  double read() {
    const auto before = allocated_mb();
    const double us = bench::cpu_us([&] { sound(recording.read_new(sink)); });
    held_mb += allocated_mb() - before;
    return us;
  }
  double median_ms() const { return 1e-3 * stats::median(times); }
  double mean_ms() const {
    return 1e-3 * std::accumulate(times.begin(), times.end(), 0.0) /
           static_cast<double>(times.size());
  }

  std::string_view name;
  store::FollowedRecording recording;
  model::FrameSink& sink;
  double held_mb = 0;
  std::vector<double> times{};
};

}  // namespace

int main(int argc, char** argv) {
  const std::span<char*> words(argv, static_cast<std::size_t>(argc));
  const std::size_t channels =
      words.size() > 1 ? std::strtoull(words[1], nullptr, 10) : kUsualChannels;
  const base::TempDir dir;
  bench::MadeHost host(channels);
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
  fmt::print("What watching takes per second: {} channels, {} findings in {} s\n", channels,
             judge.history().findings.size(), kSettling_s + kCounted_s);
  fmt::print("  {:14} {:>13} {:>13} {:>8} {:>10}\n", "", "median", "mean", "ratio", "memory");
  const double floor = followers[0].mean_ms();
  for (const auto& follower : followers) {
    fmt::print("  {:14} {:10.3f} ms {:10.3f} ms {:8.1f} {:7.0f} MB\n", follower.name,
               follower.median_ms(), follower.mean_ms(), follower.mean_ms() / floor,
               follower.held_mb);
  }
}
