"""tools/read_recording.py, which was written from docs/storage_format.md alone, gets out of every
recording what Reveal's own reader gets out of it, bit for bit: so the document is right."""

import csv
import json
import os
import random
import re
import shutil
import struct
import subprocess
import sys
import unittest
import zlib

import zstandard
from moving_host import MovingHost
from reveal_process import INTERVAL, PATIENCE_S, REPOSITORY, RevealTest, wait_recording, wait_until

sys.path.insert(0, str(REPOSITORY / "tools"))
import read_recording  # noqa: E402

PROGRAM = REPOSITORY / "tools" / "read_recording.py"
DOCUMENT = REPOSITORY / "docs" / "storage_format.md"
DUMP_RECORDING = os.path.abspath(os.environ["DUMP_RECORDING"])
HOSTILE_RECORDING = os.path.abspath(os.environ["HOSTILE_RECORDING"])

MISSING, FRESH = 0, 1
UNREADABLE = ["unreadable"]
HEADER_BYTES = 16
FACTS, KEY_FRAME, END, NOTES, BLOCK = 1, 4, 6, 7, 8


def second_dump(folder):
    """All that the second reader gets, as lines."""
    try:
        return list(read_recording.dump_lines(read_recording.open(folder)))
    except read_recording.RecordingError:
        return UNREADABLE


def own_dump(folder):
    """All that Reveal's own reader gets, as the same lines."""
    out = subprocess.run([DUMP_RECORDING, str(folder)], capture_output=True, text=True,
                         timeout=PATIENCE_S)
    if out.returncode not in (0, 1, 2):
        raise AssertionError(f"dump_recording ended with {out.returncode}: {out.stderr}")
    return UNREADABLE if out.returncode == 2 else out.stdout.splitlines()


def frames_in(lines):
    return sum(line.startswith("frame ") for line in lines)


def first_difference(ours, theirs):
    """The first line that differs, in few words: lines are thousands of words long."""
    for number, (our, their) in enumerate(zip(ours, theirs), 1):
        if our != their:
            pairs = enumerate(zip(our.split(), their.split()))
            words = [(i, a, b) for i, (a, b) in pairs if a != b]
            return f"line {number}, {our[:40]}: word, second reader, own reader: {words[:5]}"
    return f"{len(ours)} lines by the second reader, {len(theirs)} by the own"


def make_hostile(folder, seed, frames, block_ticks, segment_bytes, end, anew=0):
    words = [seed, frames, block_ticks, segment_bytes, end, anew]
    subprocess.run([HOSTILE_RECORDING, str(folder), *map(str, words)], check=True,
                   timeout=PATIENCE_S)


def document_bytes(text):
    """The bytes of the document's worked example."""
    example = re.search(r"```hex\n(.*?)```", text, re.S)[1]
    data = b""
    for line in example.splitlines():
        if line.startswith('"'):
            data += line[1:-1].encode()
        else:
            data += bytes.fromhex(line.split(";")[0])
    return data


class SecondReader(RevealTest):
    def assert_alike(self, folder):
        """Both readers say the same of the recording. Returns what."""
        ours, theirs = second_dump(folder), own_dump(folder)
        self.assertTrue(ours == theirs, first_difference(ours, theirs))
        return ours


# The worked example's frames, as the document of version 1 had them.
HEADER_OF_VERSION_1 = bytes.fromhex("89525653 0D0A1A0A 0100 0000 E1688836")
FRAMES_OF_VERSION_1 = bytes.fromhex("""
D352569C 1B000000 D373D137 04 00 8080D0E2C6BFCE972F 80C8AFA025 F09309 00 02 01010100 AC02 00
D352569C 14000000 AF1057FB 05 0003 C88D8D9E02 808C8D9E02 C0A907 01 00 03 01 01""")


