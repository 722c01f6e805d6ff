"""reveal compare: which of several hosts is different, in what, since when; checked with numpy."""

import csv
import io
import json
import os
import unittest

import numpy as np

from made_telemetry import START_S, TelemetryTest, noise
from reveal_process import INTERVAL, fixture

FAILED = 1
USAGE = 2
TOO_LITTLE = 3
TICKS = 300
SHIFT = 40
SINCE = 120
WINDOW = 3


def windows(samples):
    """Means of three seconds, every second."""
    return np.lib.stride_tricks.sliding_window_view(samples, WINDOW).mean(axis=1)


class CompareTest(TelemetryTest):
    def fleet(self, hosts, outlier=None, since=0, by=SHIFT, **options):
        """Recordings of alike hosts, of which one has another level in load_3 since a tick."""
        out = []
        for host in range(hosts):
            samples = noise(100 + host, TICKS)
            if host == outlier:
                samples[since:, 3] += by
            out.append(self.record(f"host{host}", samples, **options))
        return out

    def compared(self, recordings, *options):
        return json.loads(self.printed("compare", *recordings, "--json", *options))

    def exported(self, recording, channel):
        rows = csv.DictReader(io.StringIO(
            self.printed("export", recording, "--derived", "--channels", channel)))
        return np.array([float(row[channel]) for row in rows])


