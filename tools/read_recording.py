#!/usr/bin/python3
"""A second reader of Reveal's recordings, written from docs/storage_format.md alone: it shares no
line with the reader that Reveal has, so that the document is tested, and a recording can be read
where there is no reveal. Pure Python, some 100,000 values a second; needs the package
python3-zstandard.

    tools/read_recording.py DIR               what the recording is, in some lines
    tools/read_recording.py DIR --channels    each channel, with metric, kind, unit and scale
    tools/read_recording.py DIR --notes       what was said: sequence, kind, source, subject, text
    tools/read_recording.py DIR --csv         a row for each frame, a column for each channel
    tools/read_recording.py DIR --jsonl       an object for each frame
    tools/read_recording.py DIR --dump        all that is recorded, bit for bit

Values are raw, as the kernel gave them: a value in the metric's unit is raw times scale. Missing
values are empty in CSV and absent in JSON. What could not be read is told on stderr, and the exit
status is 1 if there was any, 2 if the recording cannot be read at all.

As a module:

    recording = read_recording.open("DIR")
    recording.facts, recording.metrics, recording.channels      # as Metric and Channel
    for frame in recording.frames():                            # each a Frame
        frame.sequence, frame.bits, frame.validity, frame.read_ns, frame.notes, ...
    recording.damage, recording.clean                           # once all frames were read

`--dump` writes lines of words separated by one space. In a text each byte that is not a letter, a
digit or one of `_-./=` is `%` and two hexadecimal digits, and an empty text is `%`; f64 is 16
hexadecimal digits; other numbers are decimal.

    frame SEQUENCE WALL_NS MONO_NS COST_NS GAP N VALIDITY:BITS... M READ_NS... K NOTE...
        N values, the bits as hexadecimal without leading zeros; M reading times; K notes, each
        KIND:SOURCE:SUBJECT:TEXT with kind `fact` or `event`
    metric NUMBER NAME KIND REPR SUBSYSTEM SCOPE COUNTER_BITS SCALE RANK LABEL UNIT SOURCE ALIAS
        DOC_URL HELP COLLECTOR    (one line)
    channel NUMBER METRIC_NUMBER INSTANCE
    run HOST KERNEL MACHINE BOOT_ID REVEAL_VERSION INTERVAL_NS START_WALL_NS CPUS_ONLINE K
        COMMAND...    (one line; K words of the command)
    unseen SOURCE REASON REMEDY METRICS
    clean YES_OR_NO

Frames come first, as they are read; then what is known when all are read.
"""

import argparse
import csv
import json
import re
import struct
import sys

from recording_format.replay import RecordingError, Replay

PLAIN = re.compile(rb"[^A-Za-z0-9_./=-]")


class Recording:
    """A recording in a directory; all of its metrics and channels are known from the start."""

    def __init__(self, directory):
        self._directory = directory
        self._replay = Replay(directory, decode=False)
        for _ in self._replay.frames():
            pass
        if self._replay.facts is None:
            raise RecordingError(f"{directory} has no run facts: it is no recording, or its "
                                 "beginning is lost")

    @property
    def facts(self):
        """What holds for the whole run: a dict, with the keys of the document."""
        return self._replay.facts

    @property
    def metrics(self):
        return self._replay.tables.metrics

    @property
    def channels(self):
        return self._replay.tables.channels

    @property
    def damage(self):
        """What could not be used, each as Damage; all of it once the frames were read."""
        return self._replay.damage

    @property
    def clean(self):
        """Whether the recorder closed the recording in order."""
        return self._replay.clean

    def frames(self):
        """Yields each Frame; begins anew, with what has been recorded by then."""
        self._replay = Replay(self._directory)
        return self._replay.frames()

    def name(self, channel):
        """The name of a Channel: metric or metric{instance}."""
        return self._replay.tables.name(channel)

    def value(self, channel, bits):
        """The raw number that 64 bits of a Channel are."""
        if self.metrics[channel.metric].repr == "u64":
            return bits
        return struct.unpack("<d", struct.pack("<Q", bits))[0]


def open(directory):  # noqa: A001, named as what it does for a user of this module
    """The recording in a directory. Raises RecordingError where there is none."""
    return Recording(directory)


def word(text):
    data = text.encode("utf-8", "surrogateescape")
    return PLAIN.sub(lambda match: b"%%%02x" % match[0][0], data).decode() or "%"


def f64_word(number):
    return struct.pack(">d", number).hex()


def frame_line(frame):
    words = ["frame", *frame[:5], len(frame.bits)]
    words += [f"{validity}:{bits:x}" for validity, bits in zip(frame.validity, frame.bits)]
    words += [len(frame.read_ns), *frame.read_ns, len(frame.notes)]
    words += [":".join([note.kind, *map(word, note[1:])]) for note in frame.notes]
    return " ".join(map(str, words))


def metric_line(number, m):
    texts = (m.label, m.unit, m.source, m.alias, m.doc_url, m.help, m.collector)
    return " ".join(["metric", str(number), word(m.name), m.kind, m.repr, m.subsystem, m.scope,
                     str(m.counter_bits), f64_word(m.scale), str(m.rank), *map(word, texts)])


