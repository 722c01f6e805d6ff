// /sys/class/net: what the links of this network namespace are, and the errors that /proc/net/dev
// does not tell apart.
//
// Some of these files take the kernel's largest lock (RTNL) or ask the adapter: only those that a
// metric needs are read, seldom, on a thread of their own. `speed` is -1 or refused while the link
// is down. Adapters come first: of interfaces without a device (veth, bridges) only some are
// followed, as container hosts make and drop them all day.
#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "collect/collector.h"
#include "collect/network/net_link_queues.h"
#include "collect/parts/attribute_rows.h"
#include "collect/parts/fact_text.h"
#include "procfs/attribute.h"

namespace reveal::collect {
namespace {

using model::Kind;
using model::MetricDescriptor;

constexpr std::size_t kMaxEntries = 4096;  // of the folder
constexpr std::size_t kMaxAdapters = 64;
constexpr std::size_t kMaxVirtual = 32;

constexpr std::uint64_t kNoSpeed32 = 0xFFFFFFFF;  // some drivers print -1 as unsigned
constexpr std::uint64_t kNoSpeed16 = 0xFFFF;

// Returns the speed in Mb/s; drivers write an unknown one in several ways.
AttributeValue link_speed(std::string_view line) {
  const auto speed = procfs::parse_u64(line);
  if (!speed || *speed == 0 || *speed == kNoSpeed16 || *speed == kNoSpeed32) return {};
  return *speed;
}

// Returns the state by its number in RFC 2863's order, as linux/if.h has it.
AttributeValue operational_state(std::string_view line) {
  constexpr std::array<std::string_view, 7> kStates = {
      "unknown", "notpresent", "down", "lowerlayerdown", "testing", "dormant", "up"};
  const auto at = std::find(kStates.begin(), kStates.end(), line);
  if (at == kStates.end()) return {};
  return static_cast<std::uint64_t>(at - kStates.begin());
}

constexpr AttributeRow row(AttributeParser parser, Kind kind, std::string_view source,
                           std::string_view alias, std::string_view unit, std::string_view name,
                           std::string_view label, std::string_view help, std::int16_t rank = 100) {
  MetricDescriptor out;
  out.name = name;
  out.label = label;
  out.unit = unit;
  out.kind = kind;
  out.subsystem = model::Subsystem::kNetwork;
  out.scope = model::Scope::kNic;
  out.source = source;
  out.alias = alias;
  out.doc_url = "https://www.kernel.org/doc/Documentation/ABI/testing/sysfs-class-net";
  out.help = help;
  out.rank = rank;
  return {parser, out};
}

constexpr AttributeRow statistic(AttributeRow out) {
  out.metric.doc_url = "https://docs.kernel.org/networking/statistics.html";
  return out;
}

constexpr AttributeRow megabits(AttributeRow out) {
  out.metric.scale = 1e6;
  return out;
}

constexpr AttributeRow kRows[] = {
    statistic(row(decimal_attribute, Kind::kEvent, "/sys/class/net/*/statistics/rx_missed_errors",
                  "rx_missed_errors", "packets", "network_receive_missed_total",
                  "Network packets missed",
                  "Packets that the adapter dropped because the host gave it no buffer.", 20)),
    statistic(row(decimal_attribute, Kind::kEvent, "/sys/class/net/*/statistics/rx_crc_errors",
                  "rx_crc_errors", "packets", "network_receive_crc_errors_total",
                  "Network checksum errors", "Packets received with a wrong link checksum.", 20)),
    statistic(row(decimal_attribute, Kind::kEvent, "/sys/class/net/*/statistics/rx_nohandler",
                  "rx_nohandler", "packets", "network_receive_unhandled_total",
                  "Network packets without a taker",
                  "Packets dropped because the interface was an inactive part of another "
                  "(Linux 4.6).")),
    row(decimal_attribute, Kind::kEvent, "/sys/class/net/*/carrier_changes", "carrier_changes",
        "changes", "network_carrier_changes_total", "Network carrier changes",
        "Times that the link went up or down (Linux 3.15).", 20),
    row(operational_state, Kind::kGauge, "/sys/class/net/*/operstate", "operstate", "state",
        "network_operational_state", "Network link state",
        "0 unknown, 1 not present, 2 down, 3 lower layer down, 4 testing, 5 dormant, 6 up.", 50),
    megabits(row(link_speed, Kind::kStatic, "/sys/class/net/*/speed", "speed", "bits/s",
                 "network_speed_bits_per_second", "Network link speed",
                 "Speed that the link was negotiated to.", 40)),
    row(decimal_attribute, Kind::kStatic, "/sys/class/net/*/mtu", "mtu", "bytes",
        "network_mtu_bytes", "Network packet size limit",
        "The largest packet that the interface sends in one piece."),
    row(decimal_attribute, Kind::kStatic, "/sys/class/net/*/tx_queue_len", "tx_queue_len",
        "packets", "network_send_queue_limit_packets", "Network send queue limit",
        "The most packets that wait in the interface's send queue."),
    row(decimal_attribute, Kind::kStatic, "/sys/class/net/*/device/numa_node", "numa_node", "node",
        "network_numa_node", "Network adapter's NUMA node",
        "The memory node that the adapter is attached to."),
};

constexpr MetricDescriptor queue_fact(std::string_view source, std::string_view alias,
                                      std::string_view unit, std::string_view name,
                                      std::string_view label, std::string_view help) {
  MetricDescriptor out = row(nullptr, Kind::kStatic, source, alias, unit, name, label, help).metric;
  out.doc_url = "https://docs.kernel.org/networking/scaling.html";
  return out;
}

constexpr MetricDescriptor kQueueMetrics[] = {
    queue_fact("/sys/class/net/*/queues/rx-*", "rx_queues", "queues", "network_receive_queues",
               "Network receive queues", "Queues that the interface receives with."),
    queue_fact("/sys/class/net/*/queues/rx-*/rps_cpus", "rps_cpus", "cpus", "network_rps_cpus",
               "Cores that share received packets",
               "Cores that packets of any receive queue are spread over by software."),
    queue_fact("/sys/class/net/*/queues/tx-*", "tx_queues", "queues", "network_send_queues",
               "Network send queues", "Queues that the interface sends with."),
    queue_fact("/sys/class/net/*/queues/tx-*/xps_cpus", "xps_cpus", "cpus", "network_xps_cpus",
               "Cores mapped to send queues",
               "Cores whose packets go to a send queue chosen for them."),
};

std::vector<MetricDescriptor> queue_metrics() {
  return {std::begin(kQueueMetrics), std::end(kQueueMetrics)};
}

struct Link {
  std::string name;
  std::string folder;
  bool adapter;
  AttributeChannels values;
  InstanceChannels queues;
  FactText duplex;
  FactText rps;
  FactText xps;
  std::string duplex_path;
};

class NetLinkCollector final : public Collector {
 public:
  base::Result<void> open(const procfs::HostRoot& root, model::ChannelTable& channels) override {
    folder_ = root.sys_path("class/net");
    if (!procfs::list_folder(folder_, names_, kMaxEntries)) {
      return base::fail(base::ErrorKind::kAbsent, "no such folder", folder_, "mount sysfs");
    }
    add_channels_of(*this, channels);
    for (Link& link : links_) {
      for (FactText* fact : {&link.duplex, &link.rps, &link.xps}) fact->forget();
    }
    if (!links_.empty()) return {};
    return base::fail(base::ErrorKind::kAbsent, "no network interface but lo", folder_, "");
  }

