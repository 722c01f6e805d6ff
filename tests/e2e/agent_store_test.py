"""What an agent has on its disk: how much, how much it leaves free, and whether it is sound."""

import json
import os
import random
import signal
import subprocess
import unittest

from reveal_process import shown, wait_until
from running_agent import AgentRun

MIB = 1 << 20
DISK_MIB = 96


def on_disk(folder):
    """All that a folder takes, as du says it; what goes meanwhile counts no more."""
    total = 0
    for path in [folder, *folder.rglob("*")]:
        try:
            found = path.lstat()
        except FileNotFoundError:
            continue
        total += max(found.st_blocks * 512, found.st_size if path.is_file() else 0)
    return total


class MinFreeTest(AgentRun):
    """An agent on a small disk that somebody else fills."""

    def setUp(self):
        super().setUp()
        disk = self.folder / "disk"
        disk.mkdir()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK_MIB}m", "tmpfs", disk],
                                 capture_output=True, text=True, check=False)
        if mounted.returncode != 0:
            self.skipTest("no file system can be mounted here: " + mounted.stderr.strip())
        self.addCleanup(subprocess.run, ["umount", "-l", disk], check=True)
        self.ballast = disk / "ballast"
        self.state = disk / "state"
        self.disk = disk

    def free(self):
        found = os.statvfs(self.disk)
        return found.f_bavail * found.f_frsize

    def leave(self, mib):
        """Has somebody else take all but so much."""
        taken = self.ballast.stat().st_size if self.ballast.exists() else 0
        self.ballast.touch()
        with open(self.ballast, "r+b") as file:
            wanted = max(0, taken + self.free() - mib * MIB)
            file.truncate(min(wanted, taken))
            file.seek(0, os.SEEK_END)
            file.write(bytes(max(0, wanted - taken)))

    def state_of_agent(self):
        return json.loads(self.ask_if_there("/api/v1/status") or "{}").get("state")

    def check(self, setting, least_mib):
        """Fills the disk beyond what is to stay free, and makes room again."""
        self.configuration.write_text(self.settings.replace("min_free = 64", setting))
        agent = self.start_agent()
        self.wait_recorded()
        self.leave(least_mib - 1)
        wait_until(lambda: "record.min_free" in self.ask_if_there("/api/v1/status"), "the full disk to be told")
        self.assertEqual(self.state_of_agent(), "degraded")
        before = self.free()
        self.assertEqual(self.reveal("pin", "--socket", self.folder / "agent.sock").returncode, 1)
        self.assertGreaterEqual(self.free(), before - MIB // 2, "state alone may be written")
        self.leave(least_mib + 20)
        wait_until(lambda: self.state_of_agent() in ("learning", "judging"), "another state")
        self.end(agent)

    def test_a_share_of_the_disk_stays_free(self):
        self.check('min_free = "50%"', DISK_MIB // 2)

    def test_of_a_small_disk_half_stays_free_by_default(self):
        self.check('min_free = "auto"', DISK_MIB // 2)

    def test_so_much_stays_free(self):
        self.check('min_free = "20MiB"', 20)


class MaxSizeTest(AgentRun):
    """An agent that finds more on its disk than it may have."""

    def test_what_is_too_much_goes_and_findings_say_so(self):
        kept = []
        for number in range(12):
            folder = self.state / "findings/2023/11" / f"{number + 1:02}" / ("01HF" + f"{number:022}")
            (folder / "evidence").mkdir(parents=True)
            (folder / "evidence/000001.rvs").write_bytes(bytes(MIB))
            kept.append(folder)
        pin = self.state / "pins/20231114T221340.000Z"
        pin.mkdir(parents=True)
        (pin / "000001.rvs").write_bytes(bytes(MIB))
        self.configuration.write_text(self.settings.replace("[record]", '[record]\nmax_size = "64MiB"'))
        agent = self.start_agent()
        wait_until(lambda: "to stay within record.max_size" in agent.said.text, "the log")
        self.wait_recorded()
        # An eighth of 64 MiB is for what is kept, and of that an eighth for what comes.
        self.assertLessEqual(on_disk(self.state / "findings") + on_disk(self.state / "pins"), 7 * MIB)
        self.assertLessEqual(on_disk(self.state), 64 * MIB)
        there = [(folder / "evidence").exists() for folder in kept]
        self.assertEqual(there, sorted(there), "the oldest goes first")
        self.assertFalse(there[0])
        self.assertTrue(there[-1])
        self.assertTrue((kept[0] / "evidence_gone").exists())
        self.assertTrue(pin.exists(), "what somebody asked for goes last")
        self.end(agent)

    def test_a_size_that_is_too_small_is_refused(self):
        self.configuration.write_text(self.settings.replace("[record]", '[record]\nmax_size = "10MiB"'))
        self.assert_complains(self.reveal(*self.words()), 2, "line 9", "must be at least 64MiB for an agent")


class CheckStoreTest(AgentRun):
    def check(self):
        return self.reveal(*self.words(), "--check-store")

    def test_damage_is_named_while_the_agent_runs_and_after(self):
        agent = self.start_agent()
        self.wait_recorded()
        running = self.check()
        self.assert_status(running, 0)
        self.assertIn(": sound", running.stderr)
        self.assertEqual(self.reveal("pin", "--socket", self.folder / "agent.sock").returncode, 0)
        wait_until(lambda: "frames in " in agent.said.text, "the pin")
        self.end(agent)
        self.assert_status(self.check(), 0)
        (pin,) = self.state.glob("pins/*Z")
        segment = pin / "000001.rvs"
        sound = segment.read_bytes()
        for _ in range(5):
            damaged = bytearray(sound)
            damaged[random.randrange(len(sound))] ^= 1 << random.randrange(8)
            segment.write_bytes(damaged)
            found = self.check()
            self.assert_status(found, 1)
            self.assertIn(str(segment), found.stderr, shown(found))
            self.assertIn("reveal repair", found.stderr, shown(found))
        segment.write_bytes(sound)
        (self.state / "state/judged").write_text("soon\n")
        found = self.check()
        self.assert_status(found, 1)
        self.assertIn("1 damaged", found.stderr)
        self.assertIn("does not say up to when was judged", found.stderr)

    def test_a_folder_of_no_agent_is_refused(self):
        self.assert_complains(self.check(), 1, "is not the folder of an agent", "--directory")

    def test_the_configuration_is_checked_first_if_that_is_asked(self):
        self.configuration.write_text(self.settings + "[wat]\n")
        both = self.reveal(*self.words(), "--check-config", "--check-store")
        self.assert_complains(both, 2, "wat")


class FurtherFilesTest(AgentRun):
    """conf.d beside reveal.toml."""

    def setUp(self):
        super().setUp()
        self.further = self.folder / "conf.d"
        self.further.mkdir()

    def test_all_mistakes_are_named_by_file_and_line(self):
        self.configuration.write_text(self.settings + "[retention]\nfulll = \"1h\"\n")
        (self.further / "20.toml").write_text("\n[record]\nkeep = 3\n[web]\nlisten = 4\n")
        (self.further / "10.toml").write_text("[record\n")
        found = self.reveal(*self.words(), "--check-config")
        self.assert_status(found, 2)
        lines = found.stderr.splitlines()
        self.assertEqual(len(lines), 4, shown(found))
        for line, words in zip(lines, (f"{self.configuration}, line 15", "conf.d/10.toml, line 1",
                                       "conf.d/20.toml, line 3", "conf.d/20.toml, line 5")):
            self.assertIn(words, line)

    def test_a_later_file_wins_and_a_reload_reads_all(self):
        (self.further / "10.toml").write_text('[alerts]\nmin_severity = "major"\n')
        agent = self.start_agent()
        self.wait_recorded()
        printed = self.reveal(*self.words(), "--print-config")
        self.assertIn('min_severity = "major"', printed.stdout, shown(printed))
        (self.further / "20.toml").write_text('[alerts]\nmin_severity = "minor"\nresend = "10s"\n')
        agent.send_signal(signal.SIGHUP)
        wait_until(lambda: "read anew; changed: alerts.resend, alerts.min_severity" in agent.said.text
                   or "read anew; changed: alerts.min_severity, alerts.resend" in agent.said.text, "the reload")
        (self.further / "30.toml").write_text("[alert]\n")
        agent.send_signal(signal.SIGHUP)
        wait_until(lambda: "not read anew" in agent.said.text, "the complaint")
        self.assertIn("conf.d/30.toml, line 1", agent.said.text)
        self.end(agent)


if __name__ == "__main__":
    unittest.main()
