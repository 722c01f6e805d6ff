// /sys/class/infiniband: the ports of InfiniBand and RoCE adapters.
//
// Reading a counter can mean a question to the adapter's firmware, which may take its time or never
// answer; so all of these are read on threads of their own. A port without performance management
// says "N/A (no PMA)" instead of a number, which leaves the channel missing. Adapters come and go;
// the ports of one are looked up when it comes.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "collect/collector.h"
#include "collect/infiniband/infiniband_metrics.h"
#include "collect/infiniband/port_interface.h"
#include "collect/parts/attribute_rows.h"
#include "collect/parts/fact_text.h"
#include "procfs/attribute.h"

namespace reveal::collect {
namespace {

using model::MetricDescriptor;

constexpr std::size_t kMaxPorts = 64;
constexpr std::size_t kMaxEntries = 256;  // of a folder
constexpr std::string_view kRemedy = "load the driver of the InfiniBand or RoCE adapter";

// A line of text that holds for a port or its adapter.
struct FactFile {
  std::string_view subject;  // "link layer"
  std::string_view path;     // below the port's folder
  bool of_adapter;           // the same for all its ports
};

constexpr FactFile kFacts[] = {
    {"link layer", "link_layer", false},
    {"link rate", "rate", false},
    {"firmware", "../../fw_ver", true},
    {"board", "../../board_id", true},
};

struct Fact {
  FactText text;
  std::string path;
};

struct InterfaceFact {
  FactText text;
  PortInterface of;
};

class InfinibandCollector final : public Collector {
 public:
  InfinibandCollector(std::span<const AttributeRow> rows, std::span<const FactFile> facts)
      : rows_(rows), metrics_(metrics_of(rows)), fact_files_(facts) {}

  base::Result<void> open(const procfs::HostRoot& root, model::ChannelTable& channels) override {
    folder_ = root.sys_path("class/infiniband");
    if (!procfs::list_folder(folder_, names_, kMaxEntries)) {
      return base::fail(base::ErrorKind::kAbsent, "no InfiniBand or RoCE adapter", folder_,
                        std::string(kRemedy));
    }
    add_channels_of(*this, channels);
    for (Port& port : ports_) {
      for (Fact& fact : port.facts) fact.text.forget();
      if (port.interface) port.interface->text.forget();
    }
    if (has_value()) return {};
    return base::fail(base::ErrorKind::kAbsent, why_nothing(), folder_, "");
  }

  void collect(FrameWriter& writer) override {
    follow_adapters();
    for (Port& port : ports_) {
      port.values.read(writer, reader_);
      for (Fact& fact : port.facts) fact.text.say(writer, reader_.read(fact.path));
      if (port.interface) port.interface->text.say(writer, port.interface->of.read(reader_));
    }
  }

  base::Error why_absent(const MetricDescriptor& metric) const override {
    const auto at = std::find_if(metrics_.begin(), metrics_.end(),
                                 [&](const auto& row) { return row.name == metric.name; });
    if (ports_.empty() || at == metrics_.end()) return Collector::why_absent(metric);
    procfs::AttributeReader reader;
    const auto row = static_cast<std::size_t>(at - metrics_.begin());
    return {base::ErrorKind::kAbsent, ports_.front().values.why_absent(row, reader), "", ""};
  }

 private:
  struct Port {
    std::string adapter;
    AttributeChannels values;
    std::vector<Fact> facts;
    std::optional<InterfaceFact> interface {};  // of a collector that tells facts
  };

  bool has_value() const {
    return std::any_of(ports_.begin(), ports_.end(),
                       [](const Port& port) { return port.values.channels().any(); });
  }

  std::string why_nothing() const {
    if (ports_.empty()) return "no adapter has a port";
    procfs::AttributeReader reader;
    return ports_.front().values.why_absent(0, reader);
  }

  void follow_adapters() {
    procfs::list_folder(folder_, names_, kMaxEntries);
    for (const std::string& adapter : names_) {
      const bool known = std::any_of(ports_.begin(), ports_.end(),
                                     [&](const Port& port) { return port.adapter == adapter; });
      if (!known) add_ports_of(adapter);
    }
  }

