"""The log in which a job of the studies counts its own work (evaluate.py reads it)."""

import json
import time

LOG_EVERY_NS = 50_000_000


class Log:
    """Counts work and writes it down, at most every 50 ms."""

    def __init__(self, path: str) -> None:
        self.file = open(path, "w", encoding="ascii", buffering=1)  # noqa: SIM115 open as long as the job runs
        self.work = 0
        self.last_ns = time.time_ns()

    def done(self, work: int = 1) -> None:
        self.work += work
        now = time.time_ns()
        if now - self.last_ns >= LOG_EVERY_NS:
            self.file.write(json.dumps({"end_ns": now, "work": self.work}) + "\n")
            self.work, self.last_ns = 0, now
