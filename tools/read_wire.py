#!/usr/bin/python3
"""A second decoder of the messages of a fleet, written from docs/wire_format.md alone: it shares no
line with the decoder that Reveal has, so that the document is tested, and messages can be read where
there is no reveal. Pure Python, without any package.

    tools/read_wire.py < MESSAGES     a JSON object for each message

MESSAGES has a message a line, as hexadecimal digits; before them may stand a subject and a space.
The lines are those of one host: levels are told with the levels of their base. What is refused is told
as {"refused": REASON}, and the exit status is 1 if there was any.

As a module:

    reader = read_wire.Reader()         # of one host
    message = reader.read(bytes)        # a dict; raises Refused, or Waits if the base is missing
    read_wire.level(code, floor)        # the level of a code; None if there is none
    read_wire.dump(message)             # the message as words separated by spaces, for tests
"""

import json
import struct
import sys
import zlib

VERSION = 1
LEVELS, EVENT, FACTS, DICTIONARY = 1, 2, 3, 4
TYPES = {LEVELS: "levels", EVENT: "event", FACTS: "facts", DICTIONARY: "dictionary"}
QUESTION, ANSWER = 5, 6
BEING_MADE, FIRST_PART, MORE = 0, 1, 2

MOST_QUANTITIES = 16384
MOST_PLAIN = 2097152
MOST_PACKED = 524288
LARGEST_MAGNITUDE = 16319
ABSENT = 32767
LONGEST_BUCKET_NS = 3_600_000_000_000
MOST_PART = 262144
MOST_ANSWER = 16777216


class Refused(Exception):
    """A message that is not as the document says."""


class Waits(Exception):
    """Levels whose base was not received: the next key message will do."""


def require(condition, what):
    if not condition:
        raise Refused(what)


