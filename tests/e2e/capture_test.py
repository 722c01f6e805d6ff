"""A captured host stands for the host: every channel that is read from files is there again, and
nothing is that would tell whose host it was."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

from reveal_process import FIXTURES, REPOSITORY, REVEAL, RevealTest, host_roots

MAC = "0c:42:a1:5e:d7:b3"
GUID = "0c42:a103:005e:d7b2"
UUID = "5f3c9a1e-77aa-4f0b-9d31-0123456789ab"
SECRETS = [MAC, GUID, UUID, "0c42a15ed7b3", "10.20.30.40", "hunter2", "C0FFEE42", "node17.example",
           "backup-of-alice", "0A141E28", "alice_data", "Zq3v"]


def is_of_files(row):
    source = row["source"]
    left_out = "/fs/cgroup/" in source or source.startswith(("/proc/[0-9]", "/proc/self/mountstats"))
    return source.startswith(("/proc/", "/sys/")) and not left_out


class Capture(RevealTest):
    def channels(self, *roots):
        out = self.reveal("metrics", "--format", "json", *roots)
        self.assert_status(out, 0)
        return {row["name"]: sorted(row["instances"]) for row in json.loads(out.stdout)
                if is_of_files(row) and row["instances"]}

    def capture(self, *words):
        captured = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        done = subprocess.run(
            [sys.executable, REPOSITORY / "tools" / "capture_host.py", "some-host",
             captured, "--reveal", REVEAL, *map(str, words)],
            capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        return captured

    def assert_same(self, captured, host):
        different = {name: (captured.get(name), host.get(name)) for name in captured | host
                     if captured.get(name) != host.get(name)}
        self.assertEqual(different, {})

    def test_has_the_channels_of_this_host(self):
        captured = self.capture()
        self.assert_same(self.channels(*host_roots(captured)), self.channels())

    def test_has_the_channels_of_a_host_with_much_hardware(self):
        for name in ("dual-intel-2node", "epyc-1socket", "grace-arm", "storage-node"):
            with self.subTest(name):
                captured = self.capture("--root", FIXTURES / name)
                self.assert_same(self.channels(*host_roots(captured)),
                                 self.channels(*host_roots(FIXTURES / name)))

    def test_tells_nobody_whose_host_it_was(self):
        host = self.folder / "host"
        shutil.copytree(FIXTURES / "dual-intel-2node", host, symlinks=True)
        for path, text in {
            "proc/cmdline": f"root=UUID={UUID} isolcpus=2,3 ip=10.20.30.40 password=hunter2\n",
            "proc/cpuinfo": "processor\t: 0\nmicrocode\t: 0x1\nSerial\t\t: C0FFEE42\n",
            "proc/sys/kernel/hostname": "node17.example\n",
            "proc/sys/kernel/random/boot_id": UUID + "\n",
            "proc/77/comm": "backup-of-alice\n",
            "proc/interrupts": f"     CPU0\n  8:    1  PCI-MSI enx0c42a15ed7b3 {MAC} {GUID}\n",
            "sys/block/sda/queue/scheduler": f"[none] {UUID} 10.20.30.40\n",
            "sys/class/net/enx0c42a15ed7b3/mtu": "1500\n",
            "proc/net/udp": "  sl  local_address rem_address   st tx_queue rx_queue tr\n"
                            "  7: 0A141E28:0044 00000000:0000 07 00000000:00000300 00:00000000\n",
            "proc/self/mountstats": "device node17.example:/x mounted on /x with fstype nfs4\n",
            "sys/block/dm-7/dm/name": "vg-alice_data\n",
            "sys/block/dm-7/dm/uuid": "LVM-Zq3vZq3vZq3v\n",
        }.items():
            (host / path).parent.mkdir(parents=True, exist_ok=True)
            (host / path).write_text(text)
        captured = self.capture("--root", host)
        seen = ""
        for folder, folders, files in os.walk(captured):
            for name in folders + files:
                path = os.path.join(folder, name)
                seen += path[len(str(captured)):] + "\n"
                if os.path.islink(path):
                    seen += os.readlink(path) + "\n"
                elif os.path.isfile(path):
                    with open(path, "rb") as file:
                        seen += file.read().decode("latin-1")
        for secret in SECRETS:
            self.assertNotIn(secret, seen)
        self.assertIn("isolcpus=2,3", seen)
        self.assertIn("00000000:00000300", seen)
        self.assertIn("/sys/class/net/enx000000000000/mtu", seen)
        self.assertIn("some-host", seen)


if __name__ == "__main__":
    unittest.main()
