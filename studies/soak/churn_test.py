"""What the churn reads of the system, on folders and processes of the test's own."""

import os
import pathlib
import subprocess
import tempfile
import unittest

import churn


class ChurnTest(unittest.TestCase):
    def test_groups_are_made_in_the_hierarchies_that_are_there(self):
        with tempfile.TemporaryDirectory() as name:
            root = pathlib.Path(name)
            (root / "memory").mkdir()
            (root / "pids").mkdir()
            self.assertEqual(churn.parents(root), [root / "memory", root / "pids"])
            (root / "cgroup.controllers").write_text("cpu memory")
            self.assertEqual(churn.parents(root), [root])

    def test_the_size_is_that_of_segments_and_journals(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            for file, size in (("000001.rvs", 1_000_000), ("000002.rvj", 500_000), ("report.json", 9_000_000)):
                (folder / file).write_bytes(bytes(size))
            self.assertEqual(churn.disk_mb(folder), 1.5)

    def test_parts_are_known_by_their_roles_and_memory_by_the_kernel(self):
        part = subprocess.Popen(["python3", "-c", "input()", "agent-judge"], stdin=subprocess.PIPE)
        try:
            self.assertIn(part.pid, churn.children(os.getpid()).values())
            self.assertGreater(churn.resident_mb(os.getpid()), 1)
            self.assertGreaterEqual(churn.resident_mb(os.getpid(), "VmHWM"), churn.resident_mb(os.getpid()) - 1)
        finally:
            part.communicate(b"\n")
        self.assertNotEqual(churn.resident_mb(None), churn.resident_mb(None))


if __name__ == "__main__":
    unittest.main()
