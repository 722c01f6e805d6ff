#!/usr/bin/python3
"""Captures the kernel files that Reveal's collectors read into a tree that --proc-root and
--sys-root, and the contract tests, can use. Needs no root.

    tools/capture_host.py NAME DIR [--reveal PROGRAM] [--root DIR]

makes DIR/proc and DIR/sys, with the links between their folders as the kernel has them. Which files
is what `reveal metrics` names as the sources of its metrics, and KINDS below: the files that say
what a device is.

What would tell whose host it is stays there. The host's name is NAME; hardware and IP addresses,
unique ids and serial numbers are zeros; of the kernel's command line only the parameters in
PARAMETERS are kept, and of the processes only PROCESSES. Control groups, their networks and mounts
are left out whole: their paths name people and jobs. Read the tree through all the same before you
give it away.
"""

import argparse
import glob
import itertools
import json
import os
import pathlib
import re
import subprocess
import sys

MOST_BYTES = 4 << 20  # of a file
MOST_FILES = 50_000
CONFIG_BYTES = 256  # of a PCI function's configuration; behind them may be its serial number

KINDS = """
/proc/cmdline /proc/cpuinfo /proc/driver/nvidia/{params,version}
/proc/sys/kernel/{osrelease,version} /proc/sys/net/core/default_qdisc
/proc/sys/net/ipv4/tcp_congestion_control
/sys/block/*/size /sys/block/*/queue/scheduler /sys/block/dm-*/dm/{name,uuid}
/sys/bus/event_source/devices/*/{type,cpumask,cpus,format/*,events/*}
/sys/bus/pci/devices/*/{class,driver,physfn} /sys/bus/pci/drivers/*/module
/sys/class/dmi/id/{bios_vendor,bios_version,bios_date,sys_vendor,product_name}
/sys/class/drm/{card*,renderD*}/{dev,device} /sys/class/drm/card*/device/driver
/sys/class/drm/card*/device/current_{compute,memory}_partition
/sys/class/hwmon/hwmon*/{name,device,*_label,*_fault} /sys/class/hwmon/hwmon*/device/block/*/size
/sys/class/infiniband/*/{board_id,fw_ver,node_type} /sys/class/infiniband/*/device/net/*/dev_port
/sys/class/infiniband/*/ports/*/{link_layer,gid_attrs/ndevs/0}
/sys/class/iommu/*
/sys/class/net/*/{duplex,device} /sys/class/nvme/nvme*
/sys/class/powercap/intel-rapl*/{name,enabled,constraint_*_name}
/sys/class/thermal/{thermal_zone,cooling_device}*/type
/sys/devices/system/clocksource/clocksource0/current_clocksource
/sys/devices/system/cpu/{nohz_full,smt/control}
/sys/devices/system/cpu/cpufreq/policy*/{energy_performance_preference,scaling_driver}
/sys/devices/system/cpu/cpu*/cpuidle/state*/name
/sys/devices/system/cpu/cpu*/topology/physical_package_id
/sys/devices/system/cpu/cpuidle/{current_driver,current_governor_ro}
/sys/devices/system/edac/mc/mc*/mc_name
/sys/devices/system/edac/mc/mc*/{dimm,rank}*/{dimm_label,dimm_location}
/sys/devices/system/node/online
/sys/kernel/iommu_groups/*/type /sys/kernel/irq/*/actions
/sys/kernel/mm/transparent_hugepage/{defrag,shmem_enabled}
""".split()

PARAMETERS = re.compile(
    rb"(amd_iommu|amd_pstate|clocksource|default_hugepagesz|hugepages|hugepagesz|idle|iommu"
    rb"|intel_idle\.max_cstate|intel_iommu|intel_pstate|isolcpus|irqaffinity|mitigations"
    rb"|nmi_watchdog|nohz|nohz_full|nosmt|numa_balancing|pci|pcie_aspm|preempt|processor\.max_cstate"
    rb"|rcu_nocbs|skew_tick|transparent_hugepage|tsc)(=[\w.,:-]*)?")

PROCESSES = [b"irqbalance", b"kthreadd"]  # the latter tells that this is no container

# Each match's hexadecimal and decimal digits become zeros.
ADDRESSES = [re.compile(pattern) for pattern in (
    rb"\b[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}\b",  # unique ids
    rb"\b(?:[0-9a-fA-F]{2}[:-]){5}[0-9a-fA-F]{2}\b",  # Ethernet
    rb"\b(?:[0-9a-fA-F]{4}:){3}[0-9a-fA-F]{4}\b",  # InfiniBand
    rb"\benx[0-9a-fA-F]{12}",  # interfaces that are called by their address
    rb"\b(?:eui|nvme-eui|wwn-0x|naa)\.?[0-9a-fA-F]{16,32}\b",
)]
SOCKET_ADDRESS = re.compile(rb"\b[0-9A-F]{8}(?:[0-9A-F]{24})?:[0-9A-F]{4}\b")  # of /proc/net/udp
DISK_NAME = re.compile(rb"mpath[a-z]{1,3}\n")  # that multipathd gave, and nobody chose
IP_ADDRESS = re.compile(rb"(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w.])")
VERSIONS = re.compile("/driver/|/kernel/|/dmi/|version|fw_ver")  # which may look like them
SERIAL = re.compile(rb"^.*\bserial\b.*\n?", re.I | re.M)


