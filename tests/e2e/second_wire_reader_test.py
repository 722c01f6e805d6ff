"""tools/read_wire.py, which was written from docs/wire_format.md alone, gets out of every message what
Reveal's own decoder gets out of it, and refuses what that refuses: so the document is right."""

import os
import random
import re
import subprocess
import sys
import unittest
import zlib
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY / "tools"))
import read_wire  # noqa: E402

DOCUMENT = REPOSITORY / "docs" / "wire_format.md"
DUMP_WIRE = os.path.abspath(os.environ["DUMP_WIRE"])
PATIENCE_S = 120


def own_outcomes(arguments, lines=()):
    """(message, what Reveal's own decoder says) of each message that it made or was given."""
    out = subprocess.run([DUMP_WIRE, *arguments], input="\n".join(lines), capture_output=True,
                         text=True, timeout=PATIENCE_S, check=True)
    pairs = [line.split(" ", 1) for line in out.stdout.splitlines()]
    return [(bytes.fromhex(message), outcome) for message, outcome in pairs]


def second_outcome(reader, message):
    try:
        return read_wire.dump(reader.read(message))
    except read_wire.Refused:
        return "refused"
    except read_wire.Waits:
        return "waits"


def hex_bytes(lines):
    out = b""
    for line in lines:
        out += line[1:line.rindex('"')].encode() if line.startswith('"') else \
            bytes.fromhex(line.split(";")[0])
    return out


def examples():
    """The bytes of the document's blocks, by name."""
    blocks = re.findall(r"^```hex (\w+)\n(.*?)^```", DOCUMENT.read_text(), re.M | re.S)
    return {name: hex_bytes(body.splitlines()) for name, body in blocks}


def varint(number):
    return bytes([number]) if number < 0x80 else bytes([number & 0x7F | 0x80]) + varint(number >> 7)


def packed(plain):
    return varint(len(plain)) + zlib.compress(plain)


def damaged(rng, plain):
    out = bytearray(plain)
    for _ in range(rng.randint(1, 2)):
        out[rng.randrange(len(out))] ^= 1 << rng.randrange(8)
    return bytes(out)


