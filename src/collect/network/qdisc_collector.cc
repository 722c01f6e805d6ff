// What waits to be sent at each interface, and what its queueing discipline dropped: traffic
// shaping, full send queues, policing of what arrives. None of it is in /proc/net/dev.
//
// Asked of the kernel by rtnetlink, of this network namespace. The question takes the kernel's
// largest lock (RTNL), so it is asked seldom and in the background. Of interfaces without a queue
// (lo, veth) only those say something that have filters, as container networks put there.
#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>

#include "collect/collector.h"
#include "collect/network/qdisc_channels.h"
#include "netlink/dump.h"
#include "netlink/qdisc.h"

namespace reveal::collect {
namespace {

using model::MetricDescriptor;
using netlink::Qdisc;

constexpr std::size_t kMaxInterfaces = 64;
constexpr std::size_t kMaxAnswers = 65'536;  // an adapter has one for each of its queues

struct Interface {
  std::string name;
  QdiscChannels channels;
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
    if (Interface* interface = find(qdisc->interface)) interface->channels.set(*writer_, *qdisc);
    return netlink::Next::kMore;
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
    if (interfaces_.size() >= kMaxInterfaces) release_gone();
    if (interfaces_.size() >= kMaxInterfaces) return nullptr;
    interfaces_.push_back(
        {std::string(wanted), QdiscChannels(metrics_, fmt::format("dev={}", wanted))});
    return &interfaces_.back();
  }

  void release_gone() {
    std::erase_if(interfaces_, [&](Interface& known) {
      const bool is_there = ::if_nametoindex(known.name.c_str()) != 0;
      if (!is_there) known.channels.release(*writer_);
      return !is_there;
    });
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
