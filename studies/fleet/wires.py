"""Network namespaces on a bridge, as the lab has them, under names and in a network of their own."""

import contextlib
import os
import pathlib
from collections.abc import Iterator

import host
from shell import LabError, run

SWITCH, PREFIX = "rvf-switch", "rvf-host"
CENTER = "10.78.255.254"
OFFLOADS = ("tso", "off", "gso", "off", "gro", "off")
FOLDER = pathlib.Path("/run/netns")


def namespace(number: int) -> str:
    return f"{PREFIX}{number}"


def address(number: int) -> str:
    return f"10.78.0.{number + 1}"


def port(number: int) -> str:
    """The switch's end of the host's cable."""
    return f"port{number}"


def inside(place: str, *words: object) -> str:
    return run("ip", "netns", "exec", place, *words)


def _plug_in(number: int) -> None:
    name = namespace(number)
    run("ip", "netns", "add", name)
    run("ip", "link", "add", "eth0", "netns", name, "type", "veth", "peer", "name", port(number), "netns", SWITCH)
    run("ip", "-n", SWITCH, "link", "set", port(number), "master", "bridge0", "up")
    run("ip", "-n", name, "addr", "add", f"{address(number)}/16", "dev", "eth0")
    for link in ("lo", "eth0"):
        run("ip", "-n", name, "link", "set", link, "up")


def _no_offloads(number: int) -> None:
    """Segments go over the wire one by one: a lost super-packet of 64 KB is no packet loss."""
    for place, link in ((namespace(number), "eth0"), (SWITCH, port(number))):
        inside(place, "ethtool", "-K", link, *OFFLOADS)


def enter_switch() -> None:
    """The calling process, and those it starts, are in the switch's network from now on."""
    with open(FOLDER / SWITCH, "rb") as file:
        host.call("setns", file.fileno(), host.NEW_NETWORK)


@contextlib.contextmanager
def hosts(count: int, notes: list[str]) -> Iterator[None]:
    """Hosts 0 to count - 1 on a switch, which are gone afterwards."""
    if left := namespaces():
        raise LabError(f"another run goes on, or one was killed: {', '.join(left)}; `ip netns del` removes them")
    try:
        run("ip", "netns", "add", SWITCH)
        for words in (("add", "bridge0", "type", "bridge"), ("set", "bridge0", "up"), ("set", "lo", "up")):
            run("ip", "-n", SWITCH, "link", *words)
        run("ip", "-n", SWITCH, "addr", "add", f"{CENTER}/16", "dev", "bridge0")
        for number in range(count):
            _plug_in(number)
            try:
                _no_offloads(number)
            except LabError as refused:
                notes.append(f"offloads of host {number} stay on: {refused}")
        yield
    finally:
        for name in namespaces():
            run("ip", "netns", "del", name)


def namespaces() -> list[str]:
    if not FOLDER.is_dir():
        return []
    return [name for name in os.listdir(FOLDER) if name == SWITCH or name.startswith(PREFIX)]


def counted(number: int) -> tuple[int, int]:
    """Bytes to and from the host so far, as the switch counts them. Only a process in the switch's network can ask."""
    for line in pathlib.Path("/proc/thread-self/net/dev").read_text(encoding="ascii").splitlines():
        name, _, counts = line.strip().partition(":")
        if name == port(number):
            words = counts.split()
            return int(words[8]), int(words[0])
    raise LabError(f"the switch has no {port(number)}")
