"""The archive for any Linux: where there is no C library at all, and where there is one that is older than its own."""

import hashlib
import json
import os
import signal
import subprocess
import unittest

from roots import (REPOSITORY, EnteredRoot, RootTest, busybox_root, child_of, debian_root, must, only, recording_size,
                   run, shown, wait_until)

PROGRAM = "/opt/reveal/bin/reveal"
ONE_GPU = "lib devices 1\nlib driver 550.54.15\n0 bus 17\n0 uuid GPU-aaaa\n0 util.gpu 37\n0 util.memory 12\n"


def archive():
    return only("reveal-*[!g].tar.xz")


def unpack(root):
    (root / "opt").mkdir(exist_ok=True)
    must("tar", "--extract", "--directory", root / "opt", "--file", archive())
    (root / "opt/reveal").symlink_to(next((root / "opt").glob("reveal-*")).name)


def make_nvml(path):
    """Puts a libnvidia-ml.so.1 there that is linked as NVIDIA's is: with libraries that have become a part of libc."""
    path.parent.mkdir(parents=True, exist_ok=True)
    must("g++", "-std=c++20", "-shared", "-fPIC", "-O1", "-Wl,-soname,libnvidia-ml.so.1", "-o", path,
         REPOSITORY / "tests/fakes/nvml/nvml_stand_in.cc", "-Wl,--no-as-needed", "-l:libpthread.so.0", "-l:libdl.so.2",
         "-l:librt.so.1")


