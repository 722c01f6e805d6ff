"""The package of the fleet's analyser beside that of the agent, with Debian's broker, in a systemd that really runs."""

import shutil
import unittest

from debian_test import needed
from fleets import FleetTest
from roots import BootedRoot, debian_root, must, only


class Fleet(FleetTest):
    @classmethod
    def setUpClass(cls):
        cls.files = [only("reveal_*_*.deb"), only("reveal-agent_*_all.deb"), only("reveal-fleet_*_all.deb")]
        packages = {"systemd", "nats-server"}.union(*(needed(file) for file in cls.files))
        cls.root = debian_root("fleet", "bookworm", sorted(packages))
        (cls.root / "packages").mkdir()
        for file in cls.files:
            shutil.copy(file, cls.root / "packages")
        cls.system = BootedRoot(cls.root)
        cls.addClassCleanup(cls.system.close)

    def test_a_host_comes_to_the_file_of_the_analyser(self):
        names = [f"/packages/{file.name}" for file in self.files]
        self.system.must("apt-get", "install", "--yes", *names)
        self.assertEqual(self.system.must("systemctl", "is-enabled", "reveal-fleet").strip(), "enabled")
        # The broker has no streams yet: the analyser waits for them.
        self.assert_it_is_active()
        self.assert_it_has_no_rights()
        self.assert_a_host_comes_to_the_file()

        # A purge takes the service; what was found stays, as docs/how_to/install.md says.
        self.system.must("apt-get", "purge", "--yes", "reveal-fleet")
        self.assertNotEqual(self.system.run("systemctl", "is-active", "reveal-fleet").stdout.strip(), "active")
        self.assertTrue(self.hosts())
        left = must("find", self.root / "etc", self.root / "usr", "-name", "*reveal-fleet*").splitlines()
        self.assertEqual([line for line in left if "sysusers" not in line], [])


if __name__ == "__main__":
    unittest.main()
