"""Alerts as a real Alertmanager sees them: one notification when one opens and one when it is over,
however often it is re-sent, and whoever is restarted in between."""

import datetime
import sys
import time
import unittest

from alerting import AlertTest, wait_until
from alertmanager import Alertmanager, why_not

SKIPPED = 77  # SKIP_RETURN_CODE
CONFIGURATION = """
route: {receiver: kept, group_by: ['...'], group_wait: 100ms, group_interval: 500ms, repeat_interval: 1h}
receivers: [{name: kept, webhook_configs: [{url: '%s', send_resolved: true}]}]
"""
# Re-sent each second, so an alert that is not expires after four.
RESEND_MS = 1000
EXPIRES_S = 4


def made_alert(began_s_ago, severity="warning"):
    return {"labels": {"alertname": "RevealFinding", "host": "n017", "subsystem": "network",
                       "severity": severity},
            "annotations": {"summary": "Segments out of order exceed the baseline"},
            "begin_ns": time.time_ns() - int(began_s_ago * 1e9)}


def milliseconds(text):
    """Of a time as Alertmanager writes it."""
    when = datetime.datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ")
    return round(when.replace(tzinfo=datetime.timezone.utc).timestamp() * 1000)


class AlertmanagerTest(AlertTest):
    def setUp(self):
        super().setUp()
        self.kept = self.receiver()
        self.manager = Alertmanager(self.folder, CONFIGURATION % self.kept.url)
        self.start_manager()
        self.driven = self.configuration([{"kind": "alertmanager", "url": self.manager.url}],
                                         keep_firing_ms=1000, resend_ms=RESEND_MS)

    def start_manager(self):
        self.manager.start()
        self.addCleanup(self.manager.stop)
        wait_until(self.manager.is_ready, "Alertmanager to start")

    def active(self):
        return self.manager.active()

    def statuses(self):
        """(severity, status) of each alert of each notification, in their order."""
        return [(alert["labels"]["severity"], alert["status"])
                for body in list(self.kept.bodies) for alert in body["alerts"]]

    def wait_for_statuses(self, *expected):
        wait_until(lambda: len(self.statuses()) >= len(expected), expected)
        self.assertEqual(self.statuses(), list(expected))

    def test_one_alert_from_its_begin_to_its_end(self):
        first = made_alert(began_s_ago=60)
        began_ms = first["begin_ns"] // 1_000_000
        driver = self.start(self.driven)
        driver.open(first)
        self.wait_for_statuses(("warning", "firing"))
        alert, = self.active()
        self.assertEqual(milliseconds(alert["startsAt"]), began_ms)

        driver.kill()
        driver = self.start(self.driven)
        time.sleep(0.5)  # nothing is known yet
        driver.open(made_alert(began_s_ago=0))  # the same, as a judge that began anew has it
        deadline = time.monotonic() + 2 * EXPIRES_S
        while time.monotonic() < deadline:
            alert, = self.active()
            self.assertEqual(milliseconds(alert["startsAt"]), began_ms)
            time.sleep(0.1)
        self.assertEqual(self.statuses(), [("warning", "firing")])

        self.assertEqual(driver.open()["receivers"]["alertmanager"]["failed"], 0)
        self.wait_for_statuses(("warning", "firing"), ("warning", "resolved"))
        self.assertEqual(self.active(), [])

    def test_one_alert_whatever_it_is_called_later(self):
        first = made_alert(10) | {"id": "a finding"}
        named = dict(first, labels=first["labels"] | {"pattern": "segments_lost"},
                     annotations={"summary": "Segments are lost"})
        driver = self.start(self.driven)
        driver.open(first)
        self.wait_for_statuses(("warning", "firing"))
        driver.open(named)
        wait_until(lambda: self.active()[0]["annotations"] == named["annotations"], "the other text")
        driver.kill()
        driver = self.start(self.driven)
        driver.open(dict(named, labels=named["labels"] | {"subsystem": "storage"}))
        deadline = time.monotonic() + 2 * EXPIRES_S
        while time.monotonic() < deadline:
            alert, = self.active()
            self.assertEqual(alert["labels"], first["labels"])
            time.sleep(0.1)
        driver.open()
        self.wait_for_statuses(("warning", "firing"), ("warning", "resolved"))

    def test_a_severity_that_rises_ends_the_lower_one(self):
        driver = self.start(self.driven)
        driver.open(made_alert(1))
        self.wait_for_statuses(("warning", "firing"))
        driver.open(made_alert(1, "critical"))
        wait_until(lambda: len(self.statuses()) >= 3, "the other severity")
        self.assertEqual(sorted(self.statuses()[1:]), [("critical", "firing"), ("warning", "resolved")])
        alert, = self.active()
        self.assertEqual(alert["labels"]["severity"], "critical")

    def test_a_manager_that_is_back_has_the_present_state(self):
        driver = self.start(self.driven)
        self.manager.stop()
        first = made_alert(30)
        driver.open(first)
        wait_until(lambda: driver.status()["receivers"]["alertmanager"]["failed"] >= 2, "failures")
        self.start_manager()
        alert, = wait_until(self.active, "the alert")
        self.assertEqual(milliseconds(alert["startsAt"]), first["begin_ns"] // 1_000_000)

    def test_one_that_is_not_resent_expires(self):
        driver = self.start(self.driven)
        driver.open(made_alert(1))
        self.wait_for_statuses(("warning", "firing"))
        driver.kill()
        self.wait_for_statuses(("warning", "firing"), ("warning", "resolved"))


if __name__ == "__main__":
    if missing := why_not():
        print("skipped: " + missing)
        sys.exit(SKIPPED)
    unittest.main()
