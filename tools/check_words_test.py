#!/usr/bin/env python3
"""Plants words that the glossary gave up in a tree of its own, and checks that check_words.py finds just those."""

import subprocess
import tempfile
import unittest
from pathlib import Path

import check_words

GLOSSARY = """# Glossary

| word | means | not called |
|---|---|---|
| threshold | how far out | `fence`, multiplier |
| stalled | waits | `held up` |
| rollup | fewer frames, told as \\|r\\| | `tier` |

Not `counted`: outside of the table.
"""


class CheckWordsTest(unittest.TestCase):
    def setUp(self):
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        self.root = Path(made.name)
        subprocess.run(["git", "init", "-q", self.root], check=True)
        self.write("GLOSSARY.md", GLOSSARY)
        self.write("src/a.cc", "double threshold = 4;  // a multiplier, counted\n")

    def write(self, path, text):
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text, encoding="utf-8")

    def found(self):
        subprocess.run(["git", "add", "-A"], cwd=self.root, check=True)
        return check_words.check(self.root)

    def test_a_sound_tree(self):
        self.assertEqual(self.found(), [])

    def test_only_words_written_as_code_in_the_column_are_held(self):
        self.assertEqual(check_words.held_words(GLOSSARY), ["fence", "held up", "tier"])

    def test_a_word_in_every_form_of_a_name(self):
        for text in ("double fence = 4;", "has_fence()", "kFenceOff", "struct Fence {", "out.fence", "--fence",
                     '{"fence": 4}', "the fences of", "fence_of_means", "is held up by", "held_up", "HeldUp",
                     "Held up now", "namespace reveal::tier", "TierAxis"):
            with self.subTest(text):
                self.write("src/a.cc", "\n" + text + "\n")
                self.assertEqual(len(self.found()), 1)
                self.assertIn("src/a.cc:2: ", self.found()[0])

    def test_a_word_that_a_line_ends_in(self):
        for text in ("It was held\nup by it.", "// what was held\n  // up by it", '"was held "\n    "up{}."',
                     "# Held\n# up again"):
            with self.subTest(text):
                self.write("src/a.cc", "\n" + text + "\n")
                self.assertEqual(self.found(), ["src/a.cc:2: 'held up'"])

    def test_other_words_that_contain_one(self):
        self.write("src/a.cc", "offence fenced frontier tiered upheld Tierney atomic_thread_fence(order)\n")
        self.assertEqual(self.found(), [])

    def test_the_name_of_a_file(self):
        self.write("src/tier_axis.h", "\n")
        self.assertEqual(self.found(), ["src/tier_axis.h: is named 'tier'"])

    def test_what_the_kernel_wrote_is_not_read(self):
        self.write("tests/hosts/host/proc/tier", "fence\n")
        self.assertEqual(self.found(), [])

    def test_a_word_has_one_row(self):
        self.write("GLOSSARY.md", GLOSSARY + "\n| word | not called |\n|---|---|\n| window, rollup | multiplier, stalled |\n")
        self.assertEqual(self.found(), ["GLOSSARY.md: 'rollup' has two rows",
                                        "GLOSSARY.md: 'stalled' has a row, and another row gives it up"])

    def test_a_glossary_that_holds_nothing(self):
        self.write("GLOSSARY.md", GLOSSARY.replace("`", ""))
        self.assertEqual(len(self.found()), 1)


if __name__ == "__main__":
    unittest.main()
