"""report.html: one file with all that it needs, and the course of every channel in it as
`reveal export --derived` has it. Decoded with html.parser, zlib and base64 by the words of
docs/page_format.md."""

import base64
import csv
import html.parser
import io
import json
import os
import shutil
import subprocess
import time
import unittest
import zlib

import numpy as np

from made_telemetry import LEVEL, START_S, TelemetryTest, noise
from moving_host import MovingHost
from reveal_process import INTERVAL, PATIENCE_S, REVEAL, WINDOWS, shown

PAGE_BYTES = 10_000_000


class Page(html.parser.HTMLParser):
    """The elements of a page: data by class and host, and what would load something."""

    def __init__(self, text):
        super().__init__()
        self.data = {}
        self.scripts = []
        self.title = ""
        self.tags = []
        self.loads = []
        self._inside = None
        self._text = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        self.tags.append(tag)
        self.loads += [f"{tag} {name}" for name in attributes if name in ("src", "href")]
        if tag in ("script", "title", "style"):
            self._inside, self._text = attributes, []

    def handle_data(self, data):
        self._text.append(data)

    def handle_endtag(self, tag):
        text = "".join(self._text)
        if tag == "title":
            self.title = text
        if tag == "script" and "class" in self._inside:
            self.data[self._inside["class"], int(self._inside["data-host"])] = text
        elif tag == "script":
            self.scripts.append(text)

    def host(self, number=0):
        return Host(json.loads(self.data["report", number]), json.loads(self.data["channels", number]),
                    base64.b64decode(self.data["samples", number], validate=True))


