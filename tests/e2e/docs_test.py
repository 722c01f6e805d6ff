"""The documents say what the program does."""

import json
import re
import unittest

from reveal_process import REPOSITORY, RevealTest, fixture

PAGE = REPOSITORY / "docs" / "reference" / "metrics.md"
FEATURES_PAGE = PAGE.with_name("features.md")
FINDINGS_PAGE = PAGE.with_name("findings.md")
SETTINGS_PAGE = PAGE.with_name("settings.md")
CONTAINER_PAGE = REPOSITORY / "docs" / "how_to" / "container.md"
AGENT_METRICS_PAGE = PAGE.with_name("agent_metrics.md")
ANALYSER_METRICS_PAGE = PAGE.with_name("analyser_metrics.md")


class MetricsPage(RevealTest):
    def test_is_what_the_program_prints(self):
        out = self.reveal("metrics", "--format", "markdown")
        self.assert_status(out, 0)
        # No diff of hundreds of rows: what to do is always the same.
        self.assertTrue(out.stdout == PAGE.read_text(encoding="utf-8"),
                        f"{PAGE} is stale; run `make docs` and commit what it writes")

    def test_does_not_depend_on_the_host(self):
        here = self.reveal("metrics", "--format", "markdown").stdout
        there = self.reveal("metrics", "--format", "markdown",
                            *fixture("server-8cpu-linux-4.18")).stdout
        self.assertTrue(here == there)


class FeaturesPage(RevealTest):
    def test_is_what_the_program_prints(self):
        out = self.reveal("features", "--list", "--format", "markdown")
        self.assert_status(out, 0)
        self.assertTrue(out.stdout == FEATURES_PAGE.read_text(encoding="utf-8"),
                        f"{FEATURES_PAGE} is stale; run `make docs` and commit what it writes")

    def test_has_a_row_for_every_feature(self):
        listed = [line for line in self.reveal("features", "--list").stdout.splitlines()
                  if line and not line.startswith((" ", "Profiles"))]
        page = re.sub(r"^## What differs from tsfresh.*?(?=^## )", "", FEATURES_PAGE.read_text(encoding="utf-8"),
                      flags=re.M | re.S)
        rows = re.findall(r"^\| `(.*?)` \|", page, flags=re.M)
        self.assertEqual(rows, listed)


class FindingsPage(RevealTest):
    def test_is_what_the_program_prints(self):
        out = self.reveal("analyze", "--fields")
        self.assert_status(out, 0)
        self.assertTrue(out.stdout == FINDINGS_PAGE.read_text(encoding="utf-8"),
                        f"{FINDINGS_PAGE} is stale; run `make docs` and commit what it writes")


class SettingsPage(RevealTest):
    def test_is_what_the_program_prints(self):
        out = self.reveal("settings", "--format", "markdown")
        self.assert_status(out, 0)
        self.assertTrue(out.stdout == SETTINGS_PAGE.read_text(encoding="utf-8"),
                        f"{SETTINGS_PAGE} is stale; run `make docs` and commit what it writes")


class AgentMetricsPage(RevealTest):
    def test_is_what_the_program_prints(self):
        out = self.reveal("agent", "--metrics")
        self.assert_status(out, 0)
        self.assertTrue(out.stdout == AGENT_METRICS_PAGE.read_text(encoding="utf-8"),
                        f"{AGENT_METRICS_PAGE} is stale; run `make docs` and commit what it writes")


class AnalyserMetricsPage(RevealTest):
    def test_is_what_the_program_prints(self):
        out = self.reveal("analyser", "--metrics")
        self.assert_status(out, 0)
        self.assertTrue(out.stdout == ANALYSER_METRICS_PAGE.read_text(encoding="utf-8"),
                        f"{ANALYSER_METRICS_PAGE} is stale; run `make docs` and commit what it writes")


class HowToBeTold(RevealTest):
    TEXT = (REPOSITORY / "docs" / "how_to" / "be_told.md").read_text(encoding="utf-8")

    def test_its_example_is_accepted_as_it_stands(self):
        (example,) = re.findall(r"```toml\n(.*?)```", self.TEXT, flags=re.S)
        (self.folder / "reveal.toml").write_text(example, encoding="utf-8")
        self.assert_status(self.reveal("agent", "--check-config", "--config", "reveal.toml"), 0)


