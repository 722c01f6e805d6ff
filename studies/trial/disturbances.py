"""The disturbances of the trial: who makes them, how, for how long, beside which job, and what should be said.

`DISTURBANCES` is the registry; to add one, add a row. The rows of `VIEW` are those that a user of an early
version saw badly told, those of `OTHERS` were put on paper by somebody who did not know the detectors, and
those of `OWN` are this trial's. Where a row once used dd, stress-ng, fio or iperf3, culprits.py does the
like, so that nobody has to install them and its begin is known.
"""

import dataclasses
from collections.abc import Callable

import network
from acts import Act, Commands, Culprit, Flaps, Lab, Pinned, Place, Processes, Several, Stopped, Value

NOISY, POD = "ux_noisy", ("kubepods/burstable/pod0f3a2b1c-5d6e-4f70-8192-a3b4c5d6e7f8/"
                          "3f2a9c5d1e7b40864fa1d2c3b4a596877869504132a1b2c3d4e5f60718293a4b")
JOB = "JOB"  # instead of a culprit's group: it is done to the job's own
PACK, RANKS, PODS, ONE, LOADER = "pack", "ranks", "pods", "one", "loader"
VIEW, OTHERS, OWN = "view", "others", "own"


@dataclasses.dataclass(frozen=True)
class Disturbance:
    name: str
    origin: str
    job: str  # that works beside it, PACK and so on
    seconds: float
    subsystems: tuple[str, ...]  # where an operator would look; the first is the cause's own
    make: Callable[[Place], Act]
    group: str = ""  # control group of the culprit; empty: it has none of its own
    processes: tuple[str, ...] = ()  # names of its processes; empty with no group: nobody on this host did it
    harmless: bool = False  # nothing must be found, unless the job was harmed all the same
    lingers_s: float = 0  # how long the culprit stays without doing anything

    @property
    def has_culprit(self) -> bool:
        return bool(self.group or self.processes)


def dd(kibibytes: int, group: str = "") -> Callable[[Place], Act]:
    return culprit("dd", "direct", "SCRATCH/direct", str(kibibytes), group=group)


def culprit(name: str, *words: str, group: str = "", host: int | None = None, before: list[str] | None = None
            ) -> Callable[[Place], Act]:
    return lambda place: Culprit(place, name, list(words), group, host, before)


def script(text: str, group: str) -> Callable[[Place], Act]:
    return lambda place: Processes(place, group, ["sh", "-c", f"date +%s%N > STAMP; {text}"], group)


def several(*makers: Callable[[Place], Act]) -> Callable[[Place], Act]:
    return lambda place: Several(place, *(make(place) for make in makers))


def lab(kind: str, strength: float, host: int = 0) -> Callable[[Place], Act]:
    return lambda place: Lab(place, kind, strength, host)


def rule(host: int, hook: str, what: str, ready: str = "") -> Callable[[Place], Act]:
    """A rule of nftables at the host, as long as the disturbance lasts."""
    where = "device eth0 priority 0" if hook == "ingress" else "priority 0"
    family = "netdev" if hook == "ingress" else "ip"
    on = (f"nft 'add table {family} trial; add chain {family} trial one {{ type filter hook {hook} {where}; }}; "
          f"add rule {family} trial one {what}'")
    return lambda place: Commands(place, network.namespace(host), on, f"nft 'delete table {family} trial'", ready)


