"""Tests tools/build.py: what it says of a build whose output is written here."""

import io
import pathlib
import tempfile
import unittest

import build


class Terminal(io.StringIO):
    def isatty(self):
        return True


class OfABuild(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        joined = self.root / "joined/m_0.cc"
        joined.parent.mkdir()
        joined.write_text(" " * 30_000)
        self.steps = ["Building CXX object CMakeFiles/m.dir/joined/m_0.cc.o",
                      *(f"Building CXX object CMakeFiles/m.dir/gone{i}.cc.o" for i in range(5)),
                      "Linking CXX static library libm.a"]
        self.progress = build.Progress(self.root, self.steps, cores=3)

    def output(self):
        return [f"[{i}/{len(self.steps)}] {step}\n" for i, step in enumerate(self.steps, start=1)]

    def follow(self, lines, stream, seconds_a_step):
        now = -seconds_a_step

        def clock():
            nonlocal now
            now += seconds_a_step
            return now
        build.follow(lines, self.progress, build.Shown(stream), clock)
        return stream.getvalue()

    def test_joined_sources_weigh_what_they_are(self):
        self.assertEqual(build.work_of(self.root, self.steps[0]), build.HEADERS_BYTES + 30_000)
        self.assertEqual(build.work_of(self.root, self.steps[-1]), 0)

    def test_an_estimate_is_there_before_the_first_step(self):
        self.assertEqual(self.progress.text(0), "building: 0 %, 0 of 7 steps, about a few seconds left")
        self.assertAlmostEqual(self.progress.left_s(0), 150_000 / build.BYTES_A_CORE_S / 3)

    def test_then_it_goes_by_the_work_done(self):
        self.progress.step(1, 7, self.steps[0])
        self.assertEqual(self.progress.text(100), "building: 33 %, 1 of 7 steps, about 3 min left")

    def test_a_log_gets_a_line_now_and_then(self):
        said = self.follow(self.output(), io.StringIO(), seconds_a_step=20)
        self.assertEqual(said.splitlines(), ["building: 0 %, 0 of 7 steps, about a few seconds left",
                                             "building: 47 %, 2 of 7 steps, about 50 s left",
                                             "building: 73 %, 4 of 7 steps, about 30 s left",
                                             "building: 100 %, 6 of 7 steps, about a few seconds left"])

    def test_a_terminal_gets_one_line(self):
        said = self.follow(self.output(), Terminal(), seconds_a_step=20)
        self.assertNotIn("\n", said)
        self.assertTrue(said.endswith("building: 100 %, 7 of 7 steps\r\033[K"))

    def test_what_a_compiler_says_is_passed_on(self):
        said = self.follow(["FAILED: x.o\n", "x.cc:1:1: error: no\n", "ninja: no work to do.\n"], io.StringIO(), 1)
        self.assertEqual(said.splitlines()[1:], ["FAILED: x.o", "x.cc:1:1: error: no"])


# As CMake writes it: the manifest is made anew if what it depends on may have changed.
MANIFEST = """
rule again
  command = true
  generator = 1
build always: phony
build build.ninja: again always
rule compile
  command = touch $out
  description = Building $out
build a.o: compile
build b.o: compile
default a.o b.o
"""


class OfAPlan(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(setattr, build, "ROOT", build.ROOT)
        build.ROOT = pathlib.Path(folder.name)
        (build.ROOT / "build/p").mkdir(parents=True)
        (build.ROOT / "CMakePresets.json").write_text('{"buildPresets": [{"name": "p", "configurePreset": "p", "targets": ["b.o"]}]}')

    def test_the_steps_are_known_though_the_manifest_may_be_made_anew(self):
        (build.ROOT / "build/p/build.ninja").write_text(MANIFEST)
        self.assertEqual(build.planned(build.preset_of("p")), ["Building b.o"])
        self.assertEqual(sorted(build.planned({"name": "p", "configurePreset": "p"})), ["Building a.o", "Building b.o"])

    def test_nothing_is_known_of_what_is_not_configured(self):
        self.assertEqual(build.planned(build.preset_of("p")), [])
        self.assertIsNone(build.preset_of("q"))


if __name__ == "__main__":
    unittest.main()