  void collect(FrameWriter& writer) override {
    follow_links(writer);
    for (Link& link : links_) {
      link.values.read(writer, reader_);
      link.duplex.say(writer, reader_.read(link.duplex_path));
      set_queues(writer, link, 0, link.rps, rx_.read(link.folder, reader_));
      set_queues(writer, link, 2, link.xps, tx_.read(link.folder, reader_));
    }
  }

  base::Error why_absent(const MetricDescriptor& metric) const override {
    if (links_.empty())
      return {base::ErrorKind::kAbsent, "no network interface but lo", folder_, ""};
    procfs::AttributeReader reader;
    for (std::size_t row = 0; row < metrics_.size(); ++row) {
      if (metrics_[row].name != metric.name) continue;
      return {base::ErrorKind::kAbsent, links_.front().values.why_absent(row, reader), "", ""};
    }
    return {base::ErrorKind::kAbsent, "no queue of " + links_.front().name + " says it", "", ""};
  }

 private:
  // `first` is the row of the number of queues; the number of cores follows it.
  static void set_queues(FrameWriter& writer, Link& link, std::size_t first, FactText& fact,
                         const QueueSteering& steering) {
    if (steering.queues > 0) link.queues.set(writer, first, procfs::Value(steering.queues));
    if (steering.complete) {
      link.queues.set(writer, first + 1, procfs::Value(steering.cpus.count()));
    }
    fact.say(writer, steering.text);
  }