class Tarball(RootTest):
    def enter(self, root):
        entered = EnteredRoot(root)
        self.addCleanup(entered.close)
        return entered

    def must_run(self, root, *words, **options):
        out = root.run(*words, **options)
        self.assert_status(out, 0)
        return out.stdout

    def assert_it_works(self, root):
        facts = json.loads(self.must_run(root, PROGRAM, "version", "--json"))
        folder = os.readlink(root.root / "opt/reveal")
        self.assertEqual(facts["documents"], f"/opt/{folder}/share/doc/reveal")
        for part in ("libpfm", "sqlite"):
            self.assertEqual(facts["parts"][part]["state"], "here", part)
        report = root.run("/bin/sh", "-c", f"cd /tmp && {PROGRAM} run -o r --duration 26s -- sleep 25")
        self.assert_status(report, 0)
        self.assertIn("Analyzed", report.stderr, shown(report))
        self.assertTrue((root.root / "tmp/r/report.html").is_file())
        again = self.must_run(root, PROGRAM, "analyze", "/tmp/r")
        self.assertRegex(again, r"Analyzed  \d+ windows of 3.0 s")

    def assert_the_agent_works(self, root):
        """Its processes are the program itself, and none of them is seen as a loader."""
        agent = subprocess.Popen(root.words(PROGRAM, "agent", "--directory", "/tmp/state"), stderr=subprocess.PIPE,
                                 text=True)
        recording = root.root / "tmp/state/recording"
        wait_until(lambda: agent.poll() is None and recording.is_dir() and recording_size(recording) > 0, "frames")
        before = recording_size(recording)
        wait_until(lambda: recording_size(recording) > before, "the recording to grow")
        list_all = "for p in /proc/[0-9]*; do readlink $p/exe; done | grep /bin/reveal | sort | uniq -c"
        processes = self.must_run(root, "/bin/sh", "-c", list_all).split()
        self.assertEqual(processes, ["3", f"/opt/{os.readlink(root.root / 'opt/reveal')}/bin/reveal"])
        os.kill(child_of(agent.pid), signal.SIGTERM)  # nsenter waits for it, and hands no signal on
        said = agent.communicate(timeout=60)[1]
        self.assertEqual(agent.returncode, 0, said)
        self.assertIn("recorded", said)

    def assert_it_loads_the_driver_of_the_host(self, root, library):
        make_nvml(root.root / library.lstrip("/"))
        (root.root / "script").write_text(ONE_GPU)
        words = ("/bin/sh", "-c", f"NVML_STAND_IN_SCRIPT=/script REVEAL_NVML_PATH={library} {PROGRAM} metrics")
        line = next(line for line in self.must_run(root, *words).splitlines() if line.startswith("gpu_busy_ratio "))
        self.assertNotIn("missing", line)

    def assert_what_it_starts_is_left_alone(self, root):
        """A command of a user gets neither libraries nor variables of the archive."""
        before = self.must_run(root, "/bin/sh", "-c", "env | sort").splitlines()
        inside = self.must_run(root, PROGRAM, "record", "-q", "-o", "/tmp/w", "--", "/bin/sh", "-c", "env | sort")
        variable = "_="  # of the shell, the last command
        self.assertEqual([line for line in inside.splitlines() if not line.startswith(variable)],
                         [line for line in before if not line.startswith(variable)])

    def assert_all(self, root, library):
        unpack(root)
        entered = self.enter(root)
        self.assert_it_works(entered)
        self.assert_the_agent_works(entered)
        self.assert_it_loads_the_driver_of_the_host(entered, library)
        self.assert_what_it_starts_is_left_alone(entered)

    def test_without_a_c_library(self):
        root = busybox_root("busybox")
        self.assertEqual(list(root.rglob("libc.so*")) + list(root.rglob("ld-*")), [])
        self.assert_all(root, "/usr/lib/libnvidia-ml.so.1")

    def test_in_an_older_debian(self):
        root = debian_root("bullseye", "bullseye")
        self.assert_all(root, "/usr/lib/x86_64-linux-gnu/libnvidia-ml.so.1")

    def test_a_part_that_is_missing_is_named(self):
        root = busybox_root("incomplete")
        unpack(root)
        loader = next((root / "opt/reveal/lib/reveal").glob("ld-linux-*"))
        loader.unlink()
        out = self.enter(root).run(PROGRAM, "-V")
        self.assert_status(out, 1)
        self.assertRegex(out.stderr, rf"^reveal: /opt/reveal-.*/lib/reveal/{loader.name}: cannot be opened; unpack .*\n$")

    def test_without_a_proc(self):
        root = busybox_root("no_proc")
        unpack(root)
        out = run("chroot", root, PROGRAM, "-V")
        self.assert_status(out, 0)

    def test_the_bill_has_what_is_in_it(self):
        bill = json.loads(only("reveal-*.spdx.json").read_text())
        self.assertEqual(bill["spdxVersion"], "SPDX-2.3")
        root = busybox_root("bill")
        unpack(root)
        top = (root / "opt/reveal").resolve()
        listed = {entry["fileName"]: entry["checksums"][0]["checksumValue"] for entry in bill["files"]}
        there = {f"./{path.relative_to(top)}": hashlib.sha256(path.read_bytes()).hexdigest()
                 for folder in ("bin", "lib") for path in (top / folder).rglob("*") if path.is_file()}
        self.assertEqual(listed, there)
        names = {package["name"] for package in bill["packages"]}
        self.assertLessEqual({"libc6", "libstdc++6", "libsqlite3-0", "libeigen3-dev", "nlohmann-json3-dev", "uplot"},
                             names)
        for library in ("libssl3", "libnats3"):  # what follows differs from release to release
            self.assertEqual(sum(name.startswith(library) for name in names), 1, names)
        elements = {"SPDXRef-DOCUMENT", *(entry["SPDXID"] for kind in ("packages", "files") for entry in bill[kind])}
        self.assertEqual(len(elements), 1 + len(bill["packages"]) + len(bill["files"]))
        for relation in bill["relationships"]:
            self.assertLessEqual({relation["spdxElementId"], relation["relatedSpdxElement"]}, elements)
        for name in names - {"reveal"} - {package for package in names if package.startswith("g++-")}:
            self.assertTrue((top / "share/doc/reveal/third_party" / name / "copyright").is_file(), name)


if __name__ == "__main__":
    unittest.main()
