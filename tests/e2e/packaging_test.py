"""The configuration that packages bring is sound, and so is what it shows."""

import re
import unittest

from reveal_process import REPOSITORY, RevealTest

SHIPPED = REPOSITORY / "packaging" / "debian" / "etc" / "reveal" / "reveal.toml"
REFERENCE = REPOSITORY / "docs" / "reference" / "settings.md"
SHOWN = re.compile(r"^#(?=[a-z_]+ = |\[\[)", re.M)


class ShippedConfiguration(RevealTest):
    def check(self, text):
        file = self.folder / "reveal.toml"
        file.write_text(text)
        out = self.reveal("agent", "--check-config", "--config", file)
        self.assert_status(out, 0)

    def test_as_it_is(self):
        text = SHIPPED.read_text()
        self.check(text)
        # Without these a service fills the disk.
        self.assertRegex(text, r'(?m)^keep = "')
        self.assertRegex(text, r'(?m)^max_size = "')

    def test_with_all_that_it_shows(self):
        text, count = SHOWN.subn("", SHIPPED.read_text())
        self.assertGreater(count, 15)
        # Files of certificates, users and secrets have to be there.
        self.check("\n".join(line for line in text.splitlines() if '_file = "' not in line))

    def test_shown_defaults_are_those_of_the_program(self):
        defaults = dict(re.findall(r"^\| `(\w+)` \|(?:[^|\\]|\\.)*\|(?:[^|\\]|\\.)*\|(?:[^|\\]|\\.)*\| `([^`]*)` \|",
                                   REFERENCE.read_text(encoding="utf-8"), re.M))
        shown = dict(re.findall(r'^#(\w+) = "?([^"#\[\n]*?)"? *(?:#.*)?$', SHIPPED.read_text(), re.M))
        compared = {key: value.replace("true", "on").replace("false", "off") for key, value in shown.items() if key in defaults}
        self.assertGreater(len(compared), 8)
        self.assertEqual(compared, {key: defaults[key] for key in compared})


if __name__ == "__main__":
    unittest.main()
