"""What sysstat's sadc has recorded, as `sadf -r` tells it: the raw values of each moment (sadf(1), sysstat 12).

A line is `TIME; NAME; INSTANCE; FIELD; VALUE BEFORE; VALUE NOW; FIELD; ...`, with no instance for the whole host. Times
are whole seconds, so a value was read within the second that begins then, or a little later on a busy machine.
"""

import dataclasses
import os
import pathlib
import subprocess
from collections.abc import Iterator, Mapping

from compare import S, Value
from programs import find
from readings import Channel

WITHIN_S = 2
TICKS = float(os.sysconf("SC_CLK_TCK"))


@dataclasses.dataclass(frozen=True)
class Program:
    collector: pathlib.Path
    formatter: pathlib.Path


def program() -> Program | None:
    collector, formatter = find("sadc", "lib/sysstat"), find("sadf")
    return Program(collector, formatter) if collector and formatter else None


def start(sysstat: Program, file: pathlib.Path, seconds: int) -> subprocess.Popen:
    return subprocess.Popen([sysstat.collector, "-S", "ALL", "1", str(seconds), file], stdin=subprocess.DEVNULL,
                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def raw(sysstat: Program, file: pathlib.Path) -> str:
    """In seconds since 1970."""
    done = subprocess.run([sysstat.formatter, "-r", "-U", file, "--", "-A"], capture_output=True, text=True, check=True)
    return done.stdout


@dataclasses.dataclass(frozen=True)
class Field:
    metric: str
    factor: float = 1.0  # to Reveal's unit


def _kib(**metrics: str) -> dict[str, Field]:
    return {field: Field(f"memory_{metric}_bytes", 1024.0) for field, metric in metrics.items()}


def _tcp(**metrics: str) -> dict[str, Field]:
    return {f"{field}/s": Field(f"network_tcp_{metric}_total") for field, metric in metrics.items()}


def _pressure(letter: str, metric: str, whom: str) -> dict[str, Field]:
    """Microseconds, and hundredths of a percent."""
    return {f"%{letter}": Field(f"{metric}_{whom}_seconds_total", 1e-6),
            f"%{letter}-10": Field(f"{metric}_{whom}_10s_ratio", 1e-4)}


# By the first field of the line, which tells apart lines that have the same fields.
FIELDS: dict[str, dict[str, Field]] = {
    # User time is told without that of guests, so both are summed.
    "CPU": {f"%{theirs}": Field(f"cpu_{ours}_seconds_total", 1 / TICKS) for theirs, ours in (
        ("usr", "user"), ("guest", "user"), ("nice", "nice"), ("gnice", "nice"), ("sys", "system"), ("iowait", "iowait"),
        ("steal", "steal"), ("irq", "irq"), ("soft", "softirq"), ("idle", "idle"))},
    "proc/s": {"proc/s": Field("cpu_forks_total"), "cswch/s": Field("cpu_context_switches_total")},
    "pswpin/s": {"pswpin/s": Field("memory_swapped_in_pages_total"), "pswpout/s": Field("memory_swapped_out_pages_total")},
    "pgpgin/s": {"pgpgin/s": Field("storage_paged_in_bytes_total", 1024.0),
                 "pgpgout/s": Field("storage_paged_out_bytes_total", 1024.0),
                 "fault/s": Field("memory_page_faults_total"), "majflt/s": Field("memory_major_page_faults_total"),
                 "pgfree/s": Field("memory_freed_pages_total")},
    "kbmemfree": _kib(kbmemfree="free", kbavail="available", kbttlmem="installed", kbbuffers="buffers", kbcached="cached",
                      kbcommit="committed", kbactive="active", kbinact="inactive", kbdirty="dirty", kbanonpg="anonymous",
                      kbslab="slab", kbkstack="kernel_stack", kbpgtbl="page_tables", kbvmused="vmalloc"),
    "kbswpfree": _kib(kbswpfree="swap_free", kbttlswp="swap_installed", kbswpcad="swap_cached"),
    "dentunusd": {"file-nr": Field("memory_open_files")},
    "runq-sz": {"plist-sz": Field("cpu_threads_tasks"), "ldavg-1": Field("cpu_load_1min_tasks", 0.01),
                "ldavg-5": Field("cpu_load_5min_tasks", 0.01), "ldavg-15": Field("cpu_load_15min_tasks", 0.01),
                "blocked": Field("cpu_blocked_tasks")},
    "DEV": {"rkB/s": Field("storage_read_sectors_total"), "wkB/s": Field("storage_written_sectors_total"),
            "dkB/s": Field("storage_discarded_sectors_total"), "rd_ticks": Field("storage_read_seconds_total", 1e-3),
            "wr_ticks": Field("storage_write_seconds_total", 1e-3), "dc_ticks": Field("storage_discard_seconds_total", 1e-3),
            "tot_ticks": Field("storage_busy_seconds_total", 1e-3), "aqu-sz": Field("storage_queue_seconds_total", 1e-3)},
    "IFACE": {f"{field}/s": Field(f"network_{metric}_total") for field, metric in (
        ("rxpck", "received_packets"), ("txpck", "sent_packets"), ("rxkB", "received_bytes"), ("txkB", "sent_bytes"),
        ("rxmcst", "received_multicast_packets"), ("rxerr", "receive_errors"), ("txerr", "send_errors"),
        ("coll", "collisions"), ("rxdrop", "receive_drops"), ("txdrop", "send_drops"), ("txcarr", "carrier_errors"),
        ("rxfram", "receive_frame_errors"), ("rxfifo", "receive_fifo_errors"), ("txfifo", "send_fifo_errors"))},
    "totsck": {"totsck": Field("network_used_sockets"), "tcpsck": Field("network_tcp_used_sockets"),
               "udpsck": Field("network_udp_used_sockets"), "tcp-tw": Field("network_tcp_time_wait_sockets")},
    "irec/s": {"irec/s": Field("network_ip_received_packets_total"), "idel/s": Field("network_ip_delivered_packets_total")},
    "ihdrerr/s": {"ihdrerr/s": Field("network_ip_header_errors_total"), "idisc/s": Field("network_ip_receive_discards_total"),
                  "odisc/s": Field("network_ip_send_discards_total"), "onort/s": Field("network_ip_no_routes_total"),
                  "asmf/s": Field("network_ip_reassembly_failures_total"),
                  "fragf/s": Field("network_ip_fragmentation_failures_total")},
    "active/s": _tcp(active="active_opens", passive="passive_opens", iseg="received_segments", oseg="sent_segments"),
    "atmptf/s": _tcp(atmptf="attempt_failures", estres="established_resets", retrans="retransmits",
                     isegerr="receive_errors", orsts="sent_resets"),
    "idgm/s": {"idgm/s": Field("network_udp_received_datagrams_total"), "odgm/s": Field("network_udp_sent_datagrams_total"),
               "noport/s": Field("network_udp_no_ports_total"), "idgmerr/s": Field("network_udp_receive_errors_total")},
    "tcp6sck": {"tcp6sck": Field("network_tcp6_used_sockets"), "udp6sck": Field("network_udp6_used_sockets")},
    "%scpu-10": _pressure("scpu", "cpu_pressure", "some"),
    "%sio-10": _pressure("sio", "storage_io_pressure", "some") | _pressure("fio", "storage_io_pressure", "full"),
    "%smem-10": _pressure("smem", "memory_pressure", "some") | _pressure("fmem", "memory_pressure", "full"),
}

KEYS = {"CPU": "cpu", "IFACE": "dev", "DEV": "dev"}  # of instances


def lines_of(text: str) -> Iterator[tuple[int, str, str, dict[str, float]]]:
    """Second, first field, instance, and what each field is at that second."""
    for line in text.splitlines():
        words = [word for word in line.rstrip(";").split("; ") if word]
        if len(words) < 3 or words[1] == "INTR":  # whose rows are another form
            continue
        if words[1] == "major":  # and minor, in front of DEV
            del words[1:5]
        second, first, instance, rest = int(words[0]), words[1], "", words[1:]
        if first in KEYS:
            instance = "" if words[2] == "-1" else f"{KEYS[first]}={words[2]}"
            rest = words[3:]
        yield second, first, instance, _fields(rest)


def _fields(words: list[str]) -> dict[str, float]:
    out: dict[str, float] = {}
    name = ""
    for word in words:
        try:
            out[name] = float(word)  # the last of two: now
        except ValueError:
            name = word
    return out


def values_of(text: str) -> Mapping[Channel, list[Value]]:
    sums: dict[tuple[Channel, int], float] = {}
    for second, first, instance, fields in lines_of(text):
        known = FIELDS.get(first, {})
        for name, number in fields.items():
            if name in known:
                at = (known[name].metric, instance), second
                sums[at] = sums.get(at, 0.0) + number * known[name].factor
    out: dict[Channel, list[Value]] = {}
    for (channel, second), number in sums.items():
        out.setdefault(channel, []).append(Value(second * S, (second + WITHIN_S) * S, number))
    return out
