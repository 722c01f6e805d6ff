"""The package of the fleet's analyser beside that of the agent, with Debian's broker, in a systemd that really runs."""

import re
import shutil
import sqlite3
import unittest

from debian_test import needed
from roots import BootedRoot, RootTest, debian_root, must, only, wait_until

SCORE_AT_MOST = 1.6
STREAMS = 'jetstream {store_dir: "/var/lib/nats", max_file_store: 16G}\n'


class Fleet(RootTest):
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
        cls.file = cls.root / "var/lib/reveal-fleet/fleet.db"

    def hosts(self):
        if not self.file.exists():
            return []
        with sqlite3.connect(f"file:{self.file}?mode=ro", uri=True) as file:
            return [name for name, in file.execute("SELECT name FROM hosts")]

    def give_the_broker_streams(self):
        """As docs/how_to/fleet.md says: Debian's service is without them."""
        with open(self.root / "etc/nats-server.conf", "a", encoding="utf-8") as settings:
            settings.write(STREAMS)
        self.system.must("install", "-d", "-o", "nats", "-g", "nats", "/var/lib/nats")
        self.system.must("systemctl", "restart", "nats-server")

    def test_a_host_comes_to_the_file_of_the_analyser(self):
        names = [f"/packages/{file.name}" for file in self.files]
        self.system.must("apt-get", "install", "--yes", *names)
        self.assertEqual(self.system.must("systemctl", "is-enabled", "reveal-fleet").strip(), "enabled")
        # The broker has no streams yet: the analyser waits for them.
        state = self.system.run("systemctl", "is-active", "reveal-fleet").stdout.strip()
        self.assertEqual(state, "active", self.system.run("systemctl", "status", "--full", "reveal-fleet").stdout)
        pid = self.system.must("systemctl", "show", "--property=MainPID", "--value", "reveal-fleet").strip()
        self.assertEqual(self.system.must("stat", "--format=%U", f"/proc/{pid}").strip(), "reveal-fleet")
        self.assertIn("CapEff:\t0000000000000000", self.system.must("cat", f"/proc/{pid}/status"))
        score = self.system.must("systemd-analyze", "security", "--no-pager", "reveal-fleet")
        self.assertLessEqual(float(re.search(r"reveal-fleet\.service: ([0-9.]+)", score)[1]), SCORE_AT_MOST)

        self.give_the_broker_streams()
        with open(self.root / "etc/reveal/reveal.toml", "a", encoding="utf-8") as settings:
            settings.write('\n[fleet]\nservers = "nats://127.0.0.1:4222"\nrole = "trainer"\n')
        self.system.must("systemctl", "reload", "reveal-agent")
        wait_until(self.hosts, f"a host in {self.file}")
        report = self.system.must("reveal", "report", "--fleet", "/var/lib/reveal-fleet/fleet.db")
        self.assertIn("0 incidents, 0 open", report)
        restarts = self.system.must("systemctl", "show", "--property=NRestarts", "--value", "reveal-fleet")
        self.assertEqual(restarts.strip(), "0")

        # A purge takes the service; what was found stays, as docs/how_to/install.md says.
        self.system.must("apt-get", "purge", "--yes", "reveal-fleet")
        self.assertNotEqual(self.system.run("systemctl", "is-active", "reveal-fleet").stdout.strip(), "active")
        self.assertTrue(self.hosts())
        left = must("find", self.root / "etc", self.root / "usr", "-name", "*reveal-fleet*").splitlines()
        self.assertEqual([line for line in left if "sysusers" not in line], [])


if __name__ == "__main__":
    unittest.main()
