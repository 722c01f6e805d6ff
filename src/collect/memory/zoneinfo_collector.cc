// /proc/zoneinfo: how far each memory zone is above the watermark below which the kernel reclaims.
// Memory of the host as a whole can be free while the zone that a request needs is short.
//
// On a host of many cores the file is long, for every zone lists them all, so it is read seldom.
#include <algorithm>
#include <deque>
#include <string>

#include <fmt/format.h>

#include "collect/collector.h"
#include "collect/memory/node_files.h"
#include "collect/parts/device_files.h"
#include "collect/parts/instance_channels.h"
#include "collect/parts/metric_maker.h"
#include "collect/parts/metric_rows.h"
#include "collect/parts/page_size.h"
#include "procfs/text_file.h"
#include "procfs/zoneinfo.h"

namespace reveal::collect {
namespace {

using model::MetricDescriptor;
using procfs::Value;
using procfs::ZoneWatermarks;

constexpr std::size_t kMaxZones = 4096;

constexpr MetricOrigin kOrigin = {
    .subsystem = model::Subsystem::kMemory,
    .scope = model::Scope::kDevice,
    .doc_url = "https://docs.kernel.org/admin-guide/sysctl/vm.html#min-free-kbytes"};

// In pages; their size is known at run time only.
constexpr MetricRow<Value ZoneWatermarks::*> kRows[] = {
    {&ZoneWatermarks::free, describe(kOrigin, {.name = "memory_zone_free_bytes",
                                               .label = "Free memory of a zone",
                                               .unit = "bytes",
                                               .source = "/proc/zoneinfo pages free",
                                               .alias = "zone free",
                                               .help = "Free memory of the zone.",
                                               .rank = 120})},
    {&ZoneWatermarks::min,
     describe(
         kOrigin,
         {.name = "memory_zone_minimum_bytes",
          .label = "Minimum watermark of a zone",
          .unit = "bytes",
          .source = "/proc/zoneinfo min",
          .alias = "zone min",
          .help = "With less free memory, tasks that allocate some must reclaim it themselves.",
          .rank = 150})},
    {&ZoneWatermarks::low, describe(kOrigin, {.name = "memory_zone_low_bytes",
                                              .label = "Low watermark of a zone",
                                              .unit = "bytes",
                                              .source = "/proc/zoneinfo low",
                                              .alias = "zone low",
                                              .help = "Free memory below which kswapd reclaims.",
                                              .rank = 150})},
    {&ZoneWatermarks::high, describe(kOrigin, {.name = "memory_zone_high_bytes",
                                               .label = "High watermark of a zone",
                                               .unit = "bytes",
                                               .source = "/proc/zoneinfo high",
                                               .alias = "zone high",
                                               .help = "Free memory at which kswapd rests again.",
                                               .rank = 150})},
};
constexpr std::size_t kDistance = std::size(kRows);
constexpr MetricDescriptor kDistanceMetric = describe(
    kOrigin, {.name = "memory_zone_low_distance_bytes",
              .label = "Free memory of a zone above its low watermark",
              .unit = "bytes",
              .repr = model::Repr::kF64,
              .source = "/proc/zoneinfo pages free - low",
              .alias = "zone free - low",
              .help = "How much more can be taken until kswapd reclaims; below 0 while it does.",
              .rank = 50});

std::vector<MetricDescriptor> zoneinfo_metrics() {
  auto out = metrics_of(kRows);
  out.push_back(kDistanceMetric);
  for (auto& metric : out) metric.scale = page_bytes();
  return out;
}

class ZoneinfoCollector final : public Collector {
 public:
  base::Result<void> open(const procfs::HostRoot& root, model::ChannelTable& channels) override {
    file_ = procfs::TextFile(root.proc_path("zoneinfo"));
    if (auto text = file_.read(); !text) return base::pass(text);
    add_channels_of(*this, channels);
    return {};
  }

  void collect(FrameWriter& writer) override {
    const auto text = file_.read();
    if (!text) return;
    procfs::parse_zoneinfo(*text, read_);
    for (const auto& zone : read_) {
      if (zone.managed.value_or(0) == 0) continue;  // without memory, or cut
      if (Zone* known = find_or_add(zone)) set(writer, known->channels, zone);
    }
  }

 private:
  struct Zone {
    std::uint32_t node;
    std::string name;
    InstanceChannels channels;
  };

  Zone* find_or_add(const ZoneWatermarks& zone) {
    const auto at = std::find_if(zones_.begin(), zones_.end(), [&](const Zone& known) {
      return known.node == zone.node && known.name == zone.zone;
    });
    if (at != zones_.end()) return &*at;
    if (zones_.size() >= kMaxZones || zone.node >= kMaxNodes) return nullptr;
    const auto instance = fmt::format("node={},zone={}", zone.node, instance_text(zone.zone));
    return &zones_.emplace_back(
        Zone{zone.node, std::string(zone.zone), InstanceChannels(metrics_, instance)});
  }

  static void set(FrameWriter& writer, InstanceChannels& channels, const ZoneWatermarks& zone) {
    for (std::size_t i = 0; i < std::size(kRows); ++i) {
      channels.set(writer, i, zone.*kRows[i].key);
    }
    if (!zone.free || !zone.low) return;
    channels.set(writer, kDistance,
                 std::optional(static_cast<double>(*zone.free) - static_cast<double>(*zone.low)));
  }

  std::vector<MetricDescriptor> metrics_ = zoneinfo_metrics();
  procfs::TextFile file_;
  std::vector<ZoneWatermarks> read_;
  std::deque<Zone> zones_;
};

std::unique_ptr<Collector> make_zoneinfo() {
  return std::make_unique<ZoneinfoCollector>();
}

}  // namespace

extern const CollectorDescriptor kZoneinfoCollector = {
    .name = "zoneinfo",
    .help = "free memory and watermarks per zone",
    .make = make_zoneinfo,
    .metrics = zoneinfo_metrics,
    .poll_class = PollClass::kSlow,
};

}  // namespace reveal::collect
