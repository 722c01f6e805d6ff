// Parsers that remember a layout get the text twice, with a cut one between, so that re-learning is
// fuzzed too.
#include "procfs_parsers.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <vector>

#include "procfs/attribute_file.h"
#include "procfs/buddyinfo.h"
#include "procfs/cgroup_identity.h"
#include "procfs/cgroup_mounts.h"
#include "procfs/cgroup_text.h"
#include "procfs/chosen_word.h"
#include "procfs/conntrack_stat.h"
#include "procfs/cpu_list.h"
#include "procfs/cpu_mask.h"
#include "procfs/cpu_set.h"
#include "procfs/cpu_table.h"
#include "procfs/cpuinfo.h"
#include "procfs/diskstats.h"
#include "procfs/interrupts.h"
#include "procfs/kernel_parameters.h"
#include "procfs/keyed_layout.h"
#include "procfs/kmsg.h"
#include "procfs/kstat.h"
#include "procfs/labeled_layout.h"
#include "procfs/loadavg.h"
#include "procfs/lustre_stats.h"
#include "procfs/mountinfo.h"
#include "procfs/mountstats.h"
#include "procfs/net_dev.h"
#include "procfs/node_layout.h"
#include "procfs/number_list.h"
#include "procfs/paired_layout.h"
#include "procfs/pmu_text.h"
#include "procfs/pressure.h"
#include "procfs/process.h"
#include "procfs/processor.h"
#include "procfs/rpc_layout.h"
#include "procfs/schedstat.h"
#include "procfs/softnet.h"
#include "procfs/stat.h"
#include "procfs/udp_queues.h"
#include "procfs/xfs_stats.h"
#include "procfs/zoneinfo.h"

