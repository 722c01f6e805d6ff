"""Files to frames: records, what survives damage, segments and then journals.

docs/storage_format.md, "A recording is a directory", "A record" and "Failures and what they cost".
"""

import os
import pathlib
import re
import zlib
from typing import NamedTuple

from .block import Block
from .fields import Fields, Malformed, RecordingError, read_notes, require, unzstd
from .frame_record import read_delta_frame, read_key_frame
from .tables import Joined, read_facts, same_run

MAGIC = b"\x89RVS\r\n\x1a\n"
VERSION = 3
NUMBERED = 3  # the version of files that number channels otherwise than the first segment
HEADER_BYTES = 8 + 2 + 2 + 4
MARKER = b"\xd3\x52\x56\x9c"
RECORD_HEADER_BYTES = 4 + 4 + 4 + 1
MOST_PAYLOAD = 64 << 20
FACTS, METRICS, CHANNELS, KEY_FRAME, DELTA_FRAME, END, NOTES, BLOCK, PACKED = range(1, 10)
NEEDS_NUMBERING = (METRICS, CHANNELS, KEY_FRAME, DELTA_FRAME, BLOCK)
GAP_DAMAGE = 4
FILE_NAME = re.compile(r"(\d{6}|[1-9]\d{6,})\.rv([sj])")


class Damage(NamedTuple):
    """Bytes of a file that could not be used."""

    file: str
    offset: int
    length: int
    what: str


class Record(NamedTuple):
    type: int
    payload: bytes
    end: int  # offset behind it


def record_at(data, at):
    """The whole, sound record there, or None."""
    if data[at:at + 4] != MARKER or len(data) - at < RECORD_HEADER_BYTES:
        return None
    length = int.from_bytes(data[at + 4:at + 8], "little")
    end = at + RECORD_HEADER_BYTES + length
    if length > MOST_PAYLOAD or end > len(data):
        return None
    if zlib.crc32(data[at + 12:end]) != int.from_bytes(data[at + 8:at + 12], "little"):
        return None
    return Record(data[at + 12], data[at + RECORD_HEADER_BYTES:end], end)


def next_record(data, at):
    """The offset at or behind `at` of the next whole record, or None."""
    while (at := data.find(MARKER, at)) >= 0:
        if record_at(data, at):
            return at
        at += 1
    return None


def is_torn(data, at):
    """Whether what is there to the end is the beginning of a record."""
    if not MARKER.startswith(data[at:at + 4]):
        return False
    if len(data) - at < RECORD_HEADER_BYTES:
        return True
    length = int.from_bytes(data[at + 4:at + 8], "little")
    return length <= MOST_PAYLOAD and at + RECORD_HEADER_BYTES + length > len(data)


def number_of(name):
    return int(name.split(".")[0])


def is_copy(name, facts):
    """Whether a segment's facts are of a segment with another number."""
    return name.endswith("s") and read_facts(facts).get("segment", number_of(name)) != number_of(name)


def files_of(directory, kind):
    """The names of the segments ("s") or journals ("j"), in order."""
    try:
        found = [entry.name for entry in os.scandir(directory) if not entry.is_dir()]
    except OSError as error:
        raise RecordingError(f"{directory}: {error.strerror}") from error
    names = [name for name in found if FILE_NAME.fullmatch(name) and name.endswith(kind)]
    return sorted((name for name in names if number_of(name) > 0), key=number_of)