class SecondWireReader(unittest.TestCase):
    def compare(self, outcomes):
        reader = read_wire.Reader()
        for number, (message, own) in enumerate(outcomes):
            self.assertEqual(second_outcome(reader, message), own, f"message {number}")

    def test_made_and_damaged_messages(self):
        kinds = set()
        for seed in range(20):
            outcomes = own_outcomes([str(seed), "300"])
            self.assertEqual(len(outcomes), 300)
            self.compare(outcomes)
            kinds.update(outcome.split(" ", 1)[0] for _, outcome in outcomes)
        self.assertEqual(kinds, {"levels", "event", "facts", "dictionary", "question", "answer", "refused", "waits"})

    def test_every_flipped_bit_of_the_examples(self):
        example = examples()
        for name in ["key", "levels", "event", "facts", "question", "answer", "answer_rest"]:
            sound = example[name]
            lines = []
            for bit in range(8 * len(sound)):
                damaged = bytearray(sound)
                damaged[bit // 8] ^= 1 << bit % 8
                # After its base, so that what is damaged is not just waiting for one.
                lines += [example["key"].hex(), bytes(damaged).hex()]
            self.compare(own_outcomes([], lines))

    def test_every_length_of_the_examples(self):
        for sound in examples().values():
            self.compare(own_outcomes([], [sound[:size].hex() for size in range(1, len(sound))]))

    # What is packed has a checksum, which other damage does not get past.
    def test_damage_below_the_compression(self):
        rng = random.Random(1)
        lines = []
        for message, outcome in own_outcomes(["7", "400"]):
            if outcome.split(" ", 1)[0] not in ("facts", "dictionary"):
                continue
            plain = read_wire.Fields(message[24:]).packed()
            for _ in range(20):
                lines.append((message[:24] + packed(damaged(rng, plain))).hex())
        outcomes = own_outcomes([], lines)
        self.assertGreater(sum(outcome == "refused" for _, outcome in outcomes), 100)
        self.assertGreater(sum(outcome != "refused" for _, outcome in outcomes), 100)
        self.compare(outcomes)

    def test_what_must_increase(self):
        names = b"".join(bytes([len(name)]) + name for name in [b"h", b"", b"", b"", b""])
        numbers = bytes([1, 0, 0])
        lists = {"labels": (b"\x01%c\x00", b"", b"\x00\x00"), "groups": (b"\x01%c", b"\x00", b"\x00"),
                 "facts": (b"\x00\x01%c\x00", b"\x00\x00", b"")}
        head = bytes([1, 3]) + bytes(22)
        for row, before, after in lists.values():
            for keys in (b"ab", b"ba", b"aa"):
                rows = bytes([len(keys)]) + b"".join(row % key for key in keys)
                message = head + packed(names + numbers + before + rows + after)
                outcomes = own_outcomes([], [message.hex()])
                self.assertEqual(outcomes[0][1] != "refused", keys == b"ab")
                self.compare(outcomes)

    def test_what_must_differ(self):
        plain = examples()["dictionary"]
        head, quantities = plain[:6], plain[6:]
        twice = head[:5] + bytes([6]) + 2 * quantities
        outcomes = own_outcomes([], [(bytes([1, 4]) + bytes(22) + packed(one)).hex()
                                     for one in (plain, twice)])
        self.assertNotEqual(outcomes[0][1], "refused")
        self.assertEqual(outcomes[1][1], "refused")
        self.compare(outcomes)

    def test_rubbish(self):
        rng = random.Random(1)
        lines = []
        for _ in range(2000):
            head = bytes([1, rng.randint(1, 6), 0, 0])
            lines.append((head + rng.randbytes(rng.randint(1, 80))).hex())
        self.compare(own_outcomes([], lines))

    def test_the_examples_mean_what_the_document_says(self):
        example = examples()
        dictionary = read_wire.read_dictionary(example["dictionary"])
        self.assertEqual(dictionary["number"], 0xB3F15908)
        floors = [one["floor"] for one in dictionary["quantities"]]
        reader = read_wire.Reader()
        for name, levels in [("key", [0.5, 0.0, 4096.0]), ("levels", [0.25, 40.0, 4096.0])]:
            message = reader.read(example[name])
            self.assertEqual(message["dictionary"], dictionary["number"])
            self.assertEqual([read_wire.level(code, floor)
                              for code, floor in zip(message["codes"], floors)], levels)
        self.assertEqual(message["strength"], 1.5)
        event = reader.read(example["event"])
        self.assertEqual((event["finding"], event["severity"]), ("F1", 2))
        question = reader.read(example["question"])
        self.assertEqual((question["target"], question["last_event"]), ("/api/v1/stream", "64a-7"))
        first, rest = (reader.read(example[name]) for name in ("answer", "answer_rest"))
        self.assertEqual((first["status"], first["body_bytes"], rest["number"]), (503, 5, 1))
        self.assertEqual(bytes.fromhex(first["body"] + rest["body"]), b"busy\n")
        facts = reader.read(example["facts"])
        self.assertEqual((facts["host"], facts["labels"]), ("node-7", [("rack", "r4")]))

    def test_as_a_program(self):
        example = examples()
        lines = [f"rv1.lvl.main.{'a' * 26} {example['key'].hex()}", example["event"].hex(), "00"]
        out = subprocess.run([sys.executable, REPOSITORY / "tools" / "read_wire.py"],
                             input="\n".join(lines), capture_output=True, text=True,
                             timeout=PATIENCE_S, check=False)
        self.assertEqual(out.returncode, 1)
        self.assertEqual(len(out.stdout.splitlines()), 3)
        self.assertIn("refused", out.stdout.splitlines()[2])


if __name__ == "__main__":
    unittest.main()
