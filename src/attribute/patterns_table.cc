// The table of patterns. To add one, add its row; cli/named_metrics_test.cc asks that its metrics
// exist.
//
// Signs are counters of Linux and its drivers. docs/reference/metrics.md explains each, with its
// kernel document. The smallest change of a sign is one that an operator would notice; it is not
// tuned on recordings.
#include "attribute/patterns.h"

namespace reveal::attribute {
namespace {

using enum Change;

constexpr double kMiB = 1024.0 * 1024.0;
// A hard disk is busy with some 64 requests of 4 KiB a second at random places.
constexpr double kSlowDisk = 64 * 4096.0;

constexpr std::string_view kIoLimitRemedy =
    "Check io.max (blkio.throttle) of the job's group, and mounts from other machines.";

constexpr std::string_view kHeatRemedy =
    "Check airflow, fans and inlet temperature of this host and its neighbors.";
constexpr std::string_view kAmdHeat =
    "The firmware lowers the GPU's clock because a part of it is hot.";
constexpr std::string_view kAmdPower =
    "The firmware lowers the GPU's clock to stay below the power limit.";
constexpr std::string_view kAmdPowerRemedy =
    "Compare the power limit with that of other hosts (amd-smi static --limit), and raise it if "
    "that "
    "is allowed.";

constexpr std::array kPatterns{
    Pattern{"gpu_shared",
            "GPU shared by several programs",
            {{{"gpu_shared_sm_busy_ratio", kRises, 0.1}}},
            {},
            "Another control group works on a GPU that a job uses. The driver gives it to them in "
            "turns, so each waits for the other.",
            "Move one of them to another GPU. If they must share, split the GPU (MIG) or let their "
            "kernels run side by side (MPS); nvidia-smi pmon shows who takes how much."},
    Pattern{"gpu_heat",
            "GPU slowed for heat",
            {{{"gpu_throttle_heat_active", kRises, 0.3}}},
            {},
            "The driver lowers the GPU's clock to keep its temperature.",
            kHeatRemedy},
    Pattern{
        "gpu_power_cap",
        "GPU slowed by its power limit",
        {{{"gpu_throttle_power_cap_active", kRises, 0.3}}},
        {},
        "The driver lowers the GPU's clock to stay below the power limit.",
        "Compare the power limit with that of other hosts (nvidia-smi -q -d POWER), and raise it "
        "if that is allowed."},
    // AMD: accelerators that count it, and GPUs that tell their state.
    Pattern{"gpu_amd_heat",
            "AMD GPU slowed for heat",
            {{{"gpu_amd_heat_limited_ratio", kRises, 0.3, /*is_share=*/true}}},
            {},
            kAmdHeat,
            kHeatRemedy},
    Pattern{"gpu_amd_heat",
            "AMD GPU slowed for heat",
            {{{"gpu_amd_thermal_throttle_flag", kRises, 0.3}}},
            {},
            kAmdHeat,
            kHeatRemedy,
            Cause::kHere,
            {},
            /*without=*/"gpu_amd_heat_limited_ratio"},
    Pattern{"gpu_amd_power_limit",
            "AMD GPU slowed by its power limit",
            {{{"gpu_amd_power_limited_ratio", kRises, 0.3, /*is_share=*/true}}},
            {},
            kAmdPower,
            kAmdPowerRemedy},
    Pattern{"gpu_amd_power_limit",
            "AMD GPU slowed by its power limit",
            {{{"gpu_amd_power_throttle_flag", kRises, 0.3}}},
            {},
            kAmdPower,
            kAmdPowerRemedy,
            Cause::kHere,
            {},
            /*without=*/"gpu_amd_power_limited_ratio"},
    Pattern{"gpu_errors",
            "GPU reports errors",
            {{{"gpu_kernel_xid_errors_total", kRises, 1}}},
            {},
            "NVIDIA's driver printed error reports (XID) while this lasted.",
            "Look up the XID. If it is a hardware error, drain the host and run diagnostics."},
    Pattern{
        "gpu_link_narrow",
        "GPU's link runs with fewer lanes",
        {{{"gpu_pcie_link_narrow_flag", kRises, 0.3}}},
        {},
        "The link to a GPU runs with fewer lanes than both its ends have, so copies to and from "
        "it take longer.",
        "Reseat the card or its riser, and look for corrected errors of the link "
        "(gpu_pcie_link_correctable_errors_total)."},
    Pattern{
        "adapter_link_narrow",
        "Adapter's link runs with fewer lanes",
        {{{"network_pcie_link_narrow_flag", kRises, 0.3}}},
        {},
        "The link to a network adapter runs with fewer lanes than both its ends have, which may "
        "be less than the network's own speed.",
        "Reseat the adapter or its riser, and look for corrected errors of the link "
        "(network_pcie_link_correctable_errors_total)."},
    Pattern{"cpu_heat",
            "Processor slowed for heat",
            {{{"cpu_package_throttles_total", kRises, 1}}},
            {},
            "The processor lowered its frequency because the package was hot.",
            "Check the cooling and the power profile."},
    Pattern{
        "cpu_quota",
        "CPU quota used up",
        {{{"cpu_cgroup_throttled_seconds_total", kRises, 0.05}}},
        {},
        "A control group used up its CPU quota, and its tasks waited for the next period.",
        "Raise cpu.max (cpu.cfs_quota_us) of the group that throttled_usec names, or remove it."},
    Pattern{"process_stopped",
            "Busy process stopped",
            {{{"cpu_stopped_processes", kRises, 0.5}}},
            {},
            "A signal or a tracer has stopped a process that was busy. Whoever waits for it stands "
            "still as well, on other hosts, too.",
            "Find who did it (TracerPid in /proc/PID/status names a debugger or strace; else "
            "somebody sent SIGSTOP), and let the process go on with kill -CONT."},
    Pattern{"group_frozen",
            "Control group frozen",
            {{{"cpu_cgroup_frozen_flag", kRises, 0.5}}},
            {},
            "A freezer keeps all tasks of a control group from running. Whoever waits for them "
            "stands still as well, on other hosts, too.",
            "Find who did it (docker pause, a scheduler that suspends jobs, a checkpoint), and let "
            "the group go on: docker unpause, or 0 into its cgroup.freeze (THAWED into "
            "freezer.state)."},
    Pattern{"swapping",
            "Swapping",
            {{{"memory_swapped_out_pages_total", kRises, 100}}},
            {},
            "Memory is short: the kernel writes pages to swap, and their owners wait to read them "
            "back.",
            "Find the control group that needs the memory (memory.current), and limit or move it."},
    Pattern{"write_back_surge",
            "Write-back surge",
            {{{"memory_writeback_bytes", kRises, 8 * kMiB}}},
            {{{"memory_swapped_out_pages_total", kRises, 100}}},
            "The kernel writes much dirty page cache to the disk at once. Tasks that read or sync "
            "meanwhile wait.",
            "Let writing start earlier (vm.dirty_background_bytes), sync in small pieces, or give "
            "checkpoints a disk of their own."},
    Pattern{"io_limit",
            "Waiting for I/O while no disk is busier",
            {{{"storage_io_pressure_some_seconds_total", kRises, 0.1}}},
            {{{"memory_writeback_bytes", kRises, 8 * kMiB}}},
            "Tasks wait for I/O, but no disk is busier than usual. The cause may be a limit on a "
            "control group, a network file system, or a device that hangs.",
            kIoLimitRemedy,
            Cause::kHere,
            {{{"storage_busy_ratio", kRises, 0.2}}}},
    // Of a job that begins to read or write at its limit nobody knows without disks that it is not
    // the disk that holds it up.
    Pattern{"io_limit",
            "Waiting for I/O while no control group reads or writes more",
            {{{"storage_cgroup_pressure_some_seconds_total", kRises, 0.1}}},
            {{{"memory_writeback_bytes", kRises, 8 * kMiB}}},
            "Tasks of a control group wait for I/O, but no control group reads or writes more than "
            "usual; no disk is measured. The cause may be a limit on the group, a network file "
            "system, or a device that hangs.",
            kIoLimitRemedy,
            Cause::kHere,
            {{{"storage_cgroup_read_bytes_total", kRises, kSlowDisk},
              {"storage_cgroup_written_bytes_total", kRises, kSlowDisk}}},
            /*without=*/"storage_busy_ratio"},
    Pattern{"disk_saturated",
            "Disk kept busy",
            {{{"storage_busy_ratio", kRises, 0.2}, {"storage_queue_depth", kRises, 0.5}}},
            {{{"memory_writeback_bytes", kRises, 8 * kMiB},
              {"memory_swapped_out_pages_total", kRises, 100}}},
            "Requests wait at a disk: something reads or writes more than usual.",
            "Move or limit what reads or writes more: the process or group that this finding "
            "names, or the group whose storage_cgroup_* rose."},
    Pattern{
        "raid_sync",
        "RAID array is rebuilt or checked",
        {{{"storage_raid_sync_active_flag", kRises, 0.5}}},
        {},
        "Linux rebuilds, checks or reshapes a software RAID array, which reads or writes all of "
        "its disks beside the programs' own I/O.",
        "Limit it (/sys/block/md*/md/sync_speed_max), or move checks to a quiet hour; if disks "
        "are missing (storage_raid_missing_disks), replace them and let it finish."},
    Pattern{"paths_lost",
            "Paths to a disk are lost",
            {{{"storage_multipath_failed_paths", kRises, 0.5}}},
            {},
            "A disk that is reached by several paths has lost some, so that its I/O waits for the "
            "others.",
            "Check the adapters' links (storage_fc_*), the fabric's switches and the storage "
            "system's ports; multipath -ll names the paths."},
    Pattern{"storage_link_fails",
            "Fibre Channel link fails",
            {{{"storage_fc_link_failures_total", kRises, 1}}},
            {},
            "An adapter lost its link to the storage network for a moment; I/O waits until it is "
            "back or another path takes over.",
            "Check cable and transceivers of the port, and the switch's counters."},
    Pattern{"nfs_not_answering",
            "NFS server does not answer in time",
            {{{"storage_nfs_retransmits_total", kRises, 10}}},
            {},
            "Requests to an NFS server are sent again because no answer came, and whoever reads or "
            "writes there waits.",
            "Check the server's load and disks, and drops on the network between; "
            "storage_nfs_mount_* say which mount and which operations.",
            Cause::kOtherEnd},
    Pattern{"link_flaps",
            "Network link goes down and comes back",
            {{{"network_carrier_changes_total", kRises, 1}}},
            {},
            "An adapter lost its link for a moment; what it sends meanwhile waits or is lost.",
            "Check cable, transceiver and switch port; the kernel's log and the switch's say which "
            "side lost the link."},
    Pattern{
        "bond_member_down",
        "Bond goes on without a member",
        {{{"network_bond_down_members", kRises, 0.5}}},
        {},
        "An interface that several adapters make up has lost the link of one of them, and sends "
        "through the others alone.",
        "Check cable, transceiver and switch port of the member whose "
        "network_bond_member_up_flag fell."},
    Pattern{
        "connection_table_full",
        "Table of tracked connections is full",
        {{{"network_conntrack_drops_total", kRises, 3}}},
        // Two packets that begin one connection at once count as both; the table may be empty.
        {{{"network_conntrack_insert_failures_total", kRises, 3}}},
        "Connection tracking (conntrack) drops packets that would begin a connection, most often "
        "because its table is full. Who connects waits and tries again.",
        "If network_conntrack_used_ratio is near 100 %, raise net.netfilter.nf_conntrack_max, "
        "shorten the timeouts of closed connections, or exempt the job's traffic from tracking "
        "(NOTRACK).",
    },
    Pattern{"neighbor_table_full",
            "Table of neighbors is full",
            {{{"network_neighbor_table_fulls_total", kRises, 3}}},
            {},
            "The kernel knows the link addresses of too many hosts or pods to take another one, so "
            "that what is sent to it is dropped and sent again.",
            "Raise net.ipv4.neigh.default.gc_thresh3 above the number of neighbors, and gc_thresh2 "
            "and gc_thresh1 with it (net.ipv6 if the table is ndisc), or route between smaller "
            "networks."},
    Pattern{"send_queue_drops",
            "Send queue of an interface drops packets",
            {{{"network_qdisc_drops_total", kRises, 30}}},
            {},
            "More is sent than the interface's queueing discipline lets through, so that it drops "
            "packets: the link is full, or a traffic limit is set.",
            "Look at limits and queue lengths (tc -s qdisc), and at what sends more than usual."},
    Pattern{
        "damaged_segments",
        "Segments arrive damaged",
        {{{"network_tcp_checksum_errors_total", kRises, 3}}},
        {},
        "TCP segments whose checksum is wrong are thrown away, and their senders send them "
        "again.",
        "Check cables and adapters on the way, and the sender's checksum offload (ethtool -K)."},
    Pattern{"host_drops_packets",
            "Host drops received packets",
            {{{"network_softnet_drops_total", kRises, 1}}},
            {},
            "A core's backlog of received packets was full, and this host dropped packets.",
            "Spread receive work over cores (queues, RPS), or raise net.core.netdev_max_backlog."},
    Pattern{
        "segments_lost",
        "Segments lost or reordered on the way here",
        {{{"network_tcp_out_of_order_total", kRises, 3000}}},
        {{{"network_receive_drops_total", kRises, 1},
          {"network_softnet_drops_total", kRises, 1},
          {"network_softirq_receive_imbalance_ratio", kRises, 0.3}}},
        "TCP segments arrive before earlier ones, which were lost or late on the way. Senders "
        "send those again.",
        "Check errors and drops of the switch port and cable towards this host. Some reordering "
        "is usual if jobs send in bursts; compare with peers."},
    Pattern{
        "segments_sent_again",
        "Segments lost or reordered on the way from here",
        {{{"network_tcp_retransmits_total", kRises, 100},
          {"network_tcp_sack_recoveries_total", kRises, 5}}},
        {{{"network_tcp_out_of_order_total", kRises, 3000}}},
        "A host that this one sends to misses segments, so this host sends them again and waits. "
        "The loss need not be its own.",
        "First check the hosts that receive from here: look for the one whose segments arrive out "
        "of order. Then check errors and drops of this host's own cable and switch port.",
        Cause::kOtherEnd},
    Pattern{
        "group_segments_sent_again",
        "Segments of a pod or container are lost",
        {{{"network_cgroup_tcp_retransmit_ratio", kRises, 0.01}}},
        {},
        "A control group with a network of its own sends TCP segments again and waits: they were "
        "lost on the way from it, or their acknowledgements on the way back.",
        "Check drops of the group's interfaces on both sides (network_cgroup_receive_drops_total, "
        "ip -s link), limits on them (tc -s qdisc), and the group or host at the other end."},
    // Who has ended holds no device open, and a job that waits sends nothing.
    Pattern{"few_queue_pairs",
            "RDMA traffic on fewer queue pairs",
            {{{"network_rdma_queue_pairs", kFalls, 4, /*is_share=*/false, /*times=*/1.5}}},
            {},
            "Programs that still use an RDMA adapter have far fewer queue pairs on it. What goes "
            "through one queue pair takes one path, and its completions come to one interrupt "
            "vector and one core, so messages wait for those before them.",
            "See who has how many (rdma resource show qp). For NCCL compare "
            "NCCL_IB_QPS_PER_CONNECTION on all hosts of the job, set it to 2 or more, with "
            "NCCL_IB_SPLIT_DATA_ON_QPS=1, and check that every rank sees all adapters "
            "(NCCL_IB_HCA).",
            Cause::kHere,
            {{{"network_rdma_contexts", kFalls, 1},
              {"network_infiniband_sent_bytes_total", kFalls, kMiB, /*is_share=*/false,
               /*times=*/10}}}},
    Pattern{"receive_on_one_core",
            "Receive interrupts on one core",
            {{{"network_softirq_receive_imbalance_ratio", kRises, 0.3},
              {"network_softnet_packets_total", kRises, 10000}}},
            {},
            "One core handles most of the received packets, and the job on it waits.",
            "Spread the interrupts (irqbalance, smp_affinity, RSS queues, RPS)."},
    Pattern{
        "interrupts_on_one_core",
        "Device interrupts on one core",
        {{{"cpu_device_interrupt_top_ratio", kRises, 0.3},
          {"cpu_device_interrupts_total", kRises, 2000}}},
        {{{"network_softirq_receive_imbalance_ratio", kRises, 0.3}}},
        "A device other than a network adapter interrupts one core thousands of times a second, "
        "and what runs there waits.",
        "See which device it is (/proc/interrupts), and spread its interrupts (irqbalance, "
        "smp_affinity, more queues of the device)."},
    Pattern{
        "remote_memory",
        "Memory taken from another NUMA node",
        {{{"memory_numa_other_total", kRises, 1000}}},
        {},
        "Pages are allocated on a node other than that of the core that asks.",
        "Bind the job's memory and cores to one node (numactl, cpuset.mems), near its devices."},
    Pattern{
        "memory_stalls",
        "Cores wait for memory",
        {{{"memory_l3_stall_ratio", kRises, 0.1}}},
        {},
        "Cores stand still for more of their cycles, because data is not in the last cache: "
        "somebody moves much of it, or the job's own has outgrown the cache.",
        "Move the group that this finding names to another socket, or limit its share of the cache "
        "and of the bandwidth (resctrl); perf mem shows which loads wait."},
    Pattern{"idle_huge_pages",
            "Huge pages set aside and unused",
            {{{"memory_hugepages_unused_bytes", kRises, 64 * kMiB}}},
            {},
            "Memory was set aside as huge pages that nothing uses, and cannot be used otherwise.",
            "Lower vm.nr_hugepages (and the pools of other sizes under /sys/kernel/mm/hugepages)."},
    Pattern{"cpu_contention",
            "More runnable tasks than cores",
            {{{"cpu_pressure_some_seconds_total", kRises, 0.1, /*is_share=*/true}}},
            {{{"cpu_cgroup_throttled_seconds_total", kRises, 0.05},
              {"memory_swapped_out_pages_total", kRises, 100}}},
            "Runnable tasks wait for a core.",
            "Pin, limit or move the neighbor: the group or process that this finding names."},
    Pattern{"gpu_starved",
            "GPU waits for input",
            {{{"gpu_busy_ratio", kFalls, 0.1}}},
            {{{"gpu_throttle_power_cap_active", kRises, 0.3},
              {"gpu_throttle_heat_active", kRises, 0.3}}},
            "The GPU is idle more than usual, though nothing slows it: its input is late.",
            "Look at what feeds it: the job's data loaders, its disk, its network or peers, and "
            "the host's processors. py-spy dump shows where its processes wait."},
};

}  // namespace

std::span<const Pattern> patterns() {
  return kPatterns;
}

}  // namespace reveal::attribute
