"""report.html in a real browser: what it shows is what report.json says, and nothing else happens."""

import json
import os
import sys
import unittest
from pathlib import Path

import browser
from browser import Browser
from made_telemetry import START_S, TelemetryTest, noise
from page_test import has_page

HOSTILE = ('<script>document.title="taken"</script>', '"\'&amp;</script><img src=x onerror=alert(1)>',
           "${alert(1)}`", "x" * 10_000)
SHOTS = Path(os.environ["REVEAL"]).resolve().parent / "screenshots"


def two_faults(seed=4, channels=12):
    """Ten minutes with two disturbances, each of a third of the channels."""
    out = noise(seed, 600, channels)
    out[200:208, : channels // 3] += 60
    out[420:430, -channels // 3 :] -= 45
    return out


class Page(TelemetryTest):
    def analyzed(self, name, samples, channels=None):
        recording = self.record(name, samples, channels)
        self.printed("analyze", recording)
        report = json.loads((recording / "report.json").read_text(encoding="utf-8"))
        return recording / "report.html", report

    def test_it_shows_what_the_report_says(self):
        path, report = self.analyzed("faults", two_faults())
        self.assertEqual(len(report["findings"]), 2)
        with Browser() as page:
            page.requests()
            page.open(path)
            self.assertIn("2 findings", page.texts(".verdict strong")[0])
            claims = {finding["claim"] for finding in report["findings"]}
            self.assertEqual(set(page.texts(".card .claim")), claims)
            flagged = sum(len(one["windows_flagged"]) for one in report["detectors"])
            self.assertEqual(page.run("return document.querySelector('.timeline').dataset.flagged"),
                             str(flagged))
            for card in page.find(".card"):
                page.click(card)
                self.shows_the_chosen_finding(page, report)
            page.wait("return document.querySelectorAll('figure.trace canvas').length >= 4")
            claim = page.texts(".why .claim")[0]
            claimed = {one["claim"]: one["claim_channel"] for one in report["findings"]}
            self.assertEqual(page.run("return document.querySelector('figure.trace').dataset.channel"),
                             claimed[claim])
            page.screenshot(SHOTS / "faults.png")
            self.assertEqual(page.complaints(), [])
            self.assertEqual(page.requests(), [path.resolve().as_uri()])

    def shows_the_chosen_finding(self, page, report):
        claim = page.texts(".why .claim")[0]
        finding = next(one for one in report["findings"] if one["claim"] == claim)
        rows = page.run("return [...document.querySelectorAll('.evidence tbody tr')].map(row =>"
                        "[row.querySelector('.link').title, row.querySelectorAll('td')[2].title,"
                        " row.querySelectorAll('td')[3].title])")
        self.assertGreater(len(rows), 3)
        known = {(one["channel"], one["feature"]): one for one in finding["evidence"]}
        for channel, feature, observed in rows:
            evidence = known[channel.split(" (")[0], feature]
            self.assertEqual(float(observed.split()[0]), evidence["observed"])

    def test_the_keyboard_reaches_everything(self):
        path, report = self.analyzed("faults", two_faults())
        with Browser() as page:
            page.open(path)
            chosen = "return document.querySelector('.why .claim').textContent"
            press = ("document.querySelector('.timeline').dispatchEvent("
                     "new KeyboardEvent('keydown', {key: arguments[0]}))")
            order = [one["claim"] for one in sorted(report["findings"], key=lambda one: one["begin"]["ns"])]
            # Of two findings, "p" leads to the first from wherever one is.
            for key, expected in (("p", order[0]), ("n", order[1]), ("p", order[0]), ("n", order[1])):
                page.run(press, key)
                self.assertEqual(page.run(chosen), expected)
            flagged = "return Number(document.querySelector('.timeline').dataset.flagged)"
            everything = page.run(flagged)
            for _ in range(12):
                page.run(press, "+")
            self.assertLess(page.run(flagged), everything)
            page.run(press, "Home")
            self.assertEqual(page.run(flagged), everything)

    def test_channels_are_found_and_opened(self):
        names = [f"disk_{i}_bytes" for i in range(6)] + [f"queue_{i}" for i in range(6)]
        path, _ = self.analyzed("named", two_faults(), names)
        with Browser() as page:
            page.open(path)
            page.run("document.querySelector('#channels').scrollIntoView()")
            page.wait("return document.querySelectorAll('.channel').length === 12")
            page.write(page.find("#search")[0], "queue_3")
            self.assertEqual(page.texts(".channel code"), ["queue_3"])
            page.click(page.find(".channel > button")[0])
            page.wait("return document.querySelector('.whole canvas')")
            page.write(page.find("#search")[0], "nothing of that name")
            self.assertEqual(page.find(".channel"), [])
            self.assertIn("0 of 12", page.texts(".searching .hint")[0])
            self.assertEqual(page.complaints(), [])

    def test_nothing_found_is_an_answer(self):
        path, _ = self.analyzed("quiet", noise(2))
        with Browser() as page:
            page.open(path)
            self.assertIn("No anomaly", page.texts(".verdict strong")[0])
            self.assertRegex(page.texts(".verdict .hint")[0],
                             r" A healthy run of this kind, [\d.]+ (s|min) long, has .* findings by chance\.$")
            self.assertEqual(page.find(".card"), [])
            page.screenshot(SHOTS / "quiet.png")
            self.assertEqual(page.complaints(), [])

    def test_dark_and_narrow(self):
        path, _ = self.analyzed("faults", two_faults())
        with Browser(width=400, height=800, dark=True) as page:
            page.open(path)
            page.wait("return document.querySelectorAll('figure.trace canvas').length >= 4")
            self.assertLessEqual(page.run("return document.scrollingElement.scrollWidth"), 400)
            paper = page.run("return getComputedStyle(document.body).backgroundColor")
            self.assertLess(sum(int(part) for part in paper[4:-1].split(",")), 3 * 64, paper)
            page.screenshot(SHOTS / "phone.png")
        with Browser(dark=True) as page:
            page.open(path)
            page.wait("return document.querySelectorAll('figure.trace canvas').length >= 4")
            page.screenshot(SHOTS / "dark.png")

    def hostile_recording(self):
        """Devices, a host and claims with names that would rather be something else."""
        result = [{"metric": {"__name__": "load", "device": name},
                   "values": [[START_S + tick, repr(float(v))] for tick, v in enumerate(column)]}
                  for name, column in zip((*HOSTILE, *map(str, range(8))), two_faults().T)]
        path = self.folder / "hostile.json"
        path.write_text(json.dumps({"status": "success", "data": {
            "resultType": "matrix", "result": result}}), encoding="utf-8")
        recording = self.folder / "hostile"
        self.printed("import", path, "--format", "prom-json", "-o", recording, "--host", HOSTILE[0])
        self.printed("analyze", recording)
        report = json.loads((recording / "report.json").read_text(encoding="utf-8"))
        for name, finding in zip(HOSTILE, report["findings"]):
            finding["claim"] = name
            finding["evidence"][0]["channel"] = name
        (recording / "report.json").write_text(json.dumps(report), encoding="utf-8")
        self.printed("report", recording)
        return recording / "report.html"

    def test_hostile_names_are_text(self):
        path = self.hostile_recording()
        with Browser() as page:
            page.open(path)
            page.run("document.querySelector('#channels').scrollIntoView()")
            page.wait("return document.querySelectorAll('.channel').length === 12")
            shown = page.texts(".channel code")
            for name in HOSTILE:
                self.assertTrue(any(name[:60] in one for one in shown), name[:60])
            self.assertIn(HOSTILE[0], page.texts(".card .claim"))
            self.assertEqual(page.texts(".run b"), [HOSTILE[0]])
            self.assertNotEqual(page.run("return document.title"), "taken")
            self.assertEqual(page.find("img"), [])
            self.assertLessEqual(page.run("return document.scrollingElement.scrollWidth"), 1440)
            page.screenshot(SHOTS / "hostile.png")
            self.assertEqual(page.complaints(), [])

    def test_several_hosts_stand_below_one_another(self):
        recordings = []
        for number, samples in enumerate((noise(7, 600, 12), two_faults(8), noise(9, 600, 12))):
            recording = self.record(f"r{number}", samples)
            self.printed("analyze", recording)
            recordings.append(recording)
        path = self.folder / "fleet.html"
        self.printed("report", *recordings, "-o", path)
        with Browser() as page:
            page.open(path)
            self.assertEqual(len(page.find(".run")), 3)
            self.assertEqual(len(page.find("#trust .host")), 3)
            self.assertEqual(len(page.find(".card")), 2)
            page.screenshot(SHOTS / "fleet.png")
            self.assertEqual(page.complaints(), [])


if __name__ == "__main__":
    if reason := browser.why_not() or ("" if has_page() else "reveal was built without its page"):
        print(reason, file=sys.stderr)
        sys.exit(77)
    unittest.main()
