"""kill -9 of `reveal record` at a random moment: the recording opens, and its last second is all
that may be missing. (kill9_test does the same to the writer alone, and counts every frame.)"""

import json
import random
import signal
import threading
import time
import unittest

from moving_host import MovingHost
from reveal_process import INTERVAL, RevealTest, shown

ROUNDS = 30
AT_ONCE = 10
LONGEST_LIFE_S = 3.0
WINDOWS = ["--window", "100ms", "--stride", "20ms"]  # half a second is enough to be analyzed
# So long after its first frame a recording must be long enough, were its last second gone. On a busy machine
# a recorder may take seconds to begin.
SURELY_ENOUGH_S = 2.2


class KillRecord(RevealTest):
    def record_and_kill(self, name, life_s, host, deaths):
        process = self.start("record", "-q", "-o", name, *INTERVAL, *host.roots)
        journal = self.folder / name / "000001.rvj"
        end_s = time.monotonic() + life_s
        begun_s = end_s
        while time.monotonic() < end_s:
            if begun_s == end_s and journal.exists() and journal.stat().st_size > 0:
                begun_s = time.monotonic()
            time.sleep(0.01)
        deaths[name] = (end_s - begun_s, time.time_ns())
        process.send_signal(signal.SIGKILL)
        self.assertEqual(process.wait(), -signal.SIGKILL)

    def check(self, name, life_s, killed_ns):
        out = self.reveal("analyze", name, *WINDOWS)
        if out.returncode != 0:
            self.assertLess(life_s, SURELY_ENOUGH_S, shown(out))
            # Killed between making its directory and naming the first segment: nothing is there.
            folder = self.folder / name
            empty = folder.exists() and not any(folder.iterdir())
            self.assertIn(out.returncode, (2,) if empty else (1, 3), shown(out))
            self.assert_complains(out, out.returncode)
            return False
        self.assertEqual(out.stderr, "", shown(out))
        run = json.loads((self.folder / name / "report.json").read_text())["run"]
        self.assertLess(killed_ns - run["end"]["ns"], 1e9, "more than the last second is gone")
        self.assertEqual(run["ticks_missed"]["damage"], 0)
        ticks = (run["end"]["ns"] - run["begin"]["ns"]) / run["interval_ns"]
        self.assertAlmostEqual(run["frames"] + run["ticks_missed"]["late"] - 1, ticks, delta=3)
        return True

    def test_thirty_times(self):
        chance = random.Random(20260917)
        deaths = {}
        with MovingHost(self.folder / "host") as host:
            for first in range(0, ROUNDS, AT_ONCE):
                threads = [
                    threading.Thread(target=self.record_and_kill,
                                     args=(f"r{first + i}", chance.uniform(0, LONGEST_LIFE_S), host,
                                           deaths))
                    for i in range(AT_ONCE)]
                for thread in threads:
                    thread.start()
                for thread in threads:
                    thread.join()
        self.assertEqual(len(deaths), ROUNDS)
        opened = 0
        for name, (life_s, killed_ns) in deaths.items():
            with self.subTest(name=name, life_s=life_s):
                opened += self.check(name, life_s, killed_ns)
        self.assertGreater(opened, ROUNDS // 4, "too few lived long enough to tell")


if __name__ == "__main__":
    unittest.main()