def run_line(facts):
    texts = [word(facts.get(key, ""))
             for key in ("host", "kernel", "machine", "boot_id", "reveal_version")]
    command = facts.get("command", [])
    numbers = [facts["interval_ns"], facts["start_wall_ns"], facts.get("cpus_online", 0)]
    return " ".join(["run", *texts, *map(str, numbers), str(len(command)), *map(word, command)])


def dump_lines(recording):
    for frame in recording.frames():
        yield frame_line(frame)
    for number, metric in enumerate(recording.metrics):
        yield metric_line(number, metric)
    for number, channel in enumerate(recording.channels):
        yield f"channel {number} {channel.metric} {word(channel.instance)}"
    yield run_line(recording.facts)
    for unseen in recording.facts.get("unseen", []):
        texts = [word(unseen.get(key, "")) for key in ("source", "reason", "remedy")]
        yield " ".join(["unseen", *texts, str(unseen.get("metrics", 0))])
    yield f"clean {'yes' if recording.clean else 'no'}"


def summary_lines(recording):
    frames = gaps = fresh = missing = 0
    first = last = None
    for frame in recording.frames():
        first = first or frame
        last = frame
        frames += 1
        gaps += frame.gap != 0
        fresh += frame.validity.count(1) + frame.validity.count(3)
        missing += frame.validity.count(0)
    facts = recording.facts
    yield f"host      {facts['host']}"
    yield f"start     {facts['start_wall_ns']} ns"
    yield f"interval  {facts['interval_ns']} ns"
    yield f"command   {' '.join(facts.get('command', [])) or 'none'}"
    yield f"metrics   {len(recording.metrics)}"
    yield f"channels  {len(recording.channels)}"
    yield f"frames    {frames}, {gaps} after a gap" + (
        f"; sequence {first.sequence} to {last.sequence}" if first else "")
    yield f"values    {fresh} read, {missing} missing"
    yield f"damage    {len(recording.damage)}"
    yield f"clean     {'yes' if recording.clean else 'no'}"


def channel_lines(recording):
    for channel in recording.channels:
        metric = recording.metrics[channel.metric]
        scale = f"{metric.scale:g}"
        yield f"{recording.name(channel)} {metric.kind} {metric.repr} {metric.unit or '-'} {scale}"


def note_lines(recording):
    for frame in recording.frames():
        for note in frame.notes:
            yield "\t".join([str(frame.sequence), *note])


def values(recording, frame):
    """The values that the frame has: pairs of channel number and raw number."""
    for number, (bits, validity) in enumerate(zip(frame.bits, frame.validity)):
        if validity != 0:
            yield number, recording.value(recording.channels[number], bits)


def write_csv(recording, file):
    names = [recording.name(channel) for channel in recording.channels]
    rows = csv.writer(file, lineterminator="\n")
    rows.writerow(["sequence", "wall_ns", "mono_ns", "cost_ns", "gap", *names])
    for frame in recording.frames():
        row = [""] * len(names)
        for number, value in values(recording, frame):
            if number < len(row):  # a recording that grows may have got more since
                row[number] = repr(value)
        rows.writerow([*frame[:5], *row])


def json_object(recording, frame):
    # JSON has no number for what is not finite.
    told = {recording.name(recording.channels[number]):
            value if abs(value) < float("inf") else str(value)
            for number, value in values(recording, frame)}
    return {**{key: getattr(frame, key)
               for key in ("sequence", "wall_ns", "mono_ns", "cost_ns", "gap", "read_ns")},
            "values": told, "notes": [note._asdict() for note in frame.notes]}


def jsonl_lines(recording):
    for frame in recording.frames():
        yield json.dumps(json_object(recording, frame), allow_nan=False)


LINES = {"dump": dump_lines, "channels": channel_lines, "notes": note_lines, "jsonl": jsonl_lines,
         "summary": summary_lines}


def parse(words):
    parser = argparse.ArgumentParser(description="Reads a recording of Reveal.")
    parser.add_argument("directory", metavar="DIR")
    what = parser.add_mutually_exclusive_group()
    for name in ("channels", "notes", "csv", "jsonl", "dump"):
        what.add_argument(f"--{name}", dest="what", action="store_const", const=name)
    parser.set_defaults(what="summary")
    return parser.parse_args(words)


def main(words):
    arguments = parse(words)
    sys.stdout.reconfigure(errors="surrogateescape")
    try:
        recording = open(arguments.directory)
        if arguments.what == "csv":
            write_csv(recording, sys.stdout)
        else:
            for line in LINES[arguments.what](recording):
                print(line)
    except RecordingError as error:
        print(f"read_recording.py: {error}", file=sys.stderr)
        return 2
    for damage in recording.damage:
        print(f"{damage.file}: {damage.length} bytes from offset {damage.offset} could not be "
              f"used: {damage.what}", file=sys.stderr)
    return 1 if recording.damage else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
