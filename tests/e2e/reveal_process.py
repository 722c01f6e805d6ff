"""Runs the built reveal as a user would: from outside, by its command line alone.

The environment variable REVEAL names the binary. Every test gets a folder of its own, and a failure
shows the command, its status and both its streams.
"""

import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

REVEAL = os.path.abspath(os.environ["REVEAL"])
REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
FIXTURES = REPOSITORY / "tests" / "hosts"

# Short windows, so that some three seconds at 10 ms are enough to be analyzed.
INTERVAL = ["--interval", "10ms"]
WINDOWS = ["--window", "300ms", "--stride", "100ms"]

# Long enough for any run of these tests on a busy machine; only a hang reaches it.
PATIENCE_S = 120


def host_roots(path):
    return ["--proc-root", str(path / "proc"), "--sys-root", str(path / "sys")]


def fixture(name="vm-2cpu-linux-6.18"):
    return host_roots(FIXTURES / name)


def shown(outcome):
    """A finished run, as a person would want to see it when a test fails."""
    return (
        f"\n$ {shlex.join(map(str, outcome.args))}\nstatus {outcome.returncode}"
        f"\n--- stdout\n{outcome.stdout}\n--- stderr\n{outcome.stderr}\n---"
    )


# What a reveal without its page says after each analysis; page_test.py is about that.
NO_PAGE = re.compile(r"^reveal: report\.html: this reveal was built without its page .*--no-html\)\n", re.M)


def without_page_notice(outcome):
    """The same, so that tests of other things are the same with the page and without."""
    if isinstance(outcome.stderr, str):
        outcome.stderr = NO_PAGE.sub("", outcome.stderr)
    return outcome


class RevealTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="reveal_e2e_"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def reveal(self, *words, **options):
        """Runs reveal to its end. Streams are text unless `text=False`; stdin is empty."""
        options = {"text": True, "capture_output": True, "timeout": PATIENCE_S,
                   "cwd": self.folder, **options}
        if "input" not in options:
            options.setdefault("stdin", subprocess.DEVNULL)
        return without_page_notice(subprocess.run([REVEAL, *map(str, words)], **options))

    def start(self, *words, **options):
        """Starts reveal and returns its process, which is gone by the end of the test."""
        options = {"text": True, "stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE,
                   "stderr": subprocess.PIPE, "cwd": self.folder, **options}
        process = subprocess.Popen([REVEAL, *map(str, words)], **options)
        self.addCleanup(dispose, process)
        return process

    def finish(self, process):
        stdout, stderr = process.communicate(timeout=PATIENCE_S)
        return without_page_notice(
            subprocess.CompletedProcess(process.args, process.returncode, stdout, stderr))

    def assert_status(self, outcome, status):
        self.assertEqual(outcome.returncode, status, shown(outcome))

    def assert_complains(self, outcome, status, *words):
        """One line on stderr, from reveal, with these words in it, and this exit status."""
        self.assert_status(outcome, status)
        lines = outcome.stderr.splitlines()
        self.assertEqual(len(lines), 1, shown(outcome))
        self.assertTrue(lines[0].startswith("reveal: "), shown(outcome))
        for word in words:
            self.assertIn(word, lines[0], shown(outcome))


def dispose(process):
    if process.poll() is None:
        process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream:
            stream.close()


def wait_until(condition, what):
    """Waits for something that must happen sooner or later."""
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"waited {PATIENCE_S} s in vain for {what}")
        time.sleep(0.02)


def wait_recording(directory):
    """Waits until a recorder has stored its first frames."""
    journal = pathlib.Path(directory) / "000001.rvj"
    wait_until(lambda: journal.exists() and journal.stat().st_size > 1000, "the first frames")


def original_signals():
    """For preexec_fn: what a shell would hand on, not what Python has made of it."""
    for number in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)