class Replay:
    """One reading of a recording. With decode=False it reads no frames, only what they are of."""

    def __init__(self, directory, decode=True):
        self.facts = None
        self._joined = Joined()
        self._unnumbered = False  # how the file numbers channels is not known yet
        self.damage = []
        self.clean = False
        self._directory = pathlib.Path(directory)
        self._decode = decode
        self._before = None  # the frame that a delta frame is based on
        self._last_sequence = None
        self._lost = False  # something was, since the frame before
        self._notes = []  # for the next frame
        self._known = {}  # facts that hold: (source, subject) to text
        self._closed = False  # the file has an end record,
        self._ended = False  # which says that the recording ends

    @property
    def tables(self):
        return self._joined.given

    def frames(self):
        """Yields the frames; damage and clean are known once it is through."""
        journals = [(name, data) for name in files_of(self._directory, "j")
                    if (data := self._read(name)) is not None]
        segments = files_of(self._directory, "s")
        if not segments:
            raise RecordingError(f"{self._directory} has no segment: it is no recording")
        for before, name in zip([None, *segments], segments):
            if before and number_of(name) != number_of(before) + 1:
                self._lost = True  # a whole segment
            data = self._read(name)
            if data is not None:
                yield from self._file(name, data, may_be_torn=name == segments[-1],
                                      is_first=before is None)
        self.clean = self._ended
        if self.clean:
            return
        for name, data in journals:
            yield from self._file(name, data, may_be_torn=True)

    def _read(self, name):
        """The bytes of a file; None if the recorder has removed it meanwhile."""
        try:
            return (self._directory / name).read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise RecordingError(f"{self._directory / name}: {error.strerror}") from error

    def _file(self, name, data, may_be_torn, is_first=False):
        """Yields the frames of a file that are to be used."""
        self._closed = self._ended = False
        self._before = None
        self._unnumbered = False
        if not self._header(name, data, may_be_torn, is_first):
            return
        for at, record in self._records(name, data, may_be_torn):
            frames = []
            try:
                if record.type == FACTS and not self._take_facts(record.payload):
                    self._damaged(name, 0, len(data), "it belongs to another recording")
                    return
                if record.type == FACTS and is_copy(name, record.payload):
                    self._damaged(name, 0, len(data), "it is a copy of another segment")
                    return
                if record.type == FACTS and not self._take_numbering(name, len(data),
                                                                     record.payload):
                    return
                frames = self._take(record.type, record.payload)
            except Malformed as error:
                self._damaged(name, at, record.end - at, str(error))
            for frame in frames:
                if name.endswith("s") or self._is_new(frame):
                    yield self._told(frame)
        if not self._closed and not may_be_torn:
            self._damaged(name, len(data), 0, "it ends before its end record")

    def _records(self, name, data, may_be_torn):
        """Yields the sound records, each after its offset."""
        at = HEADER_BYTES
        while at < len(data):
            record = record_at(data, at)
            if record:
                yield at, record
                at = record.end
                continue
            following = next_record(data, at + 1)
            if following is None and may_be_torn and is_torn(data, at):
                return
            end = len(data) if following is None else following
            self._damaged(name, at, end - at, "no sound record")
            at = end

    def _header(self, name, data, may_be_torn, is_first):
        """Whether the file can be read on behind its header."""
        if len(data) < HEADER_BYTES and may_be_torn:
            return False
        crc = int.from_bytes(data[12:16], "little")
        if data.startswith(MAGIC) and len(data) >= HEADER_BYTES and zlib.crc32(data[:12]) == crc:
            version = int.from_bytes(data[8:10], "little")
            if version > VERSION:
                raise RecordingError(f"{self._directory / name} has format version {version}, and "
                                     f"this reader knows up to {VERSION}: use a newer one")
            self._unnumbered = version >= NUMBERED
            return True
        first = record_at(data, HEADER_BYTES)
        header_only = first is not None and first.type == FACTS
        if not header_only and is_first and len(data) >= HEADER_BYTES:
            raise RecordingError(f"{self._directory / name} is not a segment of Reveal")
        self._damaged(name, 0, HEADER_BYTES if header_only else len(data), "the header")
        return header_only

    def _damaged(self, name, offset, length, what):
        self.damage.append(Damage(name, offset, length, what))
        self._lost = True
        self._before = None

    def _take_facts(self, payload):
        """Returns whether they are of this recording."""
        facts = read_facts(payload)
        if self.facts is None:
            self.facts = facts
        return same_run(facts, self.facts)

    def _take_numbering(self, name, length, payload):
        """Returns whether the file is to be read on."""
        numbering, before = read_facts(payload).get("numbering", 0), self._joined.now
        if name.endswith("j") and before is not None and numbering != before:
            if numbering > before:
                self._damaged(name, 0, length, "its channels are numbered by an unread segment")
            return False
        self._unnumbered = False
        self._joined.begin(numbering)
        return True

    def _take(self, kind, payload):
        """Takes a record in. Returns the frames that are in it."""
        if kind == PACKED:
            fields = Fields(payload)
            kind, length = fields.u8(), fields.varint()
            require(kind != PACKED, "a packed record in another")
            payload = unzstd(fields.rest(), length)
        require(self.facts is not None or kind not in (KEY_FRAME, DELTA_FRAME, BLOCK),
                "there are no run facts before it")
        if kind in NEEDS_NUMBERING:
            require(not self._unnumbered, "how its channels are numbered is lost")
            if self._joined.now is None:
                self._joined.begin(0)
        if kind == METRICS:
            self._joined.of_file.add_metrics(payload)
        elif kind == CHANNELS:
            self._joined.of_file.add_channels(payload)
        elif kind == END:
            fields = Fields(payload)
            fields.varint()
            self._closed = True
            self._ended = fields.u8() == 1
        if kind in (METRICS, CHANNELS):
            require(self._joined.learn(), "a metric that is another than before")
        elif not self._decode:
            return []
        elif kind == NOTES:
            self._notes += read_notes(Fields(payload))
        elif kind == BLOCK:
            return self._block(payload)
        elif kind in (KEY_FRAME, DELTA_FRAME):
            return [self._frame_record(kind, payload)]
        return []

    def _frame_record(self, kind, payload):
        if kind == KEY_FRAME:
            frame = read_key_frame(payload, self._notes)
        else:
            frame = read_delta_frame(payload, self._before, self._notes)
        require(len(frame.bits) <= len(self._joined.of_file.channels), "its channels were lost")
        self._before = frame
        self._notes = []
        return frame

    def _block(self, payload):
        block = Block(payload)
        require(block.channels <= len(self._joined.of_file.channels), "its channels were lost")
        frames = block.frames()
        require(self._is_new(frames[0]), "its frames were there before")
        notes, self._notes = self._notes, []
        return [frames[0]._replace(notes=notes + frames[0].notes)] + frames[1:]

    def _is_new(self, frame):
        return self._last_sequence is None or frame.sequence > self._last_sequence

    def _told(self, frame):
        """The frame as the recording tells it: the first one after damage says so."""
        last = self._last_sequence
        if self._lost and frame.sequence != (0 if last is None else last + 1):
            frame = frame._replace(gap=frame.gap | GAP_DAMAGE)
        self._lost = False
        self._last_sequence = frame.sequence
        return self._joined.frame(frame._replace(notes=self._new_notes(frame.notes)))

    def _new_notes(self, notes):
        """Those that say something new: a fact that holds already does not."""
        new = []
        for note in notes:
            about = (note.source, note.subject)
            if note.kind == "fact":
                if self._known.get(about, "") == note.text:
                    continue
                self._known[about] = note.text
            new.append(note)
        return new
