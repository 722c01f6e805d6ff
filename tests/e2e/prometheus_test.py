"""The rules and the dashboard of docs/examples/prometheus, on a real Prometheus that reads a real agent: each
expression parses and has series, except for states that a host that is well does not have."""

import json
import re
import shutil
import signal
import subprocess
import sys
import time
import unittest
import urllib.error
import urllib.parse
import urllib.request

from ports import free_port
from reveal_process import REPOSITORY, dispose, wait_until
from running_agent import AgentRun

PROMETHEUS = shutil.which("prometheus")
PROMTOOL = shutil.which("promtool")
SKIPPED = 77  # SKIP_RETURN_CODE

EXAMPLES = REPOSITORY / "docs" / "examples" / "prometheus"
DASHBOARD = json.loads((EXAMPLES / "reveal.dashboard.json").read_text())
REFERENCE = (REPOSITORY / "docs" / "reference" / "agent_metrics.md").read_text()
HOW_TO = (REPOSITORY / "docs" / "how_to" / "prometheus.md").read_text()

PROMETHEUS_CONFIGURATION = """
global: {{scrape_interval: 1s, evaluation_interval: 1s}}
rule_files: ["{rules}"]
scrape_configs:
  - job_name: reveal
    static_configs: [{{targets: ["127.0.0.1:{port}"]}}]
  - job_name: recorded
    params: {{"collect[]": [channels]}}
    static_configs: [{{targets: ["127.0.0.1:{port}"]}}]
"""

# Findings of the severities that the test's burst does not have: there is no series of them.
ABSENT = {"RevealMajorFinding", "RevealModerateFinding", "RevealMinorFinding"}
COMPARISON = re.compile(r" (?:==|<|>) [\d.]+(?= and |$)")


def rules():
    """{alert: expression}, by promtool's leave: the file has one of each on a line of its own."""
    text = (EXAMPLES / "reveal.rules.yml").read_text()
    return dict(re.findall(r"- alert: (\w+)\n +expr: (.+)", text))


def panels():
    """(title, expression) of each target, with the variables as Grafana replaces them."""
    for panel in DASHBOARD["panels"]:
        for target in panel["targets"]:
            yield panel["title"], target["expr"].replace("$instance", ".+").replace("$__rate_interval", "10s")


