"""An accelerator of AMD's that gets hot, from the driver's table to the finding.

The host is made of files. A thread lets the firmware's counters in the table go on, as it does on a GPU; while it
is hot, the clocks are held down in four fifths of its ticks.
"""

import json
import pathlib
import shutil
import struct
import threading
import time
import unittest

from moving_host import Moving
from reveal_process import FIXTURES, INTERVAL, WINDOWS, RevealTest, host_roots, shown

TABLE = "sys/devices/pci0000:80/0000:80:01.1/0000:83:00.0/gpu_metrics"
COUNTERS_AT = 40  # of a table of revision 1.8: six numbers of 32 bits
SOCKET_HEAT = 3


class HotGpu(Moving):
    def __init__(self, folder):
        super().__init__()
        self.path = pathlib.Path(folder)
        shutil.copytree(FIXTURES / "epyc-1socket", self.path, symlinks=True)
        self.roots = host_roots(self.path)
        self.is_hot = threading.Event()

    def _move(self):
        with open(self.path / TABLE, "r+b", buffering=0) as file:
            table = bytearray(file.read())
            counters = list(struct.unpack_from("<6I", table, COUNTERS_AT))
            then, whole = time.monotonic(), 0.0
            while not self._stop.wait(0.002):
                now = time.monotonic()
                whole += 100_000 * (now - then)  # ticks a second
                then = now
                passed, whole = int(whole), whole - int(whole)
                counters[0] += passed
                counters[SOCKET_HEAT] += passed * 4 // 5 if self.is_hot.is_set() else passed // 50
                struct.pack_into("<6I", table, COUNTERS_AT, *(count % 2 ** 32 for count in counters))
                file.seek(0)
                file.write(table)


class AmdGpu(RevealTest):
    def test_heat_is_a_finding_with_advice(self):
        # A test's ticks of 10 ms leave a reading too little time.
        (self.folder / "reveal.toml").write_text('[collect]\nbudget = 1.0\n[collect.poll_classes]\namdgpu = "fast"\n',
                                                 encoding="utf-8")
        with HotGpu(self.folder / "host") as host:
            process = self.start("record", "-o", "run", "--duration", "8s", "-q", "--config", "reveal.toml",
                                 *INTERVAL, *host.roots)
            time.sleep(5)
            begin = time.time()
            host.is_hot.set()
            time.sleep(1.2)
            host.is_hot.clear()
            end = time.time()
            self.assert_status(self.finish(process), 0)
        out = self.reveal("analyze", "run", "--no-html", *WINDOWS)
        self.assert_status(out, 0)
        report = json.loads((self.folder / "run" / "report.json").read_text(encoding="utf-8"))
        findings = [one for one in report["findings"]
                    if one["begin"]["ns"] / 1e9 < end and one["end"]["ns"] / 1e9 > begin]
        self.assertTrue(findings, shown(out))
        self.assertIn("GPU", out.stdout, shown(out))
        self.assertIn("Heat lowered the clocks", out.stdout, shown(out))
        self.assertIn("0000:83:00.0", out.stdout, shown(out))
        self.assertIn("AMD GPU slowed for heat", out.stdout, shown(out))


if __name__ == "__main__":
    unittest.main()
