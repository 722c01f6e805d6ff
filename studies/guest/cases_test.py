"""What can be said of the guests' cases without running one: init.sh knows what they ask of it, and the
ranks of train.cc average gradients, change their connections together, and end together."""

import json
import pathlib
import re
import signal
import socket
import subprocess
import tempfile
import time
import unittest

import cases
from guest import HERE, run

INIT = (HERE / "init.sh").read_text(encoding="ascii")


def free_ports(count: int) -> list[int]:
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class CasesTest(unittest.TestCase):
    def test_init_knows_every_fault_and_place(self):
        functions = set(re.findall(r"^(\w+)\(\) ", INIT, re.MULTILINE))
        for case in cases.CASES:
            with self.subTest(case.name):
                self.assertIn(case.fault, functions)
                self.assertIn(case.place.split()[0], functions)

    def test_init_uses_what_it_is_given(self):
        given = cases._conf(cases.CASES[0], 0)
        for name in given:
            with self.subTest(name):
                self.assertRegex(INIT + "$HOSTNAME", rf"\${name}\b")

    def test_the_ranks_form_a_ring(self):
        case = cases.Case("three", "", guests=3, peer=False)
        words = [dict(word.split("=", 1) for word in cases._job_words(case, rank).split()) for rank in range(3)]
        self.assertEqual([word["next"].split(":")[0] for word in words], ["10.78.0.11", "10.78.0.12", "10.78.0.10"])
        with_peer = cases.Case("two", "")
        self.assertIn("next=10.78.0.1:7000", cases._job_words(with_peer, 0))
        self.assertIn("next=10.78.0.10:7000", cases._job_words(with_peer, 1))


class TrainTest(unittest.TestCase):
    WORLD, FLOWS = 3, 4

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="reveal_guest_")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.train = self.folder / "train"
        run("g++", "-std=c++20", "-O2", "-static", "-o", self.train, HERE / "train.cc")

    def start(self) -> list[subprocess.Popen]:
        ports = free_ports(self.WORLD)
        ranks = [subprocess.Popen([str(self.train), f"rank={rank}", f"world={self.WORLD}", f"flows={self.FLOWS}",
                                   f"listen={ports[rank]}", f"next=127.0.0.1:{ports[(rank + 1) % self.WORLD]}",
                                   "gradient_kb=256", "threads=2", "activation_kb=64", f"log={self.folder}/{rank}"])
                 for rank in range(self.WORLD)]
        self.addCleanup(lambda: [rank.kill() or rank.wait() for rank in ranks])
        return ranks

    def sent(self, rank: subprocess.Popen) -> list[int]:
        """Bytes sent so far by each connection of the rank that sends."""
        lines = run("ss", "-tinpOH", "state", "established").splitlines()
        found = [re.search(r"bytes_sent:(\d+)", line) for line in lines if f"pid={rank.pid}," in line]
        return sorted(int(one.group(1)) for one in found if one and int(one.group(1)) > 1)

    def busy_connections(self, rank: subprocess.Popen) -> int:
        before = self.sent(rank)
        time.sleep(0.5)
        return sum(now > then for then, now in zip(before, self.sent(rank), strict=True))

    def test_ranks_step_change_connections_and_end_together(self):
        ranks = self.start()
        time.sleep(1)
        self.assertEqual(self.busy_connections(ranks[0]), self.FLOWS)
        ranks[1].send_signal(signal.SIGUSR1)
        time.sleep(0.5)
        self.assertEqual(self.busy_connections(ranks[0]), 1)
        ranks[1].send_signal(signal.SIGUSR2)
        time.sleep(0.5)
        self.assertEqual(self.busy_connections(ranks[0]), self.FLOWS)
        ranks[2].terminate()
        for rank in ranks:
            rank.wait(20)
        steps = [(self.folder / str(rank)).read_text(encoding="ascii").splitlines() for rank in range(self.WORLD)]
        counts = [len(one) for one in steps]
        self.assertGreater(min(counts), 20)
        self.assertLessEqual(max(counts) - min(counts), 2)
        step = json.loads(steps[0][10])
        self.assertAlmostEqual(step["ms"], step["read_ms"] + step["compute_ms"] + step["reduce_ms"], delta=0.01)


if __name__ == "__main__":
    unittest.main()
