"""The archive for another processor, on this machine: the kernel hands each of its programs to an emulator (binfmt_misc).

REVEAL_ARCHITECTURE is Debian's name of the processor's architecture.
"""

import os
import pathlib
import struct
import subprocess
import sys
import unittest

from roots import REPOSITORY, busybox_root, must, shown
from tarball_test import PROGRAM, Tarball as Archive, unpack

BINFMT = pathlib.Path("/proc/sys/fs/binfmt_misc")
ARCHITECTURE = os.environ["REVEAL_ARCHITECTURE"]
NAME = f"reveal-{ARCHITECTURE}-test"
# The emulator, e_machine of elf(5), and the loader of the C library.
EMULATOR, MACHINE, LOADER = {
    "arm64": ("/usr/bin/qemu-aarch64-static", 183, "ld-linux-aarch64.so.1"),
    "riscv64": ("/usr/bin/qemu-riscv64-static", 243, "ld-linux-riscv64-lp64d.so.1"),
}[ARCHITECTURE]
# The bytes by which a program is known, of which the mask leaves out those that differ; F: the emulator is opened now,
# so it works in roots that lack it.
MAGIC = rb"\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\x%02x\x00" % MACHINE
MASK = rb"\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff"


def machine_of(path):
    """Returns e_machine of an ELF file, or nothing if it is none."""
    head = path.read_bytes()[:20]
    return struct.unpack_from("<H", head, 18)[0] if head.startswith(b"\x7fELF") else None


class Cross(Archive):
    @classmethod
    def setUpClass(cls):
        if not (BINFMT / "register").exists():
            must("mount", "-t", "binfmt_misc", "binfmt_misc", BINFMT)
            cls.addClassCleanup(must, "umount", BINFMT)
        (BINFMT / "register").write_bytes(b":%b:M::%b:%b:%b:F" % (NAME.encode(), MAGIC, MASK, EMULATOR.encode()))
        cls.addClassCleanup((BINFMT / NAME).write_text, "-1")

    test_in_an_older_debian = None  # its driver would have to be for the processor, too

    def entered(self, name):
        root = busybox_root(name)
        unpack(root)
        return self.enter(root)

    def test_all_of_it_is_for_the_processor(self):
        root = busybox_root("cross_parts")
        unpack(root)
        parts = [path for path in (root / "opt/reveal").resolve().rglob("*") if path.is_file()]
        machines = {path.name: machine_of(path) for path in parts if machine_of(path) is not None}
        self.assertLessEqual({"reveal", "libc.so.6", LOADER, "libpfm.so.4"}, set(machines))
        self.assertEqual(set(machines.values()), {MACHINE}, machines)

    def test_without_a_c_library(self):
        root = self.entered("cross")
        self.assert_it_works(root)
        self.assert_what_it_starts_is_left_alone(root)

    def test_doctor_says_what_the_host_lacks(self):
        out = self.entered("cross_doctor").run(PROGRAM, "doctor")
        self.assert_status(out, 0, 1)
        self.assertEqual(out.stderr, "", shown(out))
        self.assertRegex(out.stdout, "(?i)perf", shown(out))

    def test_it_finds_what_is_found_elsewhere(self):
        root = busybox_root("cross_findings")
        unpack(root)
        out = subprocess.run([sys.executable, "-B", REPOSITORY / "studies/lab/regression_test.py"],
                             env={**os.environ, "REVEAL": str(root) + PROGRAM}, capture_output=True, text=True, check=False)
        self.assertEqual(out.returncode, 0, shown(out))


del Archive  # its own tests are for this machine's archive

if __name__ == "__main__":
    unittest.main()
