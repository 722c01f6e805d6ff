"""What the fleet study needs of the lab's network besides: to be in the switch, and what it sees of the hosts."""

import pathlib

import host
import network
from shell import LabError, run


def inside(place: str, *words: object) -> str:
    return run("ip", "netns", "exec", place, *words)


def enter_switch() -> None:
    """The calling process, and those it starts, are in the switch's network from now on."""
    with open(network.FOLDER / network.SWITCH, "rb") as file:
        host.call("setns", file.fileno(), host.NEW_NETWORK)


def counted(number: int) -> tuple[int, int]:
    """Bytes to and from the host so far, as the switch counts them. Only a process in the switch's network can ask."""
    for line in pathlib.Path("/proc/thread-self/net/dev").read_text(encoding="ascii").splitlines():
        name, _, counts = line.strip().partition(":")
        if name == network.port(number):
            words = counts.split()
            return int(words[8]), int(words[0])
    raise LabError(f"the switch has no {network.port(number)}")
