#include "netlink/qdisc.h"

#include <linux/gen_stats.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>

namespace reveal::netlink {
namespace {

static_assert(sizeof(tcmsg) == 20);

Qdisc::Place place_of(std::uint32_t parent) {
  if (parent == TC_H_ROOT) return Qdisc::Place::kRoot;
  return parent == TC_H_INGRESS ? Qdisc::Place::kIngress : Qdisc::Place::kChild;
}

void read_queue(Bytes queue, Qdisc& out) {
  constexpr std::size_t kNumber = sizeof(std::uint32_t);
  out.queued_packets = load<std::uint32_t>(queue, 0 * kNumber);
  out.queued_bytes = load<std::uint32_t>(queue, 1 * kNumber);
  out.drops = load<std::uint32_t>(queue, 2 * kNumber);
  out.requeues = load<std::uint32_t>(queue, 3 * kNumber);
  out.overlimits = load<std::uint32_t>(queue, 4 * kNumber);
}

bool read_statistics(Bytes statistics, Qdisc& out) {
  AttributeCursor attributes(statistics);
  for (Attribute attribute; attributes.next(attribute);) {
    if (attribute.type == TCA_STATS_QUEUE) read_queue(attribute.payload, out);
  }
  return !attributes.broken();
}

}  // namespace

std::optional<Qdisc> parse_qdisc(Bytes payload) {
  const auto header = load<tcmsg>(payload);
  if (!header || header->tcm_ifindex <= 0) return std::nullopt;
  Qdisc out;
  out.interface = static_cast<std::uint32_t>(header->tcm_ifindex);
  out.handle = header->tcm_handle;
  out.place = place_of(header->tcm_parent);
  bool sound = true;
  AttributeCursor attributes(payload, sizeof(tcmsg));
  for (Attribute attribute; attributes.next(attribute);) {
    if (attribute.type == TCA_KIND) out.kind = attribute.text();
    if (attribute.type == TCA_STATS2) sound = sound && read_statistics(attribute.payload, out);
  }
  if (attributes.broken() || !sound || out.kind.empty()) return std::nullopt;
  return out;
}

std::array<std::byte, 20> qdisc_request() {
  return {};  // of no family and no interface: all of them
}

}  // namespace reveal::netlink
