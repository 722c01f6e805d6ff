// The tick loop: a FrameSource that reads all collectors once an interval.
//
// One thread, the caller's: next() sleeps until the tick, reads, and returns the frame. Deadlines
// are absolute on the monotonic clock; when a whole interval was lost the tick is skipped, the
// frame's sequence jumps, and its gap says kGapLate. A collector that could not be opened is tried
// again every so often, and none can stop another.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "collect/collector.h"
#include "collect/tick_clock.h"
#include "model/frame.h"
#include "procfs/host_root.h"

namespace reveal::collect {

struct SamplerOptions {
  procfs::HostRoot root{};
  std::chrono::nanoseconds interval = std::chrono::milliseconds(100);  // 10 ms to 60 s
  std::optional<std::chrono::nanoseconds> duration{};  // D gives D / interval + 1 frames
  std::vector<std::string> command{};                  // for the facts of the run
  int stop_fd = -1;                                    // ends the run when readable; not owned
  std::chrono::nanoseconds retry = std::chrono::seconds(10);  // of collectors that did not open
};

class Sampler final : public model::FrameSource {
 public:
  using Collectors = std::vector<std::unique_ptr<Collector>>;

  // Opens every collector of the registry. Fails with kUsage for an interval or duration out of
  // range, and with kAbsent where not one collector can read anything below the roots.
  static base::Result<std::unique_ptr<Sampler>> open(SamplerOptions options);

  // The same over the collectors given.
  static base::Result<std::unique_ptr<Sampler>> open(SamplerOptions options, Collectors collectors);

  const model::RunFacts& facts() const override { return facts_; }
  const model::ChannelTable& channels() const override { return channels_; }

  // Returns the frame of the next tick, the first one at once; nullptr after the duration or a
  // stop.
  base::Result<const model::Frame*> next() override;

  // Returns how many ticks have no frame because the sampler came too late.
  std::uint64_t missed_ticks() const { return clock_.missed(); }

 private:
  struct Lane {
    std::unique_ptr<Collector> collector;
    base::Result<void> opened;
  };

  Sampler(SamplerOptions options, Collectors collectors);
  base::Result<void> open_lanes();
  void note_unseen();
  void retry_lanes();
  void read(std::uint64_t tick);

  SamplerOptions options_;
  model::RunFacts facts_;
  model::ChannelTable channels_;
  std::vector<Lane> lanes_;
  TickClock clock_;
  model::Frame frame_;
  std::int64_t next_retry_ns_ = 0;
};

}  // namespace reveal::collect
