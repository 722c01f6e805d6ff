"""An analyser with its page, a broker and a made fleet, for tests of the page."""

import os
import signal
import subprocess
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path

from broker import Broker
from ports import free_port
from reveal_process import RevealTest, dispose, wait_until

MADE_FLEET = os.path.abspath(os.environ["MADE_FLEET"])
SHOTS = Path(os.environ["REVEAL"]).resolve().parent / "screenshots"


class FleetPageTest(RevealTest):
    def setUp(self):
        super().setUp()
        self.broker = Broker(self.folder)
        self.port = free_port()
        self.root = f"http://127.0.0.1:{self.port}/"

    def start_broker(self):
        self.broker.start()
        self.addCleanup(self.broker.kill)

    def start_analyser(self):
        analyser = self.start("analyser", "--servers", self.broker.url, "--db", self.folder / "fleet.db",
                              "--make-streams", "--listen", f"127.0.0.1:{self.port}")
        for stream in (analyser.stdout, analyser.stderr):
            threading.Thread(target=stream.read, daemon=True).start()
        wait_until(self.answers, "the analyser's server")
        return analyser

    def end(self, analyser):
        analyser.send_signal(signal.SIGTERM)
        self.assertEqual(analyser.wait(60), 0)

    def answers(self):
        try:
            return bool(self.ask("/-/healthy"))
        except (OSError, AssertionError):
            return False

    def start_fleet(self, *words):
        """Returns once the fleet has begun; the words are made_fleet's, after the address."""
        fleet = subprocess.Popen([MADE_FLEET, self.broker.url, *map(str, words)], stdout=subprocess.PIPE, text=True)
        self.addCleanup(dispose, fleet)
        self.assertTrue(fleet.stdout.readline())
        return fleet

    def ask(self, path):
        """The analyser makes one long answer at a time, and sends others away meanwhile."""
        for _ in range(100):
            try:
                with urllib.request.urlopen(self.root.rstrip("/") + path, timeout=60) as answer:
                    return answer.read().decode()
            except urllib.error.HTTPError as error:
                if error.code != 503:
                    raise
            time.sleep(0.1)
        self.fail(f"{path}: busy for ten seconds")

    def complaints(self, page):
        """What the page wrote to the console, but for questions that came while the analyser answered this test."""
        return [one for one in page.complaints() if "503 (Service Unavailable)" not in one]

    def visit(self, page, anchor=""):
        page.requests()
        page.call("POST", "/url", {"url": "about:blank"})
        page.call("POST", "/url", {"url": self.root + anchor})
        page.wait("return document.documentElement.dataset.ready === 'yes'", seconds=60)

    def wait_text(self, page, selector, text, seconds=60):
        page.wait("return [...document.querySelectorAll(arguments[0])].some(one => one.textContent.includes(arguments[1]))",
                  selector, text, seconds=seconds)