class Host:
    def __init__(self, report, index, blobs):
        self.report, self.index, self.blobs = report, index, blobs
        self.channels = {channel["name"]: channel for channel in index["channels"]}

    def series(self, place, count, bits):
        """The series of codes of a blob."""
        raw = zlib.decompress(self.blobs[place[0]:place[0] + place[1]], -15)
        planes = np.frombuffer(raw, dtype=np.uint8).astype(np.int64).reshape(-1, bits // 8, count)
        differences = sum(planes[:, i, :] << (8 * i) for i in range(bits // 8))
        return np.cumsum(differences, axis=1) % (1 << bits)

    def values(self, place, count, bits, low, high):
        """The series of numbers of a blob, NaN where there is none, and the size of a code."""
        codes = self.series(place, count, bits)
        step = (high - low) / (2 ** bits - 2)
        return np.where(codes == 0, np.nan, low + (codes - 1) * step), step

    def pyramid(self, name):
        channel = self.channels[name]
        return self.values(channel["pyramid"], self.index["buckets"], self.index["bits"],
                           channel["low"], channel["high"])


def buckets_of(samples, ticks):
    """Lowest, highest and mean sample of every bucket, the plain way."""
    whole = np.full(-(-len(samples) // ticks) * ticks, np.nan)
    whole[:len(samples)] = samples
    out = []
    for row in whole.reshape(-1, ticks):
        there = row[~np.isnan(row)]
        out.append((there.min(), there.max(), there.mean()) if there.size else (np.nan,) * 3)
    return np.array(out).T


class PageTest(TelemetryTest):
    def page(self, path):
        return Page((self.folder / path).read_text(encoding="utf-8"))

    def exported(self, recording, host):
        """Derived samples by channel and tick from the first frame."""
        text = self.printed("export", recording, "--derived")
        header, *rows = csv.reader(io.StringIO(text, newline=""))
        first = header.index("read_ns") + 1
        table = np.array([[float(cell) if cell else np.nan for cell in row[first:]] for row in rows])
        ticks = [int(row[header.index("sequence")]) for row in rows]
        out = {}
        for i, name in enumerate(header[first:]):
            out[name] = np.full(host.index["ticks"], np.nan)
            out[name][np.array(ticks) - ticks[0]] = table[:, i]
        return out

    def assert_holds(self, host, recording):
        """Pyramids and details are the exported samples, to within one code."""
        exported = self.exported(recording, host)
        self.assertEqual(set(host.channels), set(exported))
        for name, channel in host.channels.items():
            with self.subTest(channel=name):
                self.check_channel(host, channel, exported[name])
        for detail in host.index["raw_spans"]:
            channel = host.index["channels"][detail["channel"]]["name"]
            (found,), step = host.values(detail["data"], detail["count"], 16, detail["low"],
                                         detail["high"])
            first = detail["first_tick"]
            expected = exported[channel][first:first + detail["count"]]
            np.testing.assert_allclose(found, expected, rtol=1e-12, atol=step, err_msg=channel)

    def check_channel(self, host, channel, samples):
        there = samples[~np.isnan(samples)]
        if there.size == 0:
            self.assertNotIn("pyramid", channel)
            self.assertIsNone(channel["low"])
        elif there.min() == there.max():
            self.assertNotIn("pyramid", channel)
            self.assertEqual(channel["constant"], there[0])
        else:
            self.assertEqual((channel["low"], channel["high"]), (there.min(), there.max()))
            found, step = host.pyramid(channel["name"])
            expected = buckets_of(samples, host.index["bucket_ticks"])
            np.testing.assert_allclose(found, expected, rtol=1e-9, atol=step)


class LiveRun(PageTest):
    """A run of a host, live and again."""

    def setUp(self):
        super().setUp()
        with MovingHost(self.folder / "host") as host:
            process = self.start("run", "-q", "-o", "r", *INTERVAL, *WINDOWS, "--duration", "4s",
                                 *host.roots)
            time.sleep(2.5)
            host.burst.set()
            outcome = self.finish(process)
        self.assert_status(outcome, 0)

    def test_its_page_holds_what_it_recorded(self):
        page = self.page("r/report.html")
        host = page.host()
        report = json.loads((self.folder / "r/report.json").read_text(encoding="utf-8"))
        self.assertEqual(host.report, report)
        self.assertEqual(page.title, "Reveal: " + report["host"]["name"])
        self.assertEqual(host.index["begin_ns"], str(report["run"]["begin"]["ns"]))
        self.assertEqual(page.loads, [])
        self.assertEqual(len(page.scripts), 1)
        self.assert_holds(host, "r")
        kinds = {channel.get("kind") for channel in host.index["channels"]}
        self.assertLessEqual({"counter", "gauge", None}, kinds)

        # The same from the recording, by each way.
        live = (self.folder / "r/report.html").read_bytes()
        self.assert_status(self.reveal("report", "r", "-o", "again.html"), 0)
        self.assertTrue((self.folder / "again.html").read_bytes() == live)


class MadeRuns(PageTest):
    def disturbed(self, ticks=900, channels=8, at=600):
        samples = noise(5, ticks, channels)
        samples[at:at + 30, :] += 40
        return samples

    def analyzed(self, name="r", samples=None, *options, **making):
        recording = self.record(name, self.disturbed() if samples is None else samples, **making)
        self.printed("analyze", recording, *options)
        return recording

    def test_gaps_details_and_two_mergings(self):
        samples = self.disturbed(3000, at=2000)
        samples[:, 5] = LEVEL
        samples[:, 6] = np.where(np.arange(3000) < 1500, LEVEL, samples[:, 6])
        without = {*range(100, 104), *range(400, 500)}
        recording = self.analyzed("r", samples, without=without)
        host = self.page("r/report.html").host()
        self.assertEqual((host.index["ticks"], host.index["bucket_ticks"], host.index["buckets"]),
                         (3000, 4, 750))
        self.assertEqual(host.index["gaps"], [[25, 1], [100, 25]])
        self.assertAlmostEqual(host.channels["load_0"]["missing"], 0)
        self.assertEqual(host.channels["load_5"]["constant"], LEVEL)
        self.assertGreaterEqual(len(host.report["findings"]), 1)
        self.assert_holds(host, recording)
        (finding,) = [f for f in host.report["findings"]
                      if f["begin"]["ns"] <= (START_S + 2010) * 10**9 <= f["end"]["ns"]]
        details = {host.index["channels"][d["channel"]]["name"]: d for d in host.index["raw_spans"]
                   if d["first_tick"] <= 2010 < d["first_tick"] + d["count"]}
        wanted = {item["channel"] for item in finding["evidence"][:12]}
        self.assertEqual(set(details), wanted)
        for detail in details.values():
            begin_s = START_S + detail["first_tick"]
            self.assertLessEqual(begin_s, finding["begin"]["ns"] / 1e9 - 60)
            self.assertGreaterEqual(begin_s + detail["count"], finding["end"]["ns"] / 1e9 + 60)

    def test_several_hosts(self):
        one = self.analyzed("one")
        two = self.analyzed("two", noise(6, 400, 3))
        self.printed("report", one, two)
        page = self.page("report.html")
        self.assertEqual(page.title, "Reveal: node7, node7")
        for number, recording in enumerate((one, two)):
            self.assert_holds(page.host(number), recording)
        self.assertEqual(len(page.host(1).channels), 3)

    def test_where_it_is_written(self):
        recording = self.analyzed("r", None, "--no-html")
        self.assertFalse((recording / "report.html").exists())
        self.printed("analyze", recording, "--html", "elsewhere.html", "--json")
        self.assertFalse((recording / "report.html").exists())
        self.assertEqual(len(self.page("elsewhere.html").host().channels), 8)
        self.printed("report", recording)
        self.assertTrue((recording / "report.html").exists())
        self.assert_complains(self.reveal("analyze", recording, "--html", "x", "--no-html"), 2,
                              "--no-html")

    def test_names_that_html_would_read(self):
        names = ["load_0", "load{cg=</script><!--\"'&}", "load{cg=\u2028}"]
        recording = self.analyzed("r", noise(3, 300, 3), channels=names)
        page = self.page("r/report.html")
        self.assertEqual(len(page.scripts), 1)
        self.assert_holds(page.host(), recording)

    def test_without_a_recording_the_report_remains(self):
        recording = self.analyzed()
        for segment in recording.glob("*.rvs"):
            segment.unlink()
        out = self.reveal("report", recording)
        self.assert_status(out, 0)
        self.assertEqual(len(out.stderr.splitlines()), 1, shown(out))
        self.assertIn("the page has only the report", out.stderr)
        host = self.page("r/report.html").host()
        self.assertEqual(host.index["channels"], [])
        self.assertEqual(host.report["host"]["name"], "node7")

    def test_a_damaged_recording_gives_what_is_sound(self):
        recording = self.analyzed()
        (segment,) = recording.glob("*.rvs")
        content = bytearray(segment.read_bytes())
        content[len(content) * 2 // 3] ^= 0xFF
        segment.write_bytes(content)
        out = self.reveal("report", recording)
        self.assert_status(out, 0)
        self.assertIn("unreadable", out.stderr)
        self.assert_holds(self.page("r/report.html").host(), recording)

    def test_a_report_that_is_gone_or_none(self):
        recording = self.analyzed()
        old = (recording / "report.html").read_bytes()
        (recording / "report.json").write_text("{}")
        self.assert_complains(self.reveal("report", recording), 1, "is not a report of Reveal")
        (recording / "report.json").unlink()
        self.assert_complains(self.reveal("report", recording), 1, "reveal analyze")
        self.assert_complains(self.reveal("report", "absent"), 1, "absent/report.json: cannot read")
        (recording / "report.json").write_text(json.dumps(self.page("r/report.html").host().report))
        self.assert_complains(self.reveal("report", recording, "-o", "absent/x.html"), 1,
                              "absent/x.html: cannot create")
        self.assertEqual((recording / "report.html").read_bytes(), old)
        self.assertEqual(list(recording.glob("*.new")), [])

    def test_open(self):
        recording = self.analyzed()
        tools = self.folder / "tools"
        tools.mkdir()
        environment = {"PATH": str(tools)}
        out = self.reveal("report", recording, "--open", env=environment)
        self.assert_complains(out, 1, "xdg-open", "open it in a browser")
        opener = tools / "xdg-open"
        opener.write_text(f'#!/bin/sh\necho "$1" >{self.folder}/opened\n')
        opener.chmod(0o755)
        self.assert_status(self.reveal("report", "r", "--open", env=environment), 0)
        self.assertEqual((self.folder / "opened").read_text().strip(), str(recording / "report.html"))
        opener.write_text('#!/bin/sh\necho no browser >&2\nexit 3\n')  # as xdg-open says it
        self.assert_complains(self.reveal("report", "r", "--open", env=environment), 1, "no browser")


class Sizes(TelemetryTest):
    def test_of_700_channels_for_ten_minutes(self):
        # Noise in every channel is the worst that there is: it does not compress.
        recording = self.record("r", noise(8, 6000, 700), interval_s=0.1)
        self.printed("analyze", recording)
        size = (recording / "report.html").stat().st_size
        self.assertLess(size, PAGE_BYTES)
        host = Page((recording / "report.html").read_text(encoding="utf-8")).host()
        self.assertEqual(len(host.channels), 700)
        self.assertEqual(host.index["ticks"], 6000)


class WithoutThePage(TelemetryTest):
    """A reveal that was built where esbuild or uPlot was missing."""

    def said(self, *words):
        """Exit status and the standard error, which other tests of reveal have without the notice."""
        out = subprocess.run([REVEAL, *map(str, words)], capture_output=True, text=True, check=False,
                             cwd=self.folder, timeout=PATIENCE_S)
        return out.returncode, out.stderr

    def test_says_so_once_and_goes_on(self):
        recording = self.record("r", noise(5))
        status, stderr = self.said("analyze", recording)
        self.assertEqual(status, 0)
        self.assertRegex(stderr, r"\Areveal: report\.html: this reveal was built without its page "
                                 r"\(make deps-page build, .*--no-html\)\n\Z")
        self.assertTrue((recording / "report.json").exists())
        self.assertFalse((recording / "report.html").exists())
        self.assertEqual(self.said("analyze", recording, "--no-html"), (0, ""))

    def test_an_installed_one_says_what_its_user_can_do(self):
        installed = self.folder / "bin" / "reveal"
        installed.parent.mkdir()
        shutil.copy(REVEAL, installed)
        for words in (["report", "absent", "-o", "none.html"], ["version"]):
            out = subprocess.run([installed, *words], capture_output=True, text=True, check=False,
                                 cwd=self.folder, timeout=PATIENCE_S)
            self.assertIn("install a reveal that has it", out.stdout + out.stderr)
            self.assertNotIn("make deps-page", out.stdout + out.stderr)

    def test_refuses_what_it_cannot_make(self):
        recording = self.record("r", noise(5))
        for words in (["report", recording], ["analyze", recording, "--html", "x.html"],
                      ["run", "--html", "x.html", "--duration", "1s"]):
            with self.subTest(words=words):
                status, stderr = self.said(*words)
                self.assertEqual(status, 1)
                self.assertRegex(stderr, r"\Areveal: .*make deps-page build.*\n\Z")
        self.assertFalse((recording / "report.json").exists())


def has_page():
    """Whether this reveal was built with its page."""
    out = subprocess.run([REVEAL, "report", "absent", "-o", os.devnull + "/none"],
                         capture_output=True, text=True, check=False)
    return "built without its page" not in out.stderr


def load_tests(loader, _tests, _pattern):
    """What can be tested depends on how reveal was built; the other part is for the other build."""
    classes = [LiveRun, MadeRuns, Sizes] if has_page() else [WithoutThePage]
    return unittest.TestSuite(map(loader.loadTestsFromTestCase, classes))


if __name__ == "__main__":
    unittest.main()
