"""The agent as a service of a systemd that really runs: what a wrong reload, the ends of its parts and a recorder that
hangs make of it, and TLS."""

import shutil
import unittest

from debian_test import needed
from roots import BootedRoot, RootTest, debian_root, must, only, recording_size, shown, wait_until

WRONG = '\n[[alerts.webhook]]\nurl = "nowhere"\n'  # each key is known: only whoever tells would notice
TLS = '[web.tls]\ncert_file = "/etc/reveal/tls/cert.pem"\nkey_file = "/etc/reveal/tls/key.pem"\n'
ASK = ("import ssl, sys, urllib.request; context = ssl.create_default_context(cafile=sys.argv[1]); "
       "print(urllib.request.urlopen('https://127.0.0.1:7383/metrics', context=context).read().decode())")


class Service(RootTest):
    @classmethod
    def setUpClass(cls):
        cls.root = cls.make_root()
        cls.recording = cls.root / "var/lib/reveal/recording"
        cls.configuration = cls.root / "etc/reveal/reveal.toml"
        cls.system = BootedRoot(cls.root)
        cls.addClassCleanup(cls.system.close)
        cls.install()
        cls.shipped = cls.configuration.read_text()

    @classmethod
    def make_root(cls):
        cls.packages = [only("reveal_*_*.deb"), only("reveal-agent_*_all.deb")]
        root = debian_root("service", "bookworm", sorted({"systemd", *(name for one in cls.packages
                                                                        for name in needed(one))}))
        (root / "packages").mkdir()
        for file in cls.packages:
            shutil.copy(file, root / "packages")
        return root

    @classmethod
    def install(cls):
        cls.system.must("apt-get", "install", "--yes", *(f"/packages/{file.name}" for file in cls.packages))

    def setUp(self):
        self.configuration.write_text(self.shipped)
        self.system.must("systemctl", "reset-failed", "reveal-agent")  # so many starts at once are the tests'
        self.system.must("systemctl", "restart", "reveal-agent")
        self.wait_judge()

    def shows(self, what):
        return self.system.must("systemctl", "show", f"--property={what}", "--value", "reveal-agent").strip()

    def parts(self):
        """{role: process} of the parts that run."""
        main = self.shows("MainPID")
        children = self.system.run("cat", f"/proc/{main}/task/{main}/children").stdout.split()
        lines = {pid: self.system.run("cat", f"/proc/{pid}/cmdline").stdout.split("\0") for pid in children}
        return {words[1]: pid for pid, words in lines.items() if len(words) > 1}

    def is_well(self):
        return self.system.run("reveal", "health", "--patience", "5s").returncode in (0, 1)  # 1: it still learns

    def wait_judge(self):
        wait_until(self.is_well, "the agent's answer")

    def signal(self, name, pid):
        self.system.must("sh", "-c", f"kill -{name} {pid}")  # the smallest Debian has no other

    def end_part(self, role):
        before = self.parts()[role]
        self.signal("KILL", before)
        wait_until(lambda: self.parts().get(role) not in (None, before), f"another {role}")

    def assert_it_grows(self):
        before = recording_size(self.recording)
        wait_until(lambda: recording_size(self.recording) != before, "frames")

    def test_a_wrong_reload_changes_nothing_not_even_for_parts_that_are_started_again(self):
        main = self.shows("MainPID")
        self.configuration.write_text(self.shipped + WRONG)
        refused = self.system.run("systemctl", "reload", "reveal-agent")
        self.assertNotEqual(refused.returncode, 0, shown(refused))
        self.end_part("agent-judge")
        self.end_part("agent-recorder")
        self.wait_judge()
        self.assert_it_grows()
        self.assertEqual((self.shows("MainPID"), self.shows("ActiveState")), (main, "active"))

    def test_a_crash_is_followed_by_a_start(self):
        restarts = int(self.shows("NRestarts"))
        self.signal("KILL", self.shows("MainPID"))
        wait_until(lambda: int(self.shows("NRestarts")) > restarts, "another start")
        self.wait_judge()
        self.assert_it_grows()

    def test_a_recorder_that_hangs_is_ended_by_the_watchdog(self):
        restarts = int(self.shows("NRestarts"))
        self.signal("STOP", self.parts()["agent-recorder"])
        wait_until(lambda: int(self.shows("NRestarts")) > restarts, "the watchdog")
        self.wait_judge()
        self.assert_it_grows()

    def test_a_stop_is_an_end_in_order(self):
        self.system.must("systemctl", "stop", "reveal-agent")
        self.assertEqual((self.shows("Result"), self.shows("ActiveState")), ("success", "inactive"))
        info = self.system.must("reveal", "info", "/var/lib/reveal/recording")
        self.assertNotIn("damage", info)
        self.assertEqual(self.shows("OOMPolicy"), "continue")

    def test_speaks_tls_once_it_is_told_to(self):
        folder = self.root / "etc/reveal/tls"
        folder.mkdir(exist_ok=True)
        must("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
             "-keyout", folder / "key.pem", "-out", folder / "cert.pem", "-subj", "/CN=reveal", "-addext",
             "subjectAltName=IP:127.0.0.1")
        self.system.must("chgrp", "-R", "reveal", "/etc/reveal/tls")
        self.system.must("chmod", "640", "/etc/reveal/tls/key.pem")
        self.configuration.write_text(self.shipped.replace("[web.tls]\n", TLS))
        self.system.must("systemctl", "reload", "reveal-agent")

        def answer():
            return self.system.from_its_network("/usr/bin/python3", "-c", ASK, str(folder / "cert.pem"))
        wait_until(lambda: "reveal_recorder_ticks_total" in answer().stdout, "an answer over TLS")
        self.wait_judge()


if __name__ == "__main__":
    unittest.main()
