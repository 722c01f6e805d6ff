// /proc/sys: the kernel's parameters that decide how memory, network and cores are used. They are
// constant until somebody turns a knob; what differs between two hosts of a fleet is often the
// cause. A parameter that is a word is a fact; the others are numbers, to be compared between
// hosts.
#include <charconv>
#include <optional>

#include "collect/collector.h"
#include "collect/parts/instance_channels.h"
#include "collect/parts/keyed_collector.h"
#include "collect/parts/text_facts.h"
#include "procfs/text_cursor.h"

namespace reveal::collect {
namespace {

std::vector<model::MetricDescriptor> sysctl_metrics();

using model::MetricDescriptor;
using model::Subsystem;

constexpr MetricDescriptor row(std::string_view source, std::string_view doc_url,
                               std::string_view unit, std::string_view name, std::string_view label,
                               std::string_view help) {
  MetricDescriptor out;
  out.name = name;
  out.label = label;
  out.unit = unit;
  out.kind = model::Kind::kStatic;
  out.source = source;
  const auto path = source.substr(0, source.find(' '));
  out.alias = path.substr(path.rfind('/') + 1);
  out.doc_url = doc_url;
  out.help = help;
  return out;
}

constexpr MetricDescriptor vm(std::string_view source, std::string_view unit, std::string_view name,
                              std::string_view label, std::string_view help, double scale = 1.0) {
  auto out =
      row(source, "https://docs.kernel.org/admin-guide/sysctl/vm.html", unit, name, label, help);
  out.subsystem = Subsystem::kMemory;
  out.scale = scale;
  return out;
}

constexpr MetricDescriptor net(std::string_view source, std::string_view unit,
                               std::string_view name, std::string_view label, std::string_view help,
                               double scale = 1.0) {
  auto out =
      row(source, "https://docs.kernel.org/admin-guide/sysctl/net.html", unit, name, label, help);
  out.subsystem = Subsystem::kNetwork;
  out.scale = scale;
  return out;
}

constexpr MetricDescriptor tcp(std::string_view source, std::string_view unit,
                               std::string_view name, std::string_view label,
                               std::string_view help) {
  auto out =
      row(source, "https://docs.kernel.org/networking/ip-sysctl.html", unit, name, label, help);
  out.subsystem = Subsystem::kNetwork;
  return out;
}

constexpr MetricDescriptor kernel(std::string_view source, std::string_view unit,
                                  std::string_view name, std::string_view label,
                                  std::string_view help) {
  return row(source, "https://docs.kernel.org/admin-guide/sysctl/kernel.html", unit, name, label,
             help);
}

constexpr MetricDescriptor of_memory(MetricDescriptor out) {
  out.subsystem = Subsystem::kMemory;
  return out;
}

// Parameters that may be -1.
constexpr MetricDescriptor negative(MetricDescriptor out, double scale = 1.0) {
  out.repr = model::Repr::kF64;
  out.scale = scale;
  return out;
}

constexpr double kPercent = 0.01;
constexpr double kKib = 1024.0;
constexpr double kCentiseconds = 0.01;
constexpr double kMicroseconds = 1e-6;

// Sources say which word of the line it is, if it is not the first.
constexpr MetricDescriptor kMetrics[] = {
    vm("/proc/sys/vm/swappiness", "level", "memory_swappiness_level", "Swappiness",
       "How readily memory of programs is swapped rather than page cache dropped, 0 to 200."),
    vm("/proc/sys/vm/zone_reclaim_mode", "mode", "memory_zone_reclaim_mode", "Zone reclaim mode",
       "Where not 0, a NUMA node frees its own pages before it takes those of another."),
    vm("/proc/sys/vm/dirty_ratio", "ratio", "memory_dirty_limit_ratio",
       "Configured dirty memory limit",
       "Share of available memory that may be dirty before writers must write themselves; 0 where "
       "the limit is in bytes.",
       kPercent),
    vm("/proc/sys/vm/dirty_background_ratio", "ratio", "memory_dirty_background_limit_ratio",
       "Configured background writeback limit",
       "Share of available memory that may be dirty before writing back begins; 0 where the limit "
       "is in bytes.",
       kPercent),
    vm("/proc/sys/vm/dirty_bytes", "bytes", "memory_dirty_limit_bytes",
       "Configured dirty memory limit in bytes", "The same limit in bytes; 0 where it is a share."),
    vm("/proc/sys/vm/dirty_background_bytes", "bytes", "memory_dirty_background_limit_bytes",
       "Configured background writeback limit in bytes",
       "The same limit in bytes; 0 where it is a share."),
    vm("/proc/sys/vm/dirty_expire_centisecs", "seconds", "memory_dirty_expiry_seconds",
       "Dirty page age limit", "Age at which a dirty page must be written back.", kCentiseconds),
    vm("/proc/sys/vm/dirty_writeback_centisecs", "seconds", "memory_writeback_interval_seconds",
       "Writeback interval", "Time between two wake-ups of the writing threads.", kCentiseconds),
    vm("/proc/sys/vm/nr_hugepages", "pages", "memory_huge_pool_configured_pages",
       "Configured huge page pool", "Huge pages of the default size that the pool should hold."),
    vm("/proc/sys/vm/nr_overcommit_hugepages", "pages", "memory_huge_pool_overcommit_pages",
       "Huge page overcommit limit", "Huge pages that may be added to the pool on demand."),
    vm("/proc/sys/vm/overcommit_memory", "mode", "memory_overcommit_mode", "Overcommit mode",
       "Whether more memory may be promised than there is: 0 by judgment, 1 always, 2 never."),
    vm("/proc/sys/vm/min_free_kbytes", "bytes", "memory_minimum_free_bytes", "Minimum free memory",
       "Memory that the kernel keeps free for itself.", kKib),
    vm("/proc/sys/vm/watermark_scale_factor", "level", "memory_watermark_scale_level",
       "Watermark scale", "Distance between the watermarks of reclaim, in 1/10000 of memory."),
    vm("/proc/sys/vm/vfs_cache_pressure", "level", "memory_vfs_cache_pressure_level",
       "Directory cache pressure",
       "How readily cached directory entries are dropped; 100 is as readily as pages."),
    vm("/proc/sys/vm/max_map_count", "mappings", "memory_maximum_mappings", "Memory mapping limit",
       "Mappings that one program may have."),
    vm("/proc/sys/vm/compaction_proactiveness", "level", "memory_compaction_proactiveness_level",
       "Compaction proactiveness",
       "How hard memory is compacted before a huge page is asked for, 0 to 100 (Linux 5.9)."),
    of_memory(
        kernel("/proc/sys/kernel/numa_balancing", "mode", "memory_numa_balancing_mode",
               "NUMA balancing mode",
               "Whether pages follow the programs that use them, at the price of faults; 0 is "
               "off (Linux 3.8).")),
    negative(
        kernel("/proc/sys/kernel/sched_rt_runtime_us", "seconds", "cpu_realtime_runtime_seconds",
               "Real-time share",
               "Time of each second that real-time tasks may take; negative is without limit."),
        kMicroseconds),
    kernel("/proc/sys/kernel/sched_autogroup_enabled", "boolean", "cpu_autogroup_enabled",
           "Scheduling by session",
           "Whether the tasks of a session share one portion of the cores."),
    kernel("/proc/sys/kernel/nmi_watchdog", "boolean", "cpu_nmi_watchdog_enabled", "NMI watchdog",
           "Whether the hard lockup detector holds one performance counter of each core."),
    negative(kernel("/proc/sys/kernel/perf_event_paranoid", "level",
                    "cpu_perf_event_paranoid_level", "Restriction of perf events",
                    "Who may count events: above 0 no whole cores, above 1 no kernel, without "
                    "CAP_PERFMON.")),
    kernel("/proc/sys/kernel/timer_migration", "boolean", "cpu_timer_migration_enabled",
           "Timer migration", "Whether timers of idle cores move to busy ones."),
    net("/proc/sys/net/core/rmem_max", "bytes", "network_receive_buffer_maximum_bytes",
        "Receive buffer limit", "Largest receive buffer that a program may ask for."),
    net("/proc/sys/net/core/wmem_max", "bytes", "network_send_buffer_maximum_bytes",
        "Send buffer limit", "Largest send buffer that a program may ask for."),
    net("/proc/sys/net/core/rmem_default", "bytes", "network_receive_buffer_default_bytes",
        "Default receive buffer", "Receive buffer of a socket that asks for none."),
    net("/proc/sys/net/core/wmem_default", "bytes", "network_send_buffer_default_bytes",
        "Default send buffer", "Send buffer of a socket that asks for none."),
    net("/proc/sys/net/core/netdev_max_backlog", "packets", "network_backlog_maximum_packets",
        "Receive backlog limit", "Packets that may wait for one core before they are dropped."),
    net("/proc/sys/net/core/netdev_budget", "packets", "network_poll_budget_packets",
        "Receive poll budget", "Packets that one round of receiving may take."),
    net("/proc/sys/net/core/netdev_budget_usecs", "seconds", "network_poll_budget_seconds",
        "Receive poll time", "Time that one round of receiving may take (Linux 4.12).",
        kMicroseconds),
    net("/proc/sys/net/core/busy_poll", "seconds", "network_busy_poll_seconds", "Busy poll time",
        "Time that poll() spins for packets; 0 is off (Linux 3.11).", kMicroseconds),
    net("/proc/sys/net/core/busy_read", "seconds", "network_busy_read_seconds", "Busy read time",
        "Time that read() spins for packets; 0 is off (Linux 3.11).", kMicroseconds),
    net("/proc/sys/net/core/rps_sock_flow_entries", "entries", "network_flow_steering_entries",
        "Flow steering table",
        "Size of the table that sends packets to the core of their program."),
    tcp("/proc/sys/net/core/somaxconn", "connections", "network_listen_backlog_maximum_connections",
        "Listen backlog limit", "Connections that may wait to be accepted."),
    tcp("/proc/sys/net/ipv4/tcp_rmem 3", "bytes", "network_tcp_receive_buffer_maximum_bytes",
        "TCP receive buffer limit",
        "Largest receive buffer that TCP gives a connection by itself."),
    tcp("/proc/sys/net/ipv4/tcp_wmem 3", "bytes", "network_tcp_send_buffer_maximum_bytes",
        "TCP send buffer limit", "Largest send buffer that TCP gives a connection by itself."),
    tcp("/proc/sys/net/ipv4/tcp_mem 3", "pages", "network_tcp_memory_limit_pages",
        "TCP memory limit", "Memory that all connections together may use."),
    tcp("/proc/sys/net/ipv4/tcp_mtu_probing", "mode", "network_tcp_mtu_probing_mode",
        "TCP path MTU probing",
        "Whether TCP looks for the largest packet: 1 after losses, 2 always."),
    tcp("/proc/sys/net/ipv4/tcp_timestamps", "mode", "network_tcp_timestamps_mode",
        "TCP timestamps", "Whether segments carry times, which round trips are measured by."),
    tcp("/proc/sys/net/ipv4/tcp_slow_start_after_idle", "boolean",
        "network_tcp_slow_start_after_idle_enabled", "TCP slow start after idleness",
        "Whether a connection that was idle begins slowly again."),
    tcp("/proc/sys/net/ipv4/tcp_sack", "boolean", "network_tcp_selective_acknowledgement_enabled",
        "TCP selective acknowledgement", "Whether receivers say which segments are missing."),
    tcp("/proc/sys/net/ipv4/tcp_ecn", "mode", "network_tcp_congestion_notification_mode",
        "TCP congestion notification",
        "Whether routers' marks are asked for: 1, or only answered: 2."),
};

constexpr TextFactRow kTexts[] = {
    {"TCP congestion control", "/proc/sys/net/ipv4/tcp_congestion_control"},
    {"default queueing discipline", "/proc/sys/net/core/default_qdisc"},
};

// Returns the number of the word that a source names, counted from 1.
std::size_t word_of(std::string_view source) {
  const auto blank = source.find(' ');
  if (blank == std::string_view::npos) return 1;
  return static_cast<std::size_t>(procfs::parse_u64(source.substr(blank + 1)).value_or(1));
}

std::optional<std::string_view> word_at(std::string_view line, std::size_t number) {
  procfs::WordCursor words(line);
  std::string_view word;
  for (std::size_t i = 0; i < number; ++i) {
    if (!words.next(word)) return std::nullopt;
  }
  return word;
}

std::optional<double> parse_signed(std::string_view word) {
  long value = 0;
  const char* end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return static_cast<double>(value);
}

class SysctlCollector final : public Collector {
 public:
  base::Result<void> open(const procfs::HostRoot& root, model::ChannelTable& channels) override {
    paths_.clear();
    for (const auto& metric : metrics_) {
      paths_.push_back(root.path_of(metric.source.substr(0, metric.source.find(' '))));
    }
    texts_.emplace(kTexts, root);
    add_channels_of(*this, channels);
    texts_->forget();
    if (channels_.any()) return {};
    return base::fail(base::ErrorKind::kAbsent, "no kernel parameter can be read",
                      root.proc_path("sys"));
  }