  void add_ports_of(const std::string& adapter) {
    const std::string folder = folder_ + "/" + adapter + "/ports";
    std::vector<std::string> numbers;
    procfs::list_folder(folder, numbers, kMaxEntries);
    for (const std::string& number : numbers) {
      if (ports_.size() >= kMaxPorts || !procfs::parse_u64(number)) continue;
      const std::string path = fmt::format("{}/{}", folder, number);
      ports_.push_back({adapter,
                        {rows_, metrics_, path, fmt::format("dev={},port={}", adapter, number)},
                        facts_of(adapter, number, path)});
      if (fact_files_.empty()) continue;
      ports_.back().interface.emplace(
          InterfaceFact{FactText(fmt::format("interface of {} port {}", adapter, number)),
                        PortInterface(folder_ + "/" + adapter, number)});
    }
  }

  std::vector<Fact> facts_of(const std::string& adapter, const std::string& number,
                             const std::string& path) const {
    const bool first = std::none_of(ports_.begin(), ports_.end(),
                                    [&](const Port& port) { return port.adapter == adapter; });
    std::vector<Fact> out;
    for (const FactFile& file : fact_files_) {
      if (file.of_adapter && !first) continue;
      const std::string of = file.of_adapter ? adapter : fmt::format("{} port {}", adapter, number);
      out.push_back({FactText(fmt::format("{} of {}", file.subject, of)),
                     fmt::format("{}/{}", path, file.path)});
    }
    return out;
  }

  std::span<const AttributeRow> rows_;
  std::vector<MetricDescriptor> metrics_;
  std::span<const FactFile> fact_files_;
  std::string folder_;
  std::vector<std::string> names_;
  std::vector<Port> ports_;
  procfs::AttributeReader reader_;
};

std::vector<MetricDescriptor> infiniband_traffic_metrics() {
  return metrics_of(infiniband_traffic_rows());
}
std::unique_ptr<Collector> make_infiniband_traffic() {
  return std::make_unique<InfinibandCollector>(infiniband_traffic_rows(),
                                               std::span<const FactFile>());
}

std::vector<MetricDescriptor> infiniband_counters_metrics() {
  return metrics_of(infiniband_counter_rows());
}
std::unique_ptr<Collector> make_infiniband_counters() {
  return std::make_unique<InfinibandCollector>(infiniband_counter_rows(),
                                               std::span<const FactFile>());
}

std::vector<MetricDescriptor> infiniband_hw_counters_metrics() {
  return metrics_of(infiniband_hw_counter_rows());
}
std::unique_ptr<Collector> make_infiniband_hw_counters() {
  return std::make_unique<InfinibandCollector>(infiniband_hw_counter_rows(),
                                               std::span<const FactFile>());
}

std::vector<MetricDescriptor> infiniband_ports_metrics() {
  return metrics_of(infiniband_port_rows());
}
std::unique_ptr<Collector> make_infiniband_ports() {
  return std::make_unique<InfinibandCollector>(infiniband_port_rows(), kFacts);
}

}  // namespace

extern const CollectorDescriptor kInfinibandTrafficCollector = {
    .name = "infiniband_traffic",
    .help = "bytes per InfiniBand or RoCE port",
    .make = make_infiniband_traffic,
    .metrics = infiniband_traffic_metrics,
    .may_block = true,
};

extern const CollectorDescriptor kInfinibandCountersCollector = {
    .name = "infiniband_counters",
    .help = "packets and link errors per InfiniBand or RoCE port",
    .make = make_infiniband_counters,
    .metrics = infiniband_counters_metrics,
    .poll_class = PollClass::kMedium,
    .may_block = true,
};

extern const CollectorDescriptor kInfinibandHwCountersCollector = {
    .name = "infiniband_hw_counters",
    .help = "retransmissions and congestion per RDMA port",
    .make = make_infiniband_hw_counters,
    .metrics = infiniband_hw_counters_metrics,
    .poll_class = PollClass::kMedium,
    .may_block = true,
};

extern const CollectorDescriptor kInfinibandPortsCollector = {
    .name = "infiniband_ports",
    .help = "state and rate per InfiniBand or RoCE port",
    .make = make_infiniband_ports,
    .metrics = infiniband_ports_metrics,
    .poll_class = PollClass::kSlow,
    .may_block = true,
};

}  // namespace reveal::collect
