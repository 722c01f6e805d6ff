// Reads one collector in the background, for sources that may block: drivers, firmware, sensors,
// network file systems. The thread that ticks asks for a reading and goes on; it takes the result
// in the tick in which it finds one. It never waits, not even for the lock.
//
// A thread that is stuck in the kernel cannot be ended: when this object goes, such a thread is
// left to itself with all that it uses, and ends when the kernel lets it go.
#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "collect/collector.h"
#include "collect/reading_crew.h"
#include "model/channel_table.h"
#include "model/frame.h"
#include "procfs/host_root.h"

namespace reveal::collect {

class BackgroundReader {
 public:
  // `name` is the collector's. REQUIRES: `crews`, whose threads read, outlive this.
  BackgroundReader(std::string_view name, std::unique_ptr<Collector> collector,
                   ReadingCrews& crews);
  ~BackgroundReader();
  BackgroundReader(const BackgroundReader&) = delete;
  BackgroundReader& operator=(const BackgroundReader&) = delete;

  // Ask for opening and a first reading, and for one more reading. Nothing happens while a former
  // request is unanswered.
  void open(const procfs::HostRoot& root);
  void read();

  // Waits until the request is answered, at most until that time of CLOCK_MONOTONIC. Returns
  // whether it is.
  bool wait_until(std::int64_t deadline_ns) const;

  // Returns how the last opening went, or nothing while it is not known.
  std::optional<base::Result<void>> opened() const;

  // Returns since when (CLOCK_MONOTONIC) the request is unanswered, or nothing when there is none.
  std::optional<std::int64_t> busy_since_ns() const;

  // What one reading brought, apart from its values.
  struct Reading {
    std::int64_t read_ns = 0;          // CLOCK_MONOTONIC when it began
    std::chrono::nanoseconds cost{0};  // CPU time that it took
  };

  // In a list of channels: this number of the reader's is free.
  static constexpr model::ChannelId kNone{std::numeric_limits<std::uint32_t>::max()};

  // Copies the latest reading into the frame, adding channels that are new and releasing those that
  // are gone, unless it was taken before or cannot be had at once. `channels` are the frame's ids
  // of the channels known so far, or kNone.
  std::optional<Reading> take(model::ChannelTable& table, model::Frame& frame,
                              std::vector<model::ChannelId>& channels);

  // Returns why a metric of the open collector has no channel. REQUIRES: no request is unanswered.
  base::Error why_absent(const model::MetricDescriptor& metric) const;

 private:
  struct Shared;

  base::Result<void> submit(ReadingCrew::Turn turn);

  ReadingCrews& crews_;
  ReadingCrew* asked_;  // that of the latest request
  std::shared_ptr<Shared> shared_;
  std::uint64_t taken_ = 0;
};

}  // namespace reveal::collect
