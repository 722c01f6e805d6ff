"""The scripts of `reveal completion` make bash, zsh and fish offer what --help lists: each subcommand, each of
its options, words where there is a choice, and files or directories. The shells themselves are asked."""

import fcntl
import os
import pty
import re
import select
import shutil
import struct
import subprocess
import termios
import time
import unittest

from reveal_process import PATIENCE_S, REVEAL, RevealTest, dispose, shown

NESTED = ["baseline"]
ASK_BASH = """
source <("$REVEAL" completion bash) || exit 9
while IFS= read -r line; do
  COMP_WORDS=()
  read -ra COMP_WORDS <<<"$line"
  [[ $line == *' ' ]] && COMP_WORDS+=('')
  COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMPREPLY=()
  _reveal
  printf '%s\\n' "${COMPREPLY[@]}" .end
done
"""


class Completion(RevealTest):
    def help_of(self, *words):
        out = self.reveal(*words, "--help")
        self.assert_status(out, 0)
        return out.stdout

    def subcommands(self, *words):
        return re.findall(r"^  ([a-z][a-z-]+) +[a-z]", self.help_of(*words).split("\nArguments")[0], re.M)

    def commands(self):
        """The words of every command that has options, those of subcommands of subcommands too."""
        for name in self.subcommands():
            yield from ([name, part] for part in self.subcommands(name)) if name in NESTED else [[name]]

    def options(self, *words):
        return set(re.findall(r"^  +(?:-\w, )?(--[a-z0-9-]+)", self.help_of(*words), re.M))

    def places(self):
        (self.folder / "a_folder").mkdir()
        (self.folder / "a_file").write_text("")


class Bash(Completion):
    def offered(self, *lines):
        """What bash offers at the end of each line."""
        out = subprocess.run(["bash", "--norc", "-c", ASK_BASH], input="\n".join(lines) + "\n", text=True,
                             cwd=self.folder, env={**os.environ, "REVEAL": REVEAL}, capture_output=True,
                             timeout=PATIENCE_S)
        self.assertEqual(out.returncode, 0, shown(out))
        answers = [answer.split() for answer in out.stdout.split(".end\n")[:-1]]
        self.assertEqual(len(answers), len(lines), shown(out))
        return answers

    def test_subcommands(self):
        whole, part, nested, of_help = self.offered("reveal ", "reveal re", "reveal baseline ", "reveal help dat")
        self.assertEqual(sorted(whole), sorted(self.subcommands() + ["help"]))
        self.assertEqual(sorted(part), ["record", "repair", "report"])
        self.assertEqual(sorted(nested), sorted(self.subcommands("baseline")))
        self.assertEqual(of_help, ["dataset"])

    def test_every_option_of_every_subcommand(self):
        commands = list(self.commands())
        self.assertGreater(len(commands), 20)
        lines = [f"reveal {' '.join(words)} --" for words in commands]
        for words, answer in zip(commands, self.offered(*lines)):
            self.assertEqual(set(answer), self.options(*words), words)

    def test_choices(self):
        self.assertEqual(
            self.offered("reveal metrics --format ", "reveal metrics --format m", "reveal metrics --format = j",
                         "reveal completion ", "reveal analyze --threshold ", "reveal export --table f"),
            [["text", "json", "markdown"], ["markdown"], ["json"], ["bash", "zsh", "fish"], ["auto", "off"],
             ["features", "findings"]])

    def test_lists(self):
        first, second = self.offered("reveal analyze --detectors pca", "reveal analyze --detectors pca_residual,sat")
        self.assertEqual(sorted(first), ["pca_mahalanobis", "pca_residual"])
        self.assertEqual(second, ["pca_residual,saturation"])

    def test_files_and_directories(self):
        self.places()
        self.assertEqual(
            [sorted(answer) for answer in self.offered(
                "reveal analyze a", "reveal record -o a", "reveal record --output a", "reveal import a",
                "reveal analyze --baseline a", "reveal baseline use a", "reveal baseline use a_file a",
                "reveal compare a_folder a", "reveal explain a_folder a")],
            [["a_folder"], ["a_folder"], ["a_folder"], ["a_file", "a_folder"], ["a_file", "a_folder"],
             ["a_file", "a_folder"], ["a_folder"], ["a_folder"], []])

    def test_a_value_is_not_taken_for_a_subcommand(self):
        (answer,) = self.offered("reveal record -o save --du")
        self.assertEqual(answer, ["--duration"])

    def test_cmd(self):
        self.places()
        program, word = self.offered("reveal run -q -- bas", "reveal record -o x -- cat a_fi")
        self.assertIn("bash", program)
        self.assertEqual(word, ["a_file"])