class HowToLetOthersSee(RevealTest):
    TEXT = (REPOSITORY / "docs" / "how_to" / "let_others_see.md").read_text(encoding="utf-8")

    def test_its_example_is_understood_as_it_stands(self):
        (example,) = re.findall(r"```toml\n(.*?)```", self.TEXT, flags=re.S)
        (self.folder / "reveal.toml").write_text(example, encoding="utf-8")
        out = self.reveal("agent", "--print-config", "--config", "reveal.toml")
        self.assert_status(out, 0)
        for line in example.split("\n"):
            self.assertIn(line, out.stdout)


class HowToTellAFleet(RevealTest):
    TEXT = (REPOSITORY / "docs" / "how_to" / "fleet.md").read_text(encoding="utf-8")
    OF_AGENT, THAT_ANSWERS, OF_ANALYSER = re.findall(r"```toml\n(.*?)```", TEXT, flags=re.S)

    def test_its_examples_are_understood_as_they_stand(self):
        for example in (self.OF_AGENT, self.THAT_ANSWERS):
            (self.folder / "reveal.toml").write_text(example, encoding="utf-8")
            out = self.reveal("agent", "--print-config", "--config", "reveal.toml")
            self.assert_status(out, 0)
            for line in filter(None, example.split("\n")):
                self.assertIn(line.split("  ")[0].rstrip(), out.stdout)

    def test_its_example_of_an_analyser_is_sound_once_its_files_are_there(self):
        text = self.OF_ANALYSER.replace("/etc/reveal-fleet", str(self.folder))
        (self.folder / "reveal.toml").write_text(text, encoding="utf-8")
        for name in ("analyser.creds", "broker_ca.pem"):
            self.assert_complains(self.reveal("analyser", "--check-config", "--config", "reveal.toml"), 2, name)
            (self.folder / name).touch(mode=0o600)
        self.assert_status(self.reveal("analyser", "--check-config", "--config", "reveal.toml"), 0)

    def test_its_metrics_are_those_of_the_program(self):
        known = re.findall(r"^\| `(reveal_fleet_\w+)` \|", AGENT_METRICS_PAGE.read_text(encoding="utf-8"), re.M)
        self.assertEqual(re.findall(r"^\| `(reveal_fleet_\w+)` \|", self.TEXT, re.M), known)


class InAContainer(RevealTest):
    TEXT = CONTAINER_PAGE.read_text(encoding="utf-8")

    def test_its_configuration_gives_no_privilege(self):
        config, mount = map(json.loads, re.findall(r"```json\n(.*?)```", self.TEXT, flags=re.S))
        self.assertEqual(config["process"]["capabilities"], {})
        self.assertTrue(config["process"]["noNewPrivileges"] and config["root"]["readonly"])
        written = {one["destination"] for one in [*config["mounts"], mount] if "ro" not in one["options"]}
        self.assertEqual(written, {"/dev", "/run/reveal", "/var/lib/reveal"})

    def test_its_commands_are_understood(self):
        config, _ = map(json.loads, re.findall(r"```json\n(.*?)```", self.TEXT, flags=re.S))
        _, *words = config["process"]["args"]
        self.assertIn(" ".join(words), self.TEXT.split("## With a runtime")[0])
        (settings,) = re.findall(r"printf '(.*?)' >reveal/etc/reveal.toml", self.TEXT)
        (self.folder / "reveal.toml").write_text(settings.replace("\\n", "\n"), encoding="utf-8")
        self.assert_status(self.reveal(*words, "--check-config", "--config", "reveal.toml"), 0)


class HowToConfigure(RevealTest):
    TEXT = (REPOSITORY / "docs" / "how_to" / "configure.md").read_text(encoding="utf-8")

    def test_its_example_is_accepted_as_it_stands(self):
        (example,) = re.findall(r"```toml\n(.*?)```", self.TEXT, flags=re.S)
        (self.folder / "reveal.toml").write_text(example, encoding="utf-8")
        out = self.reveal("metrics", "--config", "reveal.toml", *fixture())
        self.assert_status(out, 0)

    def test_it_names_the_collectors_that_are_off(self):
        (sentence,) = re.findall(r"off unless you give them a poll class,[^:]*: (.*)\.", self.TEXT)
        sections = PAGE.read_text(encoding="utf-8").split("\n## ")
        off = {text.split("\n")[0] for text in sections if "only where it is asked for" in text}
        self.assertEqual(set(re.findall(r"`(\w+)`", sentence)), off)


if __name__ == "__main__":
    unittest.main()