def leak(place: Place) -> Act:
    """To 60 % of the memory, but 6 GiB of what is free stay for everybody else."""
    with open("/proc/meminfo", encoding="ascii") as file:
        kib = {line.split(":")[0]: int(line.split()[1]) for line in file}
    mebibytes = max(min(kib["MemTotal"] * 6 // 10, kib["MemAvailable"] - (6 << 20)), 1 << 20) >> 10
    return Culprit(place, "sidecar", ["grow", str(mebibytes), "9"], "trial_sidecar")


def at_limit(place: Place) -> Act:
    """Reads more than its group may keep in the page cache, over and over."""
    return Culprit(place, "thrasher", ["reread", "1", "SCRATCH/big"], "ux_thrash", limit_mebibytes=150)


SPIN = ("spin", "1", "1")  # on the job's processor, where that is pinned
LOSS = lab("packet_loss", 5000)
POD_LOSS = lab("packet_loss", 5000, host=1)
CRON = ("while :; do find /usr -xdev -newer /etc/hostname; tar -cf - /usr/share/doc /usr/include | gzip > SCRATCH/cron.tgz; "
        "done")
SCAN = "while :; do find /usr/lib -type f -size -1000k | xargs -n 50 sha256sum; done"

_of_the_view = (
    Disturbance("dd", VIEW, PACK, 8.1, ("storage",), dd(1024), processes=("dd",)),
    Disturbance("ctl2", VIEW, PACK, 6.4, ("storage",), dd(1024), processes=("dd",)),
    Disturbance("ddcg", VIEW, PACK, 12, ("storage",), dd(64, "ux_dd"), "ux_dd", ("dd",)),
    Disturbance("multi0", VIEW, PACK, 1, ("storage",), dd(1024), processes=("dd",)),
    Disturbance("multi1", VIEW, PACK, 3, ("storage",), dd(1024), processes=("dd",)),
    Disturbance("multi2", VIEW, PACK, 3, ("cpu",), culprit("looper", *SPIN), processes=("looper",)),
    Disturbance("multi3", VIEW, PACK, 6, ("storage", "cpu"), several(dd(1024), culprit("looper", *SPIN)),
                processes=("dd", "looper")),
    Disturbance("cpu", VIEW, PACK, 12, ("cpu",), culprit("looper", *SPIN), processes=("looper",)),
    Disturbance("cpu2", VIEW, PACK, 12, ("cpu",), culprit("looper", *SPIN), processes=("looper",)),
    Disturbance("cpu3", VIEW, PACK, 12, ("cpu",), culprit("looper", *SPIN, group=NOISY), NOISY, ("looper",)),
    Disturbance("kube", VIEW, PACK, 10, ("cpu",), culprit("looper", *SPIN, group=POD), POD, ("looper",)),
    Disturbance("quota", VIEW, PACK, 12, ("cpu",), lambda place: Value(place, "cpu", "cpu.cfs_quota_us", "10000", "-1"),
                JOB),
    Disturbance("mem", VIEW, PACK, 12.2, ("memory", "storage"), at_limit, "ux_thrash", ("thrasher",)),
    Disturbance("net", VIEW, RANKS, 12, ("network",), LOSS),
    Disturbance("net3", VIEW, RANKS, 12, ("network",), LOSS),
    Disturbance("netpod", VIEW, PODS, 12, ("network",), POD_LOSS),
    Disturbance("netpod2", VIEW, PODS, 12, ("network",), POD_LOSS),
    Disturbance("nbstart", VIEW, PACK, 6.2, ("storage",), culprit("neighbor", "arrives", "SCRATCH/direct", "6.2",
                group="ux_neighbor"), "ux_neighbor", ("neighbor",), lingers_s=14),
    Disturbance("nb2", VIEW, PACK, 7.3, ("storage",), culprit("neighbor", "arrives", "SCRATCH/direct", "7.3",
                group="ux_neighbor"), "ux_neighbor", ("neighbor",), lingers_s=14),
)
_of_others = (
    Disturbance("rank_stopped", OTHERS, RANKS, 2, ("cpu",), Stopped),
    Disturbance("switch_storm", OTHERS, RANKS, 9, ("cpu",), culprit("switcher", "switches", "12", group="trial_switch"),
                "trial_switch", ("switcher",)),
    Disturbance("udp_flood", OTHERS, RANKS, 9, ("network", "cpu"),
                culprit("flooder", "flood", "127.0.0.1", "512", group="trial_flood", host=0), "trial_flood", ("flooder",)),
    Disturbance("fork_storm", OTHERS, RANKS, 9, ("cpu",), culprit("forker", "forks", "6", group="trial_fork"),
                "trial_fork", ("forker",)),
    Disturbance("futex", OTHERS, RANKS, 9, ("cpu",), culprit("locker", "futexes", "8", group="trial_futex"),
                "trial_futex", ("locker",)),
    Disturbance("cron_burst", OTHERS, RANKS, 10, ("cpu", "storage"), script(CRON, "trial_cron"), "trial_cron",
                ("gzip", "tar", "find", "sh")),
    Disturbance("leak", OTHERS, RANKS, 10, ("memory", "cpu"), leak, "trial_sidecar", ("sidecar",)),
    Disturbance("timer_signals", OTHERS, RANKS, 9, ("cpu",), culprit("ticker", "timers", "4", group="trial_timer"),
                "trial_timer", ("ticker",)),
    Disturbance("nice_matrix", OTHERS, RANKS, 9, ("cpu",), culprit("matrix", "matrix", "4", group="trial_matrix",
                before=["nice", "-n", "19"]), "trial_matrix", ("matrix",)),
    Disturbance("fio_4k", OTHERS, LOADER, 9, ("storage",), culprit("fio4k", "random_io", "8", "DISK/big",
                group="trial_fio"), "trial_fio", ("fio4k",)),
    Disturbance("log_storm", OTHERS, LOADER, 9, ("storage",), culprit("logger", "log_lines", "1", "DISK/log",
                group="trial_log"), "trial_log", ("logger",)),
    Disturbance("fsync_storm", OTHERS, LOADER, 9, ("storage",), culprit("syncer", "syncs", "6", "DISK/sync",
                group="trial_sync"), "trial_sync", ("syncer",)),
    Disturbance("last_level_cache", OTHERS, ONE, 9, ("cpu", "memory"), culprit("cachebuster", "caches", "1",
                group="trial_cache"), "trial_cache", ("cachebuster",)),
    Disturbance("dentries", OTHERS, ONE, 9, ("cpu", "storage", "memory"), culprit("dentrist", "dentries", "2", "SCRATCH",
                group="trial_dentry"), "trial_dentry", ("dentrist",)),
    Disturbance("link_flaps", OTHERS, RANKS, 10, ("network",), Flaps),
    Disturbance("bad_checksums", OTHERS, RANKS, 9, ("network",), rule(1, "output",
                "meta l4proto tcp numgen random mod 100 < 2 tcp checksum set 0x1234",
                ready="ethtool -K eth0 tx off")),
    Disturbance("page_faults", OTHERS, ONE, 9, ("memory", "cpu"), culprit("faulter", "page_faults", "1",
                group="trial_faults"), "trial_faults", ("faulter",)),
    Disturbance("cache_reader", OTHERS, LOADER, 9, ("storage",), culprit("scanner", "read_cached", "1", "DISK/big",
                group="trial_scan"), "trial_scan", ("scanner",)),
    Disturbance("idle_task", OTHERS, RANKS, 9, ("cpu",), culprit("idler", "spin", "2", "-", group="trial_idle",
                before=["chrt", "--idle", "0"]), "trial_idle", ("idler",), harmless=True),
    Disturbance("copy_64mb", OTHERS, ONE, 6, ("storage",), culprit("copier", "copy_once", "SCRATCH/small", "SCRATCH/copy",
                group="trial_copy"), "trial_copy", ("copier",), harmless=True),
    Disturbance("dns_drop", OTHERS, RANKS, 8, ("network",), rule(0, "output", "udp dport 53 drop"), harmless=True),
    Disturbance("one_stream", OTHERS, ONE, 9, ("memory", "cpu"), culprit("streamer", "stream", "1", group="trial_stream"),
                "trial_stream", ("streamer",), harmless=True),
)
_own = (
    Disturbance("swapping", OWN, PODS, 8, ("memory", "storage"), lab("swap", 192), "rvl_swap", ("python3",)),
    Disturbance("write_back", OWN, LOADER, 8, ("storage",), culprit("checkpointer", "copies", "1", "SCRATCH/big",
                "DISK/copy", group="trial_checkpoint"), "trial_checkpoint", ("checkpointer",)),
    Disturbance("disk_limit", OWN, LOADER, 8, ("storage",), lambda place: Value(
                place, "blkio", "blkio.throttle.read_bps_device", "DEVICE 20000000", "DEVICE 0")),
    Disturbance("commits", OWN, LOADER, 8, ("storage",), culprit("committer", "commits", "4", "DISK/base",
                group="trial_base"), "trial_base", ("committer",)),
    Disturbance("slow_link", OWN, RANKS, 8, ("network",), lab("slow_link", 200)),
    Disturbance("policed_link", OWN, RANKS, 8, ("network",), rule(0, "ingress", "limit rate over 40 mbytes/second drop")),
    Disturbance("small_packets", OWN, RANKS, 8, ("network", "cpu"), lab("softirq_concentration", 64)),
    Disturbance("bulk_stream", OWN, RANKS, 8, ("network", "cpu"), several(
                culprit("receiver", "sink", "5201", group="trial_bulk", host=0),
                culprit("sender", "send", network.address(0), "5201", host=1)),
                "trial_bulk", ("receiver", "sender")),
    Disturbance("pinned", OWN, RANKS, 8, ("cpu",), Pinned),
    Disturbance("unplug", OWN, RANKS, 8, ("cpu",), lab("cpu_unplug", 1)),
    Disturbance("real_time", OWN, RANKS, 8, ("cpu",), culprit("realtime", "spin", "1", "0", group="trial_rt",
                before=["chrt", "--fifo", "10"]), "trial_rt", ("realtime",)),
    Disturbance("runaway", OWN, RANKS, 6, ("cpu",), culprit("runaway", "spin", "16", "-", group="trial_runaway"),
                "trial_runaway", ("runaway",)),
    Disturbance("bursts", OWN, PODS, 9, ("cpu",), culprit("burster", "bursts", "4", "0.5", group="trial_burst"),
                "trial_burst", ("burster",)),
    Disturbance("two_streams", OWN, ONE, 8, ("cpu", "memory"), culprit("mover", "stream", "2", group="trial_move"),
                "trial_move", ("mover",)),
    Disturbance("file_scan", OWN, ONE, 10, ("cpu", "storage"), script(SCAN, "trial_sha"), "trial_sha",
                ("sha256sum", "xargs", "find", "sh")),
    Disturbance("direct_reads", OWN, PACK, 8, ("storage",), culprit("backup", "read", "4", "SCRATCH/big",
                group="trial_backup"), "trial_backup", ("backup",)),
    Disturbance("short_loop", OWN, PODS, 2, ("cpu",), culprit("spinner", "spin", "4", "-", group="trial_short"),
                "trial_short", ("spinner",)),
    Disturbance("huge_pages", OWN, ONE, 8, ("memory",), lab("huge_pages", 512), harmless=True),
    Disturbance("sleepers", OWN, RANKS, 8, ("cpu",), culprit("sleepers", "sleepers", "200", group="trial_sleep"),
                "trial_sleep", ("sleepers",), harmless=True),
    Disturbance("fill", OWN, ONE, 8, ("memory",), culprit("filler", "grow", "800", "8", group="trial_fill"),
                "trial_fill", ("filler",), harmless=True),
)

DISTURBANCES: tuple[Disturbance, ...] = _of_the_view + _of_others + _own
