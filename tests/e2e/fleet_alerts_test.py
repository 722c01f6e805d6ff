"""Alerts of a fleet: a real broker, a real Alertmanager and a webhook, two analysers of which one is killed. A fault is
one alert, of however many hosts it is and whoever tells of it."""

import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time
import unittest
import urllib.request

import alertmanager
from alertmanager import Alertmanager
from broker import NATS, Broker
from receiver import Receiver
from reveal_process import REPOSITORY, RevealTest, dispose, wait_until
from running_analyser import Analyser

MADE_FLEET = os.path.abspath(os.environ["MADE_FLEET"])
SKIPPED = 77  # SKIP_RETURN_CODE

GROUP = "role=train"
HOSTS = 15
# One host is slow, and then five that become so one after the other within ten seconds.
ONE = (7, 128, 175)
FIVE = [(host, 255 + 2 * i, 300) for i, host in enumerate((1, 3, 5, 8, 11))]
SECONDS = 400

CONFIGURATION = """
[fleet]
servers = "%s"
[analyser]
database = "%s"
make_streams = true
url = "https://fleet.example"
[alerts]
resend = "5s"
labels = ["cluster=a"]
[[alerts.alertmanager]]
url = "%s"
[[alerts.webhook]]
url = "%s"
"""
ROUTE = """
route: {receiver: kept, group_by: ['...'], group_wait: 100ms, group_interval: 500ms, repeat_interval: 1h}
receivers: [{name: kept, webhook_configs: [{url: '%s', send_resolved: true}]}]
"""


def documented_rules():
    """The inhibition rules of the document, as Alertmanager has them."""
    text = (REPOSITORY / "docs" / "how_to" / "be_told.md").read_text()
    return re.search(r"```yaml\n(inhibit_rules:\n.*?)```", text, re.S).group(1)


