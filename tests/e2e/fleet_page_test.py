"""The page of a fleet in a real browser: what it shows of a real analyser and a made fleet, of which one host
loses segments. It takes some minutes, for a host is watched for two before it can be called slow."""

import json
import sys
import unittest

import axe
import browser
from broker import NATS
from browser import Browser
from fleet_page import SHOTS, FleetPageTest
from live_page_test import FAINT, NAMELESS
from page_test import has_page

SLOW = 7
FROM_S = 150
TO_S = 400
SECONDS = 430
NAME = "n07"

LOOKS = [{"width": width, "height": 900, "dark": dark} for width in (400, 1920) for dark in (False, True)]

# What a key does in the grid of hosts that has the focus.
PRESS = """document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key: arguments[0], bubbles: true, cancelable: true}))"""

# What a screen reader is told of the grid's place.
OPTION = """const list = document.querySelector('.cells');
return document.getElementById(list.getAttribute('aria-activedescendant'))?.textContent ?? ''"""


class Page(FleetPageTest):
    def test_an_empty_fleet_then_a_slow_host_then_no_broker(self):
        self.start_broker()
        self.start_analyser()
        with Browser() as page:
            self.visit(page)
            self.tells_that_there_is_no_host(page)
            self.start_fleet(9, SECONDS, SLOW, FROM_S, TO_S)
            self.wait_text(page, ".verdict .text", "Too early to tell")
            self.wait_text(page, ".group h3", "role train")
            self.wait_text(page, ".verdict .text", "All is well", seconds=FROM_S + 60)
            self.assertEqual(page.run("return document.title"), page.texts("h1")[0])
            self.assert_accessible(page, "a fleet that is well")
            self.wait_text(page, ".verdict .text", f"{NAME} is the slow one", seconds=FROM_S + 60)
            self.tells_who_is_slow(page)
            self.shows_the_evidence(page)
            self.shows_the_quantity(page)
            self.goes_by_keyboard(page)
            self.shows_the_host(page)
            self.finds_a_host(page)
            self.assertEqual(self.complaints(page), [])
            self.assertEqual([one for one in page.requests() if not one.startswith((self.root, "chrome", "data:", "about:"))], [])
        self.is_for_everybody()
        with Browser() as page:
            self.visit(page)
            self.wait_text(page, ".verdict .text", "All is well", seconds=TO_S - FROM_S + 60)
            self.assertEqual(page.run("return document.querySelector('.card').dataset.open"), "false")
            self.tells_that_the_broker_is_away(page)

    def tells_that_there_is_no_host(self, page):
        self.wait_text(page, ".verdict .text", "No host has told anything yet")
        self.assertIn("servers under [fleet] in reveal.toml", page.texts(".told")[0])
        self.assertEqual(page.find("#groups:not([hidden])"), [])
        page.screenshot(SHOTS / "fleet_empty.png")

    def tells_who_is_slow(self, page):
        told = page.texts(".told")[0]
        self.assertRegex(told, r"^since \d\d:\d\d:\d\d UTC, its network: Retransmitted segments 4\.?\d* % \(its peers: 0 %\)$")
        self.assertTrue(page.run("return document.title").startswith("(1) "))
        (incident,) = json.loads(self.ask("/api/v1/incidents?open=true"))["incidents"]
        self.assertEqual(page.run("return document.querySelector('.card').dataset.incident"), incident["id"])
        # It is chosen, so the address names it.
        self.assertIn(f"incident={incident['id']}", page.run("return location.hash"))
        page.wait("return document.querySelector('.cells canvas').dataset.slow === '1'")
        self.wait_text(page, ".farthest", f"{NAME} (slow)")

    def shows_the_evidence(self, page):
        (incident,) = json.loads(self.ask("/api/v1/incidents?open=true"))["incidents"]
        self.assertIn(incident["sentence"].split(":")[0], page.texts(".why .claim")[0])
        rows = page.run("return [...document.querySelectorAll('.slow-hosts tbody tr')].map(row => [...row.cells].map(one => one.textContent))")
        self.assertEqual(rows[0][:2], [NAME, "the cause"])
        self.assertEqual(rows[0][3], "NET Retransmitted segments")
        self.assertRegex(rows[0][4], r"^[34]\.?\d* %$")
        self.assertRegex(rows[0][6], r"^\d+(\.\d+)?x$")
        page.run("navigator.clipboard.writeText = async text => { window.copied = text; }")
        page.click(page.find(".copy")[0])
        text = page.wait("return window.copied")
        self.assertTrue(text.endswith(f"{self.root}#incident={incident['id']}"), text)
        self.assertIn("Retransmitted segments: 4", text)

    def shows_the_quantity(self, page):
        """The incident's main evidence, without a click."""
        page.run("document.querySelector('#spread').scrollIntoView()")
        self.wait_text(page, ".apart", NAME)
        self.assertEqual(page.run("return document.querySelector('#quantity').selectedOptions[0].textContent"),
                         "Retransmitted segments (a wait or loss)")
        label = page.wait("return document.querySelector('.lines').ariaLabel")
        self.assertRegex(label, rf"^Retransmitted segments at [\d:]+ UTC: .* {NAME} 4\.?\d* %$")
        page.wait("return document.querySelector('.lines canvas') && document.querySelector('.heat').height > 0")
        before = page.run("return document.querySelector('.lines').ariaLabel")
        page.wait("return document.querySelector('.lines').ariaLabel !== arguments[0]", before)
        # Another one, of which the past was not kept.
        page.run("const choice = document.querySelector('#quantity');"
                 "choice.value = [...choice.options].find(one => one.textContent === 'CPU busy share').value;"
                 "choice.dispatchEvent(new Event('change'))")
        label = page.wait("return /^CPU busy share at /.test(document.querySelector('.lines').ariaLabel) &&"
                          " document.querySelector('.lines').ariaLabel", seconds=60)
        self.assertRegex(label, r"the median is (79|80|81)(\.\d+)? %")
        self.assertIn("quantity=cpu_busy_ratio", page.run("return location.hash"))
        page.screenshot(SHOTS / "fleet_quantity.png")

    def goes_by_keyboard(self, page):
        page.run("document.querySelector('.cells').scrollIntoView({block: 'center'}); document.querySelector('.cells').focus()")
        page.run(PRESS, "Home")
        self.assertRegex(page.run(OPTION), r"^n00: as its peers")
        for _ in range(SLOW):
            page.run(PRESS, "ArrowRight")
        self.assertEqual(page.run(OPTION), f"{NAME}: slow")
        self.assertEqual(page.texts(".grid .tip")[0], f"{NAME}: slow")
        page.run(PRESS, "End")
        self.assertRegex(page.run(OPTION), r"^n08: ")
        page.run(PRESS, "ArrowLeft")
        page.run(PRESS, "Enter")
        page.wait("return document.activeElement.id === 'host'")

    def shows_the_host(self, page):
        self.wait_text(page, "#host h2", NAME)
        self.assertEqual(page.texts("#host .standing"), ["compared with its peers"])
        self.wait_text(page, "#host .heard", "heard just now")
        host = page.run("return document.querySelector('.own-page').getAttribute('href')").split("/")[2]
        self.assertEqual(json.loads(self.ask(f"/api/v1/hosts/{host}"))["name"], NAME)
        self.assertIn(f"host={host}", page.run("return location.hash"))
        self.assertIn(f"{NAME} is the slow one", page.texts("#host .plain")[0])
        page.screenshot(SHOTS / "fleet_host.png")
        page.run(PRESS, "Escape")
        self.assertEqual(page.find("#host:not([hidden])"), [])
        self.assertEqual(page.run("return document.activeElement.className"), "cells")

    def finds_a_host(self, page):
        page.run("document.activeElement.blur()")
        page.run("document.body.dispatchEvent(new KeyboardEvent('keydown', {key: '/', bubbles: true, cancelable: true}))")
        self.assertEqual(page.run("return document.activeElement.id"), "find")
        page.write(page.find("#find")[0], "n03")
        page.wait("return document.querySelectorAll('.found button').length === 1")
        page.run(PRESS, "Enter")
        self.wait_text(page, "#host h2", "n03")
        self.assertIn("It differs from its peers in no fact.", page.texts("#host")[0])
        page.click(page.find("#host .tools button")[0])

    def assert_accessible(self, page, where):
        page.run("window.scrollTo(0, 0)")
        for script in (NAMELESS, FAINT):
            self.assertEqual(page.run(script), [], where)
        if axe.why_not():
            return
        for one in axe.violations(page):
            with self.subTest(where=where):
                self.fail("\n  ".join(one))

    def is_for_everybody(self):
        """At both widths, in light and dark, by a link to the incident; and on a large screen."""
        (incident,) = json.loads(self.ask("/api/v1/incidents?open=true"))["incidents"]
        link = f"#incident={incident['id']}&host={incident['hosts'][0]['id']}"
        for look in LOOKS:
            with self.subTest(**look), Browser(**look) as page:
                self.visit(page, link)
                self.wait_text(page, "#host h2", NAME)
                page.wait("return document.querySelector('.card[aria-pressed=true]')")
                page.run("document.querySelectorAll('details').forEach(one => { one.open = true; })")
                page.run("document.querySelector('#spread').scrollIntoView()")
                self.wait_text(page, ".apart", NAME)
                self.assert_accessible(page, "an incident and a host")
                self.assertLessEqual(page.run("return document.scrollingElement.scrollWidth"), look["width"])
                page.screenshot(SHOTS / f"fleet_{look['width']}_{'dark' if look['dark'] else 'light'}.png")
                page.write(page.find("#find")[0], "n")
                page.wait("return document.querySelectorAll('.found button').length === 9")
                self.assert_accessible(page, "a search")
                page.run("document.querySelector('nav .tools button').click()")
                self.assertTrue(page.run("return document.querySelector('dialog').open"))
                self.assert_accessible(page, "its help")
                self.assertEqual(self.complaints(page), [])
        with Browser(width=3840, height=2160) as page:
            self.visit(page, link)
            self.wait_text(page, "#host h2", NAME)
            self.assertLessEqual(page.run("return document.scrollingElement.scrollWidth"), 3840)
            page.screenshot(SHOTS / "fleet_large.png")
        with Browser() as page:
            self.visit(page, "#incident=0123456789abcdef")
            self.wait_text(page, "#incidents", "does not know incident 0123456789abcdef")

    def tells_that_the_broker_is_away(self, page):
        self.broker.kill()
        self.wait_text(page, ".verdict .text", "The broker is away", seconds=120)
        self.assertIn("No host is heard, and none is judged", page.texts(".told")[0])
        page.screenshot(SHOTS / "fleet_no_broker.png")


if __name__ == "__main__":
    if reason := ("" if NATS else "there is no broker; apt-get install nats-server") or browser.why_not() or (
            "" if has_page() else "reveal was built without its page"):
        print(reason, file=sys.stderr)
        sys.exit(77)
    unittest.main()