class WorkedExample(SecondReader):
    def test_says_what_the_text_beside_it_says(self):
        self.check(document_bytes(DOCUMENT.read_text()))

    def test_said_the_same_in_version_1(self):
        records = [(kind, record(kind, payload))
                   for _, kind, payload in records_of(document_bytes(DOCUMENT.read_text()))]
        parts = [FRAMES_OF_VERSION_1 if kind == BLOCK else data for kind, data in records]
        self.check(HEADER_OF_VERSION_1 + b"".join(parts))

    def check(self, segment):
        (self.folder / "000001.rvs").write_bytes(segment)
        recording = read_recording.open(self.folder)
        self.assertEqual(recording.facts["host"], "h1")
        self.assertEqual(recording.facts["command"], ["make", "-j2"])
        self.assertEqual([recording.name(channel) for channel in recording.channels],
                         ["cpu_busy_seconds_total{cpu=0}", "cpu_busy_seconds_total{cpu=1}"])
        metric, = recording.metrics
        self.assertEqual((metric.label, metric.unit, metric.kind, metric.repr, metric.scope),
                         ("CPU busy time", "seconds", "counter", "u64", "core"))
        self.assertEqual((metric.scale, metric.rank, metric.counter_bits), (0.01, 10, 64))
        first, second = recording.frames()
        wall, mono = 1_700_000_000_000_000_000, 5_000_000_000
        self.assertEqual(first[:5], (0, wall, mono, 150_000, 0))
        self.assertEqual(second[:5], (3, wall + 300_000_100, mono + 300_000_000, 120_000, 1))
        self.assertEqual((first.bits[0], first.validity), (300, [FRESH, MISSING]))
        self.assertEqual((second.bits, second.validity), ([299, 2**64 - 1], [FRESH, FRESH]))
        self.assertEqual((first.notes, first.read_ns, second.notes), ([], [], []))
        self.assertEqual((recording.damage, recording.clean), ([], True))
        self.assert_alike(self.folder)


class MovedHost(SecondReader):
    """Recordings by `reveal record` itself."""

    def setUp(self):
        super().setUp()
        self.host = MovingHost(self.folder / "host")
        self.host.__enter__()
        self.addCleanup(self.host.__exit__)
        self.recording = self.folder / "r"

    def record(self, *words):
        return self.start("record", "-q", "-o", "r", *INTERVAL, *self.host.roots, *words)

    def test_every_value_of_every_frame(self):
        self.assert_status(self.finish(self.record("--duration", "4s")), 0)
        lines = self.assert_alike(self.recording)
        self.assertGreater(frames_in(lines), 100)
        self.assertIn("clean yes", lines)

    def test_a_killed_recorder_leaves_journals(self):
        process = self.record()
        wait_recording(self.recording)
        wait_until(lambda: frames_in(second_dump(self.recording)) > 50, "50 frames")
        process.kill()
        process.wait()
        self.assertTrue(list(self.recording.glob("*.rvj")))
        lines = self.assert_alike(self.recording)
        self.assertGreater(frames_in(lines), 50)
        self.assertIn("clean no", lines)

    def test_a_recording_may_be_read_while_it_grows(self):
        process = self.record("--duration", "4s")
        wait_recording(self.recording)
        looks = []
        while process.poll() is None:
            recording = read_recording.open(self.recording)
            looks.append([read_recording.frame_line(frame) for frame in recording.frames()])
            self.assertEqual(recording.damage, [])
        whole = self.assert_alike(self.recording)
        self.assertGreater(len(looks), 1)
        for lines in looks:
            self.assertTrue(lines == whole[:len(lines)], first_difference(lines, whole))


