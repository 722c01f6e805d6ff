"""Prometheus' text format (https://prometheus.io/docs/instrumenting/exposition_formats), and who answers with it."""

import dataclasses
import http.client
import re
import time
from collections.abc import Iterator

LINE = re.compile(r"([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)(?: \d+)?")
LABEL = re.compile(r'(\w+)="((?:[^"\\]|\\.)*)"')
ESCAPED = {r"\\": "\\", r"\"": '"', r"\n": "\n"}
PATIENCE_S = 10.0


@dataclasses.dataclass(frozen=True)
class Series:
    name: str
    labels: dict[str, str]
    value: float


@dataclasses.dataclass(frozen=True)
class Scrape:
    """All values were read between the two moments, ns since 1970."""

    before_ns: int
    after_ns: int
    text: str


def series_of(text: str) -> Iterator[Series]:
    for line in text.splitlines():
        if not line or line.startswith("#"):
            continue
        found = LINE.fullmatch(line)
        if not found:
            raise ValueError(f"no series of Prometheus: {line}")
        labels = {key: re.sub(r'\\[\\"n]', lambda one: ESCAPED[one[0]], value)
                  for key, value in LABEL.findall(found[2] or "")}
        yield Series(found[1], labels, float(found[3]))


class Scraper:
    """Asks over one connection, as Prometheus does: one for each scrape would be among the sockets that only the other
    program counts."""

    def __init__(self, port: int, path: str = "/metrics") -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
        self._path = path

    def scrape(self) -> Scrape:
        before = time.time_ns()
        self._connection.request("GET", self._path)
        answer = self._connection.getresponse()
        text = answer.read().decode()
        if answer.status != http.client.OK:
            raise RuntimeError(f"{self._path} answers {answer.status}: {text[:200]}")
        return Scrape(before, time.time_ns(), text)

    def close(self) -> None:
        self._connection.close()
