"""A strong burst in one subsystem among the columns of another program, without pressure metrics.

The telemetry is made as collectl's is on a quiet host: whole percents, counts that are mostly zero,
load averages, memory that wanders."""

import csv
import json
import unittest

import numpy as np

from made_telemetry import START_S, TelemetryTest

STILL = [f"[MEM]Still{i}" for i in range(25)]


def quiet(seed, seconds):
    """Column -> values of a quiet host, one a second."""
    rng = np.random.default_rng(seed)

    def average(values, span, level):
        out = []
        for i, value in enumerate(values):
            level += (value - level) * (1 - np.exp(-5 / span)) * (i % 5 == 0)
            out.append(round(level, 2))
        return np.array(out)

    def wander(level, step):
        return level + np.round(average(rng.normal(0, 10 * step, seconds), 20, 0))

    user, system = rng.choice([0, 1, 1, 1, 2], seconds), rng.choice([0, 1, 1, 2], seconds)
    running = rng.choice([0, 0, 1, 2], seconds)
    written = (np.arange(seconds) % 5 == 2) * (rng.random(seconds) < 0.7) * rng.integers(1, 20, seconds)
    kilobytes = written * rng.integers(4, 20, seconds)
    used = wander(1_076_288, 300)
    columns = {
        "[CPU]User%": user, "[CPU]Sys%": system, "[CPU]Totl%": user + system,
        "[CPU]Idle%": 100 - user - system, "[CPU]Wait%": 0 * user,
        "[CPU]Intrpt/sec": np.round(rng.normal(260, 40, seconds)),
        "[CPU]Ctx/sec": np.round(rng.normal(420, 90, seconds)),
        "[CPU]ProcRun": running, "[CPU]L-Avg1": average(running, 60, 1.0),
        "[CPU]L-Avg5": average(running, 300, 1.2), "[CPU]L-Avg15": average(running, 900, 1.8),
        "[MEM]Used": used, "[MEM]Free": 24_683_620 - used, "[MEM]Anon": wander(81_272, 25),
        "[MEM]Cached": 717_292 + np.cumsum(rng.integers(0, 20, seconds)), "[MEM]Slab": wander(185_100, 10),
        "[MEM]Inactive": wander(411_372, 20), "[MEM]Commit": wander(647_396, 100),
        "[MEM]Dirty": np.round(1000 + 200 * np.sin(np.arange(seconds) / 5) + rng.normal(0, 30, seconds)),
        "[MEM]PageFaults": np.where(rng.random(seconds) < 0.3, rng.integers(1, 400, seconds), 0),
        "[NET]RxPktTot": 0 * user, "[NET]TxPktTot": 0 * user, "[NET]RxKBTot": 0 * user,
        "[NET]TxKBTot": 0 * user,
        "[DSK]ReadTot": 0 * user, "[DSK]ReadKBTot": 0 * user,
        "[DSK]WriteTot": written, "[DSK]WriteKBTot": kilobytes,
        "[DSK]OpsTot": written, "[DSK]KbTot": kilobytes,
    }
    columns = {name: values.astype(float) for name, values in columns.items()}
    return columns | {name: np.full(seconds, 2048.0) for name in STILL}


BURSTS = {
    "cpu": {"[CPU]User%": 98, "[CPU]Totl%": 100, "[CPU]Idle%": 0, "[CPU]ProcRun": 5,
            "[CPU]Intrpt/sec": 650, "[CPU]Ctx/sec": 900},
    "storage": {"[DSK]WriteTot": 900, "[DSK]WriteKBTot": 90_000, "[DSK]OpsTot": 900, "[DSK]KbTot": 90_000},
    "network": {"[NET]RxPktTot": 40_000, "[NET]TxPktTot": 21_000, "[NET]RxKBTot": 60_000, "[NET]TxKBTot": 1500},
    "memory": {"[MEM]Used": 9_000_000, "[MEM]Free": 15_683_620, "[MEM]Anon": 8_000_000,
               "[MEM]Commit": 8_500_000, "[MEM]PageFaults": 50_000},
}


def more(seed, seconds, count):
    """Columns of which none tells of anything: noise, what wanders, and rare events."""
    rng = np.random.default_rng(seed)
    kinds = (lambda: np.round(rng.normal(100, 10, seconds), 1),
             lambda: 1e6 + np.round(np.cumsum(rng.normal(0, 5, seconds))),
             lambda: (rng.random(seconds) < 0.1) * rng.integers(1, 50, seconds),
             lambda: (rng.random(seconds) < 0.02) * 1.0)
    return {f"[APP]Column{i}": kinds[i % len(kinds)]() for i in range(count)}