  void collect(FrameWriter& writer) override {
    for (std::size_t i = 0; i < metrics_.size(); ++i) set(writer, i);
    texts_->say(writer, reader_);
  }

 private:
  void set(FrameWriter& writer, std::size_t i) {
    const auto line = reader_.read(paths_[i]);
    if (!line) return;
    const auto word = word_at(*line, word_of(metrics_[i].source));
    if (!word) return;
    if (metrics_[i].repr == model::Repr::kF64) {
      channels_.set(writer, i, parse_signed(*word));
    } else {
      channels_.set(writer, i, procfs::parse_u64(*word));
    }
  }

  std::vector<MetricDescriptor> metrics_ = sysctl_metrics();
  InstanceChannels channels_{metrics_, ""};
  std::vector<std::string> paths_;  // by metric
  std::optional<TextFacts> texts_;
  procfs::AttributeReader reader_;
};

std::vector<MetricDescriptor> sysctl_metrics() {
  return {std::begin(kMetrics), std::end(kMetrics)};
}

std::unique_ptr<Collector> make_sysctl() {
  return std::make_unique<SysctlCollector>();
}

}  // namespace

extern const CollectorDescriptor kSysctlCollector = {
    .name = "sysctl",
    .help = "the kernel's parameters for memory, network and cores",
    .make = make_sysctl,
    .metrics = sysctl_metrics,
    .poll_class = PollClass::kSlow,
    .may_block = true,
};

}  // namespace reveal::collect
