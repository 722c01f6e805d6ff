"""Programs for the tests of alerts: the driver that announces them, and a receiver of what it sends.

The environment variable ALERT_DRIVER names the driver's binary (alert_driver.cc).
"""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import time
import unittest

from receiver import Receiver

DRIVER = os.path.abspath(os.environ["ALERT_DRIVER"])

# Long enough for anything that must happen; only a hang reaches it.
PATIENCE_S = 120


def wait_until(condition, what):
    """Waits for something that must happen sooner or later, and returns it."""
    deadline = time.monotonic() + PATIENCE_S
    while not (result := condition()):
        if time.monotonic() > deadline:
            raise AssertionError(f"waited {PATIENCE_S} s in vain for {what}")
        time.sleep(0.02)
    return result


class Driver:
    """A running alert_driver."""

    def __init__(self, configuration, stderr=None):
        self.process = subprocess.Popen([DRIVER, configuration], text=True, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=stderr)

    def say(self, line):
        """Sends a line, and returns the status that answers it. None: changes nothing."""
        self.process.stdin.write(("" if line is None else json.dumps(line)) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def open(self, *alerts):
        return self.say({"open": list(alerts)})

    def status(self):
        return self.say(None)

    def kill(self):
        self.process.kill()
        self._end()

    def stop(self):
        self.process.stdin.close()
        status = self.process.wait(PATIENCE_S)
        self._end()
        return status

    def _end(self):
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            try:
                stream.close()
            except BrokenPipeError:
                pass


class AlertTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="reveal_alert_"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def receiver(self):
        out = Receiver()
        self.addCleanup(out.close)
        return out

    def configuration(self, receivers, keep_firing_ms, resend_ms=1000):
        path = self.folder / "configuration.json"
        path.write_text(json.dumps({
            "state_file": str(self.folder / "alerts.json"), "keep_firing_ms": keep_firing_ms,
            "resend_ms": resend_ms, "retry_ms": 50, "receivers": receivers}))
        return path

    def start(self, configuration, **options):
        out = Driver(configuration, **options)
        self.addCleanup(out.kill)
        return out