namespace reveal::fuzz {
namespace {

using namespace procfs;

// What holds for any text; a broken one ends the program, which is how a fuzzer learns of it.
void require(bool holds) {
  if (!holds) std::abort();
}

void fuzz_stat(std::string_view text) {
  ProcStat stat;
  parse_stat(text, stat);
  require(stat.cores.size() <= text.size());
}

void fuzz_cpu_table(std::string_view text) {
  CpuTableReader reader;
  reader.start(text);
  for (CpuTableRow row; reader.next(row);) {
    require(row.counts.size() <= reader.cpus().size());
    if (is_device_row(row.name)) classify_irq(row.description);
    std::string group;
    queue_group_of(row.description, group);
    require(group.size() <= row.description.size());
  }
}

template <typename Layout>
void fuzz_layout(std::string_view text, std::vector<std::string_view> keys) {
  Layout layout(std::move(keys));
  std::vector<Value> first(layout.size());
  std::vector<Value> again(layout.size());
  layout.read(text, first);
  layout.read(text.substr(0, text.size() / 2), again);
  layout.read(text, again);
  require(first == again);
}

void fuzz_keyed(std::string_view text) {
  fuzz_layout<KeyedLayout>(text, {"MemTotal", "Dirty", "Active(anon)", "pgfault", "oom_kill"});
}

void fuzz_paired(std::string_view text) {
  fuzz_layout<PairedLayout>(text, {"Tcp RetransSegs", "Udp InErrors", "TcpExt TCPTimeouts"});
}

void fuzz_diskstats(std::string_view text) {
  std::vector<DiskStats> disks;
  parse_diskstats(text, disks);
  for (const auto& disk : disks) require(!disk.name.empty());
}

void fuzz_net_dev(std::string_view text) {
  NetDevReader reader;
  std::vector<InterfaceStats> interfaces;
  reader.read(text, interfaces);
  reader.read(text.substr(0, text.size() / 2), interfaces);
  for (const auto& interface : interfaces) require(!interface.name.empty());
}

void fuzz_pressure(std::string_view text) {
  parse_pressure(text);
}

void fuzz_cpu_list(std::string_view text) {
  count_cpu_list(text);
  for (const auto cpu : parse_cpu_list(text)) require(cpu <= kMaxListedCpu);
  CpuSet set;
  if (!set.assign(text)) return require(set.count() == 0);
  std::string written;
  set.append_to(written);
  CpuSet again;
  require(again.assign(written) && again.count() == set.count());
}

void fuzz_cpuinfo(std::string_view text) {
  CpuInfo info;
  parse_cpuinfo(text, info);
  require(info.model.size() <= 8 * text.size() + 16);
}

void fuzz_kernel_parameters(std::string_view text) {
  std::string told;
  tell_kernel_parameters(text, told);
  require(told.find('\n') == std::string::npos);
}

// Each line stands for a record, and for a message too.
void fuzz_kmsg(std::string_view text) {
  LineCursor lines(text);
  for (std::string_view line; lines.next(line);) {
    match_trouble(line);
    const auto record = parse_kmsg(line);
    if (!record) continue;
    require(record->message.size() < line.size());
    const auto trouble = match_trouble(record->message);
    require(!trouble || trouble->device.size() < record->message.size());
  }
}

void fuzz_cpu_mask(std::string_view text) {
  CpuMask mask;
  const bool sound = mask.merge(text);
  require(sound || mask.count() == 0);
  require(mask.count() <= 4 * text.size());
}

void fuzz_pmu(std::string_view text) {
  if (const auto field = parse_pmu_field(text)) {
    require(field->word < kPmuWords && !field->bits.empty());
    for (const auto [low, high] : field->bits) require(low <= high && high < 64);
  }
  for (const auto& term : parse_event_terms(text)) require(term.has_value || !term.value);
  if (const auto scale = parse_event_scale(text)) require(*scale > 0.0);
  if (const auto processor = parse_processor(text)) require(!processor->vendor.empty());
}

void fuzz_loadavg(std::string_view text) {
  fuzz_layout<LoadavgLayout>(text, {"1min", "15min", "runnable", "tasks"});
}

void fuzz_labeled(std::string_view text) {
  fuzz_layout<LabeledLayout>(text, {"sockets used", "TCP inuse", "TCP mem"});
}

void fuzz_node(std::string_view text) {
  fuzz_layout<NodeLayout>(text, {"MemFree", "Dirty", "HugePages_Free"});
}

void fuzz_rpc(std::string_view text) {
  fuzz_layout<RpcLayout>(text, {"rpc calls", "rpc retrans"});
}

void fuzz_conntrack(std::string_view text) {
  fuzz_layout<ConntrackStatLayout>(text, {"drop", "early_drop", "clashres", "searched"});
}

void fuzz_nfsd(std::string_view text) {
  fuzz_layout<NfsdLayout>(text, {"th threads", "io read", "rpc badcalls"});
}

void fuzz_xfs(std::string_view text) {
  fuzz_layout<XfsLayout>(text, {"log waits", "xpc read", "buf locked_waits"});
}

void fuzz_kstat(std::string_view text) {
  fuzz_layout<KstatLayout>(text, {"hits", "c", "size"});
}

void fuzz_number_list(std::string_view text) {
  fuzz_layout<NumberListLayout>(text, {"1", "3", "0"});
}

void fuzz_mountstats(std::string_view text) {
  std::vector<NfsMount> mounts;
  parse_mountstats(text, mounts);
  for (const auto& mount : mounts) {
    require(mount.device.size() + mount.point.size() < text.size());
    require(mount.all.operations.has_value() == mount.all.round_trip_ms.has_value());
  }
}

void fuzz_zoneinfo(std::string_view text) {
  std::vector<ZoneWatermarks> zones;
  parse_zoneinfo(text, zones);
  for (const auto& zone : zones) require(!zone.zone.empty());
}

void fuzz_udp_queues(std::string_view text) {
  UdpQueues queues;
  add_udp_queues(text, queues);
  require(queues.longest_receive_bytes <= queues.receive_bytes);
  require(queues.sockets <= text.size());
}

void fuzz_softnet(std::string_view text) {
  std::vector<SoftnetCore> cores;
  parse_softnet(text, cores);
  require(cores.size() <= text.size());
}

void fuzz_schedstat(std::string_view text) {
  Schedstat stat;
  parse_schedstat(text, stat);
  require(stat.cores.empty() || stat.version);
}

void fuzz_buddyinfo(std::string_view text) {
  std::vector<ZoneBlocks> zones;
  parse_buddyinfo(text, zones);
  for (const auto& zone : zones) require(zone.orders > 0 && zone.orders <= kMaxOrders);
}

// Paths of groups are as free as texts: anybody may make one.
void fuzz_cgroup_mounts(std::string_view text) {
  for (const auto& mount : parse_cgroup_mounts(text)) {
    require(mount.point.size() <= text.size());
    describe(identify_cgroup(mount.point));
  }
  describe(identify_cgroup(text));
  for (const auto& name : {short_cgroup_name(text), long_cgroup_name(text)}) {
    require(name.size() <= 120);
    require(std::all_of(name.begin(), name.end(), [](char c) { return c > ' ' && c < 0x7f; }));
  }
}

void fuzz_mountinfo(std::string_view text) {
  for (const auto& mount : parse_mountinfo(text)) require(!mount.type.empty());
  fuzz_cgroup_mounts(text);
}

void fuzz_lustre(std::string_view text) {
  parse_lustre_stats(text);
}

void fuzz_chosen_word(std::string_view text) {
  require(chosen_word(text).size() <= text.size());
}

void fuzz_cgroup_text(std::string_view text) {
  std::size_t entries = 0;
  for_nested_keys(text, [&](auto name, auto key, auto) {
    require(!name.empty() && !key.empty());
    ++entries;
  });
  for_blkio_operations(text, [&](auto, auto, auto) { ++entries; });
  for_v1_numa_nodes(text, "anon", [&](std::uint64_t node, auto) {
    require(node <= kMaxNumaNode);
    ++entries;
  });
  require(entries <= text.size());
  if (const auto quota = parse_cpu_max(text)) require(quota->period_us > 0);
  parse_single(text);
}

void fuzz_attribute(std::string_view text) {
  const auto line = first_line(text);
  require(!line || line->size() < text.size());
  if (parse_whole(text)) require(parse_decimal(text).has_value());
  if (const auto speed = parse_link_speed(text)) require(*speed > 0);
  value_of_key(text, "TOTAL_ERR_COR");
}

void fuzz_process(std::string_view text) {
  if (const auto stat = parse_process_stat(text)) {
    require(stat->name.size() < text.size());
  }
  parse_process_io(text);
  const auto group = parse_process_cgroup(text);
  require(group.empty() || group.front() == '/');
  parse_namespace_link(text, "net");
}

constexpr ProcfsParser kParsers[] = {
    {"proc/stat", fuzz_stat},
    {"proc/interrupts", fuzz_cpu_table},
    {"proc/meminfo", fuzz_keyed},
    {"proc/net/snmp", fuzz_paired},
    {"proc/diskstats", fuzz_diskstats},
    {"proc/net/dev", fuzz_net_dev},
    {"proc/pressure/cpu", fuzz_pressure},
    {"sys/devices/system/cpu/online", fuzz_cpu_list},
    {"dev/kmsg", fuzz_kmsg},
    {"sys/class/net/eth0/queues/rx-0/rps_cpus", fuzz_cpu_mask},
    {"sys/bus/event_source/devices/msr/format/event", fuzz_pmu},
    {"proc/cpuinfo", fuzz_cpuinfo},
    {"proc/cmdline", fuzz_kernel_parameters},
    {"proc/loadavg", fuzz_loadavg},
    {"proc/net/sockstat", fuzz_labeled},
    {"proc/net/softnet_stat", fuzz_softnet},
    {"proc/schedstat", fuzz_schedstat},
    {"proc/buddyinfo", fuzz_buddyinfo},
    {"proc/self/mountinfo", fuzz_mountinfo},
    {"proc/net/rpc/nfs", fuzz_rpc},
    {"sys/devices/system/node/node0/meminfo", fuzz_node},
    {"sys/kernel/debug/lustre/llite/scratch-ffff9e1c40a2b800/stats", fuzz_lustre},
    {"sys/block/sda/queue/scheduler", fuzz_chosen_word},
    {"sys/fs/cgroup/system.slice/io.stat", fuzz_cgroup_text},
    {"sys/bus/pci/devices/0000:65:00.0/aer_dev_correctable", fuzz_attribute},
    {"proc/812/stat", fuzz_process},
    {"proc/net/stat/nf_conntrack", fuzz_conntrack},
    {"proc/net/rpc/nfsd", fuzz_nfsd},
    {"proc/self/mountstats", fuzz_mountstats},
    {"proc/zoneinfo", fuzz_zoneinfo},
    {"proc/net/udp", fuzz_udp_queues},
    {"proc/sys/fs/file-nr", fuzz_number_list},
    {"sys/fs/xfs/dm-0/stats/stats", fuzz_xfs},
    {"proc/spl/kstat/zfs/arcstats", fuzz_kstat},
};

}  // namespace

std::span<const ProcfsParser> procfs_parsers() {
  return kParsers;
}

const ProcfsParser& procfs_parser_of(std::uint8_t first_byte) {
  return kParsers[static_cast<std::uint8_t>(first_byte - '0') % std::size(kParsers)];
}

}  // namespace reveal::fuzz
