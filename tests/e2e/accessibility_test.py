"""The pages in a real browser, looked at with axe-core: at both widths, in light and dark, as they are used."""

import sys
import unittest

import axe
import browser
from browser import Browser
from live_page_test import LivePage
from made_telemetry import TelemetryTest
from page_in_browser_test import two_faults
from page_test import has_page

LOOKS = [{"width": width, "height": 900, "dark": dark} for width in (400, 1920) for dark in (False, True)]

# Subsystems that this run has no finding of.
BADGES = """document.querySelector('.cards').before(...['cpu', 'gpu', 'memory', 'network', 'storage', 'unknown'].map(name => {
  const badge = document.createElement('span');
  badge.className = `badge ${name}`;
  badge.textContent = name;
  return badge;
}))"""

# The tests' host has neither control groups nor traffic.
USERS = """const ask = window.fetch;
const users = [{what: 'CPU time', unit: 'ratio', users: ['/a', '/b'].map((name, i) =>
  ({name, channel: `cpu_cgroup_usage_seconds_total{cg=${name}}`, amount: 0.5 - i / 4}))}];
window.fetch = address => address === 'api/v1/users'
  ? Promise.resolve(new Response(JSON.stringify({users}))) : ask(address);"""


class Accessible(unittest.TestCase):
    def assert_accessible(self, page, where):
        # What is halfway below the bar at the top cannot be hit, until one scrolls.
        page.run("window.scrollTo(0, 0)")
        for one in axe.violations(page):
            with self.subTest(where=where):
                self.fail("\n  ".join(one))


class Report(TelemetryTest, Accessible):
    def test_a_report_is_for_everybody(self):
        recording = self.record("faults", two_faults())
        self.printed("analyze", recording)
        for look in LOOKS:
            with self.subTest(**look), Browser(**look) as page:
                page.open(recording / "report.html")
                page.wait("return document.querySelectorAll('figure.trace canvas').length >= 4")
                page.run(BADGES)
                self.assert_accessible(page, "the finding")
                page.run("document.querySelectorAll('details').forEach(one => { one.open = true; })")
                page.run("document.querySelector('#channels').scrollIntoView()")
                page.wait("return document.querySelectorAll('.channel').length > 0")
                page.click(page.find(".channel > button")[0])
                page.wait("return document.querySelector('.whole canvas')")
                page.run("document.querySelector('#resources').scrollIntoView()")
                self.assert_accessible(page, "a channel and everything else")


class Live(LivePage, Accessible):
    def test_the_live_page_is_for_everybody(self):
        self.run_agent()
        with Browser() as page:
            self.visit(page)
            self.assert_accessible(page, "before anything is known")
            self.wait_state(page, "judging")
            self.host.burst.set()
            self.wait_finding(page, "true")
            self.assert_accessible(page, "a finding that is open")
            self.host.burst.clear()
            self.wait_finding(page, "false")
        for look in LOOKS:
            with self.subTest(**look), Browser(**look) as page:
                self.visit(page)
                page.run(USERS)
                page.wait("return document.querySelectorAll('figure.trace canvas').length >= 2")
                page.wait("return document.querySelectorAll('.users table').length > 0", seconds=60)
                self.shows_a_channel(page)
                self.assert_accessible(page, "a finding and a channel")
                page.click(page.find("nav button")[0])
                self.assert_accessible(page, "its help")


def load_tests(loader, _tests, _pattern):
    """The tests of the live page that are of another file stay there."""
    return unittest.TestSuite([
        *loader.loadTestsFromTestCase(Report),
        Live("test_the_live_page_is_for_everybody"),
    ])


if __name__ == "__main__":
    if reason := browser.why_not() or axe.why_not() or ("" if has_page() else "reveal was built without its page"):
        print(reason, file=sys.stderr)
        sys.exit(77)
    unittest.main()
