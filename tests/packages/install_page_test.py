"""docs/how_to/install.md, word for word: each of its commands, in a fresh Debian whose systemd runs."""

import re
import shutil
import time
import unittest

from debian_test import needed
from roots import REPOSITORY, BootedRoot, RootTest, debian_root, only, recording_size, shown, wait_until

PAGE = REPOSITORY / "docs" / "how_to" / "install.md"


def blocks_of(section):
    """Returns the commands of a section, a text a block."""
    text = PAGE.read_text(encoding="utf-8").partition(f"\n## {section}\n")[2].partition("\n## ")[0]
    return re.findall(r"^```\n(.*?)^```$", text, re.M | re.S)


class InstallPage(RootTest):
    def boot(self, name, suite, packages, files):
        root = debian_root(name, suite, packages)
        for file in files:
            shutil.copy(file, root / "root")
        system = BootedRoot(root)
        self.addCleanup(system.close)
        return system

    def follow(self, system, block, *statuses):
        out = system.run("sh", "-ec", f"cd /root\n{block}")
        self.assert_status(out, *(statuses or (0,)))
        return out

    def assert_the_service_records(self, system):
        self.assertEqual(system.run("systemctl", "is-active", "reveal-agent").stdout, "active\n",
                         shown(system.run("journalctl", "--no-pager", "--unit", "reveal-agent")))
        recording = system.root / "var/lib/reveal/recording"
        before = recording_size(recording)
        wait_until(lambda: recording_size(recording) > before, "the recording to grow")

    def test_debian(self):
        files = [only("reveal_*_*.deb"), only("reveal-agent_*_all.deb")]
        system = self.boot("page_debian", "bookworm", sorted({"systemd", *needed(files[0]), *needed(files[1])}), files)
        install, remove = blocks_of("Debian")
        # It asks before it installs what else is needed, which is nothing here.
        self.follow(system, install, 0, 1)  # 1: the agent still learns
        self.assert_the_service_records(system)
        self.follow(system, remove.replace("apt-get remove", "apt-get remove --yes")
                    .replace("apt-get purge", "apt-get purge --yes"))
        self.assertFalse((system.root / "var/lib/reveal").exists())

    def test_any_linux(self):
        system = self.boot("page_archive", "bullseye", ["systemd", "xz-utils"], [only("reveal-*[!g].tar.xz")])
        unpack, serve, remove = blocks_of("Any Linux")
        self.follow(system, unpack)
        self.follow(system, serve)
        recording = system.root / "var/lib/private/reveal/recording"
        wait_until(lambda: recording_size(recording) > 0, "frames")
        self.assert_the_service_records(system)
        health = system.run("/opt/reveal/bin/reveal", "health")
        self.assert_status(health, 0, 1)
        self.follow(system, remove)
        left = [path for folder in ("opt", "etc", "var/lib") for path in (system.root / folder).rglob("*reveal*")]
        self.assertEqual(left, [])

    def test_the_analyser_of_the_archive(self):
        system = self.boot("page_analyser", "bullseye", ["systemd", "xz-utils"], [only("reveal-*[!g].tar.xz")])
        self.follow(system, blocks_of("Any Linux")[0])
        *_, serve, remove = blocks_of("The analyser of a fleet")
        self.follow(system, serve)
        time.sleep(3)  # one that lacks a library has ended by then
        state = system.must("systemctl", "show", "--property=ActiveState,NRestarts,User", "reveal-fleet").split()
        self.assertEqual(sorted(state), ["ActiveState=active", "NRestarts=0", "User=reveal-fleet"],
                         shown(system.run("journalctl", "--no-pager", "--unit", "reveal-fleet")))
        self.follow(system, remove)
        left = [path for folder in ("etc", "var/lib") for path in (system.root / folder).rglob("*reveal-fleet*")]
        self.assertEqual(left, [])


if __name__ == "__main__":
    unittest.main()
