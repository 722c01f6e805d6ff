"""Control groups by the hundreds that come and go: files number those that live, one that stays is one
series to all who read the recording, also over a kill and in rollups, and an agent's judge, which
remembers all that it met, makes way for another one."""

import csv
import io
import json
import os
import re
import shutil
import subprocess
import sys
import time
import unittest

from moving_host import Moving, MovingHost, overwrite
from reveal_process import INTERVAL, PATIENCE_S, REPOSITORY, WINDOWS, RevealTest, wait_until
from running_agent import AgentRun, children_of

sys.path.insert(0, str(REPOSITORY / "tools"))
import read_recording  # noqa: E402

DUMP_RECORDING = os.path.abspath(os.environ["DUMP_RECORDING"])
# A sixteenth of that is a block, which takes two seconds: with every second one channels are numbered anew.
SHORT_BLOCKS = ["--max-size", "800KiB"]
COLLECT = """
[collect]
medium = "200ms"
budget = 1
"""
AT_ONCE = 16
BATCHES = 14
LIFE_S = 0.3
CPU_STAT = "usage_usec {0}\nuser_usec {0}\nsystem_usec 0\nnr_periods 0\nnr_throttled 0\nthrottled_usec 0\n"
# A channel for each of four quantities of each disk.
IO_STAT = "".join(f"253:{i} rbytes=1 wbytes=2 rios=3 wios=4 dbytes=0 dios=0\n" for i in range(16))
USAGE = "cpu_cgroup_usage_seconds_total"
STAYS, GONE, LAST = (USAGE + f"{{cg=/{name}}}" for name in ("stays", "first0x0", "last"))


class Groups(Moving):
    """Control groups below a made host: files, and one group whose CPU time goes on."""

    def __init__(self, host):
        super().__init__()
        self._top = host / "sys/fs/cgroup"
        self._top.mkdir(parents=True)
        (self._top / "cgroup.controllers").write_text("cpu memory io pids\n")
        self.make("stays")

    def make(self, name, **texts):
        """`texts`: of further files, by name with `_` for the point."""
        folder = self._top / name
        folder.mkdir()
        (folder / "cpu.stat").write_text(CPU_STAT.format(1000))
        (folder / "memory.current").write_text("4096\n")
        (folder / "pids.current").write_text("1\n")
        for file, text in texts.items():
            (folder / file.replace("_", ".")).write_text(text)

    def remove(self, name):
        shutil.rmtree(self._top / name)

    def come_and_go(self, prefix, count, life_s=LIFE_S, **texts):
        names = [f"{prefix}x{i}" for i in range(count)]
        for name in names:
            self.make(name, **texts)
        time.sleep(life_s)
        for name in names:
            self.remove(name)

    def _move(self):
        used = 1000
        with open(self._top / "stays/cpu.stat", "r+b", buffering=0) as file:
            while not self._stop.wait(0.02):
                used += 10_000
                overwrite(file, CPU_STAT.format(used))


