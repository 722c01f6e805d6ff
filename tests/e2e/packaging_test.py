"""What packages bring is sound: the configuration, what it shows, and how far the service is shut in."""

import re
import shutil
import subprocess
import unittest

from reveal_process import REPOSITORY, RevealTest

SHIPPED = REPOSITORY / "packaging" / "debian" / "etc" / "reveal" / "reveal.toml"
REFERENCE = REPOSITORY / "docs" / "reference" / "settings.md"
UNIT = REPOSITORY / "packaging" / "debian" / "reveal-agent.service"
NO_PRIVILEGES = REPOSITORY / "docs" / "examples" / "systemd" / "no-privileges.conf"
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


@unittest.skipIf(shutil.which("systemd-analyze") is None, "systemd-analyze is not here")
class Exposure(RevealTest):
    """As systemd-analyze rates units: 10 is open to all, 0 is shut."""

    def rated(self, text):
        unit = self.folder / "reveal-agent.service"
        unit.write_text(text)
        out = subprocess.run(["systemd-analyze", "security", "--offline=true", "--no-pager", unit], text=True,
                             capture_output=True, timeout=60)
        self.assertIn("Overall exposure level", out.stdout, out.stderr)
        return float(re.search(r"Overall exposure level for \S+: ([0-9.]+)", out.stdout)[1])

    def test_the_service_can_do_little(self):
        self.assertLessEqual(self.rated(UNIT.read_text()), 3.0)

    def test_without_privileges_less(self):
        self.assertLessEqual(self.rated(UNIT.read_text() + NO_PRIVILEGES.read_text()), 1.6)


if __name__ == "__main__":
    unittest.main()
