"""Which channel of Reveal has the value of which series of node_exporter 1.5.

Both say where they read a value: node_exporter's collectors by the file's own words in their metrics' names
(https://github.com/prometheus/node_exporter/tree/v1.5.0/collector), Reveal by the `source` of each metric. Where both
do, the words are compared; the rest is listed by hand. Factors are to Reveal's unit.
"""

import dataclasses
import os
import re
from collections.abc import Callable, Iterable, Mapping

PAGE = float(os.sysconf("SC_PAGE_SIZE"))
SECTOR = 512.0  # of /proc/diskstats, whatever the disk's own

Labels = Mapping[str, str]


@dataclasses.dataclass(frozen=True)
class Term:
    """One series' share of a channel's value, which is the sum of its terms."""

    metric: str
    instance: str
    factor: float = 1.0


@dataclasses.dataclass(frozen=True)
class Rule:
    metric: str
    instance: Callable[[Labels], str | None]  # None: of a series that Reveal has no channel for
    factor: float = 1.0


def whole(labels: Labels) -> str:
    return ""


def by(ours: str, theirs: str | None = None) -> Callable[[Labels], str]:
    return lambda labels: f"{ours}={labels[theirs or ours]}"


def those(label: str, value: str, then: Callable[[Labels], str | None] = whole) -> Callable[[Labels], str | None]:
    return lambda labels: then(labels) if labels.get(label) == value else None


def in_zone(labels: Labels) -> str:
    return f"node={labels['node']},zone={labels['zone']}"


disk, nic, mount = by("dev", "device"), by("dev", "device"), by("mount", "mountpoint")