class Hostile(SecondReader):
    def test_values_that_are_hard(self):
        for words in ((1, 3000, 600, 10**9, "finish"),
                      (2, 3000, 1, 100_000, "finish"),
                      (3, 3000, 7, 100_000, "leave"),
                      (4, 3000, 64, 200_000, "leave"),
                      (5, 3000, 4096, 10**9, "finish"),
                      (6, 3000, 64, 200_000, "finish", 500),
                      (7, 3000, 64, 200_000, "leave", 70)):
            with self.subTest(words=words):
                folder = self.folder / str(words[0])
                make_hostile(folder, *words)
                self.assertEqual(frames_in(self.assert_alike(folder)), 3000)

    def test_nothing_of_it_is_lost(self):
        """How a recording is cut into blocks and segments is nobody's business."""
        make_hostile(self.folder / "one", 6, 500, 4096, 10**9, "finish")
        make_hostile(self.folder / "many", 6, 500, 10, 5000, "finish")
        make_hostile(self.folder / "journal", 6, 500, 4096, 10**9, "leave")
        dumps = [[line for line in second_dump(self.folder / name) if line.startswith("frame")]
                 for name in ("one", "many", "journal")]
        self.assertEqual(len(dumps[0]), 500)
        for other in dumps[1:]:
            self.assertTrue(dumps[0] == other, first_difference(dumps[0], other))


def flipped(data, chance):
    at = chance.randrange(len(data))
    return data[:at] + bytes([data[at] ^ 1 << chance.randrange(8)]) + data[at + 1:]


def flipped_at_the_start(data, chance):
    return flipped(data[:700], chance) + data[700:]


def cut(data, chance):
    return data[:chance.randrange(len(data))]


def holed(data, chance):
    at = chance.randrange(len(data))
    return data[:at] + data[at + chance.randrange(1, 3000):]


class Damaged(SecondReader):
    # Several segments; segments and then journals; almost all of it a journal; channels numbered
    # anew.
    RECORDINGS = {"many": (1, 200, 16, 4000, "finish"), "left": (2, 200, 16, 20_000, "leave"),
                  "journal": (4, 100, 600, 10**9, "leave"),
                  "numbered": (5, 200, 16, 4000, "finish", 60),
                  "numbered_left": (6, 200, 64, 20_000, "leave", 45)}

    def setUp(self):
        super().setUp()
        for name, words in self.RECORDINGS.items():
            make_hostile(self.folder / name, *words)

    def copy_of(self, name):
        copy = self.folder / "copy"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(self.folder / name, copy)
        return copy

    def damage(self, folder, how, times, chance):
        for _ in range(times):
            path = chance.choice(sorted(path for path in folder.iterdir() if path.stat().st_size))
            path.write_bytes(how(path.read_bytes(), chance))

    def assert_survives(self, how, times, rounds):
        for name in self.RECORDINGS:
            for seed in range(rounds):
                with self.subTest(recording=name, seed=seed):
                    copy = self.copy_of(name)
                    self.damage(copy, how, times, random.Random(seed))
                    self.assert_alike(copy)

    def test_changed_bytes(self):
        self.assert_survives(flipped, 1, 15)
        self.assert_survives(flipped, 10, 15)

    def test_200_changed_bytes(self):
        make_hostile(self.folder / "large", 7, 2000, 16, 60_000, "leave")
        self.damage(self.folder / "large", flipped, 200, random.Random(7))
        frames = frames_in(self.assert_alike(self.folder / "large"))
        self.assertTrue(100 < frames < 2000, frames)

    def test_changed_bytes_at_the_start(self):
        self.assert_survives(flipped_at_the_start, 4, 15)

    def test_files_that_end_early(self):
        self.assert_survives(cut, 1, 15)

    def test_bytes_that_are_gone(self):
        self.assert_survives(holed, 2, 15)

    def test_segments_that_are_gone(self):
        for number in range(1, 8):
            copy = self.copy_of("many")
            (copy / f"00000{number}.rvs").unlink()
            with self.subTest(number=number):
                self.assert_alike(copy)

    def test_a_segment_that_ends_with_a_whole_record(self):
        copy = self.copy_of("many")
        path = copy / "000003.rvs"
        data = path.read_bytes()
        path.write_bytes(data[:list(records_of(data))[-1][0]])
        self.assertIn("clean yes", self.assert_alike(copy))
        recording = read_recording.open(copy)
        self.assertEqual([d.file for d in recording.damage], ["000003.rvs"])

    def test_what_is_no_recording(self):
        for name, data in (("garbage", b"garbage" * 9), ("newer", header(4))):
            folder = self.folder / name
            folder.mkdir()
            (folder / "000001.rvs").write_bytes(data)
            self.assertEqual(self.assert_alike(folder), UNREADABLE)
        empty = self.folder / "empty"
        empty.mkdir()
        self.assertEqual(self.assert_alike(empty), UNREADABLE)

    def test_a_segment_of_another_recording(self):
        copy = self.copy_of("many")
        path = copy / "000003.rvs"
        data = path.read_bytes()
        facts = next(records_of(data))[2].replace(b'"boot_id":"b"', b'"boot_id":"c"')
        path.write_bytes(header(2) + record(FACTS, facts) + data[HEADER_BYTES + 13 + len(facts):])
        lines = self.assert_alike(copy)
        self.assertTrue(0 < frames_in(lines) < 200)