def without_digits(match):
    text = match.group()
    head = re.match(rb"(?:enx|eui\.?|nvme-eui\.?|wwn-0x|naa\.?)?", text).group()
    return head + re.sub(rb"[0-9a-fA-F]", b"0", text[len(head):])


def redact(text):
    for pattern in ADDRESSES:
        text = pattern.sub(without_digits, text)
    return text


def redact_file(path, text):
    if path.endswith("/config"):
        return text[:CONFIG_BYTES]
    if b"\0" in text:
        return text
    if path == "/proc/cmdline":
        words = text.split()
        return b" ".join(word for word in words if PARAMETERS.fullmatch(word)) + b"\n"
    if path in ("/proc/net/udp", "/proc/net/udp6"):
        return SOCKET_ADDRESS.sub(without_digits, text)
    if path.endswith("/dm/name") and not DISK_NAME.fullmatch(text):
        return b"0\n"
    if path.endswith("/dm/uuid"):
        kind, dash, unique = text.partition(b"-")
        return kind + dash + re.sub(rb"\w", b"0", unique)
    if path == "/proc/cpuinfo":
        text = SERIAL.sub(b"", text)
    if not VERSIONS.search(path):
        text = IP_ADDRESS.sub(b"0.0.0.0", text)
    return redact(text)


def unbraced(pattern):
    """The patterns that a pattern with {one,other} stands for."""
    parts = [part.split(",") for part in re.split(r"[{}]", pattern)]
    return ["".join(choice) for choice in itertools.product(*parts)]


def sources(reveal):
    """What the metrics of Reveal are read from, as patterns."""
    rows = json.loads(subprocess.check_output([reveal, "metrics", "--format", "json"]))
    found = {row["source"].split(" ")[0] for row in rows}
    return sorted(name for name in found
                  if name.startswith(("/proc/", "/sys/")) and "/fs/cgroup/" not in name
                  and name != "/proc/self/mountstats" and not name.startswith("/proc/[0-9]"))


def text_of(path):
    """The file's bytes, one more than MOST_BYTES where it has more."""
    parts = []
    with open(path, "rb", buffering=0) as file:
        # A kernel parameter refuses reads larger than the kernel can allocate in one piece.
        while sum(map(len, parts)) <= MOST_BYTES and (part := file.read(64 << 10)):
            parts.append(part)
    return b"".join(parts)


class Tree:
    def __init__(self, root, target):
        self.root = root
        self.target = pathlib.Path(target)
        self.files = 0
        self.left_out = []

    def place(self, path):
        """Makes the links on the way to a path below the root. Returns the path behind them."""
        if not path.startswith("/sys/"):
            return path  # links of proc name processes
        done, left = "", path.strip("/").split("/")
        for _ in range(4096):
            if not left:
                return done
            done = f"{done}/{left.pop(0)}"
            if os.path.islink(self.root + done):
                link = os.readlink(self.root + done)
                self.link(done, link)
                behind = os.path.normpath(os.path.join(os.path.dirname(done), link))
                done, left = "", behind.strip("/").split("/") + left
        raise OSError(f"links of {path} lead in a circle")

    def at(self, path):
        return self.target / os.fsdecode(redact(os.fsencode(path))).lstrip("/")

    def link(self, path, to):
        here = self.at(path)
        here.parent.mkdir(parents=True, exist_ok=True)
        if not here.is_symlink():
            here.symlink_to(os.fsdecode(redact(os.fsencode(to))))

    def capture(self, path):
        path = self.place(path)
        if os.path.isdir(self.root + path):
            self.at(path).mkdir(parents=True, exist_ok=True)
            return
        try:
            text = text_of(self.root + path)
        except OSError:
            return  # a file may exist and still refuse to be read
        if path.endswith("/comm") and text.strip() not in PROCESSES:
            return
        if len(text) > MOST_BYTES or self.files >= MOST_FILES:
            self.left_out.append(path)
            return
        self.files += 1
        self.write(path, redact_file(path, text))

    def write(self, path, text):
        here = self.at(path)
        here.parent.mkdir(parents=True, exist_ok=True)
        here.write_bytes(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("name", help="what the host is to be called")
    parser.add_argument("dir", help="where its proc and sys go")
    parser.add_argument("--reveal", default="reveal", help="the program that is asked for sources")
    parser.add_argument("--root", default="", help="the folder that has proc and sys, if not /")
    words = parser.parse_args()

    tree = Tree(words.root.rstrip("/"), words.dir)
    for pattern in itertools.chain.from_iterable(map(unbraced, sources(words.reveal) + KINDS)):
        for path in sorted(glob.glob(tree.root + pattern)):
            tree.capture(path[len(tree.root):])
    tree.write("/proc/sys/kernel/hostname", words.name.encode() + b"\n")
    tree.write("/proc/sys/kernel/random/boot_id", b"00000000-0000-0000-0000-000000000000\n")
    print(f"{tree.files} files in {words.dir}")
    for path in tree.left_out:
        print(f"left out, for there is too much: {path}", file=sys.stderr)


if __name__ == "__main__":
    main()