# node_exporter's metric, without node_, and what it is here.
BY_HAND: dict[str, tuple[Rule, ...]] = {
    "boot_time_seconds": (Rule("cpu_boot_time_seconds", whole),),
    "context_switches_total": (Rule("cpu_context_switches_total", whole),),
    "forks_total": (Rule("cpu_forks_total", whole),),
    "intr_total": (Rule("cpu_interrupts_total", whole),),
    "procs_running": (Rule("cpu_running_tasks", whole),),
    "procs_blocked": (Rule("cpu_blocked_tasks", whole),),
    "load1": (Rule("cpu_load_1min_tasks", whole),),
    "load5": (Rule("cpu_load_5min_tasks", whole),),
    "load15": (Rule("cpu_load_15min_tasks", whole),),
    "filefd_allocated": (Rule("memory_open_files", whole),),
    "filefd_maximum": (Rule("memory_open_files_limit", whole),),
    "cpu_seconds_total": tuple(Rule(f"cpu_{mode}_seconds_total", those("mode", mode, by("cpu"))) for mode in
                               ("user", "nice", "system", "idle", "iowait", "irq", "softirq", "steal")),
    "cpu_guest_seconds_total": (Rule("cpu_guest_seconds_total", those("mode", "user", by("cpu"))),
                                Rule("cpu_guest_nice_seconds_total", those("mode", "nice", by("cpu")))),
    "interrupts_total": (Rule("cpu_core_interrupts_total", by("cpu")),),
    "pressure_cpu_waiting_seconds_total": (Rule("cpu_pressure_some_seconds_total", whole),),
    "pressure_memory_waiting_seconds_total": (Rule("memory_pressure_some_seconds_total", whole),),
    "pressure_memory_stalled_seconds_total": (Rule("memory_pressure_full_seconds_total", whole),),
    "pressure_io_waiting_seconds_total": (Rule("storage_io_pressure_some_seconds_total", whole),),
    "pressure_io_stalled_seconds_total": (Rule("storage_io_pressure_full_seconds_total", whole),),
    "disk_reads_completed_total": (Rule("storage_reads_total", disk),),
    "disk_reads_merged_total": (Rule("storage_reads_merged_total", disk),),
    "disk_read_bytes_total": (Rule("storage_read_sectors_total", disk, 1 / SECTOR),),
    "disk_read_time_seconds_total": (Rule("storage_read_seconds_total", disk),),
    "disk_writes_completed_total": (Rule("storage_writes_total", disk),),
    "disk_writes_merged_total": (Rule("storage_writes_merged_total", disk),),
    "disk_written_bytes_total": (Rule("storage_written_sectors_total", disk, 1 / SECTOR),),
    "disk_write_time_seconds_total": (Rule("storage_write_seconds_total", disk),),
    "disk_io_now": (Rule("storage_in_flight_requests", disk),),
    "disk_io_time_seconds_total": (Rule("storage_busy_seconds_total", disk),),
    "disk_io_time_weighted_seconds_total": (Rule("storage_queue_seconds_total", disk),),
    "disk_discards_completed_total": (Rule("storage_discards_total", disk),),
    "disk_discards_merged_total": (Rule("storage_discards_merged_total", disk),),
    "disk_discarded_sectors_total": (Rule("storage_discarded_sectors_total", disk),),
    "disk_discard_time_seconds_total": (Rule("storage_discard_seconds_total", disk),),
    "disk_flush_requests_total": (Rule("storage_flushes_total", disk),),
    "disk_flush_requests_time_seconds_total": (Rule("storage_flush_seconds_total", disk),),
    "filesystem_size_bytes": (Rule("storage_filesystem_used_bytes", mount),),
    "filesystem_free_bytes": (Rule("storage_filesystem_used_bytes", mount, -1),),
    "filesystem_files": (Rule("storage_filesystem_used_inodes", mount),),
    "filesystem_files_free": (Rule("storage_filesystem_used_inodes", mount, -1),),
    "network_receive_bytes_total": (Rule("network_received_bytes_total", nic),),
    "network_receive_packets_total": (Rule("network_received_packets_total", nic),),
    "network_receive_errs_total": (Rule("network_receive_errors_total", nic),),
    "network_receive_drop_total": (Rule("network_receive_drops_total", nic),),
    "network_receive_fifo_total": (Rule("network_receive_fifo_errors_total", nic),),
    "network_receive_frame_total": (Rule("network_receive_frame_errors_total", nic),),
    "network_receive_multicast_total": (Rule("network_received_multicast_packets_total", nic),),
    "network_transmit_bytes_total": (Rule("network_sent_bytes_total", nic),),
    "network_transmit_packets_total": (Rule("network_sent_packets_total", nic),),
    "network_transmit_errs_total": (Rule("network_send_errors_total", nic),),
    "network_transmit_drop_total": (Rule("network_send_drops_total", nic),),
    "network_transmit_fifo_total": (Rule("network_send_fifo_errors_total", nic),),
    "network_transmit_colls_total": (Rule("network_collisions_total", nic),),
    "network_transmit_carrier_total": (Rule("network_carrier_errors_total", nic),),
    "network_carrier_changes_total": (Rule("network_carrier_changes_total", nic),),
    "network_mtu_bytes": (Rule("network_mtu_bytes", nic),),
    "network_transmit_queue_length": (Rule("network_send_queue_limit_packets", nic),),
    "softnet_processed_total": (Rule("network_softnet_packets_total", by("cpu")),),
    "softnet_dropped_total": (Rule("network_softnet_drops_total", by("cpu")),),
    "softnet_times_squeezed_total": (Rule("network_softnet_squeezes_total", by("cpu")),),
    "sockstat_sockets_used": (Rule("network_used_sockets", whole),),
    "sockstat_TCP_inuse": (Rule("network_tcp_used_sockets", whole),),
    "sockstat_TCP_orphan": (Rule("network_tcp_orphan_sockets", whole),),
    "sockstat_TCP_tw": (Rule("network_tcp_time_wait_sockets", whole),),
    "sockstat_TCP_alloc": (Rule("network_tcp_allocated_sockets", whole),),
    "sockstat_TCP_mem_bytes": (Rule("network_tcp_buffer_bytes", whole),),
    "sockstat_UDP_inuse": (Rule("network_udp_used_sockets", whole),),
    "sockstat_UDP_mem_bytes": (Rule("network_udp_buffer_bytes", whole),),
    "sockstat_TCP6_inuse": (Rule("network_tcp6_used_sockets", whole),),
    "sockstat_UDP6_inuse": (Rule("network_udp6_used_sockets", whole),),
    "nf_conntrack_entries": (Rule("network_conntrack_entries", whole),),
    "nf_conntrack_entries_limit": (Rule("network_conntrack_limit_entries", whole),),
    "nf_conntrack_stat_drop": (Rule("network_conntrack_drops_total", whole),),
    "nf_conntrack_stat_early_drop": (Rule("network_conntrack_early_drops_total", whole),),
    "nf_conntrack_stat_insert_failed": (Rule("network_conntrack_insert_failures_total", whole),),
    "nf_conntrack_stat_invalid": (Rule("network_conntrack_invalid_total", whole),),
    "nf_conntrack_stat_search_restart": (Rule("network_conntrack_restarts_total", whole),),
    "tcp_connection_states": (Rule("network_tcp_close_wait_sockets", those("state", "close_wait")),
                              Rule("network_tcp_syn_received_sockets", those("state", "syn_recv"))),
    "udp_queues": (Rule("network_udp_receive_queue_bytes", those("queue", "rx")),
                   Rule("network_udp_send_queue_bytes", those("queue", "tx"))),
    "qdisc_drops_total": (Rule("network_qdisc_drops_total", nic),),
    "qdisc_backlog": (Rule("network_qdisc_backlog_bytes", nic),),
    "qdisc_current_queue_length": (Rule("network_qdisc_backlog_packets", nic),),
    "qdisc_requeues_total": (Rule("network_qdisc_requeues_total", nic),),
    "qdisc_overlimits_total": (Rule("network_qdisc_overlimits_total", nic),),
    "timex_offset_seconds": (Rule("cpu_clock_offset_seconds", whole),),
    "timex_maxerror_seconds": (Rule("cpu_clock_max_error_seconds", whole),),
    "timex_estimated_error_seconds": (Rule("cpu_clock_estimated_error_seconds", whole),),
    "ksmd_pages_shared": (Rule("memory_ksm_shared_bytes", whole, PAGE),),
    "ksmd_pages_sharing": (Rule("memory_ksm_saved_bytes", whole, PAGE),),
    "ksmd_pages_unshared": (Rule("memory_ksm_unshared_bytes", whole, PAGE),),
    "ksmd_pages_volatile": (Rule("memory_ksm_volatile_bytes", whole, PAGE),),
    "ksmd_full_scans_total": (Rule("memory_ksm_scans_total", whole),),
    "ksmd_run": (Rule("memory_ksm_mode", whole),),
    "zoneinfo_nr_free_pages": (Rule("memory_zone_free_bytes", in_zone, PAGE),),
    "zoneinfo_min_pages": (Rule("memory_zone_minimum_bytes", in_zone, PAGE),),
    "zoneinfo_low_pages": (Rule("memory_zone_low_bytes", in_zone, PAGE),),
    "zoneinfo_high_pages": (Rule("memory_zone_high_bytes", in_zone, PAGE),),
}

