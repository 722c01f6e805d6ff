"""The lab's network: what is made and removed, as `ip` is told it; nothing is done to this machine."""

import pathlib
import tempfile
import unittest
from unittest import mock

import network
from shell import LabError


class NetworkTest(unittest.TestCase):
    """`ip` is played: a namespace is a file in a folder, as it is for `ip netns`."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.said, self.refused = [], ""
        self.addCleanup(network.use_names, "rvl")
        for what, by in (("FOLDER", self.folder), ("run", self.play)):
            patched = mock.patch.object(network, what, by)
            patched.start()
            self.addCleanup(patched.stop)

    def play(self, *words):
        line = " ".join(map(str, words))
        self.said.append(line)
        if self.refused and self.refused in line:
            raise LabError("not supported")
        if line.startswith("ip netns add "):
            (self.folder / words[3]).touch()
        if line.startswith("ip netns del "):
            (self.folder / words[3]).unlink()
        return ""

    def names(self):
        return sorted(path.name for path in self.folder.iterdir())

    def test_hosts_are_there_and_then_gone_and_others_stay(self):
        (self.folder / "another").touch()
        with network.hosts(2):
            self.assertEqual(self.names(), ["another", "rvl-host0", "rvl-host1", "rvl-switch"])
            self.assertEqual(network.namespaces(), ["rvl-host0", "rvl-host1", "rvl-switch"])
            with self.assertRaisesRegex(LabError, "another lab is running.*rvl-host1"), network.hosts(1):
                self.fail("two labs")
        self.assertEqual(self.names(), ["another"])

    def test_two_labs_with_names_of_their_own(self):
        with network.hosts(1):
            network.use_names("rvx")
            with network.hosts(1):
                self.assertEqual(self.names(), ["rvl-host0", "rvl-switch", "rvx-host0", "rvx-switch"])
            self.assertEqual(self.names(), ["rvl-host0", "rvl-switch"])
            network.use_names("rvl")

    def test_only_a_switch_with_a_center_has_an_address_in_the_hosts_network(self):
        with network.hosts(1):
            self.assertNotIn(network.CENTER, " ".join(self.said))
        with network.hosts(1, center=True):
            self.assertIn("ip -n rvl-switch addr add 10.77.0.254/24 dev bridge0", self.said)
            self.assertIn("ip -n rvl-host0 addr add 10.77.0.1/24 dev eth0", self.said)
            self.assertIn("ip -n rvl-switch link set lo up", self.said)

    def test_without_a_place_for_notes_offloads_that_stay_on_end_it(self):
        self.refused = "exec rvl-host1 ethtool"
        with self.assertRaisesRegex(LabError, "not supported"), network.hosts(2):
            self.fail("its losses would be of packets of 64 KB")
        self.assertEqual(self.names(), [])

    def test_with_one_they_are_noted(self):
        self.refused = "exec rvl-host1 ethtool"
        notes = []
        with network.hosts(3, notes=notes):
            self.assertEqual(len(self.names()), 4)
        self.assertEqual(notes, ["offloads of host 1 stay on: not supported"])


if __name__ == "__main__":
    unittest.main()