class Fish(Completion):
    def setUp(self):
        super().setUp()
        if not shutil.which("fish"):
            self.skipTest("fish is not installed; tools/install_packages.sh test installs it")
        (self.folder / "reveal.fish").write_text(self.reveal("completion", "fish").stdout)

    def offered(self, line):
        out = subprocess.run(["fish", "--no-config", "-c", f"source reveal.fish; complete -C '{line}'"], text=True,
                             cwd=self.folder, env={**os.environ, "HOME": str(self.folder)}, capture_output=True,
                             timeout=PATIENCE_S)
        self.assertEqual((out.returncode, out.stderr), (0, ""), shown(out))
        return [row.split("\t")[0] for row in out.stdout.splitlines()]

    def test_subcommands(self):
        self.assertEqual(sorted(self.offered("reveal ")), sorted(self.subcommands() + ["help"]))
        self.assertEqual(sorted(self.offered("reveal baseline ")), sorted(self.subcommands("baseline")))

    def test_every_option_of_every_subcommand(self):
        for words in self.commands():
            self.assertEqual(set(self.offered(f"reveal {' '.join(words)} --")), self.options(*words), words)

    def test_values(self):
        self.places()
        self.assertEqual(sorted(self.offered("reveal metrics --format ")), ["json", "markdown", "text"])
        self.assertEqual(self.offered("reveal analyze --detectors pca_residual,sat"), ["pca_residual,saturation"])
        self.assertEqual(self.offered("reveal record -o a"), ["a_folder/"])
        self.assertEqual(self.offered("reveal analyze a"), ["a_folder/"])
        self.assertEqual(sorted(self.offered("reveal import a")), ["a_file", "a_folder/"])
        self.assertIn("bash", self.offered("reveal run -- bas"))


class Zsh(Completion):
    def setUp(self):
        super().setUp()
        if not shutil.which("zsh"):
            self.skipTest("zsh is not installed; tools/install_packages.sh test installs it")
        (self.folder / "_reveal").write_text(self.reveal("completion", "zsh").stdout)

    def start_zsh(self):
        try:
            self.master, slave = pty.openpty()
        except OSError as error:
            self.skipTest(f"this machine has no pseudo-terminals: {error}")
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 400, 200, 0, 0))
        process = subprocess.Popen(["zsh", "-f", "-i"], stdin=slave, stdout=slave, stderr=slave, cwd=self.folder,
                                   env={**os.environ, "TERM": "dumb", "PS1": "> ", "HOME": str(self.folder)},
                                   start_new_session=True,
                                   preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        os.close(slave)
        self.addCleanup(os.close, self.master)
        self.addCleanup(dispose, process)
        self.type("fpath=($PWD $fpath); LISTMAX=10000; autoload -U compinit; compinit -u -D; print rea''dy\n", ["ready"])

    def type(self, keys, expected):
        """Types, and reads until all of the expected words are there."""
        os.write(self.master, keys.encode())
        text = ""
        end = time.monotonic() + PATIENCE_S
        while not all(re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", text) for word in expected):
            if not select.select([self.master], [], [], max(0, end - time.monotonic()))[0]:
                self.fail(f"zsh does not offer all of {sorted(expected)} for {keys!r}, but:\n{text}")
            text += os.read(self.master, 65536).decode(errors="replace").replace("\r", "")
        return text

    def test_its_syntax(self):
        out = subprocess.run(["zsh", "-f", "-n", "_reveal"], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual((out.returncode, out.stderr), (0, ""), shown(out))

    def test_what_it_offers(self):
        self.places()
        self.start_zsh()
        clear = "\x15"  # of what is typed
        self.type("reveal \t", self.subcommands() + ["help"])
        self.type(clear + "reveal baseline \t", self.subcommands("baseline"))
        self.type(clear + "reveal metrics --format \t", ["text", "json", "markdown"])
        self.type(clear + "reveal record -o a_fo\t", ["a_folder/"])
        self.type(clear + "reveal analyze --detectors pca_residual,sat\t", ["saturation"])
        self.type(clear + "reveal run -- ca\t", ["cat"])
        for words in self.commands():
            self.type(f"{clear}reveal {' '.join(words)} --\t", self.options(*words))


if __name__ == "__main__":
    unittest.main()