KIB_OF_VMSTAT = {"pgpgin", "pgpgout"}
PAGES_OF_VMSTAT = {"nr_dirty_threshold", "nr_dirty_background_threshold"}  # which Reveal has in bytes

NODE_FILES = "/sys/devices/system/node/node*/"


class Names:
    def __init__(self, sources: Mapping[str, str]) -> None:
        """`sources`: of Reveal's metrics, by their names."""
        self._by_source = {source: metric for metric, source in sources.items()}

    def terms(self, name: str, labels: Labels) -> list[Term]:
        """The channels that the series counts for; none if Reveal does not have its value."""
        if not name.startswith("node_"):
            return []
        short = name[len("node_"):]
        rules = [*BY_HAND.get(short, ()), *self._by_words(short, labels)]
        placed = [(rule, rule.instance(labels)) for rule in rules]
        return [Term(rule.metric, instance, rule.factor) for rule, instance in placed if instance is not None]

    def _by_words(self, short: str, labels: Labels) -> Iterable[Rule]:
        for pattern, make in WORDS:
            found = re.fullmatch(pattern, short)
            if not found:
                continue
            source, instance, factor = make(found, labels)
            if source in self._by_source:
                yield Rule(self._by_source[source], instance, factor)
            return


Made = tuple[str, Callable[[Labels], str | None], float]


def _meminfo(field: str) -> str:
    """node_exporter writes Active(anon) as Active_anon."""
    return re.sub(r"_(anon|file)$", r"(\1)", field)


def _vmstat(found: re.Match[str], _: Labels) -> Made:
    field = found[1]
    factor = 1024.0 if field in KIB_OF_VMSTAT else PAGE if field in PAGES_OF_VMSTAT else 1.0
    return f"/proc/vmstat {field}", whole, factor


def _buddies(_: re.Match[str], labels: Labels) -> Made:
    return "/proc/buddyinfo memory in blocks of every order", by("node"), PAGE * 2 ** int(labels["size"])


# In the order of precedence: a name of one family, and where the kernel tells its value.
WORDS: tuple[tuple[str, Callable[[re.Match[str], Labels], Made]], ...] = (
    (r"memory_numa_(\w+)_total", lambda found, _: (f"{NODE_FILES}numastat {found[1]}", by("node"), 1.0)),
    (r"memory_numa_(\w+)", lambda found, _: (f"{NODE_FILES}meminfo {found[1]}", by("node"), 1.0)),
    (r"memory_(HugePages_\w+)", lambda found, _: (f"/proc/meminfo {found[1]}", whole, 1.0)),
    (r"memory_(\w+)_bytes", lambda found, _: (f"/proc/meminfo {_meminfo(found[1])}", whole, 1.0)),
    (r"vmstat_(\w+)", _vmstat),
    (r"netstat_(TcpExt|IpExt)_(\w+)", lambda found, _: (f"/proc/net/netstat {found[1]} {found[2]}", whole, 1.0)),
    (r"netstat_(\w+6)_(\w+)", lambda found, _: (f"/proc/net/snmp6 {found[1]}{found[2]}", whole, 1.0)),
    (r"netstat_(Tcp|Udp|Ip)_(\w+)", lambda found, _: (f"/proc/net/snmp {found[1]} {found[2]}", whole, 1.0)),
    # The sum of all rows is listed by hand; rows of devices have numbers, and Reveal has their sums by kind alone.
    (r"interrupts_total", lambda _, labels: (f"/proc/interrupts {labels['type']}", by("cpu"), 1.0)),
    (r"buddyinfo_blocks", _buddies),
)
