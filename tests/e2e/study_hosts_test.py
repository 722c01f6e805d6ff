"""reveal study hosts: levels, distances and courses are those that numpy makes of the same samples."""

import html.parser
import json
import unittest

import numpy as np

from made_telemetry import START_S, TelemetryTest, noise
from reveal_process import REPOSITORY

USAGE = 2
TOO_LITTLE = 3
DAY_S = 86_400
LEVEL_FIELDS = ("median", "percentile_5", "percentile_95", "peers_median", "distance")


def mad(values):
    return np.median(np.abs(values - np.median(values)))


def levels(by_host, least=0.5):
    """By host the fields of its row, of the samples of one channel."""
    medians = {host: np.median(samples) for host, samples in by_host.items()}
    out = {}
    for host, samples in by_host.items():
        peers = np.array([median for other, median in medians.items() if other != host])
        moves = np.median([mad(of) for other, of in by_host.items() if other != host])
        spread = max(1.4826 * max(mad(peers), moves), 0.02 * abs(np.median(peers)), least)
        out[host] = (medians[host], *np.percentile(samples, [5, 95]), np.median(peers),
                     abs(medians[host] - np.median(peers)) / spread)
    return out


def course(samples, begin_s, interval_s):
    """Seconds, mean, lowest and highest of at most 200 parts of equally many ticks."""
    each = (len(samples) - 1) // 200 + 1
    parts = [samples[at:at + each] for at in range(0, len(samples), each)]
    return np.array([(begin_s + interval_s * (i * each + (len(part) - 1) / 2), part.mean(), part.min(), part.max())
                     for i, part in enumerate(parts)])


class Page(html.parser.HTMLParser):
    """The lines of each picture: its heading, and by host the lists of points."""

    def __init__(self, path):
        super().__init__()
        self.pictures, self.host, self.inside = {}, "", ""
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        self.inside = tag
        if tag == "polyline":
            points = [[float(word) for word in point.split(",")] for point in dict(attributes)["points"].split()]
            self.lines.setdefault(self.host, []).append(np.array(points))

    def handle_data(self, data):
        if self.inside == "h3":
            self.lines = self.pictures.setdefault(data.strip(), {})
        elif self.inside == "title":
            self.host = data
        self.inside = ""


