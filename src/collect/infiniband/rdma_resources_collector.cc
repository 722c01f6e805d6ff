// Objects per RDMA device: queue pairs, completion queues, memory regions. How many queue pairs a
// job opened decides how its traffic spreads over paths, and the kernel tells it without access to
// the job.
#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <linux/netlink.h>

#include "collect/collector.h"
#include "collect/parts/instance_channels.h"
#include "collect/parts/metric_rows.h"
#include "netlink/dump.h"
#include "netlink/rdma_resources.h"

namespace reveal::collect {
namespace {

using model::MetricDescriptor;
using netlink::RdmaResource;

constexpr std::size_t kMaxDevices = 64;

constexpr MetricRow<RdmaResource> row(RdmaResource resource, std::string_view source,
                                      std::string_view alias, std::string_view name,
                                      std::string_view label, std::string_view help,
                                      std::int16_t rank) {
  MetricDescriptor out;
  out.name = name;
  out.label = label;
  out.unit = "objects";
  out.subsystem = model::Subsystem::kNetwork;
  out.scope = model::Scope::kNic;
  out.source = source;
  out.alias = alias;
  out.doc_url = "https://man7.org/linux/man-pages/man8/rdma-resource.8.html";
  out.help = help;
  out.rank = rank;
  return {resource, out};
}

constexpr MetricRow<RdmaResource> kRows[] = {
    row(RdmaResource::kQp, "rdma_nldev RES_GET qp", "qp", "network_rdma_queue_pairs",
        "RDMA queue pairs", "Queue pairs that exist on the device, of all programs.", 20),
    row(RdmaResource::kCq, "rdma_nldev RES_GET cq", "cq", "network_rdma_completion_queues",
        "RDMA completion queues", "Completion queues that exist on the device.", 40),
    row(RdmaResource::kMr, "rdma_nldev RES_GET mr", "mr", "network_rdma_memory_regions",
        "RDMA memory regions", "Memory regions that are registered with the device.", 30),
    row(RdmaResource::kPd, "rdma_nldev RES_GET pd", "pd", "network_rdma_protection_domains",
        "RDMA protection domains", "Protection domains that exist on the device.", 100),
    row(RdmaResource::kCmId, "rdma_nldev RES_GET cm_id", "cm_id", "network_rdma_connection_ids",
        "RDMA connection identifiers",
        "Identifiers of the connection manager that are bound to the device.", 100),
    row(RdmaResource::kCtx, "rdma_nldev RES_GET ctx", "ctx", "network_rdma_contexts",
        "RDMA user contexts", "Programs' contexts that are open on the device (Linux 5.3).", 50),
};

class RdmaResourcesCollector final : public Collector {
 public:
  base::Result<void> open(const procfs::HostRoot& root, model::ChannelTable& channels) override {
    if (!root.is_live()) {
      return base::fail(base::ErrorKind::kAbsent, "RDMA netlink is of the running kernel only",
                        root.proc, "leave --proc-root at /proc");
    }
    const auto asked = dumper_.run(netlink::rdma_resources_request(), {},
                                   [](const auto&) { return netlink::Next::kMore; });
    if (!asked) {
      return base::fail(base::ErrorKind::kAbsent, asked.error().what, "RDMA netlink",
                        "load the driver of the InfiniBand or RoCE adapter");
    }
    add_channels_of(*this, channels);
    if (!devices_.empty()) return {};
    return base::fail(base::ErrorKind::kAbsent, "no RDMA device", "RDMA netlink",
                      "load the driver of the InfiniBand or RoCE adapter");
  }

  void collect(FrameWriter& writer) override {
    writer_ = &writer;
    // A dump that fails midway leaves the devices behind it missing.
    (void)dumper_.run(netlink::rdma_resources_request(), {}, visit_);
    writer_ = nullptr;
  }

 private:
  struct Device {
    std::string name;
    InstanceChannels channels;
  };

  netlink::Next take(const netlink::Message& message) {
    const auto resources = netlink::parse_rdma_resources(message.payload);
    if (!resources) return netlink::Next::kMore;
    Device* device = find(resources->device);
    if (device == nullptr) return netlink::Next::kMore;
    for (std::size_t row = 0; row < std::size(kRows); ++row) {
      const auto resource = static_cast<std::size_t>(kRows[row].key);
      device->channels.set(*writer_, row, resources->counts[resource]);
    }
    return netlink::Next::kMore;
  }

  Device* find(std::string_view name) {
    const auto at = std::find_if(devices_.begin(), devices_.end(),
                                 [&](const Device& device) { return device.name == name; });
    if (at != devices_.end()) return &*at;
    if (devices_.size() >= kMaxDevices) return nullptr;
    devices_.push_back(
        {std::string(name), InstanceChannels(metrics_, fmt::format("dev={}", name))});
    return &devices_.back();
  }

  std::vector<MetricDescriptor> metrics_ = metrics_of(kRows);
  std::vector<Device> devices_;
  netlink::Dumper dumper_{NETLINK_RDMA, "RDMA netlink"};
  FrameWriter* writer_ = nullptr;  // of the reading under way
  std::function<netlink::Next(const netlink::Message&)> visit_ =
      [this](const netlink::Message& message) { return take(message); };
};

std::vector<MetricDescriptor> rdma_resources_metrics() {
  return metrics_of(kRows);
}

std::unique_ptr<Collector> make_rdma_resources() {
  return std::make_unique<RdmaResourcesCollector>();
}

}  // namespace

extern const CollectorDescriptor kRdmaResourcesCollector = {
    .name = "rdma_resources",
    .help = "queue pairs and other objects per RDMA device",
    .make = make_rdma_resources,
    .metrics = rdma_resources_metrics,
    .poll_class = PollClass::kMedium,
    .may_block = true,
};

}  // namespace reveal::collect
