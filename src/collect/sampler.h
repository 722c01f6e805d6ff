// The tick loop: a FrameSource that reads every collector when it is its turn.
//
// One thread, the caller's: next() sleeps until the tick, reads, and returns the frame. Deadlines
// are absolute on the monotonic clock; when a whole interval was lost the tick is skipped, the
// frame's sequence jumps, and its gap says kGapLate. Collectors that may block are read on other
// threads (background_reader.h) and never waited for. One that could not be opened is tried
// again every so often, and none can stop another.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "collect/clock_watch.h"
#include "collect/poll_class.h"
#include "collect/reading_crew.h"
#include "collect/source.h"
#include "collect/tick_clock.h"
#include "collect/vitals.h"
#include "model/fact_table.h"
#include "model/frame.h"
#include "procfs/host_root.h"

namespace reveal::collect {

struct SamplerOptions {
  procfs::HostRoot root{};
  std::chrono::nanoseconds interval = std::chrono::milliseconds(100);  // 10 ms to 60 s
  std::optional<std::chrono::nanoseconds> duration{};  // D gives D / interval + 1 frames
  std::vector<std::string> command{};                  // for the facts of the run
  int stop_fd = -1;                                    // ends the run when readable; not owned
  std::chrono::nanoseconds retry = std::chrono::minutes(1);  // of collectors that did not open
  PollPlan poll_plan{};
  std::function<StorageVitals()> storage{};  // asked for the recorder's own metrics; may be empty
  // Adds to a frame's notes what others than collectors have to say; may be empty.
  std::function<void(model::Frame& frame)> notes{};
};

class Sampler final : public model::FrameSource {
 public:
  using Sources = std::vector<SourceSpec>;

  // How long open() waits for all collectors that may block, together.
  static constexpr std::int64_t kOpeningNs = 1'000'000'000;

  // Opens every collector of the registry that the poll classes ask for. Fails with kUsage for an
  // interval or duration out of range or a poll class for a collector that does not exist, and with
  // kAbsent if not one collector can read anything below the roots.
  static base::Result<std::unique_ptr<Sampler>> open(SamplerOptions options);

  // The same over the collectors given.
  static base::Result<std::unique_ptr<Sampler>> open(SamplerOptions options, Sources sources);

  const model::RunFacts& facts() const override { return facts_; }
  const model::ChannelTable& channels() const override { return channels_; }

  // Returns the frame of the next tick; nullptr after the duration or a stop.
  base::Result<const model::Frame*> next() override;

  // Lets next() go on after a stop, for as long as the duration.
  void ignore_stop() { clock_.ignore_stop(); }

  // Returns how many ticks have no frame because the sampler came too late.
  std::uint64_t missed_ticks() const { return clock_.missed(); }

  // By collector, in the order of the registry.
  const std::vector<Source>& sources() const { return sources_; }

 private:
  Sampler(SamplerOptions options, Sources sources);
  base::Result<void> open_sources();
  void note_unseen();
  void retry_sources();
  void begin_frame(std::uint64_t tick);
  void watch_clock();
  void read(std::uint64_t tick);
  void show_vitals();
  void tick_sources(std::uint64_t tick);
  void drop_restated_facts();

  SamplerOptions options_;
  model::RunFacts facts_;
  model::ChannelTable channels_;
  ReadingCrews crews_;
  std::vector<Source> sources_;
  // When each source must be called next, those read on every tick first, so that their readings
  // are evenly spaced. Most ticks are no business of most sources, and need not fetch them from
  // memory.
  struct Turn {
    std::uint64_t tick;
    Source* source;
  };
  std::vector<Turn> turns_;
  TickClock clock_;
  ClockWatch clock_watch_;
  model::FactTable stated_;
  model::Frame frame_;
  Vitals vitals_;
  std::optional<std::uint64_t> first_tick_;  // counted from the epoch
  std::int64_t next_retry_ns_ = 0;
};

// Returns the registry's collectors, each in its poll class of the plan. Fails if the plan names a
// collector that is not in the registry.
base::Result<std::vector<SourceSpec>> planned_sources(const PollPlan& plan);

}  // namespace reveal::collect
