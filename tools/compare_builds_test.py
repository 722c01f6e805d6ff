"""Tests tools/compare_builds.py on folders that are written here, and packaging/twice.sh on a project of one file."""

import hashlib
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM = pathlib.Path(__file__).resolve().parent / "compare_builds.py"
TWICE = PROGRAM.parent.parent / "packaging" / "twice.sh"
CHANGES = "Date: {date}\nChecksums-Sha256:\n {sum} 4300 reveal-fleet_1_all.deb\n {own} 8596 reveal_1_amd64.buildinfo\n"
BUILDINFO = "Version: {version}\nBuild-Date: {date}\nEnvironment:\n SOURCE_DATE_EPOCH=\"1\"\n"


class CompareBuilds(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.one, self.other = (pathlib.Path(folder.name) / name for name in ("one", "other"))
        self.one.mkdir()
        self.other.mkdir()

    def write(self, name, one, other):
        (self.one / name).write_bytes(one)
        (self.other / name).write_bytes(other)

    def compare(self):
        return subprocess.run([sys.executable, "-B", PROGRAM, self.one, self.other], capture_output=True, text=True)

    def assert_same(self):
        out = self.compare()
        self.assertEqual(out.returncode, 0, out.stdout + out.stderr)
        return out.stdout

    def assert_different(self, line):
        out = self.compare()
        self.assertEqual(out.returncode, 1, out.stdout)
        self.assertIn(line + "\n", out.stdout)
        return out

    def test_files_with_the_same_bytes(self):
        self.write("reveal.tar.xz", b"\x00\xff" * 9, b"\x00\xff" * 9)
        said = self.assert_same()
        self.assertEqual(said.splitlines(), [
            f"same     {hashlib.sha256(bytes([0, 255] * 9)).hexdigest()}  reveal.tar.xz", "1 files are the same"])

    def test_one_byte_of_many_files(self):
        self.write("a.deb", b"abcdef", b"abcdef")
        self.write("b.rpm", b"abcdef", b"abcxef")
        out = self.assert_different("differs  b.rpm: 6 and 6 bytes, which differ from byte 3 on")
        self.assertIn("same     ", out.stdout)
        self.assertIn("1 of 2 files are not the same", out.stderr)

    def test_a_file_that_ends_early(self):
        self.write("a.deb", b"abcdef", b"abc")
        self.assert_different("differs  a.deb: 6 and 3 bytes, which differ from byte 3 on")

    def test_a_file_in_one_folder_only(self):
        self.write("a.deb", b"a", b"a")
        for folder in (self.one, self.other):
            (folder / "more.rpm").write_bytes(b"b")
            self.assert_different(f"only in {folder}: more.rpm")
            (folder / "more.rpm").unlink()
        self.assert_same()

    def test_folders_without_a_file(self):
        out = self.compare()
        self.assertEqual(out.returncode, 1)
        self.assertIn("has a file", out.stderr)

    def test_when_it_was_built_does_not_count(self):
        self.write("r.buildinfo", *(BUILDINFO.format(version=1, date=date).encode() for date in ("Fri", "Sat")))
        self.write("r.changes", *(CHANGES.format(date="Fri", sum="ab", own=own).encode() for own in ("cd", "ef")))
        self.assert_same()

    def test_all_else_of_what_tells_of_a_build_counts(self):
        self.write("r.buildinfo", *(BUILDINFO.format(version=version, date="Fri").encode() for version in (1, 2)))
        self.write("r.changes", *(CHANGES.format(date="Fri", sum=one, own="cd").encode() for one in ("ab", "ac")))
        self.write("s.changes", *(CHANGES.format(date=date, sum="ab", own="cd").encode() for date in ("Fri", "Sat")))
        out = self.compare()
        self.assertIn("3 of 3 files are not the same", out.stderr)


class Twice(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tree = pathlib.Path(folder.name) / "tree"
        for program in (PROGRAM, TWICE):
            target = self.tree / program.relative_to(PROGRAM.parent.parent)
            target.parent.mkdir(parents=True)
            shutil.copy(program, target)
        self.git("init", "--quiet")

    def git(self, *words):
        subprocess.run(["git", "-C", self.tree, "-c", "user.name=a", "-c", "user.email=a@b.example", *words], check=True)

    def write(self, recipe):
        makefile = f"packages:\n\tmkdir -p build/packages\n\t{recipe} >build/packages/made\n"
        (self.tree / "Makefile").write_text(makefile)

    def build(self, recipe):
        self.write(recipe)
        self.git("add", ".")
        self.git("commit", "--quiet", "--message", "one")
        return self.twice()

    def twice(self):
        return subprocess.run([self.tree / "packaging/twice.sh", self.tree.parent / "out", "packages"],
                              capture_output=True, text=True)

    def test_what_does_not_know_where_and_when_it_is_made(self):
        out = self.build("echo made")
        self.assertEqual(out.returncode, 0, out.stderr)
        self.assertIn("1 files are the same", out.stdout)

    def test_a_folder_in_what_is_made(self):
        out = self.build("echo $(CURDIR)")
        self.assertEqual(out.returncode, 1, out.stdout)
        self.assertIn("differs  made", out.stdout)

    def test_a_time_zone_in_what_is_made(self):
        out = self.build("date +%z")
        self.assertEqual(out.returncode, 1, out.stdout)
        self.assertIn("differs  made", out.stdout)

    def test_a_build_that_fails(self):
        out = self.build("false")
        self.assertEqual(out.returncode, 2, out.stdout)

    def test_what_is_not_committed_is_not_built_and_said(self):
        self.build("echo made")
        self.write("echo $(CURDIR)")
        out = self.twice()
        self.assertEqual(out.returncode, 0, out.stdout)
        self.assertIn("not committed", out.stderr)


if __name__ == "__main__":
    unittest.main()
