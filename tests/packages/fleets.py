"""What the tests of the fleet's analyser as a service have in common: Debian's broker, an agent that tells it of its
host, and the analyser's file."""

import re
import sqlite3

from roots import RootTest, wait_until

SCORE_AT_MOST = 1.6
STREAMS = 'jetstream {store_dir: "/var/lib/nats", max_file_store: 16G}\n'


class FleetTest(RootTest):
    """Of `self.system`, a booted root at `self.root`, which has the broker, the agent and the analyser."""

    def file(self):
        return self.root / "var/lib/reveal-fleet/fleet.db"

    def hosts(self):
        """Returns the names of the hosts in the analyser's file."""
        if not self.file().exists():
            return []
        with sqlite3.connect(f"file:{self.file()}?mode=ro", uri=True) as file:
            return [name for name, in file.execute("SELECT name FROM hosts")]

    def show(self, name):
        return self.system.must("systemctl", "show", f"--property={name}", "--value", "reveal-fleet").strip()

    def assert_it_is_active(self):
        state = self.show("ActiveState")
        self.assertEqual(state, "active", self.system.run("systemctl", "status", "--full", "reveal-fleet").stdout)

    def assert_it_has_no_rights(self):
        pid = self.show("MainPID")
        self.assertEqual(self.system.must("stat", "--format=%U", f"/proc/{pid}").strip(), "reveal-fleet")
        self.assertIn("CapEff:\t0000000000000000", self.system.must("cat", f"/proc/{pid}/status"))
        score = self.system.must("systemd-analyze", "security", "--no-pager", "reveal-fleet")
        self.assertLessEqual(float(re.search(r"reveal-fleet\.service: ([0-9.]+)", score)[1]), SCORE_AT_MOST)

    def give_the_broker_streams(self):
        """As docs/how_to/fleet.md says: Debian's service is without them."""
        with open(self.root / "etc/nats-server.conf", "a", encoding="utf-8") as settings:
            settings.write(STREAMS)
        self.system.must("install", "-d", "-o", "nats", "-g", "nats", "/var/lib/nats")
        self.system.must("systemctl", "restart", "nats-server")

    def assert_a_host_comes_to_the_file(self):
        self.give_the_broker_streams()
        with open(self.root / "etc/reveal/reveal.toml", "a", encoding="utf-8") as settings:
            settings.write('\n[fleet]\nservers = "nats://127.0.0.1:4222"\nrole = "trainer"\n')
        self.system.must("systemctl", "reload", "reveal-agent")
        wait_until(self.hosts, f"a host in {self.file()}")
        report = self.system.must("reveal", "report", "--fleet", "/var/lib/reveal-fleet/fleet.db")
        self.assertIn("0 incidents, 0 open", report)
        self.assertEqual(self.show("NRestarts"), "0")
