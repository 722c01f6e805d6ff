// What waits to be sent at each interface, and what its queueing discipline dropped: traffic
// shaping, full send queues, policing of what arrives. None of it is in /proc/net/dev.
//
// Asked of the kernel by rtnetlink, of this network namespace. The question takes the kernel's
// largest lock (RTNL), so it is asked seldom and in the background. Interfaces without a queue (lo,
// veth) say nothing and are left out.
#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>

#include "collect/collector.h"
#include "collect/instance_channels.h"
#include "collect/metric_maker.h"
#include "collect/metric_rows.h"
#include "netlink/dump.h"
#include "netlink/qdisc.h"

namespace reveal::collect {
namespace {

using model::Kind;
using model::MetricDescriptor;
using netlink::Qdisc;

constexpr std::size_t kMaxInterfaces = 64;
constexpr std::size_t kMaxAnswers = 65'536;  // an adapter has one for each of its queues

using Number = std::optional<std::uint32_t> Qdisc::*;
using Row = MetricRow<Number>;

constexpr MetricOrigin kOrigin = {.subsystem = model::Subsystem::kNetwork,
                                  .scope = model::Scope::kNic,
                                  .doc_url = "https://man7.org/linux/man-pages/man8/tc.8.html"};

constexpr Row kRows[] = {
    {&Qdisc::drops, describe(kOrigin, {.name = "network_qdisc_drops_total",
                                       .label = "Packets dropped before sending",
                                       .unit = "packets",
                                       .kind = Kind::kEvent,
                                       .counter_bits = 32,
                                       .source = "rtnetlink GETQDISC root drops",
                                       .alias = "dropped",
                                       .help = "Packets that the interface's queueing discipline "
                                               "dropped: its queue was full, or it limits traffic.",
                                       .rank = 20})},
    {&Qdisc::queued_bytes,
     describe(kOrigin, {.name = "network_qdisc_backlog_bytes",
                        .label = "Bytes waiting to be sent",
                        .unit = "bytes",
                        .source = "rtnetlink GETQDISC root backlog",
                        .alias = "backlog",
                        .help = "Bytes of packets in the interface's queueing discipline.",
                        .rank = 30})},
    {&Qdisc::queued_packets,
     describe(kOrigin, {.name = "network_qdisc_backlog_packets",
                        .label = "Packets waiting to be sent",
                        .unit = "packets",
                        .source = "rtnetlink GETQDISC root qlen",
                        .alias = "qlen",
                        .help = "Packets in the interface's queueing discipline.",
                        .rank = 60})},
    {&Qdisc::requeues,
     describe(kOrigin, {.name = "network_qdisc_requeues_total",
                        .label = "Packets sent back by the adapter",
                        .unit = "packets",
                        .kind = Kind::kCounter,
                        .counter_bits = 32,
                        .source = "rtnetlink GETQDISC root requeues",
                        .alias = "requeues",
                        .help = "Packets put back because the adapter had no room for them.",
                        .rank = 50})},
    {&Qdisc::overlimits,
     describe(kOrigin, {.name = "network_qdisc_overlimits_total",
                        .label = "Packets held back by a traffic limit",
                        .unit = "packets",
                        .kind = Kind::kCounter,
                        .counter_bits = 32,
                        .source = "rtnetlink GETQDISC root overlimits",
                        .alias = "overlimits",
                        .help = "Times that a limit of the queueing discipline held a packet back.",
                        .rank = 50})},
};

// The row behind those of kRows: of the discipline that receives.
constexpr std::size_t kIngressDrops = std::size(kRows);
constexpr MetricDescriptor kIngress =
    describe(kOrigin, {.name = "network_qdisc_ingress_drops_total",
                       .label = "Received packets dropped by policing",
                       .unit = "packets",
                       .kind = Kind::kEvent,
                       .counter_bits = 32,
                       .source = "rtnetlink GETQDISC ingress drops",
                       .alias = "ingress dropped",
                       .help = "Packets that a filter at the interface's entry dropped.",
                       .rank = 30});

std::vector<MetricDescriptor> qdisc_metrics() {
  auto out = metrics_of(kRows);
  out.push_back(kIngress);
  return out;
}

// Which discipline an interface had: another one counts from 0.
struct Seen {
  std::string kind{};
  std::uint32_t handle = 0;