  // Virtual ones come and go with names of their own.
  void release_gone(FrameWriter& writer) {
    std::erase_if(links_, [&](Link& link) {
      if (has(link.name, "/mtu")) return false;
      link.values.channels().release(writer);
      link.queues.release(writer);
      for (FactText* fact : {&link.duplex, &link.rps, &link.xps}) fact->say(writer, "");
      return true;
    });
  }

  void follow_links(FrameWriter& writer) {
    procfs::list_folder(folder_, names_, kMaxEntries);
    if (followed(false) >= kMaxVirtual || followed(true) >= kMaxAdapters) release_gone(writer);
    for (const std::string& name : names_) {
      if (name == "lo" || is_followed(name)) continue;
      const bool room_for_virtual = followed(false) < kMaxVirtual;
      if (!room_for_virtual && followed(true) >= kMaxAdapters) return;
      if (!has(name, "/mtu")) continue;  // bonding_masters is a file
      const bool adapter = has(name, "/device");
      if (adapter ? followed(true) < kMaxAdapters : room_for_virtual) add(name, adapter);
    }
  }

  bool has(const std::string& name, std::string_view entry) {
    path_.assign(folder_).append("/").append(name).append(entry);
    return ::access(path_.c_str(), F_OK) == 0;
  }

  bool is_followed(const std::string& name) const {
    return std::any_of(links_.begin(), links_.end(),
                       [&](const Link& link) { return link.name == name; });
  }

  std::size_t followed(bool adapters) const {
    return static_cast<std::size_t>(std::count_if(
        links_.begin(), links_.end(), [&](const Link& link) { return link.adapter == adapters; }));
  }

  void add(const std::string& name, bool adapter) {
    const std::string instance = fmt::format("dev={}", name);
    const std::string folder = folder_ + "/" + name;
    links_.push_back({name, folder, adapter, AttributeChannels(kRows, metrics_, folder, instance),
                      InstanceChannels(queue_metrics_, instance),
                      FactText(fmt::format("duplex of {}", name)),
                      FactText(fmt::format("rps_cpus of {}", name)),
                      FactText(fmt::format("xps_cpus of {}", name)), folder + "/duplex"});
  }

  std::vector<MetricDescriptor> metrics_ = metrics_of(kRows);
  std::vector<MetricDescriptor> queue_metrics_ = queue_metrics();
  std::string folder_;
  std::string path_;
  std::vector<std::string> names_;
  std::vector<Link> links_;
  QueueReader rx_{"rx-", "rps_cpus"};
  QueueReader tx_{"tx-", "xps_cpus"};
  procfs::AttributeReader reader_;
};

std::vector<MetricDescriptor> net_link_metrics() {
  auto out = metrics_of(kRows);
  out.insert(out.end(), std::begin(kQueueMetrics), std::end(kQueueMetrics));
  return out;
}

std::unique_ptr<Collector> make_net_link() {
  return std::make_unique<NetLinkCollector>();
}

}  // namespace

extern const CollectorDescriptor kNetLinkCollector = {
    .name = "net_link",
    .help = "speed, state and steering per network interface",
    .make = make_net_link,
    .metrics = net_link_metrics,
    .poll_class = PollClass::kSlow,
    .may_block = true,
};

}  // namespace reveal::collect
