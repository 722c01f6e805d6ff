#include "exchange/sysstat_columns.h"

#include <algorithm>
#include <iterator>

#include "exchange/channel_name.h"

namespace reveal::exchange {
namespace {

using Names = JsonNames;

constexpr SysstatReport kReports[] = {
    {"cpu-load", "cpu", "CPU", "%user %usr", "cpu", "cpu", Names::kPercent},
    {"cpu-load-all", "cpu", "CPU", "%usr", "cpu", "cpu", Names::kPercent},
    {"avg-cpu", "", "", "%user", "", "cpu", Names::kPercent},
    {"process-and-context-switch", "", "", "proc/s", "", "cpu", Names::kRate},
    {"interrupts", "intr", "INTR", "CPU* intr/s", "intr", "cpu", Names::kRate},
    {"swap-pages", "", "", "pswpin/s", "", "memory", Names::kRate},
    {"paging", "", "", "pgpgin/s", "", "memory", Names::kRate},
    {"io", "", "", "tps", "", "storage", Names::kRate},
    {"memory", "", "", "kbmemfree", "", "memory", Names::kKb},
    {"swap", "", "", "kbswpfree", "", "memory", Names::kKb},
    {"hugepages", "", "", "kbhugfree", "", "memory", Names::kKb},
    {"kernel", "", "", "dentunusd", "", "memory"},
    {"queue", "", "", "runq-sz", "", "cpu"},
    {"serial", "line", "TTY", "rcvin/s", "tty", "tty", Names::kRate},
    {"disk", "disk-device", "DEV", "tps", "dev", "storage", Names::kRate},
    {"disk", "disk_device", "Device", "", "dev", "storage", Names::kRate},
    {"net-dev", "iface", "IFACE", "rxpck/s", "dev", "network", Names::kRate},
    {"net-edev", "iface", "IFACE", "rxerr/s", "dev", "network", Names::kRate},
    {"net-nfs", "", "", "call/s", "", "storage_nfs", Names::kRate},
    {"net-nfsd", "", "", "scall/s", "", "storage_nfsd", Names::kRate},
    {"net-sock", "", "", "totsck", "", "network"},
    {"net-sock6", "", "", "tcp6sck", "", "network"},
    {"net-ip", "", "", "irec/s", "", "network_ip", Names::kRate},
    {"net-eip", "", "", "ihdrerr/s", "", "network_ip", Names::kRate},
    {"net-icmp", "", "", "imsg/s", "", "network_icmp", Names::kRate},
    {"net-eicmp", "", "", "ierr/s", "", "network_icmp", Names::kRate},
    {"net-tcp", "", "", "active/s", "", "network_tcp", Names::kRate},
    {"net-etcp", "", "", "atmptf/s", "", "network_tcp", Names::kRate},
    {"net-udp", "", "", "idgm/s", "", "network_udp", Names::kRate},
    {"net-ip6", "", "", "irec6/s", "", "network_ip6", Names::kRate},
    {"net-eip6", "", "", "ihdrer6/s", "", "network_ip6", Names::kRate},
    {"net-icmp6", "", "", "imsg6/s", "", "network_icmp6", Names::kRate},
    {"net-eicmp6", "", "", "ierr6/s", "", "network_icmp6", Names::kRate},
    {"net-udp6", "", "", "idgm6/s", "", "network_udp6", Names::kRate},
    {"softnet", "cpu", "CPU", "total/s", "cpu", "network_softnet", Names::kRate},
    {"cpu-frequency", "number", "CPU", "MHz", "cpu", "cpu"},
    {"cpu-weighted-frequency", "number", "CPU", "wghMHz", "cpu", "cpu"},
    {"filesystems", "filesystem", "FILESYSTEM", "MBfsfree", "filesystem", "storage_filesystem"},
    {"filesystems", "mountpoint", "MOUNTPOINT", "MBfsfree", "mount", "storage_filesystem"},
    {"temperature", "number", "TEMP", "degC DEVICE", "sensor", "sensor"},
    {"fan-speed", "number", "FAN", "rpm DEVICE", "sensor", "sensor"},
    {"voltage-input", "number", "IN", "inV DEVICE", "sensor", "sensor"},
    {"fchosts", "fchost", "FCHOST", "fch_rxf/s", "fchost", "storage_fc", Names::kRate},
    {"psi-cpu", "", "", "%scpu-10", "", "cpu_pressure", Names::kPsi},
    {"psi-io", "", "", "%sio-10", "", "storage_io_pressure", Names::kPsi},
    {"psi-mem", "", "", "%smem-10", "", "memory_pressure", Names::kPsi},
};

struct Row {
  std::string_view head;
  std::string_view metric;
  std::string_view unit;
  double scale = 1.0;
};
constexpr double kKi = 1024;
constexpr double kMi = 1024 * 1024;

// What Reveal reads itself has Reveal's name, as a rate that sysstat has computed: by these names
// its detectors and patterns know it.
constexpr Row kRows[] = {
    {"%user", "cpu_user_percent", "ratio", 0.01},
    {"%usr", "cpu_user_percent", "ratio", 0.01},
    {"%sys", "cpu_system_percent", "ratio", 0.01},
    {"%soft", "cpu_softirq_percent", "ratio", 0.01},
    {"%gnice", "cpu_guest_nice_percent", "ratio", 0.01},
    {"%iowait", "cpu_iowait_ratio", "ratio", 0.01},
    {"%steal", "cpu_steal_ratio", "ratio", 0.01},
    {"proc/s", "cpu_forks_rate", "tasks/s"},
    {"cswch/s", "cpu_context_switches_rate", "switches/s"},
    {"CPU*", "cpu_interrupts_rate", "interrupts/s"},
    {"intr/s", "cpu_interrupts_rate", "interrupts/s"},
    {"runq-sz", "cpu_running_tasks", "tasks"},
    {"plist-sz", "cpu_threads_tasks", "tasks"},
    {"ldavg-1", "cpu_load_1min_tasks", "tasks"},
    {"ldavg-5", "cpu_load_5min_tasks", "tasks"},
    {"ldavg-15", "cpu_load_15min_tasks", "tasks"},
    {"blocked", "cpu_blocked_tasks", "tasks"},
    {"MHz", "cpu_frequency_hertz", "hertz", 1e6},
    {"wghMHz", "cpu_weighted_frequency_hertz", "hertz", 1e6},
    {"%scpu", "cpu_pressure_some_seconds_total", "ratio", 0.01},
    {"%scpu-10", "cpu_pressure_some_10s_ratio", "ratio", 0.01},
    {"pswpin/s", "memory_swapped_in_pages_total", "pages/s"},
    {"pswpout/s", "memory_swapped_out_pages_total", "pages/s"},
    {"pgpgin/s", "storage_paged_in_rate", "bytes/s", kKi},
    {"pgpgout/s", "storage_paged_out_rate", "bytes/s", kKi},
    {"fault/s", "memory_page_faults_rate", "faults/s"},
    {"majflt/s", "memory_major_page_faults_rate", "faults/s"},
    {"pgfree/s", "memory_freed_pages_rate", "pages/s"},
    {"pgscank/s", "memory_scanned_background_pages_rate", "pages/s"},
    {"pgscand/s", "memory_scanned_direct_pages_rate", "pages/s"},
    {"pgsteal/s", "memory_reclaimed_pages_rate", "pages/s"},
    {"%vmeff", "memory_reclaim_efficiency_percent", "ratio", 0.01},
    {"kbmemfree", "memory_free_bytes", "bytes", kKi},
    {"kbavail", "memory_available_bytes", "bytes", kKi},
    {"kbmemused", "memory_used_bytes", "bytes", kKi},
    {"%memused", "memory_used_ratio", "ratio", 0.01},
    {"kbbuffers", "memory_buffers_bytes", "bytes", kKi},
    {"kbcached", "memory_cached_bytes", "bytes", kKi},
    {"kbcommit", "memory_committed_bytes", "bytes", kKi},
    {"kbactive", "memory_active_bytes", "bytes", kKi},
    {"kbinact", "memory_inactive_bytes", "bytes", kKi},
    {"kbinactive", "memory_inactive_bytes", "bytes", kKi},  // of sadf -j
    {"kbdirty", "memory_dirty_bytes", "bytes", kKi},
    {"kbanonpg", "memory_anonymous_bytes", "bytes", kKi},
    {"kbslab", "memory_slab_bytes", "bytes", kKi},
    {"kbkstack", "memory_kernel_stack_bytes", "bytes", kKi},
    {"kbpgtbl", "memory_page_tables_bytes", "bytes", kKi},
    {"kbvmused", "memory_vmalloc_bytes", "bytes", kKi},
    {"kbswpfree", "memory_swap_free_bytes", "bytes", kKi},
    {"kbswpused", "memory_swap_used_bytes", "bytes", kKi},
    {"kbswpcad", "memory_swap_cached_bytes", "bytes", kKi},
    {"kbhugfree", "memory_huge_free_bytes", "bytes", kKi},
    {"kbhugused", "memory_huge_used_bytes", "bytes", kKi},
    {"kbhugrsvd", "memory_huge_reserved_bytes", "bytes", kKi},
    {"kbhugsurp", "memory_huge_surplus_bytes", "bytes", kKi},
    {"%smem", "memory_pressure_some_seconds_total", "ratio", 0.01},
    {"%smem-10", "memory_pressure_some_10s_ratio", "ratio", 0.01},
    {"%fmem", "memory_pressure_full_seconds_total", "ratio", 0.01},
    {"%fmem-10", "memory_pressure_full_10s_ratio", "ratio", 0.01},
    {"file-nr", "memory_open_files", "files"},
    {"inode-nr", "memory_inodes", "inodes"},
    {"tps", "storage_transfers_rate", "requests/s"},
    {"rtps", "storage_reads_rate", "requests/s"},
    {"wtps", "storage_writes_rate", "requests/s"},
    {"dtps", "storage_discards_rate", "requests/s"},
    {"r/s", "storage_reads_rate", "requests/s"},
    {"w/s", "storage_writes_rate", "requests/s"},
    {"d/s", "storage_discards_rate", "requests/s"},
    {"f/s", "storage_flushes_rate", "requests/s"},
    {"rrqm/s", "storage_reads_merged_rate", "requests/s"},
    {"wrqm/s", "storage_writes_merged_rate", "requests/s"},
    {"drqm/s", "storage_discards_merged_rate", "requests/s"},
    {"bread/s", "storage_read_sectors_rate", "sectors/s"},
    {"bwrtn/s", "storage_written_sectors_rate", "sectors/s"},
    {"bdscd/s", "storage_discarded_sectors_rate", "sectors/s"},
    {"rd_sec/s", "storage_read_sectors_rate", "sectors/s"},
    {"wr_sec/s", "storage_written_sectors_rate", "sectors/s"},
    {"rkB/s", "storage_read_rate", "bytes/s", kKi},
    {"wkB/s", "storage_write_rate", "bytes/s", kKi},
    {"dkB/s", "storage_discard_rate", "bytes/s", kKi},
    {"kB/s", "storage_transfer_rate", "bytes/s", kKi},
    {"kB_read/s", "storage_read_rate", "bytes/s", kKi},
    {"kB_wrtn/s", "storage_write_rate", "bytes/s", kKi},
    {"kB_dscd/s", "storage_discard_rate", "bytes/s", kKi},
    {"rMB/s", "storage_read_rate", "bytes/s", kMi},
    {"wMB/s", "storage_write_rate", "bytes/s", kMi},
    {"dMB/s", "storage_discard_rate", "bytes/s", kMi},
    {"MB/s", "storage_transfer_rate", "bytes/s", kMi},
    {"MB_read/s", "storage_read_rate", "bytes/s", kMi},
    {"MB_wrtn/s", "storage_write_rate", "bytes/s", kMi},
    {"MB_dscd/s", "storage_discard_rate", "bytes/s", kMi},
    {"areq-sz", "storage_request_size", "bytes", kKi},
    {"rareq-sz", "storage_read_size", "bytes", kKi},
    {"wareq-sz", "storage_write_size", "bytes", kKi},
    {"dareq-sz", "storage_discard_size", "bytes", kKi},
    {"avgrq-sz", "storage_request_sectors", "sectors"},
    {"aqu-sz", "storage_queue_depth", "requests"},
    {"avgqu-sz", "storage_queue_depth", "requests"},
    {"await", "storage_latency_seconds", "seconds", 1e-3},
    {"r_await", "storage_read_latency_seconds", "seconds", 1e-3},
    {"w_await", "storage_write_latency_seconds", "seconds", 1e-3},
    {"d_await", "storage_discard_latency_seconds", "seconds", 1e-3},
    {"f_await", "storage_flush_latency_seconds", "seconds", 1e-3},
    {"svctm", "storage_service_seconds", "seconds", 1e-3},
    {"%util", "storage_busy_ratio", "ratio", 0.01},
    {"%sio", "storage_io_pressure_some_seconds_total", "ratio", 0.01},
    {"%sio-10", "storage_io_pressure_some_10s_ratio", "ratio", 0.01},
    {"%fio", "storage_io_pressure_full_seconds_total", "ratio", 0.01},
    {"%fio-10", "storage_io_pressure_full_10s_ratio", "ratio", 0.01},
    {"MBfsfree", "storage_filesystem_free_bytes", "bytes", kMi},
    {"MBfsused", "storage_filesystem_used_bytes", "bytes", kMi},
    {"%fsused", "storage_filesystem_used_ratio", "ratio", 0.01},
    {"Ifree", "storage_filesystem_free_inodes", "inodes"},
    {"Iused", "storage_filesystem_used_inodes", "inodes"},
    {"rxpck/s", "network_received_packets_rate", "packets/s"},
    {"txpck/s", "network_sent_packets_rate", "packets/s"},
    {"rxkB/s", "network_received_rate", "bytes/s", kKi},
    {"txkB/s", "network_sent_rate", "bytes/s", kKi},
    {"rxcmp/s", "network_received_compressed_packets_rate", "packets/s"},
    {"txcmp/s", "network_sent_compressed_packets_rate", "packets/s"},
    {"rxmcst/s", "network_received_multicast_packets_rate", "packets/s"},
    {"%ifutil", "network_use_ratio", "ratio", 0.01},
    {"rxerr/s", "network_receive_errors_total", "packets/s"},
    {"txerr/s", "network_send_errors_total", "packets/s"},
    {"coll/s", "network_collisions_rate", "packets/s"},
    {"rxdrop/s", "network_receive_drops_total", "packets/s"},
    {"txdrop/s", "network_send_drops_total", "packets/s"},
    {"txcarr/s", "network_carrier_errors_total", "packets/s"},
    {"rxfram/s", "network_receive_frame_errors_total", "packets/s"},
    {"rxfifo/s", "network_receive_fifo_errors_total", "packets/s"},
    {"txfifo/s", "network_send_fifo_errors_rate", "packets/s"},
    {"idisc/s", "network_ip_receive_discards_total", "packets/s"},
    {"odisc/s", "network_ip_send_discards_total", "packets/s"},
    {"total/s", "network_softnet_packets_rate", "packets/s"},
    {"dropd/s", "network_softnet_drops_total", "packets/s"},
    {"squeezd/s", "network_softnet_squeezes_total", "events/s"},
    {"blg_len", "network_softnet_backlog_packets", "packets"},
    {"totsck", "network_used_sockets", "sockets"},
    {"tcpsck", "network_tcp_used_sockets", "sockets"},
    {"udpsck", "network_udp_used_sockets", "sockets"},
    {"rawsck", "network_raw_used_sockets", "sockets"},
    {"tcp-tw", "network_tcp_time_wait_sockets", "sockets"},
    {"degC", "sensor_temperature_celsius", "celsius"},
    {"rpm", "sensor_fan_rpm", "rpm"},
    {"drpm", "", ""},
    {"inV", "sensor_voltage_volts", "volts"},
    // Sums of an interval, whose rates stand beside them.
    {"kB_read", "", ""},
    {"kB_wrtn", "", ""},
    {"kB_dscd", "", ""},
    {"MB_read", "", ""},
    {"MB_wrtn", "", ""},
    {"MB_dscd", "", ""},
};

// Members of JSON that stand for a level or have a unit in a section of rates.
constexpr std::string_view kLevels[] = {"tps",      "rtps",     "wtps",    "dtps",    "blg_len",
                                        "areq-sz",  "avgrq-sz", "aqu-sz",  "await",   "svctm",
                                        "avgqu-sz", "r_await",  "w_await", "d_await", "f_await",
                                        "rareq-sz", "wareq-sz", "dareq-sz"};
constexpr std::string_view kIostatPercents[] = {"util", "rrqm", "wrqm", "drqm"};

bool is_one_of(std::string_view word, const auto& list) {
  return std::ranges::find(list, word) != std::end(list);
}

bool stands_in(std::string_view list, std::string_view word) {
  while (!list.empty()) {
    const auto one = list.substr(0, list.find(' '));
    if (one == word) return true;
    list.remove_prefix(std::min(one.size() + 1, list.size()));
  }
  return false;
}

// "%scpu-10" of "some_avg10"
std::string pressure_head(std::string_view section, std::string_view name) {
  const auto average = name.find("_avg");
  if (average == std::string_view::npos) return std::string(name);
  const auto seconds = name.substr(average + 4);
  return "%" + std::string(name.substr(0, 1)) + std::string(section.substr(4)) +
         (seconds.empty() ? "" : "-" + std::string(seconds));
}

}  // namespace

std::span<const SysstatReport> sysstat_reports() {
  return kReports;
}

const SysstatReport* report_of_heads(std::string_view key, std::string_view first) {
  const auto found = std::ranges::find_if(kReports, [&](const SysstatReport& report) {
    return report.key == key && (report.first.empty() || stands_in(report.first, first));
  });
  if (found != std::end(kReports)) return &*found;
  if (key.empty()) return nullptr;
  const auto with_key = std::ranges::find(kReports, key, &SysstatReport::key);
  return with_key == std::end(kReports) ? nullptr : &*with_key;
}

std::string head_of_json(const SysstatReport& report, std::string_view name) {
  constexpr std::string_view kPercentSign = "-percent";
  if (name.ends_with(kPercentSign)) {
    name.remove_suffix(kPercentSign.size());
    return "%" + std::string(name);
  }
  switch (report.names) {
    case Names::kPercent:
      return "%" + std::string(name);
    case Names::kKb:
      return "kb" + std::string(name);
    case Names::kPsi:
      return pressure_head(report.section, name);
    case Names::kRate:
      if (is_one_of(name, kIostatPercents) && report.key == "Device")
        return "%" + std::string(name);
      if (is_one_of(name, kLevels) || name.ends_with("/s") || report.key == "Device") break;
      return std::string(name) + "/s";
    case Names::kSame:
      break;
  }
  if (name == "frequency") return "MHz";
  if (name == "weighted-frequency") return "wghMHz";
  return std::string(name);
}

std::optional<SysstatColumn> sysstat_column(const SysstatReport& report, std::string_view head) {
  const auto found = std::ranges::find(kRows, head, &Row::head);
  if (found != std::end(kRows)) {
    if (found->metric.empty()) return std::nullopt;
    return SysstatColumn{std::string(found->metric), std::string(found->unit), found->scale};
  }
  SysstatColumn out;
  std::string_view base = head;
  if (base.ends_with("/s")) base.remove_suffix(2);
  const bool percent = base.starts_with('%');
  if (percent) base.remove_prefix(1);
  out.metric = std::string(report.prefix) + "_" + metric_of_text(base);
  if (base.size() < head.size()) out.metric += percent ? "_percent" : "_rate";
  if (percent) {
    out.unit = "ratio";
    out.scale = 0.01;
  }
  return out;
}

}  // namespace reveal::exchange
