"""The encodings of docs/storage_format.md, and what both kinds of frames are made of.

Written from that document alone, like the other files here; read_recording.py uses them. Nothing
here touches a file. What cannot be decoded raises Malformed, with the reason.
"""

import io
import struct
from typing import NamedTuple

try:
    import zstandard
except ImportError:
    zstandard = None  # a recording without packed records and blocks can be read all the same

MASK = (1 << 64) - 1
MOST_PACKED = 64 << 20


class RecordingError(Exception):
    """A recording that cannot be read at all: what happened, where, what to do."""


class Malformed(Exception):
    """A payload that is not as the document says."""


def require(condition, what):
    if not condition:
        raise Malformed(what)


def signed(number):
    """A number modulo 2^64, read as signed."""
    return ((number + (1 << 63)) & MASK) - (1 << 63)


def unzstd(data, length):
    """One zstd frame that holds `length` bytes, as it must say beforehand."""
    require(length <= MOST_PACKED, "longer than 64 MiB unpacked")
    if zstandard is None:
        raise RecordingError("the recording is compressed with zstd, and this Python has no "
                             "zstandard: apt-get install python3-zstandard, and run it with "
                             "/usr/bin/python3")
    try:
        with zstandard.ZstdDecompressor().stream_reader(io.BytesIO(data)) as stream:
            plain = stream.read(length + 1)
    except zstandard.ZstdError as error:
        raise Malformed(f"zstd: {error}") from error
    require(len(plain) == length, "zstd: not of the stated length")
    return plain


class Fields:
    """Reads the encodings of the document off a payload, one after the other."""

    def __init__(self, data):
        self._data = data
        self._at = 0

    def at_end(self):
        return self._at == len(self._data)

    def take(self, count):
        require(count <= len(self._data) - self._at, "ends within a field")
        self._at += count
        return self._data[self._at - count:self._at]

    def rest(self):
        return self.take(len(self._data) - self._at)

    def u8(self):
        return self.take(1)[0]

    def f64(self):
        return struct.unpack("<d", self.take(8))[0]

    def varint(self):
        number = 0
        for shift in range(0, 70, 7):
            byte = self.u8()
            number |= (byte & 0x7F) << shift
            if byte < 0x80:
                require(number <= MASK, "a varint above 64 bits")
                return number
        raise Malformed("a varint of more than ten bytes")

    def zigzag(self):
        number = self.varint()
        return -(number >> 1) - 1 if number & 1 else number >> 1

    def text(self):
        return self.take(self.varint()).decode("utf-8", "surrogateescape")

    def part(self):
        """The fields of the next bytes, after their length."""
        return Fields(self.take(self.varint()))


class Note(NamedTuple):
    kind: str  # "fact" or "event"
    source: str
    subject: str
    text: str


def read_notes(fields):
    notes = []
    for _ in range(fields.varint()):
        kind = fields.u8()
        require(kind <= 1, "a note of unknown kind")
        notes.append(Note(("fact", "event")[kind], fields.text(), fields.text(), fields.text()))
    return notes


class Frame(NamedTuple):
    """All channels of one tick. Times are ns: wall since the epoch, mono and read on the monotonic
    clock. `validity` is 0 missing, 1 fresh, 2 stale, 3 reset; `gap` a sum of 1 late, 2 storage and
    4 damage. `read_ns` has the time of each collector's latest reading."""

    sequence: int
    wall_ns: int
    mono_ns: int
    cost_ns: int
    gap: int
    bits: list
    validity: list
    read_ns: list
    notes: list
