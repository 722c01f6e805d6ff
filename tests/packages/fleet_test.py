"""The package of the fleet's analyser beside that of the agent, with Debian's broker, in a systemd that really runs."""

import shutil
import sqlite3
import unittest

from debian_test import later_packages, needed
from fleets import FleetTest
from roots import BootedRoot, debian_root, must, only, wait_until


class Fleet(FleetTest):
    @classmethod
    def setUpClass(cls):
        cls.files = [only("reveal_*_*.deb"), only("reveal-agent_*_all.deb"), only("reveal-fleet_*_all.deb")]
        packages = {"systemd", "nats-server"}.union(*(needed(file) for file in cls.files))
        cls.root = debian_root("fleet", "bookworm", sorted(packages))
        later = later_packages(cls.root.parent / "later_fleet")
        for folder, files in (("now", cls.files), ("later", sorted(later.glob("*.deb")))):
            (cls.root / "packages" / folder).mkdir(parents=True)
            for file in files:
                if "dbgsym" not in file.name:
                    shutil.copy(file, cls.root / "packages" / folder)
        cls.system = BootedRoot(cls.root)
        cls.addClassCleanup(cls.system.close)

    def install(self, folder):
        files = sorted((self.root / "packages" / folder).iterdir())
        self.system.must("apt-get", "install", "--yes", *(f"/packages/{folder}/{file.name}" for file in files))

    def heard_last(self):
        with sqlite3.connect(f"file:{self.file()}?mode=ro", uri=True) as file:
            return file.execute("SELECT max(last_told_ns) FROM hosts").fetchone()[0]

    def test_a_host_comes_to_the_file_of_the_analyser(self):
        self.install("now")
        self.assertEqual(self.system.must("systemctl", "is-enabled", "reveal-fleet").strip(), "enabled")
        # The broker has no streams yet: the analyser waits for them.
        self.assert_it_is_active()
        self.assert_it_has_no_rights()
        self.assert_a_host_comes_to_the_file()

        # An upgrade goes on in the same file, with the admin's words.
        words = self.root / "etc/default/reveal-fleet"
        words.write_text(words.read_text() + "# an admin's line\n")
        pid, names, heard = self.show("MainPID"), self.hosts(), self.heard_last()
        self.install("later")
        self.assertNotEqual(self.show("MainPID"), pid)
        self.assert_it_is_active()
        self.assert_it_has_no_rights()
        self.assertEqual(self.hosts(), names)
        self.assertIn("an admin's line", words.read_text())
        wait_until(lambda: self.heard_last() > heard, "the host to be heard again")

        # A purge takes the service; what was found stays, as docs/how_to/install.md says.
        self.system.must("apt-get", "purge", "--yes", "reveal-fleet")
        self.assertNotEqual(self.system.run("systemctl", "is-active", "reveal-fleet").stdout.strip(), "active")
        self.assertTrue(self.hosts())
        left = must("find", self.root / "etc", self.root / "usr", "-name", "*reveal-fleet*").splitlines()
        self.assertEqual([line for line in left if "sysusers" not in line], [])


if __name__ == "__main__":
    unittest.main()
