"""What Reveal records of this host is what node_exporter, and sysstat if it is there, read at the same moments."""

import re
import subprocess
import sys
import unittest

from reveal_process import PATIENCE_S, REPOSITORY, REVEAL, RevealTest, shown

PEERS = REPOSITORY / "studies" / "peers"
sys.path.insert(0, str(PEERS))

from programs import find  # noqa: E402 after the folder is known

SKIPPED = 77  # SKIP_RETURN_CODE
SECONDS = 15
LEAST_CHANNELS = 250  # a host of two processors, one disk and one interface has more


class CrosscheckTest(RevealTest):
    def test_no_value_differs(self):
        done = subprocess.run([sys.executable, "-B", PEERS / "crosscheck.py", "run", self.folder / "out", "--reveal", REVEAL,
                               "--seconds", str(SECONDS)], capture_output=True, text=True, timeout=PATIENCE_S, check=False)
        self.assert_status(done, 0)
        found = re.search(r"^node_exporter: \d+ channels: (\d+) equal \((\d+) of them moved.*?, 0 different", done.stdout, re.M)
        self.assertTrue(found, shown(done))
        self.assertGreaterEqual(int(found[1]), LEAST_CHANNELS, shown(done))
        self.assertGreaterEqual(int(found[2]), LEAST_CHANNELS // 5, shown(done))


if __name__ == "__main__":
    if find("prometheus-node-exporter") is None:
        print("skipped: there is no node_exporter (`make deps-peers` unpacks it)")
        sys.exit(SKIPPED)
    unittest.main()
