"""How the studies' commands end when they cannot go on."""

import contextlib
import io
import os
import pathlib
import signal
import tempfile
import unittest

import shell


class ShellTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.addCleanup(signal.signal, signal.SIGTERM, signal.getsignal(signal.SIGTERM))

    def end_of(self, act):
        with self.assertRaises(SystemExit) as ended:
            shell.run_as("study", act)
        return ended.exception.code

    def test_a_folder_is_made_with_those_above_it_and_may_be_there(self):
        for _ in range(2):
            shell.make_folder(self.folder / "a" / "b")
        self.assertTrue((self.folder / "a" / "b").is_dir())

    def test_a_folder_that_cannot_be_made_is_one_sentence(self):
        (self.folder / "file").touch()
        wrong = self.folder / "file" / "out"
        self.assertEqual(self.end_of(lambda: shell.make_folder(wrong)),
                         f"study: cannot make the folder {wrong}: Not a directory; name another place")

    def test_an_end_from_outside_is_one_line(self):
        def interrupted():
            raise KeyboardInterrupt
        self.assertEqual(self.end_of(interrupted), "study: ended")
        self.assertEqual(self.end_of(lambda: os.kill(os.getpid(), signal.SIGTERM)), "study: ended")

    def test_what_is_done_ends_in_silence(self):
        said = io.StringIO()
        with contextlib.redirect_stderr(said):
            shell.run_as("study", lambda: None)
        self.assertEqual(said.getvalue(), "")

    def test_a_program_that_is_missing_or_fails_says_so(self):
        self.assertEqual(self.end_of(lambda: shell.run("no such program")),
                         "study: no such program is not installed; `make deps-lab` installs what the lab needs")
        self.assertEqual(self.end_of(lambda: shell.run("sh", "-c", "echo why >&2; exit 3")),
                         "study: sh -c echo why >&2; exit 3: why")


if __name__ == "__main__":
    unittest.main()