class FleetAlertsTest(RevealTest):
    def setUp(self):
        super().setUp()
        broker = Broker(self.folder)
        broker.start()
        self.addCleanup(broker.kill)
        self.url = broker.url
        self.hook = self.receiver()
        self.kept = self.receiver()
        self.manager = Alertmanager(self.folder, documented_rules() + ROUTE % self.kept.url)
        self.manager.start()
        self.addCleanup(self.manager.stop)
        wait_until(self.manager.is_ready, "Alertmanager to start")
        self.configuration = self.folder / "reveal.toml"
        self.configuration.write_text(
            CONFIGURATION % (self.url, self.folder / "fleet.db", self.manager.url, self.hook.url))

    def receiver(self):
        out = Receiver()
        self.addCleanup(out.close)
        return out

    def start_analyser(self):
        return Analyser(GROUP, self.start("analyser", "--config", self.configuration, "--json"))

    def start_fleet(self, *slow):
        words = [str(word) for one in slow for word in one]
        fleet = subprocess.Popen([MADE_FLEET, self.url, str(HOSTS), str(SECONDS), *words],
                                 stdout=subprocess.PIPE, text=True)
        self.addCleanup(dispose, fleet)
        return int(fleet.stdout.readline()) / 1e9

    def events(self):
        """(kind, labels, annotations) of what the webhook was told, in its order."""
        return [(body["reveal"]["kind"], body["alerts"][0]["labels"], body["alerts"][0]["annotations"])
                for body in list(self.hook.bodies)]

    def notifications(self, scope):
        """(severity, status) of what Alertmanager told."""
        return [(alert["labels"]["severity"], alert["status"]) for body in list(self.kept.bodies)
                for alert in body["alerts"] if alert["labels"].get("scope") == scope]

    def post(self, labels):
        """Posts an alert as a host's own agent would."""
        body = json.dumps([{"labels": labels}]).encode()
        request = urllib.request.Request(self.manager.url + "/api/v2/alerts", body,
                                         {"Content-Type": "application/json"})
        urllib.request.urlopen(request).read()

    def state_of(self, host):
        """Whether the host's own alert is muted: "suppressed", or "active"."""
        return [one["status"]["state"] for one in self.manager.active()
                if one["labels"]["alertname"] == "RevealFinding" and one["labels"]["host"] == host]

    def test_one_alert_for_one_cause(self):
        killed = self.start_analyser()
        wait_until((self.folder / "fleet.db").exists, "the file")
        begin = self.start_fleet(ONE, *FIVE)
        wait_until(killed.judges, "the first to judge")
        second = self.start_analyser()
        wait_until(lambda: any("is judged by" in line for _, line in second.notices), "the other to know")

        time.sleep(max(0, begin + ONE[1] - time.time()))
        wait_until(self.events, "the alert of one host")
        kind, labels, annotations = self.events()[0]
        self.assertEqual(kind, "open")
        self.assertEqual({name: value for name, value in labels.items() if name != "severity"},
                         {"alertname": "RevealIncident", "cluster": "a", "group": GROUP, "host": "n07",
                          "scope": "peer", "subsystem": "network"})
        self.assertEqual(annotations["hosts"], "n07")
        incident, = (one for one in self.manager.active() if one["labels"]["alertname"] == "RevealIncident")
        self.assertEqual(incident["generatorURL"], f"https://fleet.example/#incident={annotations['incident']}")
        for host in ("n07", "n02"):
            self.post({"alertname": "RevealFinding", "host": host, "scope": "host", "severity": "warning"})
        wait_until(lambda: self.state_of("n07") == ["suppressed"], "the host's own alert to be muted")
        self.assertEqual(self.state_of("n02"), ["active"])

        # Long enough for the second to know that the alert has reached its receivers.
        time.sleep(15)
        killed.end(signal.SIGKILL)
        wait_until(second.judges, "the second to take over")
        time.sleep(max(0, begin + ONE[2] - time.time()))
        wait_until(lambda: len(self.events()) == 2, "the end")
        self.assertEqual(self.events()[1][:2], ("close", labels))
        severity = labels["severity"]
        wait_until(lambda: len(self.notifications("peer")) >= 2, "Alertmanager to tell the end")
        self.assertEqual(self.notifications("peer"), [(severity, "firing"), (severity, "resolved")])

        # Hosts that become slow one after the other.
        time.sleep(max(0, begin + FIVE[-1][1] + 15 - time.time()))
        opened = [one for one in self.events()[2:] if one[0] == "open"]
        self.assertEqual(len(opened), 1, opened)
        wait_until(lambda: [kind for kind, *_ in self.events()[2:]][-1:] == ["close"], "the end of all")
        kinds = [kind for kind, *_ in self.events()[2:]]
        # It may turn out to be graver when more hosts are slow.
        self.assertEqual([kind for kind in kinds if kind != "update"], ["open", "close"], kinds)
        _, labels, annotations = self.events()[-1]
        self.assertEqual(labels["severity"], "critical")
        for host, *_ in FIVE:
            self.assertIn(f"n{host:02}", annotations["hosts"])
        identities = {tuple(sorted((name, value) for name, value in one.items() if name != "severity"))
                      for _, one, _ in self.events()[2:]}
        self.assertEqual(len(identities), 1, identities)
        wait_until(lambda: not [one for one in self.manager.active()
                                if one["labels"]["alertname"] == "RevealIncident"], "all to be over")
        self.assertEqual(second.end(signal.SIGTERM), 0)

    def test_a_wrong_configuration_is_named_with_its_place(self):
        for text, *words in (("[analyser]\nreplicas = 9\n", "line 2", "replicas", "from 1 to 5"),
                             ("[analyser]\ndatabse = \"x\"\n", "line 2", "databse", "database"),
                             ("[fleet]\nservers = \"nats://far:4222\"\n", "line 2: servers", "tls://"),
                             ("[fleet]\nuser = \"u\"\n", "line 2: user", "password file"),
                             ("[analyser]\nurl = \"fleet\"\n", "line 2: url", "https://"),
                             ("[fleet]\ncredentials_file = \"/nowhere\"\n", "line 2: credentials_file", "/nowhere"),
                             ("[[alerts.webhook]]\nurl = \"ftp://x\"\n", "alerts.webhook[0].url"),
                             ("[[alerts.webhook]]\nurl = \"http://x\"\ntoken_file = \"/nowhere\"\n",
                              "alerts.webhook[0].token_file", "/nowhere")):
            self.configuration.write_text(text)
            checked = self.reveal("analyser", "--config", self.configuration, "--check-config")
            self.assert_complains(checked, 2, *words)
        # Who the file is does not count once a flag says it.
        self.configuration.write_text("[fleet]\nuser = \"u\"\n")
        seed = pathlib.Path(self.folder / "seed")
        seed.write_text("a seed\n")
        seed.chmod(0o600)
        checked = self.reveal("analyser", "--config", self.configuration, "--check-config", "--credentials-file", seed)
        self.assert_status(checked, 0)
        self.assertIn("the configuration is sound", checked.stderr)
        self.assert_complains(self.reveal("analyser", "--servers", "nats://far:4222"), 2, "--servers", "tls://")


if __name__ == "__main__":
    missing = alertmanager.why_not() if NATS else "there is no broker (apt-get install nats-server)"
    if missing:
        print("skipped: " + missing)
        sys.exit(SKIPPED)
    unittest.main()
