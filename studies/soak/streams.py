#!/usr/bin/python3
"""What event streams cost the agent: the CPU time of its judge, which serves them, with none and with many by turns.

    studies/soak/streams.py OUT --reveal build/release/reveal --streams 64 --seconds 60 --rounds 3

Half of the streams are opened at the agent's port and half at its unix socket: each address has at most 32. Prints the
medians of the rounds in percent of a core, and how many events and bytes a stream had each second.
"""

import argparse
import json
import pathlib
import selectors
import socket
import statistics
import time

from service import Service, cpu_seconds
from shell import LabError, run_as

REQUEST = b"GET /api/v1/stream HTTP/1.1\r\nHost: localhost\r\n\r\n"
LEARNS_S = 180.0


class Streams:
    """Open streams of which all is read and counted."""

    def __init__(self, service: Service, count: int) -> None:
        self._ready = selectors.DefaultSelector()
        self.bytes, self.events = 0, 0
        for i in range(count):
            one = socket.socket(socket.AF_UNIX if i % 2 else socket.AF_INET)
            one.connect(str(service.socket) if i % 2 else ("127.0.0.1", service.port))
            one.sendall(REQUEST)
            self._ready.register(one, selectors.EVENT_READ)

    def read_for(self, seconds: float) -> None:
        """Reads for so long. Raises LabError if a stream ends, as one too many does."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            for key, _ in self._ready.select(left):
                text = key.fileobj.recv(65536)
                if not text or text.startswith(b"HTTP/1.1 503"):
                    raise LabError("a stream was ended; are there more than 32 at an address?")
                self.bytes += len(text)
                self.events += text.count(b"\nevent: ")

    def close(self) -> None:
        for key in list(self._ready.get_map().values()):
            key.fileobj.close()
        self._ready.close()


def percent_of_core(service: Service, streams: Streams | None, seconds: float) -> float:
    """What the judge takes while the streams are read, or while there are none."""
    pid = service.processes()["agent-judge"]
    begin, cpu = time.monotonic(), cpu_seconds(pid)
    if streams:
        streams.read_for(seconds)
    else:
        time.sleep(seconds)
    return 100 * (cpu_seconds(pid) - cpu) / (time.monotonic() - begin)


def is_judging(service: Service) -> bool:
    status = service.status()
    return status is not None and status["state"] == "judging"


def measure(options: argparse.Namespace) -> dict:
    service = Service(options.reveal, options.out, "http://127.0.0.1:9/")
    service.start()
    alone, beside, told = [], [], []
    try:
        service.wait_for(lambda: is_judging(service), "a verdict", LEARNS_S)
        for _ in range(options.rounds):
            alone.append(percent_of_core(service, None, options.seconds))
            streams = Streams(service, options.streams)
            try:
                streams.read_for(2)  # until all are open
                streams.bytes = streams.events = 0
                beside.append(percent_of_core(service, streams, options.seconds))
                told.append((streams.events, streams.bytes))
            finally:
                streams.close()
    finally:
        service.stop()
    a_stream_second = options.streams * options.seconds
    return {"streams": options.streams, "alone": alone, "beside": beside,
            "events_a_second": [events / a_stream_second for events, _ in told],
            "bytes_a_second": [size / a_stream_second for _, size in told]}


def table(result: dict) -> str:
    """The medians, and the least and the most of the rounds."""
    def line(name: str, values: list[float]) -> str:
        return f"{name:42s} {statistics.median(values):8.2f} ({min(values):.2f} to {max(values):.2f})"
    pairs = zip(result["alone"], result["beside"], strict=True)
    return "\n".join((line("judge without streams, % of a core", result["alone"]),
                      line(f"judge with {result['streams']} streams", result["beside"]),
                      line("more", [beside - alone for alone, beside in pairs]),
                      line("events a second of a stream", result["events_a_second"]),
                      line("bytes a second of a stream", result["bytes_a_second"])))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--reveal", type=pathlib.Path, required=True)
    parser.add_argument("--streams", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()

    def act() -> None:
        result = measure(options)
        (options.out / "streams.json").write_text(json.dumps(result) + "\n", encoding="ascii")
        print(table(result))
    run_as("streams", act)


if __name__ == "__main__":
    main()
