"""The live page of a host through its fleet's analyser, in a real browser: a real agent without a port, a real broker."""

import json
import os
import sys
import unittest
import urllib.error
import urllib.request
from pathlib import Path

import browser
from broker import NATS, Broker
from browser import Browser
from page_test import has_page
from ports import free_port
from reveal_process import wait_until
from running_agent import AgentRun, Said

SHOTS = Path(os.environ["REVEAL"]).resolve().parent / "screenshots"
SKIPPED = 77  # SKIP_RETURN_CODE

FLEET = """
[fleet]
servers = ["{url}"]
role = "trainer"
answers = true
"""


class HostPage(AgentRun):
    def setUp(self):
        super().setUp()
        self.broker = Broker(self.folder)
        self.broker.start()
        self.addCleanup(lambda: self.broker.kill())
        # Only its own socket: nobody elsewhere can open its page.
        settings = self.settings.replace(', "127.0.0.1:0"', "")
        self.configuration.write_text(settings + FLEET.format(url=self.broker.url))
        self.port_of_fleet = free_port()
        analyser = self.start("analyser", "--servers", self.broker.url, "--make-streams",
                              "--listen", f"127.0.0.1:{self.port_of_fleet}")
        analyser.said = Said(analyser)
        wait_until(lambda: f"answers at 127.0.0.1:{self.port_of_fleet}" in analyser.said.text, "the analyser's server")

    def run_agent(self):
        self.start_agent()
        identity = self.state / "state" / "identity"
        wait_until(lambda: identity.exists() and identity.read_text().strip(), "the host's id")
        self.id = identity.read_text().splitlines()[0]
        self.root = f"http://127.0.0.1:{self.port_of_fleet}/hosts/{self.id}/"
        wait_until(lambda: self.status_of("api/v1/status") == 200, "the host through the analyser")

    def get(self, path):
        with urllib.request.urlopen(self.root + path, timeout=60) as answer:
            return answer.read()

    def status_of(self, path):
        try:
            self.get(path)
            return 200
        except urllib.error.HTTPError as error:
            return error.code

    def wait_state(self, page, state):
        page.wait("return document.querySelector('.verdict').dataset.state === arguments[0]", state, seconds=120)

    def test_a_finding_comes_and_ends_while_somebody_looks_from_afar(self):
        self.run_agent()
        with Browser() as page:
            page.requests()
            page.call("POST", "/url", {"url": self.root})
            page.wait("return document.documentElement.dataset.ready === 'yes'", seconds=60)
            self.wait_state(page, "judging")
            self.assertTrue(page.run("return document.querySelector('.link-state').hidden"), "it is connected")
            self.host.burst.set()
            page.wait("return document.querySelector(`.card[data-open='true']`)", seconds=120)
            page.wait("return document.querySelectorAll('figure.trace canvas').length >= 1", seconds=60)
            page.screenshot(SHOTS / "host_page.png")
            self.host.burst.clear()
            page.wait("return document.querySelector(`.card[data-open='false']`)", seconds=120)
            finding = json.loads(self.get("api/v1/findings"))["findings"][0]
            self.assertEqual(page.run("return document.querySelector('.card').dataset.finding"), finding["id"])
            self.assertEqual([one for one in page.requests() if not one.startswith((self.root, "chrome", "data:"))], [])
            self.assertEqual(page.complaints(), [])
            self.says_that_the_host_has_gone(page)

    def says_that_the_host_has_gone(self, page):
        self.end(self.agent)
        page.wait("return !document.querySelector('.link-state').hidden", seconds=60)
        with self.assertRaises(urllib.error.HTTPError) as away:
            self.get("api/v1/status")
        self.assertEqual(away.exception.code, 503)
        self.assertIn("the host is not there now", json.load(away.exception)["error"])
        self.start_agent()
        page.wait("return document.querySelector('.link-state').hidden", seconds=120)

    def test_nothing_can_be_changed_and_other_hosts_are_not_asked(self):
        self.run_agent()
        for path in ("-/mark", "-/reload", "metrics", "api/v2/status"):
            self.assertEqual(self.status_of(path), 404)
        request = urllib.request.Request(self.root + "api/v1/status", data=b"", method="POST")
        with self.assertRaises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(request, timeout=60)
        self.assertEqual(refused.exception.code, 405)
        for other in ("x" * 26, "a" * 26):
            self.root = f"http://127.0.0.1:{self.port_of_fleet}/hosts/{other}/"
            self.assertIn(self.status_of("api/v1/status"), (404, 503))


if __name__ == "__main__":
    why_not = "there is no broker (apt-get install nats-server)" if NATS is None else \
        "this reveal was built without its page" if not has_page() else browser.why_not()
    if why_not:
        print(f"skipped: {why_not}")
        sys.exit(SKIPPED)
    unittest.main()