def application(seed, seconds, count):
    """Columns of a quiet application, of whose names no word tells a subsystem."""
    rng = np.random.default_rng(seed)
    return {f"[APP]Latency{i}": np.round(rng.normal(20, 1, seconds), 2) for i in range(count)}


class ImportBurst(TelemetryTest):
    def analyzed(self, name, columns):
        seconds = len(next(iter(columns.values())))
        path = self.folder / f"{name}.csv"
        with open(path, "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(["#UTC", *columns])
            for second in range(seconds):
                writer.writerow([START_S + second, *(f"{values[second]:.10g}" for values in columns.values())])
        recording = self.folder / name
        self.assert_status(self.reveal("import", path, "-o", recording), 0)
        return json.loads(self.printed("analyze", recording, "--json"))

    def assert_found(self, subsystem, seconds, begin, extra=0, length=20):
        name = f"{subsystem}_{seconds}_{extra}_{length}"
        columns = quiet(seconds + extra, seconds) | more(7, seconds, extra)
        rng = np.random.default_rng(length)
        for column, level in BURSTS[subsystem].items():
            columns[column][begin:begin + length] = np.round(level * rng.uniform(0.95, 1, length))
        findings = self.analyzed(name, columns)["findings"]
        self.assertEqual([one["subsystem"] for one in findings], [subsystem], name)
        begins, ends = (findings[0][key]["ns"] / 1e9 - START_S for key in ("begin", "end"))
        self.assertLess(abs(begins - begin), 11, name)
        self.assertLess(abs(ends - begin - length), 11, name)

    def test_a_burst_in_any_subsystem_is_found(self):
        for subsystem in BURSTS:
            self.assert_found(subsystem, 112, 41)

    def test_short_and_long_runs_tell_it(self):
        for seconds, begin in ((90, 50), (300, 150), (1200, 700)):
            self.assert_found("cpu", seconds, begin)
        self.assert_found("network", 112, 60, length=10)

    def test_it_does_not_drown_among_many_columns(self):
        for subsystem in BURSTS:
            self.assert_found(subsystem, 112, 41, extra=200)

    def found_with_application(self, name, count, moving, known=()):
        """The findings of a run in which some columns of an application and of subsystems burst."""
        columns = quiet(5, 112) | application(6, 112, count)
        rng = np.random.default_rng(8)
        bursts = {f"[APP]Latency{i}": 90 for i in range(moving)}
        for subsystem in known:
            bursts |= BURSTS[subsystem]
        for column, level in bursts.items():
            columns[column][41:61] = np.round(level * rng.uniform(0.95, 1, 20))
        return self.analyzed(name, columns)["findings"]

    def test_a_burst_that_no_known_column_shows_is_of_no_subsystem(self):
        for count, moving in ((4, 4), (60, 4), (60, 60)):
            (finding,) = self.found_with_application(f"unknown_{count}_{moving}", count, moving)
            self.assertEqual(finding["subsystem"], "unknown", (count, moving))
            self.assertTrue(finding["claim_channel"].startswith("APP_Latency"), finding["claim_channel"])
            shares = finding["subsystem_shares"]
            self.assertEqual(shares["unknown"], max(shares.values()))
            self.assertAlmostEqual(sum(shares.values()), 1)
            self.assertLess(abs(finding["begin"]["ns"] / 1e9 - START_S - 41), 11)
        text = self.printed("analyze", self.folder / "unknown_4_4")
        self.assertIn("SUBSYSTEM UNKNOWN", text)
        self.assertIn("Subsystem: not known, because the names of the metrics that show it do not tell.",
                      " ".join(text.split()))

    def test_a_known_subsystem_that_moves_too_is_named(self):
        for subsystem in BURSTS:
            for count in (4, 60):
                found = self.found_with_application(f"both_{subsystem}_{count}", count, count, (subsystem,))
                self.assertEqual([one["subsystem"] for one in found], [subsystem], count)
                self.assertFalse(found[0]["claim_channel"].startswith("APP_"), found[0]["claim_channel"])

    def test_quiet_runs_have_no_finding(self):
        for seconds in (80, 112, 300):
            for extra in (0, 100):
                columns = quiet(3 * seconds + extra, seconds) | more(5, seconds, extra)
                found = self.analyzed(f"quiet_{seconds}_{extra}", columns)["findings"]
                self.assertEqual([one["claim"] for one in found], [])


if __name__ == "__main__":
    unittest.main()
