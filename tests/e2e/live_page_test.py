"""The agent's live page in a real browser: what it shows of a real agent, and what it outlives."""

import json
import os
import signal
import sys
import unittest
import urllib.request
from pathlib import Path

import browser
from browser import Browser
from page_test import has_page
from ports import free_port
from reveal_process import wait_until
from running_agent import AgentRun, children_of

SHOTS = Path(os.environ["REVEAL"]).resolve().parent / "screenshots"

# The names of what a screen reader meets: a control without one is silent.
NAMELESS = """return [...document.querySelectorAll('button, a, input, canvas, [role=img]')].filter(one =>
    one.offsetParent && !one.closest('[aria-hidden=true]') && !one.closest('[role=img][aria-label]') &&
    !(one.getAttribute('aria-label') || one.textContent.trim() || one.title)).map(one => one.outerHTML)"""

# The contrast of texts on what is behind them, as WCAG 2 computes it; those below 4.5.
FAINT = """
const parts = text => text.match(/[\\d.]+/g).map(Number);
const light = ([r, g, b]) => [r, g, b].map(v => v / 255)
  .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
  .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
const behind = one => {
  for (; one; one = one.parentElement) {
    const color = parts(getComputedStyle(one).backgroundColor);
    if (color.length === 3 || color[3] === 1) return color;
  }
  return [255, 255, 255];
};
return [...document.querySelectorAll('body *')].filter(one => one.offsetParent &&
    !one.closest('[aria-hidden=true]') && [...one.childNodes].some(node => node.nodeType === 3 && node.data.trim())).map(one => {
  const [a, b] = [light(parts(getComputedStyle(one).color)), light(behind(one))];
  return [(Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), one.className, one.textContent.slice(0, 40)];
}).filter(([contrast]) => contrast < 4.5)"""


