"""cmake --install puts everything where a system looks for it, and what is installed works there."""

import json
import os
import pathlib
import subprocess
import unittest

from reveal_process import PATIENCE_S, RevealTest, fixture, shown

BUILD = os.environ["REVEAL_BUILD"]
CMAKE = os.environ["CMAKE"]


class Install(RevealTest):
    def install(self, prefix, **variables):
        out = subprocess.run([CMAKE, "--install", BUILD, "--prefix", prefix], capture_output=True, text=True,
                             env={**os.environ, **variables}, timeout=PATIENCE_S)
        self.assertEqual(out.returncode, 0, shown(out))

    def run_installed(self, program, *words):
        out = subprocess.run([program, *words], capture_output=True, text=True, cwd=self.folder, timeout=PATIENCE_S)
        self.assertEqual(out.returncode, 0, shown(out))
        return out.stdout

    def assert_whole(self, root):
        names = {str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()}
        for name in ("bin/reveal", "share/man/man1/reveal.1", "share/man/man1/reveal-record.1",
                     "share/bash-completion/completions/reveal", "share/zsh/site-functions/_reveal",
                     "share/fish/vendor_completions.d/reveal.fish", "share/doc/reveal/README.md",
                     "share/doc/reveal/LICENSE", "share/doc/reveal/CHANGELOG.md",
                     "share/doc/reveal/docs/how_to/retention.md",
                     "share/doc/reveal/docs/examples/prometheus/reveal.rules.yml",
                     "share/doc/reveal/docs/examples/prometheus/reveal.dashboard.json"):
            self.assertIn(name, names)
        return root / "bin" / "reveal"

    def test_into_a_prefix(self):
        prefix = self.folder / "it is here"
        self.install(prefix)
        program = self.assert_whole(prefix)
        documents = str(prefix / "share/doc/reveal")
        self.assertIn(f"documents  {documents}\n", self.run_installed(program, "version"))
        self.assertEqual(json.loads(self.run_installed(program, "version", "--json"))["documents"], documents)
        # Each document that a help names is there to be read.
        for name in ("record", "import"):
            words = self.run_installed(program, name, "--help").replace("it is here", "it_is_here").split()
            named = [word.strip("(),;") for word in words if ".md" in word]
            self.assertTrue(named)
            for path in named:
                self.assertTrue(pathlib.Path(path.replace("it_is_here", "it is here")).is_file(), path)
        page = (prefix / "share/man/man1/reveal-record.1").read_text()
        self.assertIn(f"\\fI{documents}\\fR".replace("-", "\\-"), page)

    def test_into_a_staging_directory(self):
        self.install("/usr", DESTDIR=str(self.folder / "stage"))
        root = self.folder / "stage" / "usr"
        self.assert_whole(root)
        page = (root / "share/man/man1/reveal.1").read_text()
        self.assertIn("\\fI/usr/share/doc/reveal\\fR", page)
        self.assertNotIn("stage", page)

    def test_it_needs_nothing_of_the_clone(self):
        prefix = self.folder / "prefix"
        self.install(prefix)
        program = prefix / "bin" / "reveal"
        self.run_installed(program, "record", "-q", "-o", "r", "--interval", "10ms", "--duration", "3s", *fixture())
        out = subprocess.run([program, "analyze", "r", "--window", "300ms", "--stride", "100ms"], cwd=self.folder,
                             env={"PATH": "/usr/bin"}, capture_output=True, text=True, timeout=PATIENCE_S)
        # Nothing of a fixture varies, so that there may be nothing to analyze.
        self.assertIn(out.returncode, (0, 3), shown(out))


if __name__ == "__main__":
    unittest.main()
