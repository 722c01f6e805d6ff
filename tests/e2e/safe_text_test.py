"""Names from elsewhere (a host, a label, a command, a path, a note) are inert in everything that people read: on
the standard output and error of every subcommand, on a terminal with colors, and in the page."""

import math
import os
import random
import re
import unicodedata
import unittest

from reveal_process import RevealTest, fixture, shown
from terminal import Terminal

# A color, the screen erased, the title set, a bell; the style that reports use themselves; a C1 control; text
# turned around; a carriage return; bytes that are not UTF-8.
HOSTILE = (b"ev\x1b[31mil\x1b[2J\x1b]0;title\x07\x1b[1;31mFAKE\xc2\x9b32m"
           b"\xe2\x80\xaetxt\xe2\x81\xa6.exe\r\xff\xc0\xaf")
HARMLESS = re.compile(r"\x1b\[(?:0|1|2|32|1;31)m")  # of the palette


def steering(text):
    """What of a text may steer a terminal or the text around it."""
    return [hex(ord(c)) for c in text if c != "\n" and unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp")]


class SafeText(RevealTest):
    def setUp(self):
        super().setUp()
        for name, host in (("r", os.fsdecode(HOSTILE)), ("s", "calm"), ("u", "calm too")):
            self.telemetry(beyond=600 if name == "u" else 60)
            self.assert_status(self.reveal("import", "t.csv", "-o", name, "--host", host), 0)
        self.reveal("record", "-q", *fixture(), "-o", "c", "--interval", "10ms", "--", "sh", "-c", "sleep 1",
                    HOSTILE)

    def telemetry(self, beyond):
        """Columns with hostile names, of which one stands out for two seconds."""
        source = random.Random(5)
        label = HOSTILE.replace(b"\r", b"").replace(b";", b":").decode("utf-8", "replace").replace('"', "")
        lines = [f'time,"disk_busy{{dev={label}}}","cpu_busy{{cpu=0}}","errors_total{{of={label}}}"']
        for tick in range(900):
            more = beyond if 500 <= tick < 520 or beyond > 100 else 0
            disk = 20 + 3 * source.random() + more
            cpu = 40 + 5 * math.sin(tick / 9) + 2 * source.random() - min(more, 60) / 3
            lines.append(f"{1_700_000_000 + tick / 10:.1f},{disk:.3f},{cpu:.3f},{tick // 300}")
        (self.folder / "t.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")

    def commands(self):
        """A call of every subcommand that says something of what is hostile, and some that fail."""
        bad = os.fsdecode(HOSTILE)
        return {
            "run": [["run", "-q", "-o", "c", "--", "true", bad], ["run", "--", bad]],
            "agent": [["agent", "--directory", "r/000001.rvs/" + bad], ["agent", "--check-config", "--config", bad]],
            "demo": [["demo", bad], ["demo", "cpu", "-o", "r/000001.rvs/" + bad + "/x", bad]],
            "analyser": [["analyser", "--servers", bad], ["analyser", "--servers", "nats://127.0.0.1:1", bad]],
            "health": [["health", "--socket", bad], ["health", "--max-age", bad]],
            "mark": [["mark", "--socket", bad, "x"], ["mark", "--" + bad]],
            "pin": [["pin", "--socket", bad], ["pin", "--last", bad]],
            "top": [["top", "--once", "r"], ["top", "--once", bad]],
            "record": [["record", "--duration", "50ms", "-o", bad, *fixture()], ["record", "-o", "r", "--", bad]],
            "analyze": [["analyze", "r"], ["analyze", "c"], ["analyze", bad], ["analyze", "--" + bad, "r"]],
            "explain": [["explain", "r", "1"], ["explain", bad, "1"], ["explain", "0" * 26, "--directory", bad]],
            "compare": [["compare", "r", "s"], ["compare", "r", "s", "--all"], ["compare", "r", bad],
                        ["compare", "--before", "r", "--after", "u", "--all"],
                        ["compare", "--before", "r@" + bad + "..", "--after", bad]],
            "report": [["report", "r", "s", "-o", "page.html"], ["report", bad],
                       ["report", "--since", bad], ["report", "--since", "1h", "--directory", bad],
                       ["report", "--fleet", bad], ["report", "--fleet", "postgresql:///d?host=/" + bad]],
            "info": [["info", "r"], ["info", "c"], ["info", bad]],
            "repair": [["repair", "r", "-o", "mended"], ["repair", bad, "-o", "m"]],
            "export": [["export", bad], ["export", "r", "--format", bad], ["export", "r", "--from", bad]],
            "import": [["import", "t.csv", "-o", "again", "--host", bad], ["import", bad, "-o", "z"]],
            "dataset": [["dataset", "r", "-o", "set"], ["dataset", bad, "-o", "x"], ["dataset", bad + "=r", "-o", "named"],
                        ["dataset", "r", "-o", "y", "--label", bad], ["dataset", "r", "-o", "z", "--truth", bad]],
            "sql": [["sql", "SELECT host, name, instance FROM channels", "r"], ["sql", bad, "r"],
                    ["sql", "--fleet", bad, "SELECT 1 AS a"], ["sql", "--fleet", "postgresql://" + bad, "SELECT 1 AS a"]],
            "features": [["features", bad], ["features", "r", "--features", bad]],
            "scores": [["scores", bad], ["scores", "r", "--detectors", bad]],
            "select": [["select", "r", "s", "-o", "plan"], ["select", bad + "=r", "-o", "plan"], ["select", bad, "-o", bad],
                       ["select", "r", "-o", "r/000001.rvs/" + bad]],
            "study": [["study", "causes", "r"], ["study", "pruning", "r", "s"], ["study", "reproducibility", "r", "u"],
                      ["study", "cv", bad + "=r", bad + "=s"], ["study", "variance", "r"],
                      ["study", "anova", bad + "=r", bad + "=s", "other=u"],
                      ["study", "granularity", "r"], ["study", "patterns", bad], ["study", bad, "r"],
                      ["study", "storage", "r"], ["study", "embedding", "r"], ["study", "impact", "r", "--after", "r"],
                      ["study", "impact", "r", "--after", bad], ["study", "hosts", "r", "s"],
                      ["study", "hosts", "r", "s", "--channels", bad], ["study", "overhead", bad]],
            "baseline": [["baseline", "save", "r", "-o", "no"], ["baseline", "learn", "b", "r"],
                         ["baseline", "save", "r", "-o", "b", "--accept-findings"], ["baseline", "show", "b"],
                         ["baseline", "use", "s", "b"], ["baseline", "show", bad]],
            "downsample": [["downsample", "r", "--report", bad], ["downsample", bad]],
            "metrics": [["metrics", "--proc-root", bad, "--sys-root", bad], ["metrics", "--config", bad]],
            "settings": [["settings", bad], ["settings", "--format", bad]],
            "doctor": [["doctor", "--proc-root", bad, "--sys-root", bad], ["doctor", "--config", bad]],
        }

    def test_every_subcommand(self):
        known = re.findall(r"^  ([a-z][a-z-]+)  ", self.reveal("--help").stdout, re.M)
        self.assertEqual(sorted(set(known) & set(self.commands())), sorted(self.commands()))
        self.assertLessEqual(set(known) - {"help", "version", "completion", "man"}, set(self.commands()),
                             "a new subcommand: what does it say of hostile names?")
        said = 0
        for calls in self.commands().values():
            for words in calls:
                out = self.reveal(*words, text=False)
                for stream in (out.stdout, out.stderr):
                    text = stream.decode("utf-8")  # strictly
                    self.assertEqual(steering(text), [], shown(out))
                    said += "FAKE" in text
        self.assertGreater(said, 25, "few calls said anything of the names")

    def test_on_a_terminal_with_colors(self):
        for words in (["analyze", "r"], ["compare", "r", "u"], ["info", "r"]):
            terminal = Terminal(self, *words, env={**os.environ, "TERM": "xterm"})
            terminal.process.wait()
            terminal._reader.join()
            text = terminal._text.decode("utf-8").replace("\r\n", "\n")
            self.assertIn("FAKE", text)
            self.assertNotIn("\x1b[1;31mFAKE", text)
            self.assertEqual(steering(HARMLESS.sub("", text)), [], text)

    def test_the_page(self):
        self.reveal("analyze", "r")
        page = self.folder / "r" / "report.html"
        if not page.exists():
            self.skipTest("built without the page")
        text = page.read_text(encoding="utf-8")
        self.assertIn("FAKE", text)
        self.assertEqual(steering(text.replace("\t", "")), [])


if __name__ == "__main__":
    unittest.main()
