"""reveal version says which Reveal this is; reveal man prints pages that man(1) can show."""

import json
import re
import shutil
import subprocess
import unittest

from reveal_process import PATIENCE_S, REPOSITORY, RevealTest, shown


class Version(RevealTest):
    def test_text_names_the_build(self):
        out = self.reveal("version")
        self.assert_status(out, 0)
        self.assertEqual(out.stdout.splitlines()[0], self.reveal("--version").stdout.strip())
        for name in ("commit", "compiler", "build", "documents", "page", "NVML", "libpfm", "DuckDB"):
            self.assertRegex(out.stdout, rf"(?m)^  {name} +\S")

    def test_short_options_stay_one_line(self):
        for option in ("-V", "--version"):
            self.assertRegex(self.reveal(option).stdout, r"\Areveal \d+\.\d+\.\d+\n\Z")

    def test_json_has_a_stable_layout(self):
        out = self.reveal("version", "--json")
        self.assert_status(out, 0)
        said = json.loads(out.stdout)
        self.assertEqual(list(said), ["version", "commit", "commit_date", "compiler", "build_type", "sanitizers",
                                      "documents", "parts"])
        self.assertRegex(said["commit"], r"\A([0-9a-f]{40}|unknown)\Z")
        self.assertEqual(said["commit"] == "unknown", said["commit_date"] == "")
        self.assertRegex(said["compiler"], r"\A(GCC|Clang) \d+\.")
        self.assertEqual(list(said["parts"]), ["page", "nvml", "libpfm", "duckdb", "sqlite", "libpq"])
        for part in said["parts"].values():
            self.assertEqual(list(part), ["state", "version", "note"])
            self.assertIn(part["state"], ("built in", "here", "missing", "not tried"))

    def test_the_commit_is_one_of_the_clone(self):
        commit = json.loads(self.reveal("version", "--json").stdout)["commit"]
        if commit == "unknown":
            self.assertFalse((REPOSITORY / ".git").exists() and shutil.which("git"), "there is a git to ask")
            self.skipTest("built without git")
        kind = subprocess.run(["git", "-C", str(REPOSITORY), "cat-file", "-t", commit], capture_output=True, text=True)
        self.assertEqual(kind.stdout, "commit\n", shown(kind))


class Man(RevealTest):
    def pages(self):
        (self.folder / "pages").mkdir()
        self.assert_status(self.reveal("man", "--output", "pages", "--documents", "/opt/doc"), 0)
        return sorted((self.folder / "pages").iterdir())

    def names(self):
        return re.findall(r"^  ([a-z][a-z-]+) +[a-z]", self.reveal("--help").stdout, re.M)

    def test_there_is_a_page_for_reveal_and_every_subcommand(self):
        self.assertEqual([page.name for page in self.pages()],
                         sorted(["reveal.1"] + [f"reveal-{name}.1" for name in self.names()]))

    def test_a_page_has_every_option_of_its_subcommand(self):
        for name in self.names():
            page = self.reveal("man", name).stdout.replace("\\-", "-")
            options = re.findall(r"^  +(?:-\w, )?(--[a-z0-9-]+)", self.reveal(name, "--help").stdout, re.M)
            for option in options:
                self.assertIn(f"\\fB{option}\\fR", page)
        self.assertIn("\\fB--causal\\fR", self.reveal("man", "scores").stdout.replace("\\-", "-"))
        self.assertIn("REVEAL BASELINE LEARN", self.reveal("man", "baseline").stdout)

    def test_pages_say_where_documents_are(self):
        for page in self.pages():
            self.assertIn("\\fI/opt/doc\\fR", page.read_text())

    def test_an_unknown_page(self):
        self.assert_complains(self.reveal("man", "recrod"), 2, "recrod", "did you mean record")

    def test_groff_finds_nothing_to_say(self):
        if not shutil.which("groff"):
            self.skipTest("groff is not installed")
        for page in self.pages():
            out = subprocess.run(["groff", "-man", "-ww", "-Tascii", page], capture_output=True, text=True,
                                 timeout=PATIENCE_S)
            self.assertEqual((out.returncode, out.stderr), (0, ""), shown(out))
            self.assertIn("SYNOPSIS", re.sub(".\b", "", re.sub(r"\x1b\[\d*m", "", out.stdout)))

    def test_mandoc_finds_nothing_to_say(self):
        if not shutil.which("mandoc"):
            self.skipTest("mandoc is not installed; tools/install_packages.sh test installs it")
        out = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", *self.pages()], capture_output=True, text=True,
                             timeout=PATIENCE_S)
        self.assertEqual((out.returncode, out.stdout), (0, ""), shown(out))


if __name__ == "__main__":
    unittest.main()
