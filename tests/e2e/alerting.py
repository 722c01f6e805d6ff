"""Programs for the tests of alerts: the driver that announces them, and a receiver that keeps what it gets.

The environment variable ALERT_DRIVER names the driver's binary (alert_driver.cc).
"""

import http.server
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import threading
import time
import unittest

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


class Receiver:
    """An HTTP server that keeps the JSON of each POST, in the order of their arrival."""

    def __init__(self):
        bodies = self.bodies = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                # A body that was cut off did not arrive.
                try:
                    body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                except ValueError:
                    return
                bodies.append(body)
                try:
                    self.send_response(200)
                    self.send_header("Content-Length", "0")
                    self.end_headers()
                except ConnectionError:
                    pass

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/"
        self.thread = threading.Thread(target=self.server.serve_forever)
        self.thread.start()

    def close(self):
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()


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