def header(version):
    head = b"\x89RVS\r\n\x1a\n" + struct.pack("<HH", version, 0)
    return head + struct.pack("<I", zlib.crc32(head))


def record(kind, payload):
    typed = bytes([kind]) + payload
    return struct.pack("<III", 0x9C5652D3, len(payload), zlib.crc32(typed)) + typed


def records_of(data):
    """Offset, type and payload of the records of an undamaged file."""
    at = HEADER_BYTES
    while at < len(data):
        length, = struct.unpack_from("<I", data, at + 4)
        yield at, data[at + 12], data[at + 13:at + 13 + length]
        at += 13 + length


def packed(kind, payload, length=None):
    plain = len(payload) if length is None else length
    return 9, bytes([kind, plain]) + zstandard.ZstdCompressor().compress(payload)


class Wrong(SecondReader):
    """Records with a right checksum that no writer of version 2 writes there."""

    NOTE = b"\x01\x00\x01a\x01b\x01c"
    RECORDS = {
        "of a later writer": (10, b"anything"),
        "metrics that skip some": (2, b"\x7f\x01"),
        "metrics cut short": (2, b"\x00\x05\x60"),
        "channels that skip some": (3, b"\x7f\x00"),
        "a note": (7, NOTE),
        "a note and more": (7, NOTE + b"more"),
        "a note of no kind": (7, b"\x01\x05\x00\x00\x00"),
        "an endless varint": (7, b"\xff" * 10 + b"\x01"),
        "an empty block": (8, b""),
        "a block of no ticks": (8, bytes(10)),
        "a packed note": packed(7, NOTE),
        "a packed note of another length": packed(7, NOTE, 8),
        "packed twice": packed(9, b"a"),
        "an end too early": (6, b"\x02\x01\x00"),
        "an end cut short": (6, b"\x02"),
        "facts that are not JSON": (1, b"{"),
        "facts without a host": (1, b'{"boot_id":"b","interval_ns":1,"start_wall_ns":1}'),
    }

    def test_each_alone(self):
        make_hostile(self.folder / "r", 1, 100, 16, 4000, "finish")
        path = self.folder / "r" / "000002.rvs"
        data = path.read_bytes()
        offsets = [at for at, _, _ in records_of(data)]
        for name, (kind, payload) in self.RECORDS.items():
            for at in offsets[2], offsets[-2]:
                with self.subTest(name=name, at=at):
                    path.write_bytes(data[:at] + record(kind, payload) + data[at:])
                    self.assertEqual(frames_in(self.assert_alike(self.folder / "r")), 100)


