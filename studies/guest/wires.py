"""The network of emulated machines: a bridge in a namespace of its own, a tap with several queues for each
guest, and 10.78.0.1 on the bridge for ranks that run on this machine. Segments go over it one by one."""

import contextlib
from collections.abc import Iterator

from network import OFFLOADS
from shell import LabError, run

SWITCH = "rvg-switch"
HOST_ADDRESS = "10.78.0.1"


def tap(guest: int) -> str:
    return f"tap{guest}"


def address(guest: int) -> str:
    return f"10.78.0.{guest + 10}"


def inside(*words: object) -> list[str]:
    """The words that run a program beside the switch."""
    return ["ip", "netns", "exec", SWITCH, *map(str, words)]


@contextlib.contextmanager
def network(guests: int, queues: int) -> Iterator[None]:
    """A switch with a tap for each guest, of so many queues, which is gone afterwards."""
    if SWITCH in run("ip", "netns", "list").split():
        raise LabError(f"the network namespace {SWITCH} is there: other guests run, or were killed; "
                       f"`ip netns del {SWITCH}` removes it")
    try:
        run("ip", "netns", "add", SWITCH)
        run(*inside("ip", "link", "add", "bridge0", "type", "bridge"))
        run(*inside("ip", "addr", "add", f"{HOST_ADDRESS}/24", "dev", "bridge0"))
        for link in ("lo", "bridge0"):
            run(*inside("ip", "link", "set", link, "up"))
        for guest in range(guests):
            run(*inside("ip", "tuntap", "add", "dev", tap(guest), "mode", "tap",
                        *(["multi_queue"] if queues > 1 else [])))
            run(*inside("ip", "link", "set", tap(guest), "master", "bridge0", "up"))
            run(*inside("ethtool", "-K", tap(guest), *OFFLOADS))
        run(*inside("ethtool", "-K", "bridge0", *OFFLOADS))
        yield
    finally:
        run("ip", "netns", "del", SWITCH)