class OutlierHost(CompareTest):
    def test_alike_hosts_do_not_differ(self):
        for hosts in (2, 3, 5):
            recordings = self.fleet(hosts)
            found = self.compared(recordings)
            self.assertIsNone(found["outlier_host"])
            for host in found["hosts"]:
                self.assertEqual((host["differences"], host["facts"]), ([], []))
            self.assertIn("No host differs from the others.", self.printed("compare", *recordings))
            for recording in recordings:
                os.rename(recording, f"{recording}_of_{hosts}")

    def test_it_is_named_with_numpys_numbers(self):
        recordings = self.fleet(5, outlier=2, since=SINCE)
        found = self.compared(recordings)
        self.assertEqual(found["outlier_host"], "host2")
        self.assertEqual(found["hosts"][0]["name"], "host2")
        (one,) = found["hosts"][0]["differences"]
        self.assertEqual(one["channel"], "load_3")
        levels = np.array([windows(self.exported(r, "load_3")) for r in recordings])
        peers = np.median(np.delete(levels, 2, axis=0), axis=0)
        deviation = levels[2] - peers
        beyond = deviation > one["limit"]["used"]
        told = np.flatnonzero(beyond)
        middle = told[np.argsort(deviation[told])[(len(told) - 1) // 2]]
        np.testing.assert_allclose(one["observed"], levels[2][middle], rtol=1e-6)
        np.testing.assert_allclose(one["peers_median"], peers[middle], rtol=1e-6)
        np.testing.assert_allclose(one["share"], beyond.mean(), rtol=1e-12)
        peers_own = np.median(np.delete(levels, 2, axis=0), axis=1)
        np.testing.assert_allclose([one["peers_low"], one["peers_high"]],
                                   [peers_own.min(), peers_own.max()], rtol=1e-6)
        self.assertEqual(one["peers"], 4)
        self.assertEqual(one["since"]["ns"], (START_S + SINCE) * 10**9)
        self.assertTrue(one["to_end"] and one["lasting"])
        self.assertEqual([host["differences"] for host in found["hosts"][1:]], [[]] * 4)

    def test_limit_is_numpys(self):
        recordings = self.fleet(5, outlier=2, since=SINCE)
        (one,) = self.compared(recordings)["hosts"][0]["differences"]
        levels = np.array([windows(self.exported(r, "load_3")) for r in recordings])
        middle = np.median(levels, axis=0)
        between, in_time = [], []
        # docs/compare.md: of distances, and of distances as shares of the median.
        for off, scale in ((levels - middle, 1.0), ((levels - middle) / middle, one["peers_median"])):
            offsets = np.median(off, axis=1)
            others = np.delete(offsets, 2)
            mad = 1.4826 * np.median(abs(others - np.median(others)))
            # Of four peers 14.3 standard deviations, or 50 times 1.4826 MAD.
            between.append(scale * min(14.3 * others.std(ddof=1), 50 * mad))
            sizes = abs(np.delete(off - offsets[:, None], 2, axis=0)).ravel()
            in_time.append(scale * 5 * max(1.4826 * np.median(sizes),
                                           np.quantile(sizes, 0.95) / 1.96))
        np.testing.assert_allclose(one["limit"]["between_peers"], max(between), rtol=1e-5)
        np.testing.assert_allclose(one["limit"]["in_time"], max(in_time), rtol=1e-5)
        usual = np.median(np.median(np.delete(levels, 2, axis=0), axis=0))
        np.testing.assert_allclose(one["limit"]["resolution"], 5 * max(0.5, 0.02 * usual),
                                   rtol=1e-6)
        plain = between[0] + in_time[0]
        relative = between[1] + in_time[1]
        np.testing.assert_allclose(one["limit"]["used"],
                                   max(plain, relative, one["limit"]["resolution"]), rtol=1e-5)

    def test_text_says_the_same(self):
        text = self.printed("compare", *self.fleet(5, outlier=2, since=SINCE))
        self.assertIn("host2 is the outlier host", text)
        self.assertRegex(text, r"Load 3: 9\d(\.\d)? against (49|5\d)(\.\d)? \(median of 4 peers\), "
                               r"since 10:02:00\.0")
        self.assertIn("Like their peers: host0, host1, host3, host4", text)

    def test_of_two_hosts_nobody_is(self):
        recordings = self.fleet(2, outlier=1)
        found = self.compared(recordings)
        self.assertIsNone(found["outlier_host"])
        self.assertEqual([d["channel"] for d in found["hosts"][0]["differences"]], ["load_3"])
        self.assertIn("two cannot tell which is the outlier host", self.printed("compare", *recordings))

    def test_names_are_the_hosts_where_these_differ(self):
        recordings = [self.record(f"run{i}", noise(i), host=f"node{i}") for i in range(3)]
        names = {host["name"] for host in self.compared(recordings)["hosts"]}
        self.assertEqual(names, {"node0", "node1", "node2"})

    def test_only_ten_are_told_without_all(self):
        recordings = []
        for host in range(4):
            samples = noise(host, TICKS, channels=14)
            samples[:, :13] += SHIFT if host == 1 else 0
            recordings.append(self.record(f"host{host}", samples))
        short = self.printed("compare", *recordings)
        self.assertEqual(short.count("(median of 3 peers)"), 10)
        self.assertIn("and 3 more (--all)", short)
        self.assertEqual(
            self.printed("compare", *recordings, "--all").count("(median of 3 peers)"), 13)


class UnlikeHosts(CompareTest):
    def test_devices_of_other_names_compare_by_metric(self):
        recordings = []
        for host in range(4):
            samples = noise(host, TICKS, channels=2)
            samples[:, 0] += SHIFT if host == 3 else 0
            recordings.append(self.record(f"host{host}", samples,
                                          channels=[f"load{{dev=eth{host}}}", "other"]))
        found = self.compared(recordings)
        self.assertEqual(found["outlier_host"], "host3")
        (one,) = found["hosts"][0]["differences"]
        self.assertEqual((one["metric"], one["of"]), ("load", "mean"))

    def test_metrics_of_some_hosts_are_told_once(self):
        names = [f"load_{i}" for i in range(8)]
        recordings = self.fleet(3) + [self.record("more", noise(9, TICKS, channels=9),
                                                  channels=[*names, "extra"])]
        found = self.compared(recordings)
        self.assertEqual(found["only_some_have"], [{"metric": "extra", "hosts": ["more"]}])
        self.assertEqual(self.printed("compare", *recordings).count("extra"), 1)

    def test_missing_samples_and_early_ends_are_no_difference(self):
        recordings = self.fleet(4)
        recordings.append(self.record("holey", noise(7, TICKS), without=range(50, 90)))
        recordings.append(self.record("short", noise(8, TICKS), without=range(100, TICKS)))
        text = self.printed("compare", *recordings)
        self.assertIn("No host differs from the others.", text)
        self.assertIn("short ends 3 min 20 s earlier", text)

    def test_intervals_may_differ(self):
        recordings = self.fleet(3)
        slow = noise(50, TICKS // 5)
        slow[:, 3] += SHIFT
        recordings.append(self.record("slow", slow, interval_s=5))
        found = self.compared(recordings)
        self.assertEqual(found["stride_ns"], 5 * 10**9)
        self.assertEqual(found["outlier_host"], "slow")
        self.assertIn("every 5.0 s: slow", self.printed("compare", *recordings))


class RealRecordings(CompareTest):
    def test_of_one_host_twice_differ_in_nothing_that_is_static(self):
        names = ("a", "b")
        processes = [self.start("record", "-o", name, "--duration", "14s", *INTERVAL, *fixture())
                     for name in names]
        for process in processes:
            self.assert_status(self.finish(process), 0)
        found = self.compared(names)
        self.assertEqual([host["facts"] for host in found["hosts"]], [[], []])
        self.assertEqual(found["only_some_have"], [])


class WrongInput(CompareTest):
    def test_one_host(self):
        (recording,) = self.fleet(1)
        self.assert_complains(self.reveal("compare", recording), USAGE, "nothing to compare with")

    def test_the_same_twice(self):
        recordings = self.fleet(2)
        self.assert_complains(self.reveal("compare", *recordings, f"{recordings[0]}/."), USAGE,
                              "is given twice")

    def test_no_common_time(self):
        early = self.record("early", noise(1), without=range(150, TICKS))
        late = self.record("late", noise(2), without=range(150))
        self.assert_complains(self.reveal("compare", early, late), USAGE, "no time in common",
                              "--before and --after")
        others = self.fleet(3)
        for recording in others:
            self.assertTrue(recording.exists())
        alone = self.record("alone", noise(3, 2 * TICKS), without=range(TICKS + 20))
        self.assert_complains(self.reveal("compare", *others, alone), USAGE, "alone",
                              "another time than the others")

    def test_too_little_common_time(self):
        early = self.record("early", noise(1), without=range(150, TICKS))
        late = self.record("late", noise(2), without=range(142))
        self.assert_complains(self.reveal("compare", early, late), TOO_LITTLE, "in common")

    def test_no_recording(self):
        recordings = self.fleet(2)
        empty = self.folder / "empty"
        empty.mkdir()
        self.assert_complains(self.reveal("compare", *recordings, empty), USAGE, "empty")
        self.assert_complains(self.reveal("compare", *recordings, "nowhere"), FAILED, "nowhere")

    def test_no_format(self):
        recordings = self.fleet(2)
        outcome = self.reveal("compare", *recordings, "--format", "xml")
        self.assertEqual(outcome.returncode, USAGE)


if __name__ == "__main__":
    unittest.main()