class Fields:
    """Reads the encodings of the document off bytes, one after the other."""

    def __init__(self, data):
        self._data = data
        self._at = 0

    def bytes(self, count):
        require(self._at + count <= len(self._data), "cut off")
        out = self._data[self._at:self._at + count]
        self._at += count
        return out

    def rest(self):
        return self.bytes(len(self._data) - self._at)

    def end(self):
        require(self._at == len(self._data), "bytes after the last field")

    def number(self, form):
        return struct.unpack("<" + form, self.bytes(struct.calcsize(form)))[0]

    def u8(self, most=255):
        value = self.number("B")
        require(value <= most, "a number out of its bounds")
        return value

    def varint(self, least=0, most=(1 << 64) - 1):
        value = 0
        for place in range(10):
            byte = self.u8()
            require(place < 9 or byte <= 1, "a varint above 64 bits")
            value |= (byte & 0x7F) << (7 * place)
            if byte < 0x80:
                require(byte != 0 or place == 0, "a varint that is too long")
                require(least <= value <= most, "a number out of its bounds")
                return value
        raise Refused("a varint without an end")

    def zigzag(self):
        value = self.varint()
        return -(value // 2) - 1 if value % 2 else value // 2

    def text(self, least, most):
        data = self.bytes(self.varint(least, most))
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError as error:
            raise Refused("a text that is not UTF-8") from error

    def f32(self):
        value = self.number("f")
        require(value == value, "NaN")
        return value

    def packed(self):
        length = self.varint(1, MOST_PLAIN)
        data = self.rest()
        require(len(data) <= MOST_PACKED, "packed bytes are too many")
        inflater = zlib.decompressobj()
        try:
            plain = inflater.decompress(data, length + 1)
        except zlib.error as error:
            raise Refused(f"zlib: {error}") from error
        require(len(plain) == length and inflater.eof, "not zlib of its length")
        require(not inflater.unused_data, "bytes after zlib")
        return plain


def level(code, floor):
    """The level of a code, by its quantity's floor; None if there is none."""
    if code == 0:
        return 0.0
    magnitude = abs(code) - 1 + floor
    if code == ABSENT or magnitude > LARGEST_MAGNITUDE:
        return None
    value = struct.unpack("<f", struct.pack("<I", magnitude << 17))[0]
    return -value if code < 0 else value


def read_dictionary(plain):
    """What the plain bytes of a dictionary say."""
    fields = Fields(plain)
    out = {"bucket_ns": fields.varint(1_000_000, LONGEST_BUCKET_NS), "quantities": [],
           "number": zlib.crc32(plain)}
    for _ in range(fields.varint(1, MOST_QUANTITIES)):
        one = {"metric": fields.text(1, 256), "instance": fields.text(0, 256),
               "label": fields.text(0, 256), "unit": fields.text(0, 64), "kind": fields.u8(2),
               "subsystem": fields.u8(5), "scope": fields.u8(7), "fold": fields.u8(4),
               "floor": fields.number("H"), "least_rise": fields.f32()}
        require(1 <= one["floor"] <= LARGEST_MAGNITUDE, "a floor out of its bounds")
        require(struct.pack("<f", one["least_rise"])[3] < 0x80, "a negative least rise")
        out["quantities"].append(one)
    fields.end()
    keys = {(one["metric"], one["instance"], one["fold"]) for one in out["quantities"]}
    require(len(keys) == len(out["quantities"]), "a quantity twice")
    return out


def read_event(fields):
    out = {"what": fields.u8(3), "revision": fields.number("I"), "onset_ns": fields.number("q"),
           "end_ns": fields.number("q"), "subsystem": fields.u8(5), "severity": fields.u8(3),
           "finding": fields.text(1, 64), "claim": fields.text(0, 2048),
           "pattern": fields.text(0, 128), "detail": fields.text(0, 12288)}
    fields.end()
    require(out["what"] >= 1 and out["revision"] >= 1, "an event of no kind or revision")
    require(out["end_ns"] >= out["onset_ns"], "an end before the onset")
    return out


def increase(keys):
    return all(one < other for one, other in zip(keys, keys[1:]))


def by_bytes(*texts):
    return tuple(text.encode() for text in texts)


def read_facts(plain):
    fields = Fields(plain)
    names = ["host", "kernel", "machine", "boot_id", "reveal_version"]
    out = {name: fields.text(1 if name == "host" else 0, 256) for name in names}
    out["interval_ns"] = fields.varint(1, LONGEST_BUCKET_NS)
    out["start_wall_ns"] = fields.varint(0, (1 << 63) - 1)
    out["cpus_online"] = fields.varint(0, 65536)
    out["labels"] = [(fields.text(1, 64), fields.text(0, 256))
                     for _ in range(fields.varint(0, 64))]
    out["groups"] = [fields.text(1, 256) for _ in range(fields.varint(0, 16))]
    out["facts"] = [(fields.text(0, 256), fields.text(0, 256), fields.text(0, 1024))
                    for _ in range(fields.varint(0, 4096))]
    fields.end()
    require(increase([by_bytes(name) for name, _ in out["labels"]]), "labels out of order")
    require(increase([by_bytes(group) for group in out["groups"]]), "groups out of order")
    require(increase([by_bytes(*fact[:2]) for fact in out["facts"]]), "facts out of order")
    return out


def read_question(fields):
    out = {"type": "question", "target": fields.text(1, 2048), "last_event": fields.text(0, 64)}
    fields.end()
    require(out["target"].startswith("/"), "a target without a slash")
    return out


def read_answer(fields):
    """A part of an answer; its bytes of the body as hexadecimal digits."""
    out = {"type": "answer", "kind": fields.u8(2)}
    if out["kind"] == BEING_MADE:
        fields.end()
        return out
    most = MOST_PART
    if out["kind"] == FIRST_PART:
        out.update({"status": fields.varint(200, 599), "retry_after_s": fields.varint(0, 3600),
                    "media_type": fields.text(0, 128), "body_bytes": fields.varint(0, MOST_ANSWER)})
        most = min(MOST_PART, out["body_bytes"])
    else:
        out["number"] = fields.varint(1, MOST_ANSWER)
    body = fields.rest()
    require(len(body) <= most, "more bytes than a part may have")
    require(body or out.get("body_bytes") == 0, "a part without a byte")
    out["body"] = body.hex()
    return out


def read_maps(fields, count):
    """The places whose codes moved."""
    groups = (count + 7) // 8
    upper = fields.bytes((groups + 7) // 8)
    out = []
    for group in range(8 * len(upper)):
        if not upper[group // 8] >> (group % 8) & 1:
            continue
        bits = fields.u8()
        require(group < groups and bits, "a bit of the upper map for nothing")
        places = [8 * group + bit for bit in range(8) if bits >> bit & 1]
        require(places[-1] < count, "a bit of the lower map for nothing")
        out += places
    return out


class Reader:
    """Reads the messages of one host in their order."""

    def __init__(self):
        self._base = None  # the last levels

    def read(self, message):
        fields = Fields(message)
        require(fields.u8() == VERSION, "another version")
        kind = fields.u8()
        if kind == QUESTION:
            return read_question(fields)
        if kind == ANSWER:
            return read_answer(fields)
        require(kind in TYPES, "an unknown type")
        flags = fields.number("H")
        require(flags <= (15 if kind == LEVELS else 0), "unknown flags")
        out = {"type": TYPES[kind], "flags": flags, "clock_error_us": fields.number("I"),
               "run": fields.number("Q"), "time_ns": fields.number("q")}
        if kind == LEVELS:
            out.update(self._read_levels(fields, out))
            self._base = out
        elif kind == EVENT:
            out.update(read_event(fields))
        elif kind == FACTS:
            out.update(read_facts(fields.packed()))
        else:
            out.update(read_dictionary(fields.packed()))
        return out

    def _read_levels(self, fields, head):
        out = {"sequence": fields.number("Q"), "dictionary": fields.number("I"),
               "back": fields.u8(), "votes": fields.u8(), "strength": fields.number("H"),
               "shares": list(fields.bytes(5)), "missing": fields.u8(), "hung_sources": fields.u8()}
        require(out["back"] <= out["sequence"], "a base before the first message")
        require(out["strength"] <= 0x7F7F, "a strength that is no number")
        if head["flags"] & 1:
            require(not (out["votes"] or out["strength"] or any(out["shares"])),
                    "a verdict of who learns")
        out["strength"] = struct.unpack("<f", struct.pack("<I", out["strength"] << 16))[0]
        count = fields.varint(1, MOST_QUANTITIES)
        codes = self._base_codes(head, out, count)
        for place in read_maps(fields, count):
            step = fields.zigzag()
            codes[place] += step
            code = codes[place]
            require(step and (abs(code) <= LARGEST_MAGNITUDE or code == ABSENT), "no code")
        fields.end()
        out["codes"] = codes
        return out

    def _base_codes(self, head, levels, count):
        if levels["back"] == 0:
            return [0] * count
        base = self._base
        if base is None or base["run"] != head["run"] or \
                base["sequence"] != levels["sequence"] - levels["back"]:
            raise Waits("levels whose base was not received")
        require(base["dictionary"] == levels["dictionary"] and len(base["codes"]) == count,
                "another dictionary than that of the base")
        return list(base["codes"])


def word(text):
    """Each byte that is not a letter, a digit or one of `_-./=` as % and two digits."""
    plain = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./="
    return "".join(chr(b) if b in plain else f"%{b:02x}" for b in text.encode()) or "%"


def words_of(value):
    if isinstance(value, str):
        yield word(value)
    elif isinstance(value, float):
        yield struct.pack(">f", value).hex()
    elif isinstance(value, dict):
        for one in value.values():
            yield from words_of(one)
    elif isinstance(value, (list, tuple)):
        yield str(len(value))
        for one in value:
            yield from words_of(one)
    else:
        yield str(value)


def dump(message):
    """All values of a message in the order of the document, a list after its length; numbers are
    decimal, f32 and the strength eight hexadecimal digits, texts as word() has them. The number of a
    dictionary comes last."""
    return " ".join(words_of(message))


def main():
    reader = Reader()
    refused = False
    for line in sys.stdin:
        if not line.strip():
            continue
        try:
            print(json.dumps(reader.read(bytes.fromhex(line.split()[-1])), ensure_ascii=False))
        except (Refused, Waits, ValueError) as error:
            refused = True
            print(json.dumps({"refused": str(error)}))
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main())
