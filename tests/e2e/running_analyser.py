"""A reveal analyser that runs, for tests."""

import json
import threading
import time


class Analyser:
    """A process that prints JSON, and the lines that it has printed, with when they came; `group` is the one that it
    is asked about."""

    def __init__(self, group, process):
        self._group = group
        self.process = process
        self.told = []
        self.notices = []
        self._readers = [threading.Thread(target=self._read, args=words, daemon=True)
                         for words in ((process.stdout, self.told), (process.stderr, self.notices))]
        for reader in self._readers:
            reader.start()

    @staticmethod
    def _read(stream, into):
        for line in stream:
            into.append((time.monotonic(), line.rstrip("\n")))

    def judges(self):
        """Since when it judges the group; None: it does not."""
        since = None
        for at, line in list(self.notices):
            if f"no longer judges {self._group}" in line:
                since = None
            elif f"judges {self._group}" in line:
                since = at
        return since

    def news(self):
        return [json.loads(line) for _, line in list(self.told)]

    def signal(self, number):
        self.process.send_signal(number)

    def end(self, number):
        self.signal(number)
        status = self.process.wait(60)
        for reader in self._readers:
            reader.join(60)
        return status
