// /sys/bus/pci/devices/*/{current,max}_link_{width,speed}: the PCI Express links of GPUs, network
// adapters, NVMe drives and their root ports. A link that trained to fewer lanes or a lower speed
// than both its ends can do halves what goes through it and says nothing; here it is a flag. A GPU
// that idles lowers its speed on purpose, so the speed has a flag of its own.
#include <algorithm>

#include <fmt/format.h>

#include "collect/collector.h"
#include "collect/parts/device_files.h"
#include "collect/parts/scanned_collector.h"
#include "collect/pci/joined_text.h"
#include "collect/pci/pci_functions.h"
#include "procfs/pci_config.h"

namespace reveal::collect {
namespace {

using model::Kind;
using model::MetricDescriptor;
using model::Subsystem;

// Row of a kind's metrics.
enum Row : std::size_t {
  kWidth,
  kMaxWidth,
  kSpeed,
  kMaxSpeed,
  kNarrow,
  kSlow,
  kReadRequest,
  kPayload,
  kRows,
};

constexpr MetricDescriptor row(Subsystem subsystem, Kind kind, std::string_view unit,
                               std::string_view source, std::string_view alias,
                               std::string_view name, std::string_view label, std::string_view help,
                               std::int16_t rank) {
  MetricDescriptor out;
  out.name = name;
  out.label = label;
  out.unit = unit;
  out.kind = kind;
  out.subsystem = subsystem;
  out.scope = model::Scope::kDevice;
  out.source = source;
  out.alias = alias;
  out.doc_url = "https://docs.kernel.org/admin-guide/abi-testing.html";
  out.help = help;
  out.rank = rank;
  return out;
}

constexpr MetricDescriptor gigatransfers(MetricDescriptor out) {
  out.repr = model::Repr::kF64;
  out.scale = 1e9;
  return out;
}

// Name: "gpu". Thing: "GPU", as labels begin. Of: " of GPUs", which tells the sources apart.
template <Text Name, Text Thing, Text Of>
constexpr std::array<MetricDescriptor, kRows> metrics_of_kind(Subsystem s) {
  return {
      row(s, Kind::kGauge, "lanes", kJoined<"/sys/bus/pci/devices/*/current_link_width", Of>,
          "current_link_width", kJoined<Name, "_pcie_link_lanes">,
          kJoined<Thing, " PCIe link width">, "Lanes that the link runs with.", 40),
      row(s, Kind::kStatic, "lanes", kJoined<"/sys/bus/pci/devices/*/max_link_width", Of>,
          "max_link_width", kJoined<Name, "_pcie_link_maximum_lanes">,
          kJoined<Thing, " PCIe link width possible">, "Lanes that this end of the link has.", 80),
      gigatransfers(row(s, Kind::kGauge, "transfers/s",
                        kJoined<"/sys/bus/pci/devices/*/current_link_speed", Of>,
                        "current_link_speed", kJoined<Name, "_pcie_link_transfers_per_second">,
                        kJoined<Thing, " PCIe link speed">,
                        "Transfers per second of each lane of the link.", 50)),
      gigatransfers(row(s, Kind::kStatic, "transfers/s",
                        kJoined<"/sys/bus/pci/devices/*/max_link_speed", Of>, "max_link_speed",
                        kJoined<Name, "_pcie_link_maximum_transfers_per_second">,
                        kJoined<Thing, " PCIe link speed possible">,
                        "Transfers per second of each lane that this end of the link can do.", 80)),
      row(s, Kind::kGauge, "flag",
          kJoined<"/sys/bus/pci/devices/*/{current,max}_link_width compared", Of>,
          "LnkSta Width downgraded", kJoined<Name, "_pcie_link_narrow_flag">,
          kJoined<Thing, " PCIe link too narrow">,
          "Whether the link runs with fewer lanes than both its ends have.", 20),
      row(s, Kind::kGauge, "flag",
          kJoined<"/sys/bus/pci/devices/*/{current,max}_link_speed compared", Of>,
          "LnkSta Speed downgraded", kJoined<Name, "_pcie_link_slow_flag">,
          kJoined<Thing, " PCIe link too slow">,
          "Whether the link runs slower than both its ends can, as a GPU's does when it idles.",
          60),
      row(s, Kind::kStatic, "bytes", kJoined<"/sys/bus/pci/devices/*/config DevCtl MaxReadReq", Of>,
          "MaxReadReq", kJoined<Name, "_pcie_read_request_maximum_bytes">,
          kJoined<Thing, " PCIe read request size">,
          "Largest read request that the function may send, as it was set when it was found.", 80),
      row(s, Kind::kStatic, "bytes", kJoined<"/sys/bus/pci/devices/*/config DevCtl MaxPayload", Of>,
          "MaxPayload", kJoined<Name, "_pcie_payload_maximum_bytes">,
          kJoined<Thing, " PCIe payload size">,
          "Largest payload that the function may send, as it was set when it was found.", 100),
  };
}

constexpr std::array<std::array<MetricDescriptor, kRows>, kPciKinds> kMetrics = {
    metrics_of_kind<"gpu", "GPU", " of GPUs">(Subsystem::kGpu),
    metrics_of_kind<"network", "Network adapter", " of network adapters">(Subsystem::kNetwork),
    metrics_of_kind<"storage", "NVMe", " of NVMe drives">(Subsystem::kStorage),
};

// An attribute whose latest value is remembered.
class Number {
 public:
  explicit Number(std::string path) : file_(std::move(path)) {}

