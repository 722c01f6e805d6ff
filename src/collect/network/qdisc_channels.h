// The channels of an interface's queueing disciplines: of the one that sends, at the root, and of
// those without a queue that hold filters alone, "ingress" and "clsact".
#pragma once

#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collect/frame_writer.h"
#include "collect/parts/instance_channels.h"
#include "collect/parts/metric_maker.h"
#include "collect/parts/metric_rows.h"
#include "netlink/qdisc.h"

namespace reveal::collect {

using QdiscNumber = std::optional<std::uint32_t> netlink::Qdisc::*;

inline constexpr MetricOrigin kQdiscOrigin = {
    .subsystem = model::Subsystem::kNetwork,
    .scope = model::Scope::kNic,
    .doc_url = "https://man7.org/linux/man-pages/man8/tc.8.html"};

inline constexpr MetricRow<QdiscNumber> kQdiscRows[] = {
    {&netlink::Qdisc::drops,
     describe(kQdiscOrigin, {.name = "network_qdisc_drops_total",
                             .label = "Packets dropped before sending",
                             .unit = "packets",
                             .kind = model::Kind::kEvent,
                             .counter_bits = 32,
                             .source = "rtnetlink GETQDISC root drops",
                             .alias = "dropped",
                             .help = "Packets that the interface's queueing discipline "
                                     "dropped: its queue was full, or it limits traffic.",
                             .rank = 20})},
    {&netlink::Qdisc::queued_bytes,
     describe(kQdiscOrigin, {.name = "network_qdisc_backlog_bytes",
                             .label = "Bytes waiting to be sent",
                             .unit = "bytes",
                             .source = "rtnetlink GETQDISC root backlog",
                             .alias = "backlog",
                             .help = "Bytes of packets in the interface's queueing discipline.",
                             .rank = 30})},
    {&netlink::Qdisc::queued_packets,
     describe(kQdiscOrigin, {.name = "network_qdisc_backlog_packets",
                             .label = "Packets waiting to be sent",
                             .unit = "packets",
                             .source = "rtnetlink GETQDISC root qlen",
                             .alias = "qlen",
                             .help = "Packets in the interface's queueing discipline.",
                             .rank = 60})},
    {&netlink::Qdisc::requeues,
     describe(kQdiscOrigin, {.name = "network_qdisc_requeues_total",
                             .label = "Packets sent back by the adapter",
                             .unit = "packets",
                             .kind = model::Kind::kCounter,
                             .counter_bits = 32,
                             .source = "rtnetlink GETQDISC root requeues",
                             .alias = "requeues",
                             .help = "Packets put back because the adapter had no room for them.",
                             .rank = 50})},
    {&netlink::Qdisc::overlimits,
     describe(kQdiscOrigin,
              {.name = "network_qdisc_overlimits_total",
               .label = "Packets held back by a traffic limit",
               .unit = "packets",
               .kind = model::Kind::kCounter,
               .counter_bits = 32,
               .source = "rtnetlink GETQDISC root overlimits",
               .alias = "overlimits",
               .help = "Times that a limit of the queueing discipline held a packet back.",
               .rank = 50})},
};

// The rows behind those of kQdiscRows: what filters dropped.
inline constexpr model::MetricDescriptor kQdiscFilterMetrics[] = {
    describe(kQdiscOrigin, {.name = "network_qdisc_ingress_drops_total",
                            .label = "Received packets dropped by policing",
                            .unit = "packets",
                            .kind = model::Kind::kEvent,
                            .counter_bits = 32,
                            .source = "rtnetlink GETQDISC ingress drops",
                            .alias = "ingress dropped",
                            .help = "Packets that a filter at the interface's entry dropped.",
                            .rank = 30}),
    describe(kQdiscOrigin, {.name = "network_qdisc_filter_drops_total",
                            .label = "Packets dropped by filters",
                            .unit = "packets",
                            .kind = model::Kind::kEvent,
                            .counter_bits = 32,
                            .source = "rtnetlink GETQDISC clsact drops",
                            .alias = "clsact dropped",
                            .help = "Packets that filters at the interface's entry or exit dropped "
                                    "(clsact, which container networks use; the kernel does not "
                                    "tell the two apart).",
                            .rank = 30}),
};

inline std::vector<model::MetricDescriptor> qdisc_metrics() {
  auto out = metrics_of(kQdiscRows);
  out.insert(out.end(), std::begin(kQdiscFilterMetrics), std::end(kQdiscFilterMetrics));
  return out;
}

class QdiscChannels {
 public:
  // REQUIRES: `metrics` (of qdisc_metrics()) outlives this.
  QdiscChannels(std::span<const model::MetricDescriptor> metrics, const std::string& instance)
      : root_(metrics, instance), filters_(metrics, instance) {}

  // A discipline that is another one than at the call before counts from 0. Children are left out:
  // their numbers are in the root's.
  void set(FrameWriter& writer, const netlink::Qdisc& qdisc) {
    if (qdisc.place == netlink::Qdisc::Place::kChild) return;
    if (qdisc.place == netlink::Qdisc::Place::kRoot) {
      root_.forget();
      for (std::size_t row = 0; row < std::size(kQdiscRows); ++row) {
        root_.set(writer, row, procfs::Value(qdisc.*kQdiscRows[row].key));
      }
      if (root_seen_.changes_to(qdisc)) root_.mark_reset(writer);
      return;
    }
    const std::size_t kind = qdisc.kind == "clsact" ? 1 : 0;
    filters_.forget();
    filters_.set(writer, std::size(kQdiscRows) + kind, procfs::Value(qdisc.drops));
    if (filters_seen_.changes_to(qdisc)) filters_.mark_reset(writer);
  }

  // Gives all channels back, as the interface is gone.
  void release(FrameWriter& writer) {
    root_.release(writer);
    filters_.release(writer);
  }

 private:
  struct Seen {
    std::string kind{};
    std::uint32_t handle = 0;

    bool changes_to(const netlink::Qdisc& qdisc) {
      if (kind == qdisc.kind && handle == qdisc.handle) return false;
      const bool had_one = !kind.empty();
      kind = qdisc.kind;
      handle = qdisc.handle;
      return had_one;
    }
  };

  InstanceChannels root_;
  InstanceChannels filters_;
  Seen root_seen_{};
  Seen filters_seen_{};
};

}  // namespace reveal::collect
