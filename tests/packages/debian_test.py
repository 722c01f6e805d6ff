"""The Debian packages, as an admin uses them: in a fresh Debian with a systemd that really runs."""

import json
import os
import re
import shutil
import subprocess
import unittest

from roots import (REPOSITORY, BootedRoot, RootTest, debian_root, must, only, recording_size, shown,
                   wait_until)

LATER = "999.0"
SCORE_AT_MOST = 3.0
CAPABILITIES = {"cap_perfmon", "cap_syslog", "cap_sys_ptrace", "cap_dac_read_search"}


def needed(package):
    """Returns the names of the packages that Debian has to have for this one."""
    fields = must("dpkg-deb", "--field", package, "Depends", "Recommends").splitlines()
    alternatives = ",".join(line.partition(":")[2] for line in fields).split(",")
    names = {re.match(r"[^ (|]+", text.strip())[0] for text in alternatives}
    return {name for name in names if not name.startswith("reveal")}


def later_packages(folder):
    """Makes the same packages under a later version, and returns the folder."""
    subprocess.run([REPOSITORY / "packaging/deb.sh", REPOSITORY / "build/package", folder], check=True,
                   stdout=subprocess.DEVNULL, env={**os.environ, "REVEAL_PACKAGE_VERSION": LATER})
    return folder


class Debian(RootTest):
    @classmethod
    def setUpClass(cls):
        cls.program, cls.agent = only("reveal_*_*.deb"), only("reveal-agent_*_all.deb")
        packages = {"systemd", "libcap2-bin", *needed(cls.program), *needed(cls.agent)}
        cls.root = debian_root("debian", "bookworm", sorted(packages))
        cls.state = cls.root / "var/lib/reveal"
        cls.recording = cls.state / "recording"
        later = later_packages(cls.root.parent / "later")
        # The analyser's package needs libraries that this root does not have (fleet_test).
        for folder, files in (("now", [cls.program, cls.agent]),
                              ("later", [*later.glob(f"reveal_{LATER}*.deb"), *later.glob(f"reveal-agent_{LATER}*.deb")])):
            (cls.root / "packages" / folder).mkdir(parents=True)
            for file in files:
                shutil.copy(file, cls.root / "packages" / folder)
        cls.system = BootedRoot(cls.root)
        cls.addClassCleanup(cls.system.close)

    def install(self, folder, *options):
        files = sorted((self.root / "packages" / folder).glob("*.deb"))
        self.system.must("apt-get", "install", "--yes", *options, *(f"/packages/{folder}/{file.name}" for file in files))

    def is_active(self):
        return self.system.run("systemctl", "is-active", "reveal-agent").stdout.strip() == "active"

    def first_process(self):
        return self.system.must("systemctl", "show", "--property=MainPID", "--value", "reveal-agent").strip()

    def assert_it_grows(self):
        before = recording_size(self.recording)
        wait_until(lambda: recording_size(self.recording) > before, "the recording to grow")

    def assert_it_runs_as_it_should(self):
        self.assertTrue(self.is_active(), self.system.run("systemctl", "status", "reveal-agent").stdout)
        self.assertEqual(self.system.must("systemctl", "is-enabled", "reveal-agent").strip(), "enabled")
        pid = self.first_process()
        facts = dict(line.split(":\t", 1) for line in self.system.must("cat", f"/proc/{pid}/status").splitlines()
                     if ":\t" in line)
        self.assertEqual(self.system.must("stat", "--format=%U", f"/proc/{pid}").strip(), "reveal")
        self.assertEqual((facts["NoNewPrivs"], facts["Seccomp"]), ("1", "2"))
        held = self.system.must("capsh", f"--decode={facts['CapEff']}").strip().partition("=")[2]
        self.assertEqual(set(held.split(",")), CAPABILITIES)
        said = self.system.must("systemd-analyze", "security", "--no-pager", "reveal-agent")
        score = float(re.search(r"Overall exposure level for reveal-agent\.service: ([0-9.]+)", said)[1])
        self.assertLessEqual(score, SCORE_AT_MOST)
        self.assertEqual(self.system.must("systemctl", "show", "--property=OOMPolicy", "--value",
                                          "reveal-agent").strip(), "continue")
        self.assert_it_grows()

    def test_the_life_of_the_packages(self):
        self.install("now")
        self.assert_it_runs_as_it_should()
        health = self.system.run("reveal", "health", "--json")
        self.assert_status(health, 0, 1)  # 1: it still learns
        self.assertIn(json.loads(health.stdout)["state"], ("learning", "judging"), shown(health))
        answer = self.system.from_its_network(
            "/usr/bin/python3", "-c", "import urllib.request as r; "
            "print(r.urlopen('http://127.0.0.1:7383/metrics').read().decode())")
        self.assertIn("reveal_recorder_ticks_total", answer.stdout, shown(answer))
        self.system.must("systemctl", "reload", "reveal-agent")
        self.system.must("reveal", "agent", "--check-config")
        self.assertTrue((self.root / "usr/share/man/man1/reveal-agent.1.gz").is_file())

        # An upgrade goes on in the same recording, with the admin's configuration.
        configuration = self.root / "etc/reveal/reveal.toml"
        configuration.write_text(configuration.read_text().replace("10GiB", "5GiB"))
        pid, size = self.first_process(), recording_size(self.recording)
        self.install("later")
        self.assertNotEqual(self.first_process(), pid)
        self.assertGreaterEqual(recording_size(self.recording), size)
        self.assert_it_runs_as_it_should()
        self.assertIn("5GiB", configuration.read_text())
        self.assertIn("5GiB", self.system.must("reveal", "agent", "--print-config"))

        # A stop closes the recording, which anybody who may read it can then analyze.
        self.system.must("systemctl", "stop", "reveal-agent")
        info = self.system.must("reveal", "info", "/var/lib/reveal/recording")
        self.assertIn("frames", info)
        self.system.must("systemctl", "start", "reveal-agent")

        # Removed, it is gone and what it recorded is there; so it is after a purge that was not told otherwise.
        self.system.must("apt-get", "remove", "--yes", "reveal-agent")
        self.assertFalse(self.is_active())
        self.assertTrue(configuration.exists())
        self.system.must("apt-get", "purge", "--yes", "reveal-agent")
        self.assertFalse(configuration.exists())
        self.assertGreater(recording_size(self.recording), 0)

        # The same recording goes on when it is installed again, and goes if a purge is told so.
        size = recording_size(self.recording)
        self.install("later")
        self.assert_it_grows()
        self.assertGreater(recording_size(self.recording), size)
        self.system.must("debconf-set-selections", input="reveal-agent reveal-agent/remove-data boolean true\n")
        self.system.must("apt-get", "purge", "--yes", "reveal-agent", "reveal")
        self.assertFalse(self.state.exists())
        left = [line for folder in ("etc", "usr", "lib", "var/lib")
                for line in must("find", self.root / folder, "-name", "*reveal*").splitlines()]
        # The user stays, as Debian has it: files of its number must not become another's.
        self.assertEqual(left, [])


if __name__ == "__main__":
    unittest.main()
