"""A terminal for a program under test, with a keyboard that the test types on."""

import fcntl
import os
import pty
import re
import select
import subprocess
import termios
import threading

from reveal_process import PATIENCE_S, REVEAL, dispose, wait_until

CTRL_C = b"\x03"


class Terminal:
    """reveal in the foreground of a terminal of its own, which is its stdin and stderr.

    `stdout` is the terminal too unless given.
    """

    def __init__(self, test, *words, stdout=None, env=None):
        try:
            self._master, self._slave = pty.openpty()
        except OSError as error:
            test.skipTest(f"this machine has no pseudo-terminals: {error}")
        self._text = b""
        self.process = subprocess.Popen(
            [REVEAL, *map(str, words)], stdin=self._slave, stdout=stdout or self._slave,
            stderr=self._slave, cwd=test.folder, env=env, start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        test.addCleanup(self._close)

    def _read(self):
        # The slave stays open on our side, so the end of the program is no end of file.
        while self.process.poll() is None or select.select([self._master], [], [], 0.1)[0]:
            if select.select([self._master], [], [], 0.1)[0]:
                self._text += os.read(self._master, 65536)

    def _close(self):
        dispose(self.process)
        self._reader.join()
        os.close(self._master)
        os.close(self._slave)

    @property
    def text(self):
        return self._text.decode(errors="replace")

    def type(self, keys):
        os.write(self._master, keys)

    def expect(self, words):
        try:
            wait_until(lambda: words in self.text or self.process.poll() is not None, words)
            self._reader.join(0.5)
            assert words in self.text
        except AssertionError:
            raise AssertionError(f"no {words!r} on the terminal:\n{self.text}") from None

    def wait(self):
        status = self.process.wait(timeout=PATIENCE_S)
        self._reader.join()
        return status

    def plain_text(self):
        """Without escape sequences and with plain line ends."""
        return re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", self.text).replace("\r\n", "\n")
