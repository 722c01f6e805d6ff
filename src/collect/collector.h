// The interface of collectors: each reads one source of the kernel and fills its channels of a
// frame.
//
// A collector is never trusted to succeed. Values that it cannot read in a tick are missing in that
// tick, and no collector can stop another. After open() it allocates nothing, except when a channel
// appears or the kernel's text changes its shape.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "collect/frame_writer.h"
#include "collect/vitals.h"
#include "model/channel_table.h"
#include "model/metric.h"
#include "procfs/host_root.h"

namespace reveal::collect {

class Collector {
 public:
  virtual ~Collector() = default;

  // Reads the source once and adds the channels that it has values for. Fails if the source is
  // absent or unreadable, with a remedy if there is one; may then be called again.
  virtual base::Result<void> open(const procfs::HostRoot& root, model::ChannelTable& channels) = 0;

  // Reads the source and sets what it says. REQUIRES: open() succeeded once, on the same table.
  virtual void collect(FrameWriter& writer) = 0;

  // Shows the recorder's own state, once, before anything else. It is of the tick at hand whenever
  // collect() is called, and outlives the collector. Only who records that cares.
  virtual void watch(const Vitals& /*vitals*/) {}

  // Returns why a metric of an open collector has no channel on this host.
  virtual base::Error why_absent(const model::MetricDescriptor& metric) const;
};

// How often a collector is read by default: every tick, every 300 ms, every second, every ten
// seconds. Between its readings its values stand as stale.
enum class PollClass : std::uint8_t { kFast, kQuick, kMedium, kSlow };

struct CollectorDescriptor {
  std::string_view name;  // "meminfo"
  std::string_view help;
  std::unique_ptr<Collector> (*make)();
  std::vector<model::MetricDescriptor> (*metrics)();  // all that it may yield
  PollClass poll_class = PollClass::kFast;
  // The source may block (drivers, firmware, sensors): it is opened and read in the background, on
  // another thread than that of the ticks, and a tick takes the latest that was read.
  bool may_block = false;
  // Costly or special: read only if the configuration asks for it.
  bool opt_in = false;
};

// Runs one reading into a frame that is thrown away, which adds the channels of all values seen.
void add_channels_of(Collector& collector, model::ChannelTable& channels);

}  // namespace reveal::collect