class ExamplesTest(unittest.TestCase):
    def promtool(self, *words):
        done = subprocess.run([PROMTOOL, *words], cwd=EXAMPLES, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def test_promtool_has_no_complaint_and_the_rules_pass_their_tests(self):
        self.assertIn(f"{len(rules())} rules found", self.promtool("check", "config", "prometheus.yml"))
        self.promtool("check", "rules", "reveal.rules.yml")
        self.promtool("test", "rules", "reveal.rules.test.yml")

    def test_each_metric_is_in_the_reference(self):
        known = set(re.findall(r"^\| `(\w+)` \|", REFERENCE, re.M))
        named = set(re.findall(r"\b(?:reveal|process)_\w+", " ".join(
            [*rules().values(), *(expression for _, expression in panels()), HOW_TO])))
        self.assertLessEqual(named, known)
        self.assertGreaterEqual(len(named), 20)

    def test_each_alert_has_a_test_and_a_line_in_the_document(self):
        tests = (EXAMPLES / "reveal.rules.test.yml").read_text()
        for alert in rules():
            self.assertIn(alert, tests)
            self.assertIn(f"`{alert}`", HOW_TO)


class PrometheusTest(AgentRun):
    def setUp(self):
        super().setUp()
        self.start_agent()
        wait_until(self.port, "the agent's port")
        self.start_prometheus()

    def start_prometheus(self):
        (self.folder / "prometheus.yml").write_text(PROMETHEUS_CONFIGURATION.format(
            rules=EXAMPLES / "reveal.rules.yml", port=self.port()))
        self.url = f"http://127.0.0.1:{free_port()}"
        with open(self.folder / "prometheus.log", "w", encoding="utf-8") as said:
            prometheus = subprocess.Popen(
                [PROMETHEUS, f"--config.file={self.folder}/prometheus.yml", f"--storage.tsdb.path={self.folder}/tsdb",
                 f"--web.listen-address={self.url[7:]}"], stdout=said, stderr=said)
        self.addCleanup(dispose, prometheus)
        wait_until(self.is_ready, "Prometheus to start")

    def is_ready(self):
        try:
            return urllib.request.urlopen(self.url + "/-/ready").status == 200
        except OSError:
            return False

    def query(self, expression):
        """Returns the series that the expression has now."""
        words = urllib.parse.urlencode({"query": expression})
        try:
            with urllib.request.urlopen(f"{self.url}/api/v1/query?{words}") as answer:
                return json.load(answer)["data"]["result"]
        except urllib.error.HTTPError as refused:
            raise AssertionError(f"{expression}: {refused.read().decode()}") from refused

    def firing(self):
        return {one["metric"]["alertname"] for one in self.query('ALERTS{alertstate="firing"}')}

    def test_each_expression_has_series_and_a_finding_raises_its_alert(self):
        wait_until(lambda: self.query("reveal_window_strength"), "a verdict")
        time.sleep(3)
        self.host.burst.set()
        wait_until(lambda: self.query("reveal_findings_open > 0"), "a finding")
        wait_until(lambda: self.firing() & ABSENT, "its alert")
        wait_until(lambda: self.query("rate(reveal_alerts_sent_total[10s])"), "what the receiver took")
        for alert, expression in rules().items():
            found = self.query(COMPARISON.sub("", expression))
            self.assertTrue(found or alert in ABSENT, f"{alert}: {expression}")
        self.assertTrue(self.query(rules()["RevealAgentDown"].replace("== 0", "== 1")))
        for title, expression in panels():
            # A rate needs two samples.
            wait_until(lambda expression=expression: self.query(expression), f"{title}: {expression}")
        with urllib.request.urlopen(self.url + "/api/v1/rules") as answer:
            groups = json.load(answer)["data"]["groups"]
        evaluated = [rule for group in groups for rule in group["rules"]]
        self.assertEqual([rule["lastError"] for rule in evaluated if rule["health"] != "ok"], [])
        self.assertEqual(len(evaluated), len(rules()))
        self.assertLessEqual(self.firing(), ABSENT)
        self.is_in_order(self.ask("/metrics"))

    def is_in_order(self, metrics):
        """By promtool's leave, and few enough for a host that has a finding."""
        checked = subprocess.run([PROMTOOL, "check", "metrics"], input=metrics, capture_output=True, text=True)
        self.assertEqual((checked.returncode, checked.stdout, checked.stderr), (0, "", ""))
        series = [line for line in metrics.splitlines() if not line.startswith("#")]
        self.assertLessEqual(len(series), 150)

    def test_what_is_recorded_is_there_for_whoever_asks(self):
        wait_until(lambda: self.query('up{job="recorded"} == 1'), "a scrape")
        wait_until(lambda: self.query("memory_free_bytes"), "a metric")
        (free,) = self.query("memory_free_bytes")
        meminfo = (self.host.path / "proc" / "meminfo").read_text()
        self.assertEqual(int(free["value"][1]), 1024 * int(re.search(r"MemFree: +(\d+) kB", meminfo)[1]))
        self.assertEqual(free["metric"]["job"], "recorded")
        self.assertGreater(int(self.query('scrape_samples_scraped{job="recorded"}')[0]["value"][1]), 100)

    def test_a_configuration_that_is_wrong_raises_its_alert(self):
        wait_until(lambda: self.query("reveal_config_last_reload_successful == 1"), "the first state")
        self.configuration.write_text(self.settings + "\n[retention]\nfulll = \"1h\"\n")
        self.agent.send_signal(signal.SIGHUP)
        wait_until(lambda: "RevealReloadFailed" in self.firing(), "the alert")
        self.configuration.write_text(self.settings)
        self.agent.send_signal(signal.SIGHUP)
        wait_until(lambda: "RevealReloadFailed" not in self.firing(), "its end")


if __name__ == "__main__":
    if PROMETHEUS is None or PROMTOOL is None:
        print("skipped: there is no Prometheus (apt-get install prometheus)")
        sys.exit(SKIPPED)
    unittest.main()
