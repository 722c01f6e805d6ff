"""Hosts of the lab: network namespaces on a bridge in a namespace of its own.

Each host has its own /proc/net, so what its network does is its own; processors, memory and disks
are the machine's. Nothing is added to the machine's own network. Segments go over the wire one by
one, as between real machines: a lost super-packet of 64 KB is no packet loss.
"""

import contextlib
import os
import pathlib
from collections.abc import Iterator

from shell import LabError, run

SWITCH = "rvl-switch"
PREFIX = "rvl-host"
CENTER = "10.77.0.254"  # the switch's own address, if it has one
FOLDER = pathlib.Path("/run/netns")
OFFLOADS = ("tso", "off", "gso", "off", "gro", "off")


def use_names(prefix: str) -> None:
    """From now on this process's namespaces are PREFIX-switch and PREFIX-host0 on, so that another lab may be there."""
    global SWITCH, PREFIX
    SWITCH, PREFIX = f"{prefix}-switch", f"{prefix}-host"


def namespace(host: int) -> str:
    return f"{PREFIX}{host}"


def address(host: int) -> str:
    return f"10.77.0.{host + 1}"


def inside(host: int, *words: object) -> list[str]:
    """The words that run a program on the host."""
    return ["ip", "netns", "exec", namespace(host), *map(str, words)]


def port(host: int) -> str:
    """The switch's end of the host's cable."""
    return f"port{host}"


def _plug_in(host: int) -> None:
    name = namespace(host)
    run("ip", "netns", "add", name)
    run("ip", "link", "add", "eth0", "netns", name, "type", "veth", "peer", "name", port(host), "netns", SWITCH)
    run("ip", "-n", SWITCH, "link", "set", port(host), "master", "bridge0", "up")
    run("ip", "-n", name, "addr", "add", f"{address(host)}/24", "dev", "eth0")
    for link in ("lo", "eth0"):
        run("ip", "-n", name, "link", "set", link, "up")


def _no_offloads(host: int) -> None:
    run(*inside(host, "ethtool", "-K", "eth0", *OFFLOADS))
    run("ip", "netns", "exec", SWITCH, "ethtool", "-K", port(host), *OFFLOADS)


def namespaces() -> list[str]:
    """Those of a lab that are there."""
    names = os.listdir(FOLDER) if FOLDER.is_dir() else []
    return sorted(name for name in names if name == SWITCH or name.startswith(PREFIX))


@contextlib.contextmanager
def hosts(count: int, center: bool = False, notes: list[str] | None = None) -> Iterator[None]:
    """Hosts 0 to count - 1, which are gone afterwards. With `center` what runs in the switch's namespace is at CENTER.
    With `notes` a machine that keeps segments together gets a note, and the hosts are there all the same."""
    if left := namespaces():
        raise LabError(f"another lab is running, or one was killed: {', '.join(left)}; "
                       "`lab.py clean` removes what it left, `ip netns del` the namespaces of any study")
    try:
        run("ip", "netns", "add", SWITCH)
        run("ip", "-n", SWITCH, "link", "add", "bridge0", "type", "bridge")
        for link in ("bridge0", "lo") if center else ("bridge0",):
            run("ip", "-n", SWITCH, "link", "set", link, "up")
        if center:
            run("ip", "-n", SWITCH, "addr", "add", f"{CENTER}/24", "dev", "bridge0")
        for host in range(count):
            _plug_in(host)
            try:
                _no_offloads(host)
            except LabError as refused:
                if notes is None:
                    raise
                notes.append(f"offloads of host {host} stay on: {refused}")
        yield
    finally:
        remove()


def remove() -> None:
    for name in namespaces():
        run("ip", "netns", "del", name)
