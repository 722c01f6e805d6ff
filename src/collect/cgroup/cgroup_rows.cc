// The metrics of a control group. Sources name the file of version 2 and, if it has another name,
// that of version 1; "**" is the group's path. All count the groups below it as well.
#include "collect/cgroup/cgroup_quantities.h"

namespace reveal::collect {
namespace {

using model::Kind;
using model::MetricDescriptor;
using model::Subsystem;
using Q = CgroupQuantity;

constexpr std::string_view kV2 = "https://docs.kernel.org/admin-guide/cgroup-v2.html";

constexpr CgroupRow row(Q quantity, Subsystem subsystem, Kind kind, std::string_view unit,
                        std::string_view source, std::string_view alias, std::string_view name,
                        std::string_view label, std::string_view help, std::int16_t rank = 100) {
  MetricDescriptor out;
  out.name = name;
  out.label = label;
  out.unit = unit;
  out.kind = kind;
  out.subsystem = subsystem;
  out.scope = model::Scope::kCgroup;
  out.source = source;
  out.alias = alias;
  out.doc_url = kV2;
  out.help = help;
  out.rank = rank;
  return {quantity, out};
}

constexpr CgroupRow scaled(CgroupRow out, double scale) {
  out.metric.scale = scale;
  return out;
}

constexpr CgroupRow cpu_time(Q quantity, std::string_view source, std::string_view alias,
                             std::string_view name, std::string_view label, std::string_view help,
                             std::int16_t rank) {
  return scaled(row(quantity, Subsystem::kCpu, Kind::kCounter, "seconds", source, alias, name,
                    label, help, rank),
                1e-9);
}

constexpr CgroupRow pressure(Q quantity, Subsystem subsystem, std::string_view source,
                             std::string_view alias, std::string_view name, std::string_view label,
                             std::string_view help, std::int16_t rank = 60) {
  return scaled(
      row(quantity, subsystem, Kind::kCounter, "seconds", source, alias, name, label, help, rank),
      1e-6);
}

constexpr CgroupRow bytes(Q quantity, std::string_view source, std::string_view alias,
                          std::string_view name, std::string_view label, std::string_view help,
                          std::int16_t rank = 100) {
  return row(quantity, Subsystem::kMemory, Kind::kGauge, "bytes", source, alias, name, label, help,
             rank);
}

constexpr CgroupRow kRows[] = {
    cpu_time(Q::kUsage, "/sys/fs/cgroup/**/{cpu.stat,cpuacct.usage} usage_usec", "usage_usec",
             "cpu_cgroup_usage_seconds_total", "Control group CPU time",
             "CPU time of all tasks of the group.", 20),
    cpu_time(Q::kUser, "/sys/fs/cgroup/**/{cpu.stat,cpuacct.usage_user,cpuacct.stat} user_usec",
             "user_usec", "cpu_cgroup_user_seconds_total", "Control group user time",
             "CPU time that the tasks of the group spent in their own code.", 60),
    cpu_time(Q::kSystem, "/sys/fs/cgroup/**/{cpu.stat,cpuacct.usage_sys,cpuacct.stat} system_usec",
             "system_usec", "cpu_cgroup_system_seconds_total", "Control group system time",
             "CPU time that the tasks of the group spent in the kernel.", 60),
    row(Q::kPeriods, Subsystem::kCpu, Kind::kCounter, "periods",
        "/sys/fs/cgroup/**/cpu.stat nr_periods", "nr_periods", "cpu_cgroup_periods_total",
        "Control group quota periods",
        "Periods of its CPU quota in which a task of the group could run."),
    row(Q::kThrottledPeriods, Subsystem::kCpu, Kind::kEvent, "periods",
        "/sys/fs/cgroup/**/cpu.stat nr_throttled", "nr_throttled",
        "cpu_cgroup_throttled_periods_total", "Control group throttled periods",
        "Periods in which the group had used up its CPU quota and was made to wait.", 10),
    cpu_time(
        Q::kThrottledTime, "/sys/fs/cgroup/**/cpu.stat {throttled_usec,throttled_time}",
        "throttled_usec", "cpu_cgroup_throttled_seconds_total", "Control group throttled time",
        "Time that the group waited for the next period of its CPU quota, added up over cores.",
        10),
    pressure(Q::kCpuPressure, Subsystem::kCpu, "/sys/fs/cgroup/**/cpu.pressure some",
             "cgroup.cpu.pressure.some", "cpu_cgroup_pressure_some_seconds_total",
             "Control group CPU pressure",
             "Time in which a task of the group could run but had no core (version 2, Linux 4.20).",
             40),
    row(Q::kTasks, Subsystem::kCpu, Kind::kGauge, "tasks", "/sys/fs/cgroup/**/pids.current",
        "pids.current", "cpu_cgroup_tasks", "Control group tasks",
        "Tasks, threads among them, in the group."),
    row(Q::kTaskLimitHits, Subsystem::kCpu, Kind::kEvent, "events",
        "/sys/fs/cgroup/**/pids.events max", "pids.events.max", "cpu_cgroup_task_limit_hits_total",
        "Control group task limit hits",
        "Forks that failed since the group had as many tasks as it may (Linux 4.7).", 50),
    row(Q::kFrozen, Subsystem::kCpu, Kind::kGauge, "flag",
        "/sys/fs/cgroup/**/{cgroup.events,freezer.state} frozen", "cgroup.events.frozen",
        "cpu_cgroup_frozen_flag", "Control group frozen",
        "Whether all tasks of the group are kept from running, by a freezer (version 2: Linux "
        "5.2), as docker pause does.",
        20),
    bytes(Q::kMemory, "/sys/fs/cgroup/**/{memory.current,memory.usage_in_bytes}", "memory.current",
          "memory_cgroup_used_bytes", "Control group memory",
          "Memory charged to the group, page cache among it.", 20),
    bytes(Q::kSwap, "/sys/fs/cgroup/**/memory.swap.current", "memory.swap.current",
          "memory_cgroup_swap_bytes", "Control group swap",
          "Memory of the group that is in swap (version 2)."),
    row(Q::kMemoryHigh, Subsystem::kMemory, Kind::kEvent, "events",
        "/sys/fs/cgroup/**/memory.events high", "memory.events.high",
        "memory_cgroup_high_events_total", "Control group reclaims at memory.high",
        "Times that tasks were slowed down since the group was above memory.high (version 2).", 30),
    row(Q::kMemoryLimitHits, Subsystem::kMemory, Kind::kEvent, "events",
        "/sys/fs/cgroup/**/{memory.events,memory.failcnt} max", "memory.events.max",
        "memory_cgroup_limit_hits_total", "Control group memory limit hits",
        "Times that the group was about to exceed its memory limit and had to reclaim.", 30),
    row(Q::kMemoryOom, Subsystem::kMemory, Kind::kEvent, "events",
        "/sys/fs/cgroup/**/memory.events oom", "memory.events.oom",
        "memory_cgroup_oom_events_total", "Control group out-of-memory events",
        "Times that an allocation of the group was about to fail at its limit (version 2).", 20),
    row(Q::kMemoryOomKills, Subsystem::kMemory, Kind::kEvent, "events",
        "/sys/fs/cgroup/**/{memory.events,memory.oom_control} oom_kill", "memory.events.oom_kill",
        "memory_cgroup_oom_kills_total", "Control group out-of-memory kills",
        "Tasks of the group killed for want of memory (Linux 4.13).", 10),
    pressure(Q::kMemoryPressureSome, Subsystem::kMemory, "/sys/fs/cgroup/**/memory.pressure some",
             "cgroup.memory.pressure.some", "memory_cgroup_pressure_some_seconds_total",
             "Control group memory pressure",
             "Time in which a task of the group waited for memory (version 2, Linux 4.20).", 40),
    pressure(Q::kMemoryPressureFull, Subsystem::kMemory, "/sys/fs/cgroup/**/memory.pressure full",
             "cgroup.memory.pressure.full", "memory_cgroup_pressure_full_seconds_total",
             "Control group memory pressure on all tasks",
             "Time in which all tasks of the group waited for memory (version 2, Linux 4.20)."),
    bytes(Q::kHugetlb, "/sys/fs/cgroup/**/hugetlb.*.{current,usage_in_bytes}", "hugetlb.current",
          "memory_cgroup_hugetlb_bytes", "Control group huge pages",
          "Huge pages of one size that the group uses."),
    row(Q::kReadBytes, Subsystem::kStorage, Kind::kCounter, "bytes",
        "/sys/fs/cgroup/**/{io.stat,blkio.throttle.io_service_bytes*} {rbytes,Read}", "rbytes",
        "storage_cgroup_read_bytes_total", "Control group bytes read",
        "Bytes that the group read from one disk; those of a disk on disks count for each.", 40),
    row(Q::kWrittenBytes, Subsystem::kStorage, Kind::kCounter, "bytes",
        "/sys/fs/cgroup/**/{io.stat,blkio.throttle.io_service_bytes*} {wbytes,Write}", "wbytes",
        "storage_cgroup_written_bytes_total", "Control group bytes written",
        "Bytes that the group wrote to one disk; version 1 leaves out what goes by the page cache.",
        40),
    row(Q::kReads, Subsystem::kStorage, Kind::kCounter, "reads",
        "/sys/fs/cgroup/**/{io.stat,blkio.throttle.io_serviced*} {rios,Read}", "rios",
        "storage_cgroup_reads_total", "Control group reads",
        "Reads that the group issued to one disk."),
    row(Q::kWrites, Subsystem::kStorage, Kind::kCounter, "writes",
        "/sys/fs/cgroup/**/{io.stat,blkio.throttle.io_serviced*} {wios,Write}", "wios",
        "storage_cgroup_writes_total", "Control group writes",
        "Writes that the group issued to one disk."),
    pressure(Q::kIoPressureSome, Subsystem::kStorage, "/sys/fs/cgroup/**/io.pressure some",
             "cgroup.io.pressure.some", "storage_cgroup_pressure_some_seconds_total",
             "Control group I/O pressure",
             "Time in which a task of the group waited for I/O (version 2, Linux 4.20).", 40),
    pressure(Q::kIoPressureFull, Subsystem::kStorage, "/sys/fs/cgroup/**/io.pressure full",
             "cgroup.io.pressure.full", "storage_cgroup_pressure_full_seconds_total",
             "Control group I/O pressure on all tasks",
             "Time in which all tasks of the group waited for I/O (version 2, Linux 4.20)."),
    row(Q::kRdmaHandles, Subsystem::kNetwork, Kind::kGauge, "handles",
        "/sys/fs/cgroup/**/rdma.current hca_handle", "hca_handle", "network_cgroup_rdma_handles",
        "Control group RDMA handles",
        "Contexts that the group has open on one RDMA adapter (Linux 4.11)."),
    row(Q::kRdmaObjects, Subsystem::kNetwork, Kind::kGauge, "objects",
        "/sys/fs/cgroup/**/rdma.current hca_object", "hca_object", "network_cgroup_rdma_objects",
        "Control group RDMA objects",
        "Queue pairs, memory regions and the like that the group has on one RDMA adapter."),
};

constexpr CgroupRow kDetailRows[] = {
    bytes(Q::kAnonymous, "/sys/fs/cgroup/**/memory.stat {anon,total_rss}", "anon",
          "memory_cgroup_anonymous_bytes", "Control group anonymous memory",
          "Memory of programs that no file backs; version 1 counts the swap cache too.", 60),
    bytes(Q::kFile, "/sys/fs/cgroup/**/memory.stat {file,total_cache}", "file",
          "memory_cgroup_file_bytes", "Control group page cache",
          "Page cache of files charged to the group, shared memory among it.", 60),
    bytes(Q::kShared, "/sys/fs/cgroup/**/memory.stat {shmem,total_shmem}", "shmem",
          "memory_cgroup_shared_bytes", "Control group shared memory",
          "Shared memory and tmpfs charged to the group."),
    bytes(Q::kFileDirty, "/sys/fs/cgroup/**/memory.stat {file_dirty,total_dirty}", "file_dirty",
          "memory_cgroup_dirty_bytes", "Control group dirty page cache",
          "Page cache of the group that waits to be written."),
    bytes(Q::kFileWriteback, "/sys/fs/cgroup/**/memory.stat {file_writeback,total_writeback}",
          "file_writeback", "memory_cgroup_writeback_bytes",
          "Control group page cache under writeback",
          "Page cache of the group that is being written."),
    bytes(Q::kUnevictable, "/sys/fs/cgroup/**/memory.stat {unevictable,total_unevictable}",
          "unevictable", "memory_cgroup_unevictable_bytes", "Control group unevictable memory",
          "Memory of the group that cannot be reclaimed, as it is locked.", 150),
    bytes(Q::kSlab, "/sys/fs/cgroup/**/memory.stat slab", "slab", "memory_cgroup_slab_bytes",
          "Control group kernel objects",
          "Kernel objects such as dentries charged to the group (version 2)."),
    row(Q::kFaults, Subsystem::kMemory, Kind::kCounter, "faults",
        "/sys/fs/cgroup/**/memory.stat {pgfault,total_pgfault}", "pgfault",
        "memory_cgroup_page_faults_total", "Control group page faults",
        "Page faults of the group, minor and major."),
    row(Q::kMajorFaults, Subsystem::kMemory, Kind::kEvent, "faults",
        "/sys/fs/cgroup/**/memory.stat {pgmajfault,total_pgmajfault}", "pgmajfault",
        "memory_cgroup_major_page_faults_total", "Control group major page faults",
        "Page faults of the group that had to wait for I/O.", 60),
    row(Q::kRefaultsFile, Subsystem::kMemory, Kind::kCounter, "pages",
        "/sys/fs/cgroup/**/memory.stat {,total_}workingset_refault_file", "workingset_refault_file",
        "memory_cgroup_refaulted_file_pages_total", "Control group page cache faulted back",
        "Page cache that was reclaimed from the group and soon needed again (Linux 5.9).", 60),
    row(Q::kRefaultsAnonymous, Subsystem::kMemory, Kind::kCounter, "pages",
        "/sys/fs/cgroup/**/memory.stat {,total_}workingset_refault_anon", "workingset_refault_anon",
        "memory_cgroup_refaulted_anonymous_pages_total",
        "Control group anonymous pages faulted back",
        "Pages of programs that were reclaimed from the group and soon needed again (Linux 5.9)."),
    bytes(Q::kNodeAnonymous, "/sys/fs/cgroup/**/memory.numa_stat {anon,hierarchical_anon}",
          "memory.numa_stat.anon", "memory_cgroup_node_anonymous_bytes",
          "Control group anonymous memory on a node",
          "Memory of programs of the group on one NUMA node; bytes on version 2 from Linux 5.10.",
          60),
    row(Q::kMemoryLimit, Subsystem::kMemory, Kind::kStatic, "bytes",
        "/sys/fs/cgroup/**/{memory.max,memory.limit_in_bytes}", "memory.max",
        "memory_cgroup_limit_bytes", "Control group memory limit",
        "The most memory that the group may use; no value where there is no limit."),
    scaled(row(Q::kCpuQuota, Subsystem::kCpu, Kind::kStatic, "cores",
               "/sys/fs/cgroup/**/{cpu.max,cpu.cfs_quota_us,cpu.cfs_period_us}", "cpu.max",
               "cpu_cgroup_quota_cores", "Control group CPU quota",
               "CPU time that the group may use a second; no value where there is no quota."),
           1e-6),
    row(Q::kAllowedCores, Subsystem::kCpu, Kind::kStatic, "cores",
        "/sys/fs/cgroup/**/{cpuset.cpus.effective,cpuset.effective_cpus}", "cpuset.cpus.effective",
        "cpu_cgroup_allowed_cores", "Control group allowed cores",
        "Number of cores that the group may run on."),
    row(Q::kAllowedNodes, Subsystem::kMemory, Kind::kStatic, "nodes",
        "/sys/fs/cgroup/**/{cpuset.mems.effective,cpuset.effective_mems}", "cpuset.mems.effective",
        "memory_cgroup_allowed_nodes", "Control group allowed memory nodes",
        "Number of NUMA nodes that the group may take memory from."),
};

}  // namespace

std::span<const CgroupRow> cgroup_rows() {
  return kRows;
}
std::span<const CgroupRow> cgroup_detail_rows() {
  return kDetailRows;
}

}  // namespace reveal::collect