class LivePage(AgentRun):
    def setUp(self):
        super().setUp()
        # One that is the same after a restart.
        self.port = free_port()
        self.settings = self.settings.replace("127.0.0.1:0", f"127.0.0.1:{self.port}")
        self.configuration.write_text(self.settings)
        self.root = f"http://127.0.0.1:{self.port}/"

    def run_agent(self):
        agent = self.start_agent()
        wait_until(lambda: f"answers at 127.0.0.1:{self.port}" in agent.said.text, "the server")
        return agent

    def visit(self, page, anchor=""):
        page.requests()
        page.call("POST", "/url", {"url": self.root + anchor})
        page.wait("return document.documentElement.dataset.ready === 'yes'")

    def wait_state(self, page, state):
        page.wait("return document.querySelector('.verdict').dataset.state === arguments[0]", state, seconds=60)

    def foreign(self, page):
        """Addresses that the page asked for elsewhere than at the agent; the browser's own do not count."""
        return [one for one in page.requests() if not one.startswith((self.root, "chrome", "data:"))]

    def wait_finding(self, page, state):
        page.wait("return document.querySelector(`.card[data-open='${arguments[0]}']`)", state, seconds=60)

    def test_a_finding_comes_and_ends_while_somebody_looks(self):
        self.run_agent()
        with Browser() as page:
            self.visit(page)
            self.wait_state(page, "learning")
            # A state of yesterday has its day in front of the time.
            page.wait(r"return /^learning since (\d{4}-\d\d-\d\d )?[\d:]+ UTC: (\d+ s to go|nearly done)$/"
                      ".test(document.querySelector('.why-state').textContent)")
            self.assertEqual(page.run("return document.title"), "… " + page.texts("h1")[0])
            self.assertIn("no window was judged yet", page.run("return document.querySelector('.timeline').ariaLabel"))
            self.assertEqual(page.run("return document.querySelector('.timeline').dataset.unjudged"), "900")
            self.wait_state(page, "judging")
            self.assertIn("No finding is open", page.texts(".verdict strong")[0])
            self.assertEqual(page.run("return document.title"), page.texts("h1")[0])
            page.wait("return Number(document.querySelector('.timeline').dataset.stretches) > 1")
            self.tells_what_was_not_judged(page)
            self.host.burst.set()
            self.wait_finding(page, "true")
            page.wait("return document.querySelector('.verdict strong').textContent.includes('1 finding open')")
            self.assertEqual(page.run("return document.title"), "(1) " + page.texts("h1")[0])
            page.wait("return document.querySelectorAll('figure.trace canvas').length >= 2")
            votes = page.run("return [...document.querySelectorAll('.why .facts span')].map(one => one.textContent)"
                             ".find(text => / votes: /.test(text))")
            self.assertRegex(votes, r"^\d of 6 votes: Saturation\b")
            self.assertNotIn("_", votes)
            finding = json.loads(self.ask("/api/v1/findings"))["findings"][0]
            self.assertEqual(page.run("return document.querySelector('.card').dataset.finding"), finding["id"])
            page.screenshot(SHOTS / "live_open.png")
            self.host.burst.clear()
            self.wait_finding(page, "false")
            page.wait("return document.querySelector('.verdict strong').textContent.includes('No finding is open')")
            last = json.loads(self.ask("/api/v1/findings"))["findings"][0]
            page.wait("return document.querySelector('.card .claim').textContent === arguments[0]", last["claim"])
            self.assertIn(last["patterns"][0]["remedy"], page.texts(".pattern")[0])
            page.screenshot(SHOTS / "live_over.png")
            self.shows_a_channel(page)
            self.shows_longer(page)
            self.copies(page, last)
            self.is_for_everybody(page)
            self.assertEqual(page.complaints(), [])
            self.assertEqual(self.foreign(page), [])
        self.shows_it_elsewhere(last)

    def tells_what_was_not_judged(self, page):
        """The time before the first window does not look calm."""
        seconds = int(page.run("return document.querySelector('.timeline').dataset.unjudged"))
        self.assertTrue(600 < seconds < 900, seconds)
        self.assertRegex(page.run("return document.querySelector('.timeline').ariaLabel"), r"; [\d.]+ min not judged\.$")
        for part, told in ((0.2, "not judged"), (0.995, "strength ")):
            page.run("const at = document.querySelector('.timeline'), box = at.getBoundingClientRect();"
                     "at.dispatchEvent(new PointerEvent('pointermove', {bubbles: true,"
                     " clientX: box.left + box.width * arguments[0], clientY: box.top + box.height / 2}))", part)
            self.assertRegex(page.texts(".reading-line")[0], r"^\d\d:\d\d:\d\d UTC: " + told)

    def shows_a_channel(self, page):
        page.write(page.find("#search")[0], "storage_reads_total{dev=vda}")
        page.wait("return document.querySelectorAll('.channel').length === 1")
        page.click(page.find(".channel > button")[0])
        page.wait("return document.querySelector('.whole canvas')")
        # What is pointed at in one chart is shown in the others, with its time.
        page.run("const plot = document.querySelector('figure.trace .u-over'), at = plot.getBoundingClientRect();"
                 "plot.dispatchEvent(new MouseEvent('mouseenter', {bubbles: true}));"
                 "plot.dispatchEvent(new MouseEvent('mousemove', {bubbles: true,"
                 " clientX: at.left + at.width * 0.9, clientY: at.top + at.height / 2}))")
        page.wait("return [...document.querySelectorAll('.reading')].filter(one => /UTC: /.test(one.textContent)).length > 1")
        self.assertRegex(page.texts(".reading-line")[0], r"^\d\d:\d\d:\d\d UTC")

    def shows_longer(self, page):
        for button, text in zip(page.find("#when .tools button"), ("15 minutes", "hour", "six hours")):
            page.click(button)
            self.assertEqual(page.texts("#when h2"), [f"The last {text}"])

    def copies(self, page, finding):
        page.run("navigator.clipboard.writeText = async text => { window.copied = text; }")
        page.click(page.find(".copy")[0])
        text = page.wait("return window.copied")
        self.assertIn(finding["claim"], text)
        self.assertTrue(text.endswith(f"{self.root}#{finding['id']}"), text)

    def is_for_everybody(self, page):
        for landmark in ("nav", "main", "h1", "[role=status]"):
            self.assertEqual(len(page.find(landmark)) > 0, True, landmark)
        self.assertEqual(page.run("return document.documentElement.lang"), "en")
        self.assertEqual(page.run(NAMELESS), [])
        self.assertEqual(page.run(FAINT), [])
        page.click(page.find("nav button")[0])
        self.assertTrue(page.run("return document.querySelector('dialog').open"))
        page.click(page.find("dialog button")[0])

    def shows_it_elsewhere(self, finding):
        """By its link, on a small screen in the dark and on a large one."""
        with Browser(width=400, height=800, dark=True) as page:
            self.visit(page, f"#{finding['id']}")
            page.wait("return document.querySelector(`.card[aria-pressed=true]`)?.dataset.finding === arguments[0]",
                      finding["id"])
            page.wait("return document.querySelectorAll('figure.trace canvas').length >= 2")
            self.assertLessEqual(page.run("return document.scrollingElement.scrollWidth"), 400)
            self.assertEqual(page.run(FAINT), [])
            page.screenshot(SHOTS / "live_phone.png")
            self.assertEqual(page.complaints(), [])
        with Browser(width=3840, height=2160) as page:
            self.visit(page, "#01ARZ3NDEKTSV4RRFFQ69G5FAV")
            page.wait("return document.body.textContent.includes('does not have finding 01ARZ3NDEKTSV4RRFFQ69G5FAV')")
            self.assertLessEqual(page.run("return document.scrollingElement.scrollWidth"), 3840)
            page.screenshot(SHOTS / "live_large.png")

    def test_four_tabs_outlive_a_restart(self):
        agent = self.run_agent()
        with Browser() as page:
            tabs = [page.call("GET", "/window")]
            tabs += [page.call("POST", "/window/new", {"type": "tab"})["handle"] for _ in range(3)]
            for tab in tabs:
                page.call("POST", "/window", {"handle": tab})
                self.visit(page)
            for tab in tabs:
                page.call("POST", "/window", {"handle": tab})
                self.wait_state(page, "judging")
            self.assertIn("reveal_http_streams 4\n", self.ask("/metrics"))
            judge = children_of(agent.pid)["agent-judge"]
            os.kill(judge, signal.SIGKILL)
            self.every_tab(page, tabs, "return !document.querySelector('.link-state').hidden ||"
                                       " document.querySelector('.figures').textContent.includes('last frame')")
            wait_until(lambda: children_of(agent.pid).get("agent-judge", judge) != judge, "another judge")
            self.every_tab(page, tabs, "return document.querySelector('.link-state').hidden")
            self.end(agent)
            self.every_tab(page, tabs, "return document.querySelector('.link-state').textContent"
                                       ".startsWith('Not connected since ')")
            self.assertTrue(page.run("return document.title").startswith("? "))
            page.screenshot(SHOTS / "live_lost.png")
            self.run_agent()
            for tab in tabs:
                page.call("POST", "/window", {"handle": tab})
                page.wait("return document.querySelector('.link-state').hidden", seconds=60)
                self.wait_state(page, "judging")

    def every_tab(self, page, tabs, script):
        for tab in tabs:
            page.call("POST", "/window", {"handle": tab})
            page.wait(script, seconds=60)

    def ask(self, path):
        with urllib.request.urlopen(self.root.rstrip("/") + path, timeout=60) as answer:
            return answer.read().decode()


if __name__ == "__main__":
    if reason := browser.why_not() or ("" if has_page() else "reveal was built without its page"):
        print(reason, file=sys.stderr)
        sys.exit(77)
    unittest.main()