  std::optional<double> read(ReadReal parse) {
    procfs::AttributeBuffer buffer;
    const auto text = file_.read(buffer);
    return text ? parse(*text) : std::nullopt;
  }
  const procfs::AttributeFile& file() const { return file_; }

 private:
  procfs::AttributeFile file_;
};

// The width or the speed of a link: what it runs with, and what its ends can do.
class Quality {
 public:
  Quality(const PciFunction& function, std::string_view what)
      : now_(fmt::format("{}/current_link_{}", function.folder, what)),
        most_(fmt::format("{}/max_link_{}", function.folder, what)) {
    if (!function.partner.empty()) {
      partner_.emplace(fmt::format("{}/max_link_{}", function.partner, what));
    }
  }

  void read(ReadReal parse) {
    now = now_.read(parse);
    most = most_.read(parse);
    const auto partner = partner_ ? partner_->read(parse) : most;
    const auto possible = most && partner ? std::optional(std::min(*most, *partner)) : most;
    below = now && possible ? std::optional<double>(*now < *possible ? 1 : 0) : std::nullopt;
  }

  const procfs::AttributeFile& file_of_now() const { return now_.file(); }

  std::optional<double> now;
  std::optional<double> most;
  std::optional<double> below;  // 1 where the link runs with less than both ends can do

 private:
  Number now_;
  Number most_;
  std::optional<Number> partner_;
};

procfs::Value whole(std::optional<double> value) {
  return value ? procfs::Value(static_cast<std::uint64_t>(*value)) : std::nullopt;
}

// Returns the lanes; nothing for 0, which a function without a link says, and for more than the 32
// that a link can have, as a function says that has left the bus.
std::optional<double> parse_lanes(AttributeText text) {
  constexpr std::uint64_t kMaxLanes = 32;
  const auto lanes = procfs::parse_whole(text);
  if (!lanes || *lanes == 0 || *lanes > kMaxLanes) return std::nullopt;
  return static_cast<double>(*lanes);
}

class Link {
 public:
  Link(std::span<const MetricDescriptor> metrics, const PciFunction& function)
      : channels_(metrics, fmt::format("pci={}", function.address)),
        first_row_(static_cast<std::size_t>(function.kind) * kRows),
        width_(function, "width"),
        speed_(function, "speed"),
        config_(function.folder + "/config") {
    read_config();
  }

  void read(FrameWriter& writer) {
    width_.read(parse_lanes);
    speed_.read(procfs::parse_link_speed);
    set(writer, kWidth, whole(width_.now));
    set(writer, kMaxWidth, whole(width_.most));
    set(writer, kNarrow, whole(width_.below));
    set(writer, kSpeed, speed_.now);
    set(writer, kMaxSpeed, speed_.most);
    set(writer, kSlow, whole(speed_.below));
    if (!control_) return;
    set(writer, kReadRequest, procfs::Value(control_->max_read_request_bytes));
    set(writer, kPayload, procfs::Value(control_->max_payload_bytes));
  }

  std::optional<base::Error> error_of(std::size_t row) const {
    if (row < first_row_ || row >= first_row_ + kRows) return std::nullopt;
    if (row - first_row_ >= kReadRequest) {
      if (control_) return std::nullopt;
      return base::Error{base::ErrorKind::kPermission, "only its first 64 bytes can be read",
                         config_.path(), ""};
    }
    const auto& file = width_.file_of_now();
    if (file.error() == 0) return std::nullopt;
    return base::fail_errno(file.error(), "cannot be read", file.path()).value();
  }

 private:
  template <typename Value>
  void set(FrameWriter& writer, std::size_t row, Value value) {
    channels_.set(writer, first_row_ + row, value);
  }

  // Each word of the configuration space is asked of the device, so no more of it is read than
  // holds the capabilities of PCI, and that once.
  void read_config() {
    std::array<char, 256> buffer{};
    if (const auto bytes = config_.read(buffer)) control_ = procfs::pcie_device_control(*bytes);
  }

  InstanceChannels channels_;
  std::size_t first_row_;
  Quality width_;
  Quality speed_;
  procfs::AttributeFile config_;
  std::optional<procfs::PcieDeviceControl> control_;
};

std::vector<Link> scan(const procfs::HostRoot& root, std::span<const MetricDescriptor> metrics) {
  std::vector<Link> out;
  for (const auto& function : find_pci_functions(root)) out.emplace_back(metrics, function);
  return out;
}

std::vector<MetricDescriptor> pci_link_metrics() {
  std::vector<MetricDescriptor> out;
  for (const auto& kind : kMetrics) out.insert(out.end(), kind.begin(), kind.end());
  return out;
}

std::unique_ptr<Collector> make_pci_link() {
  return std::make_unique<ScannedCollector<Link>>(
      pci_link_metrics(),
      ScannedSource<Link>{.scan = scan,
                          .watched = {kPciDevices},
                          .none = "no GPU, network adapter or NVMe drive on PCI Express",
                          .remedy = ""});
}

}  // namespace

extern const CollectorDescriptor kPciLinkCollector = {
    .name = "pci_link",
    .help = "PCIe links narrower or slower than they can be",
    .make = make_pci_link,
    .metrics = pci_link_metrics,
    .poll_class = PollClass::kSlow,
    .may_block = true,
};

}  // namespace reveal::collect