  // Returns whether it is another one than at the call before.
  bool changes_to(const Qdisc& qdisc) {
    if (kind == qdisc.kind && handle == qdisc.handle) return false;
    const bool had_one = !kind.empty();
    kind = qdisc.kind;
    handle = qdisc.handle;
    return had_one;
  }
};

struct Interface {
  std::string name;
  InstanceChannels root;
  InstanceChannels ingress;
  Seen root_seen{};
  Seen ingress_seen{};
};

class QdiscCollector final : public Collector {
 public:
  base::Result<void> open(const procfs::HostRoot& root, model::ChannelTable& channels) override {
    if (!root.is_live()) {
      return base::fail(base::ErrorKind::kAbsent, "rtnetlink is of the running kernel only",
                        root.proc, "leave --proc-root at /proc");
    }
    if (const auto asked = ask([](const auto&) { return netlink::Next::kEnough; }); !asked) {
      return base::fail(base::ErrorKind::kAbsent, asked.error().what, "rtnetlink",
                        "allow AF_NETLINK to this service");
    }
    add_channels_of(*this, channels);
    if (!interfaces_.empty()) return {};
    return base::fail(base::ErrorKind::kAbsent, "no interface here has a queue", "rtnetlink");
  }

  void collect(FrameWriter& writer) override {
    writer_ = &writer;
    answers_ = 0;
    // A dump that fails midway leaves the interfaces behind it missing.
    (void)ask(visit_);
    writer_ = nullptr;
  }

 private:
  using Visit = std::function<netlink::Next(const netlink::Message&)>;

  base::Result<netlink::DumpOutcome> ask(const Visit& visit) {
    const auto request = netlink::qdisc_request();
    return dumper_.run(RTM_GETQDISC, request, visit);
  }

  netlink::Next take(const netlink::Message& message) {
    if (++answers_ > kMaxAnswers) return netlink::Next::kEnough;
    if (message.type != RTM_NEWQDISC) return netlink::Next::kMore;
    const auto qdisc = netlink::parse_qdisc(message.payload);
    if (!qdisc || qdisc->place == Qdisc::Place::kChild) return netlink::Next::kMore;
    if (qdisc->kind == "noqueue" || qdisc->kind == "noop") return netlink::Next::kMore;
    if (Interface* interface = find(qdisc->interface)) set(*interface, *qdisc);
    return netlink::Next::kMore;
  }

  void set(Interface& interface, const Qdisc& qdisc) {
    if (qdisc.place == Qdisc::Place::kIngress) {
      interface.ingress.forget();
      interface.ingress.set(*writer_, kIngressDrops, procfs::Value(qdisc.drops));
      if (interface.ingress_seen.changes_to(qdisc)) interface.ingress.mark_reset(*writer_);
      return;
    }
    interface.root.forget();
    for (std::size_t row = 0; row < std::size(kRows); ++row) {
      interface.root.set(*writer_, row, procfs::Value(qdisc.*kRows[row].key));
    }
    if (interface.root_seen.changes_to(qdisc)) interface.root.mark_reset(*writer_);
  }

  // Returns the interface of that index by its name, which it keeps when its index changes; null if
  // it has gone or there are too many.
  Interface* find(std::uint32_t index) {
    std::array<char, IF_NAMESIZE> name{};
    if (::if_indextoname(index, name.data()) == nullptr) return nullptr;
    const std::string_view wanted(name.data());
    const auto at = std::find_if(interfaces_.begin(), interfaces_.end(),
                                 [&](const Interface& known) { return known.name == wanted; });
    if (at != interfaces_.end()) return &*at;
    if (interfaces_.size() >= kMaxInterfaces) return nullptr;
    const std::string instance = fmt::format("dev={}", wanted);
    interfaces_.push_back({std::string(wanted), InstanceChannels(metrics_, instance),
                           InstanceChannels(metrics_, instance)});
    return &interfaces_.back();
  }

  std::vector<MetricDescriptor> metrics_ = qdisc_metrics();
  std::vector<Interface> interfaces_;
  netlink::Dumper dumper_{NETLINK_ROUTE, "rtnetlink"};
  std::size_t answers_ = 0;        // of the reading under way
  FrameWriter* writer_ = nullptr;  // of the reading under way
  Visit visit_ = [this](const netlink::Message& message) { return take(message); };
};

std::unique_ptr<Collector> make_qdisc() {
  return std::make_unique<QdiscCollector>();
}

}  // namespace

extern const CollectorDescriptor kQdiscCollector = {
    .name = "qdisc",
    .help = "send queues, what waits in them and what they drop, per network interface",
    .make = make_qdisc,
    .metrics = qdisc_metrics,
    .poll_class = PollClass::kSlow,
    .may_block = true,
};

}  // namespace reveal::collect