class Hosts(TelemetryTest):
    def studied(self, *words):
        return json.loads(self.printed("study", "hosts", *words, "--json"))

    def recorded(self, by_host, **options):
        return [self.record(host, samples, host=host, **options) for host, samples in by_host.items()]

    def five(self, ticks=300):
        """The fourth of five hosts has more of load_2."""
        out = {f"node{i}": noise(i, ticks) for i in range(1, 6)}
        out["node4"][:, 2] += 25
        return out

    def check_levels(self, rows, by_host, channel, place, least=0.5):
        want = levels({host: samples[:, place] for host, samples in by_host.items()}, least)
        found = {row["host"]: row for row in rows if row["channel"] == channel}
        self.assertEqual(set(found), set(want))
        for host, numbers in want.items():
            np.testing.assert_allclose([found[host][field] for field in LEVEL_FIELDS], numbers, rtol=1e-12,
                                       atol=1e-12, err_msg=f"{channel} {host}")

    def test_levels_and_distances_are_numpys(self):
        by_host = self.five()
        tables = self.studied(*self.recorded(by_host), "--channels", "load_*")["tables"]
        self.assertEqual(len(tables["channels"]), 8)
        for place in range(8):
            self.check_levels(tables["hosts"], by_host, f"load_{place}", place)
        first = tables["channels"][0]
        self.assertEqual((first["channel"], first["host"]), ("load_2", "node4"))
        self.assertGreater(first["distance"], 5)
        farthest = [row["distance"] for row in tables["channels"]]
        self.assertEqual(farthest, sorted(farthest, reverse=True))
        for row in tables["channels"]:
            own = [one for one in tables["hosts"] if one["channel"] == row["channel"]]
            self.assertEqual([one["distance"] for one in own], sorted((one["distance"] for one in own), reverse=True))
            self.assertEqual({key: own[0][key] for key in row}, row)

    def test_bytes_that_never_move_are_compared_by_what_matters(self):
        by_host = {f"node{i}": np.full((60, 1), 2.0**32) for i in range(4)}
        by_host["node2"] *= 1.3
        tables = self.studied(*self.recorded(by_host, channels=["memory_used_bytes"]))["tables"]
        self.check_levels(tables["hosts"], by_host, "memory_used_bytes", 0, 65536)
        self.assertAlmostEqual(tables["channels"][0]["distance"], 0.3 / 0.02)
        self.assertEqual({row["unit"] for row in tables["hosts"]}, {"bytes"})
        text = self.printed("study", "hosts", *by_host)
        self.assertIn("5.2 GiB", text)

    def test_unless_asked_a_dozen_metrics_are_shown_with_one_channel_each(self):
        names = [f"load_{i}" for i in range(14)] + ["use{dev=a}", "use{dev=b}", "spin{cpu=0}"]
        by_host = {f"node{i}": noise(i, 100, len(names)) for i in range(1, 5)}
        by_host["node2"][:, -3:] += [100, 150, 400]
        found = self.studied(*self.recorded(by_host, channels=names))
        shown = [row["channel"] for row in found["tables"]["channels"]]
        self.assertEqual(len(shown), 12)
        self.assertEqual(shown[0], "use{dev=b}")
        self.assertEqual(sum(name.startswith(("use", "spin")) for name in shown), 1)
        self.assertIn("12 of 16 channels", " ".join(found["notes"]))
        asked = self.studied(*by_host, "--channels", "spin", "--channels", "*{dev=a}")["tables"]["channels"]
        self.assertEqual([row["channel"] for row in asked], ["spin{cpu=0}", "use{dev=a}"])

    def test_of_many_that_are_asked_for_the_farthest_are_shown(self):
        by_host = {f"node{i}": noise(i, 30, 60) for i in range(1, 4)}
        found = self.studied(*self.recorded(by_host), "--channels", "*")
        self.assertEqual(len(found["tables"]["channels"]), 50)
        self.assertIn("50 of 60 channels", " ".join(found["notes"]))

    def test_a_channel_that_some_lack_is_compared_among_the_others(self):
        by_host = self.five()
        recordings = self.recorded(by_host)
        recordings.append(self.record("other", noise(9), channels=[f"else_{i}" for i in range(8)], host="other"))
        tables = self.studied(*recordings)["tables"]
        self.assertEqual(len(tables["channels"]), 8)
        self.check_levels(tables["hosts"], by_host, "load_2", 2)

    def test_hosts_of_one_time_are_aligned_by_their_clocks(self):
        by_host = {"a": noise(1, 200), "b": noise(2, 180), "c": noise(3, 300)}
        begins = {"a": 0, "b": 30, "c": 10}
        recordings = [self.record(host, samples, host=host, start_s=START_S + begins[host])
                      for host, samples in by_host.items()]
        found = self.studied(*recordings)
        common = {host: samples[30 - begins[host]:200 - begins[host]] for host, samples in by_host.items()}
        for place in range(8):
            self.check_levels(found["tables"]["hosts"], common, f"load_{place}", place)
        self.assertIn("by their clocks", found["notes"][0])
        self.assertIn("2 min 49 s", found["notes"][0])
        for host, begin in begins.items():
            own = [row["seconds"] for row in found["tables"]["courses"]
                   if (row["host"], row["channel"]) == (host, "load_0")]
            np.testing.assert_allclose(own, course(by_host[host][:, 0], begin, 1)[:, 0])

    def test_recordings_of_different_days_begin_together(self):
        by_host = {"a": noise(1, 200), "b": noise(2, 150)}
        recordings = [self.record(host, samples, host=host, start_s=START_S + day * DAY_S)
                      for day, (host, samples) in enumerate(by_host.items())]
        found = self.studied(*recordings)
        for place in range(8):
            self.check_levels(found["tables"]["hosts"], {host: of[:150] for host, of in by_host.items()},
                              f"load_{place}", place)
        self.assertEqual({row["seconds"] for row in found["tables"]["courses"] if row["seconds"] < 1}, {0})
        self.assertIn("not of one time", found["notes"][0])
        self.assertIn("outlier", " ".join(found["notes"]))

    def test_courses_are_means_with_their_range(self):
        by_host = {f"node{i}": noise(i, 1201, 2) for i in range(1, 4)}
        rows = self.studied(*self.recorded(by_host, interval_s=0.1))["tables"]["courses"]
        for host, samples in by_host.items():
            for place in range(2):
                own = [[row[key] for key in ("seconds", "mean", "low", "high")] for row in rows
                       if (row["host"], row["channel"]) == (host, f"load_{place}")]
                self.assertLess(len(own), 201)
                np.testing.assert_allclose(own, course(samples[:, place], 0, 0.1), rtol=1e-12, atol=1e-9)

    def test_the_page_draws_them(self):
        by_host = self.five()
        recordings = [self.record(host, samples, host=host, without=range(100, 120) if host == "node5" else ())
                      for host, samples in by_host.items()]
        self.printed("study", "hosts", *recordings, "-o", "out")
        tables = json.loads((self.folder / "out" / "hosts.json").read_text(encoding="utf-8"))["tables"]
        page = Page(self.folder / "out" / "hosts.html")
        self.assertEqual(list(page.pictures), [row["channel"] for row in tables["channels"]])
        for channel, lines in page.pictures.items():
            self.assertEqual(set(lines), set(by_host))
            rows = [row for row in tables["courses"] if row["channel"] == channel]
            known = [row for row in rows if row["mean"] is not None]
            least, most = min(row["low"] for row in known), max(row["high"] for row in known)
            least = 0 if least <= most / 2 else least
            for host, drawn in lines.items():
                own = [row for row in rows if row["host"] == host]
                self.assertEqual(len(drawn), 2 if host == "node5" else 1)
                # 780 wide from 90 on for the longest time, 210 high from 230 on.
                want = [(90 + 780 * row["seconds"] / max(row["seconds"] for row in rows),
                         230 - 210 * (row["mean"] - least) / (most - least)) for row in own if row["mean"] is not None]
                np.testing.assert_allclose(np.vstack(drawn), want, atol=0.06)

    def test_hosts_of_one_name_go_by_their_directories(self):
        recordings = [self.record(name, noise(i)) for i, name in enumerate(("x", "y", "z"))]
        hosts = {row["host"] for row in self.studied(*recordings)["tables"]["hosts"]}
        self.assertEqual(hosts, {"x", "y", "z"})

    def test_wrong_use(self):
        a, b = self.recorded({"a": noise(1), "b": noise(2)})
        other = self.record("other", noise(3, channels=2), channels=["p", "q"], host="other")
        complains = [((a,), TOO_LITTLE, ("several hosts", str(a))),
                     ((a, b, a), USAGE, ("given twice",)),
                     ((a, b, "--channels", "nothing*"), USAGE, ("--channels nothing*", "--derived")),
                     ((a, other), USAGE, ("no two hosts", "same settings")),
                     ((a, other, "--channels", "p"), USAGE, ("no two hosts", "--channels p")),
                     ((a, "nowhere"), 1, ("nowhere",))]
        for words, status, said in complains:
            self.assert_complains(self.reveal("study", "hosts", *words), status, *said)
        self.assert_complains(self.reveal("study", "storage", a, "--channels", "p"), USAGE, "storage", "--channels")

    def test_the_document_names_every_field(self):
        text = (REPOSITORY / "docs" / "how_to" / "study.md").read_text(encoding="utf-8")
        self.assertIn("`hosts`", text)
        for table, rows in self.studied(*self.recorded(self.five(30)))["tables"].items():
            for word in (table, *rows[0]):
                self.assertIn(f"`{word}`", text)


if __name__ == "__main__":
    unittest.main()