class Recorded(RevealTest):
    """One recording, whose recorder was killed once and went on, for all who read it."""

    def setUp(self):
        super().setUp()
        self.host = self.enterContext(MovingHost(self.folder / "host"))
        self.groups = self.enterContext(Groups(self.host.path))
        self.recording = self.folder / "r"
        (self.folder / "often.toml").write_text(COLLECT)

    def start_recorder(self, *words):
        process = self.start("record", "-q", "-o", "r", *INTERVAL, *SHORT_BLOCKS,
                             "--config", "often.toml", *words, *self.host.roots)
        wait_until(lambda: list(self.recording.glob("*.rvs")), "a segment")
        return process

    def churn(self, prefix):
        for batch in range(BATCHES):
            self.groups.come_and_go(f"{prefix}{batch}", AT_ONCE)

    def json_of(self, *words):
        out = self.reveal(*words)
        self.assert_status(out, 0)
        return json.loads(out.stdout)

    def samples(self, *channels):
        """Of each frame, what the export says of these channels; empty: missing."""
        out = self.reveal("export", "r", "--format", "csv")
        self.assert_status(out, 0)
        rows = csv.reader(io.StringIO(out.stdout))
        head = next(rows)
        places = [head.index(channel) for channel in channels]
        return [[row[place] for place in places] for row in rows]

    def assert_goes_on(self, said):
        """A counter that never falls, and is missing in few frames at most."""
        values = [float(value) for value in said if value]
        self.assertEqual(values, sorted(values))
        self.assertGreater(values[-1], values[0])
        first = next(i for i, value in enumerate(said) if value)
        self.assertGreater(len(values), 0.95 * (len(said) - first))

    def channels_of_segments(self, recording):
        """How many channels each segment has, read alone."""
        out = []
        for path in sorted(recording.glob("*.rvs")):
            alone = self.folder / "alone"
            shutil.rmtree(alone, ignore_errors=True)
            alone.mkdir()
            shutil.copy(path, alone)
            out.append(len(read_recording.open(alone).channels))
        return out

    def assert_both_readers_agree(self, recording):
        own = subprocess.run([DUMP_RECORDING, str(recording)], capture_output=True, text=True,
                             timeout=PATIENCE_S, check=True).stdout.splitlines()
        second = list(read_recording.dump_lines(read_recording.open(recording)))
        self.assertTrue(own == second, f"{len(own)} and {len(second)} lines")

    def check_names(self):
        whole = read_recording.open(self.recording)
        names = [whole.name(channel) for channel in whole.channels]
        self.assertEqual(len(names), len(set(names)))
        groups = {channel.instance for channel in whole.channels if "cg=/" in channel.instance}
        self.assertGreater(len(groups), 1.5 * AT_ONCE * BATCHES)
        self.assertIn("cg=/last", groups)
        self.assertLess(max(self.channels_of_segments(self.recording)), 0.75 * len(names))
        self.assertEqual(self.json_of("info", "r", "--json")["damage"], [])

    def check_sql(self, samples):
        out = self.reveal("sql", "r", "--format", "json", f"""SELECT count(value) AS n, max(value) AS last
            FROM samples WHERE metric = '{USAGE}' AND instance = 'cg=/stays'""")
        if "is not installed" in out.stderr:
            return
        self.assert_status(out, 0)
        (row,) = json.loads(out.stdout)
        values = [float(stays) for stays, _, _ in samples if stays]
        self.assertEqual(row["n"], len(values))
        self.assertAlmostEqual(row["last"], max(values) / 1e9, places=6)  # exports are raw

    def check_rollups(self):
        """Made in two parts, of which the second begins after channels were numbered anew."""
        later = self.folder / "later"
        later.mkdir()
        for path in sorted(self.recording.glob("*.rvs"))[-2:]:
            path.rename(later / path.name)
        for _ in range(2):
            out = self.reveal("downsample", "r", "--full", "1ms", "--1s", "1h", "--1min", "2h", "--trust-clock")
            self.assert_status(out, 0)
            for path in list(later.iterdir()):
                path.rename(self.recording / path.name)
        self.assertEqual(list(self.recording.glob("*.rvs")), [])
        seconds = self.recording / "1s"
        counts = self.channels_of_segments(seconds)
        self.assertGreater(len(counts), 1)
        self.assertLess(counts[-1], 0.8 * len(read_recording.open(seconds).channels))
        self.assert_both_readers_agree(seconds)
        info = self.json_of("info", "r/1s", "--json")
        self.assertEqual(info["damage"], [])

    def test_is_one_to_all_who_read_it(self):
        process = self.start_recorder()
        self.churn("first")
        process.kill()
        process.wait()
        process = self.start_recorder("--resume")
        self.churn("later")
        self.groups.make("last")
        time.sleep(1)
        process.terminate()
        self.assert_status(self.finish(process), 0)

        self.check_names()
        samples = self.samples(STAYS, LAST, GONE)
        stays, last, gone = zip(*samples)
        self.assert_goes_on(stays)
        self.assertTrue(last[-1])
        self.assertTrue(any(gone))
        self.assertFalse(gone[-1])
        self.check_sql(samples)
        out = self.reveal("analyze", "r", *WINDOWS, "--json")
        self.assertIn(out.returncode, (0, 1), out.stderr)
        json.loads(out.stdout)
        self.check_rollups()


class Judged(AgentRun):
    def setUp(self):
        super().setUp()
        self.groups = self.enterContext(Groups(self.host.path))

    def test_a_judge_that_met_too_many_makes_way(self):
        self.configuration.write_text(self.settings.replace("20ms", "50ms"))
        agent = self.start_agent(env={**os.environ, "JOURNAL_STREAM": "8:1"})
        self.wait_recorded()
        wait_until(lambda: self.health().returncode < 3, "the judge")
        parts = children_of(agent.pid)
        for batch in range(20):
            # Control groups are looked at each second.
            self.groups.come_and_go(f"batch{batch}", 110, life_s=1.2, io_stat=IO_STAT)
            if "another one goes on" in agent.said.text:
                break
        wait_until(lambda: children_of(agent.pid).get("agent-judge") not in (None, parts["agent-judge"]),
                   "another judge")
        for line in ("most channels .* another one goes on", "the judge ended with status 0; it is started again"):
            wait_until(lambda: re.search(f"^<5>{line}", agent.said.text, flags=re.M), line)
        wait_until(lambda: self.health().returncode < 3, "its answer")
        self.assertEqual(children_of(agent.pid)["agent-recorder"], parts["agent-recorder"])
        self.end(agent)


if __name__ == "__main__":
    unittest.main()