class VersionOne(SecondReader):
    """Nothing writes version 1 any more, but its segments held the records that journals hold."""

    def setUp(self):
        super().setUp()
        make_hostile(self.folder / "two", 4, 100, 600, 10**9, "leave")
        segment = (self.folder / "two" / "000001.rvs").read_bytes()
        journal = (self.folder / "two" / "000001.rvj").read_bytes()
        begin = list(records_of(segment))
        self.facts = json.loads(next(payload for _, kind, payload in begin if kind == FACTS))
        self.tables = [record(kind, payload) for _, kind, payload in begin if kind != FACTS]
        self.frames = [(kind, record(kind, payload)) for _, kind, payload in records_of(journal)
                       if kind != FACTS]

    def facts_of(self, segment):
        return record(FACTS, json.dumps({**self.facts, "segment": segment}).encode())

    def write(self, folder, version, begins):
        """Segments, each beginning with the frame record of that index."""
        folder.mkdir()
        for number, (begin, end) in enumerate(zip(begins, [*begins[1:], None]), 1):
            last = end is None
            parts = [header(version), self.facts_of(number), *self.tables,
                     *(data for _, data in self.frames[begin:end]),
                     record(END, bytes([100, last, 0]))]
            (folder / f"{number:06}.rvs").write_bytes(b"".join(parts))

    def test_frames_stand_in_segments(self):
        keys = [i for i, (kind, _) in enumerate(self.frames) if kind == KEY_FRAME]
        begins = [0, *(i - (self.frames[i - 1][0] == NOTES) for i in keys[1:])]
        self.assertGreater(len(begins), 2)
        whole = [line for line in second_dump(self.folder / "two") if line.startswith("frame")]
        self.assertEqual(len(whole), 100)
        for version in (1, 2):  # as 2 is read what has lost its header
            folder = self.folder / str(version)
            self.write(folder, version, begins)
            lines = self.assert_alike(folder)
            self.assertTrue(lines[:100] == whole, first_difference(lines, whole))
            self.assertIn("clean yes", lines)


class Program(SecondReader):
    """What the program writes for people and other programs."""

    def setUp(self):
        super().setUp()
        make_hostile(self.folder / "r", 1, 60, 16, 10**9, "finish")

    def run_program(self, *words):
        return subprocess.run([sys.executable, "-B", str(PROGRAM), *map(str, words)], text=True,
                              capture_output=True, timeout=PATIENCE_S, cwd=self.folder,
                              errors="surrogateescape")

    def test_dump_is_the_stable_format(self):
        out = self.run_program("r", "--dump")
        self.assert_status(out, 0)
        self.assertTrue(out.stdout.splitlines() == own_dump(self.folder / "r"))

    def test_csv_and_json_have_the_values(self):
        recording = read_recording.open(self.folder / "r")
        frames = list(recording.frames())
        rows = list(csv.DictReader(self.run_program("r", "--csv").stdout.splitlines()))
        lines = self.run_program("r", "--jsonl").stdout.splitlines()
        objects = [json.loads(line) for line in lines]
        self.assertEqual((len(rows), len(objects)), (60, 60))
        for frame, row, told in zip(frames, rows, objects):
            self.assertEqual(row["sequence"], str(frame.sequence))
            self.assertEqual(told["wall_ns"], frame.wall_ns)
            for channel, bits, validity in zip(recording.channels, frame.bits, frame.validity):
                name = recording.name(channel)
                value = str(recording.value(channel, bits)) if validity else ""
                self.assertEqual(row[name], value, name)
                self.assertEqual(str(told["values"].get(name, "")), value, name)

    def test_notes_and_channels(self):
        self.assertIn("mtu of eth", self.run_program("r", "--notes").stdout)
        channels = self.run_program("r", "--channels").stdout.splitlines()
        self.assertEqual(len(channels), len(read_recording.open(self.folder / "r").channels))

    def test_the_summary_and_the_exit_status(self):
        out = self.run_program("r")
        self.assert_status(out, 0)
        self.assertIn("frames    60, ", out.stdout)
        path = self.folder / "r" / "000001.rvs"
        path.write_bytes(flipped(path.read_bytes(), random.Random(3)))
        self.assert_status(self.run_program("r"), 1)
        out = self.run_program("nothing")
        self.assert_status(out, 2)
        self.assertIn("nothing", out.stderr)


if __name__ == "__main__":
    unittest.main()
