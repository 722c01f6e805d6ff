// /proc/net/softnet_stat: packets that each core took through the receive path, and those that it
// dropped or left for later.
//
// Kernels before 2020 do not say which core a line is of; then it is the n-th core online, unless
// there are more or fewer lines than cores online, as while one comes or goes: such a reading has
// no values, because they would be another core's.
#include <optional>

#include "collect/collector.h"
#include "collect/parts/instance_channels.h"
#include "collect/parts/metric_rows.h"
#include "procfs/cpu_list.h"
#include "procfs/softnet.h"
#include "procfs/text_file.h"

namespace reveal::collect {
namespace {

using model::Kind;
using model::MetricDescriptor;
using procfs::SoftnetField;

constexpr MetricRow<SoftnetField> row(SoftnetField field, std::string_view source,
                                      std::string_view alias, Kind kind, std::string_view unit,
                                      std::string_view name, std::string_view label,
                                      std::string_view help, std::int16_t rank) {
  MetricDescriptor out;
  out.name = name;
  out.label = label;
  out.unit = unit;
  out.kind = kind;
  out.subsystem = model::Subsystem::kNetwork;
  out.scope = model::Scope::kCore;
  out.counter_bits = 32;
  out.source = source;
  out.alias = alias;
  out.doc_url = "https://docs.kernel.org/networking/scaling.html";
  out.help = help;
  out.rank = rank;
  return {field, out};
}

constexpr MetricRow<SoftnetField> kRows[] = {
    row(SoftnetField::kProcessed, "/proc/net/softnet_stat column 1", "processed", Kind::kCounter,
        "packets", "network_softnet_packets_total", "Packets received per core",
        "Packets that the core took through the receive path.", 60),
    row(SoftnetField::kDropped, "/proc/net/softnet_stat column 2", "dropped", Kind::kEvent,
        "packets", "network_softnet_drops_total", "Packets dropped before the network stack",
        "Packets dropped because the core's backlog was full.", 30),
    row(SoftnetField::kSqueezed, "/proc/net/softnet_stat column 3", "time_squeeze", Kind::kEvent,
        "squeezes", "network_softnet_squeezes_total", "Receive budgets exhausted",
        "Times that the core stopped receiving with packets left, out of budget or of time.", 30),
    row(SoftnetField::kReceivedRps, "/proc/net/softnet_stat column 10", "received_rps",
        Kind::kCounter, "wakeups", "network_softnet_steered_wakeups_total",
        "Receive work steered to the core",
        "Times that another core woke this one to process packets (Linux 2.6.35).", 100),
    row(SoftnetField::kFlowLimit, "/proc/net/softnet_stat column 11", "flow_limit", Kind::kEvent,
        "packets", "network_softnet_flow_limit_drops_total", "Packets dropped by the flow limit",
        "Packets of large flows dropped while the backlog was half full (Linux 3.11).", 100),
    row(SoftnetField::kBacklog, "/proc/net/softnet_stat column 12", "backlog_len", Kind::kGauge,
        "packets", "network_softnet_backlog_packets", "Packets in the receive backlog",
        "Packets that wait for the core (since 2020).", 60),
};

class SoftnetCollector final : public Collector {
 public:
  base::Result<void> open(const procfs::HostRoot& root, model::ChannelTable& channels) override {
    file_ = procfs::TextFile(root.proc_path("net/softnet_stat"));
    online_file_ = procfs::TextFile(root.sys_path("devices/system/cpu/online"));
    if (auto text = file_.read(); !text) return base::pass(text);
    add_channels_of(*this, channels);
    return {};
  }

  void collect(FrameWriter& writer) override {
    const auto text = file_.read();
    if (!text) return;
    procfs::parse_softnet(*text, lines_);
    if (!name_cores()) return;
    for (const auto& line : lines_) {
      if (!line.cpu || *line.cpu >= kMaxCores) continue;
      auto& core = core_channels(cores_, static_cast<std::uint32_t>(*line.cpu), metrics_);
      for (std::size_t i = 0; i < metrics_.size(); ++i) core.set(writer, i, line[kRows[i].key]);
    }
  }

 private:
  // Returns whether every line's core is known.
  bool name_cores() {
    if (lines_.empty() || lines_.front().cpu) return true;
    const auto online = online_file_.read();
    if (!online) return false;
    if (*online != online_text_) {
      online_text_ = *online;
      online_ = procfs::parse_cpu_list(*online);
    }
    if (online_.size() != lines_.size()) return false;
    for (std::size_t i = 0; i < lines_.size(); ++i) lines_[i].cpu = online_[i];
    return true;
  }

  std::vector<MetricDescriptor> metrics_ = metrics_of(kRows);
  std::vector<InstanceChannels> cores_;
  procfs::TextFile file_;
  procfs::TextFile online_file_;
  std::string online_text_;
  std::vector<std::uint32_t> online_;
  std::vector<procfs::SoftnetCore> lines_;
};

std::vector<MetricDescriptor> softnet_metrics() {
  return metrics_of(kRows);
}

std::unique_ptr<Collector> make_softnet() {
  return std::make_unique<SoftnetCollector>();
}

}  // namespace

extern const CollectorDescriptor kSoftnetCollector = {
    .name = "softnet",
    .help = "packets received per core",
    .make = make_softnet,
    .metrics = softnet_metrics,
    .poll_class = PollClass::kMedium,
};

}  // namespace reveal::collect
