"""Run facts, metrics and channels: docs/storage_format.md, "Run facts (1)" to "Channels (3)"."""

import json
from typing import NamedTuple

from .fields import Fields, Malformed, require

KINDS = ("counter", "gauge", "event", "static")
REPRS = ("u64", "f64")
SUBSYSTEMS = ("cpu", "gpu", "memory", "network", "storage")
UNKNOWN = (5, "unknown")
SCOPES = ("host", "core", "node", "gpu", "nic", "disk", "cgroup", "device", "recorder")

REQUIRED = {"host": str, "interval_ns": int, "start_wall_ns": int}
IDENTITY = ("host", "boot_id", "start_wall_ns")


class Metric(NamedTuple):
    """A kind of quantity. A raw number times `scale` is a value in `unit`."""

    name: str
    label: str
    unit: str
    source: str
    alias: str
    doc_url: str
    help: str
    kind: str
    repr: str
    subsystem: str
    scope: str
    counter_bits: int
    scale: float
    rank: int
    collector: str


class Channel(NamedTuple):
    """A metric, by its number, of one instance; that is empty for the host."""

    metric: int
    instance: str


def read_facts(payload):
    try:
        facts = json.loads(payload.decode("utf-8", "replace"))
    except ValueError as error:
        raise Malformed(f"run facts: {error}") from error
    require(isinstance(facts, dict), "run facts that are no object")
    for key, kind in REQUIRED.items():
        require(isinstance(facts.get(key), kind), f"run facts without {key}")
    return facts


def same_run(facts, others):
    return all(facts.get(key, "") == others.get(key, "") for key in IDENTITY)


def word(words, number):
    require(number < len(words), "a metric of unknown kind, repr, subsystem or scope")
    return words[number]


def read_metric(fields):
    texts = [fields.text() for _ in range(7)]
    kind, repr_ = word(KINDS, fields.u8()), word(REPRS, fields.u8())
    subsystem, scope = word(SUBSYSTEMS, fields.u8()), word(SCOPES, fields.u8())
    counter_bits, scale, rank = fields.u8(), fields.f64(), fields.zigzag()
    require(-32768 <= rank <= 32767, "a rank out of range")
    collector = "" if fields.at_end() else fields.text()
    if not fields.at_end() and fields.u8() >= UNKNOWN[0]:
        subsystem = UNKNOWN[1]
    return Metric(*texts, kind, repr_, subsystem, scope, counter_bits, scale, rank, collector)


def consecutive(fields, known, read_entry):
    """Reads entries numbered from the first field on. Returns those that are not known yet."""
    first, count = fields.varint(), fields.varint()
    require(first <= known, "metrics or channels before these were lost")
    entries = [read_entry(fields) for _ in range(count)]
    return entries[known - first:]


class Tables:
    """The metrics and channels that are known so far."""

    def __init__(self):
        self.metrics = []
        self.channels = []

    def add_metrics(self, payload):
        self.metrics += consecutive(Fields(payload), len(self.metrics),
                                    lambda fields: read_metric(fields.part()))

    def add_channels(self, payload):
        new = consecutive(Fields(payload), len(self.channels),
                          lambda fields: Channel(fields.varint(), fields.text()))
        require(all(channel.metric < len(self.metrics) for channel in new),
                "a channel of a metric that is not known")
        self.channels += new

    def name(self, channel):
        """The name by which people and files know a channel: metric or metric{instance}."""
        metric = self.metrics[channel.metric].name
        return f"{metric}{{{channel.instance}}}" if channel.instance else metric

    def sources(self):
        """The collectors, in the order in which the metrics first name them."""
        return list(dict.fromkeys(metric.collector for metric in self.metrics))


def alike(a, b):
    """Whether values of two metrics of one name may be compared."""
    return all(getattr(a, key) == getattr(b, key)
               for key in ("kind", "repr", "scale", "unit", "counter_bits"))


class Joined:
    """The metrics and channels of a recording, each under one number however its files number it:
    docs/storage_format.md, "Numbering"."""

    def __init__(self):
        self.given = Tables()
        self.of_file = self.given
        self.now = None  # the numbering of the file at hand
        self._same = None  # the numbering that has the same numbers as what is given

    def begin(self, numbering):
        """The file at hand has this numbering."""
        if self.now == numbering:
            return
        self.now = numbering
        if not self.given.metrics:
            self._same = numbering
        self.of_file = self.given if self._same == numbering else Tables()
        self._metrics, self._channels = [], []

    def learn(self):
        """Takes in what was added to of_file. Returns whether metrics of one name are alike."""
        if self.of_file is self.given:
            return True
        given, as_before = self.given, True
        before = len(given.metrics) + len(given.channels)
        names = {metric.name: number for number, metric in enumerate(given.metrics)}
        for metric in self.of_file.metrics[len(self._metrics):]:
            number = names.setdefault(metric.name, len(given.metrics))
            if number == len(given.metrics):
                given.metrics.append(metric)
            self._metrics.append(number)
            as_before = as_before and alike(metric, given.metrics[number])
        numbers = {channel: number for number, channel in enumerate(given.channels)}
        for channel in self.of_file.channels[len(self._channels):]:
            channel = channel._replace(metric=self._metrics[channel.metric])
            number = numbers.setdefault(channel, len(given.channels))
            if number == len(given.channels):
                given.channels.append(channel)
            self._channels.append(number)
        if len(given.metrics) + len(given.channels) > before:
            self._same = None
        return as_before

    def frame(self, frame):
        """The frame under the numbers that are given."""
        if self.of_file is self.given:
            return frame
        bits, validity = [0] * len(self.given.channels), [0] * len(self.given.channels)
        for at, bit, valid in zip(self._channels, frame.bits, frame.validity):
            bits[at], validity[at] = bit, valid
        sources = self.given.sources()
        read_ns = [frame.mono_ns] * len(sources)
        for source, time in zip(self.of_file.sources(), frame.read_ns):
            if source in sources:
                read_ns[sources.index(source)] = time
        return frame._replace(bits=bits, validity=validity, read_ns=read_ns)
