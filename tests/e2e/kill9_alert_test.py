"""kill -9 of a program that announces alerts, at random moments: no receiver of events hears one twice,
and a kill loses at most the one event of each receiver that was under way."""

import collections
import json
import os
import random
import re
import time
import unittest

from alerting import AlertTest, wait_until

ROUNDS = int(os.environ.get("REVEAL_KILLS", "100"))
LONGEST_LIFE_S = 0.2
ALERTS = 6

JOURNAL_LINE = re.compile(r"<\d>RevealFinding is (\w+) \(warning\) subsystem=(\w+): began (\d+)")
KINDS = {"open": "open", "over": "close"}


def event_of(body):
    alert, = body["alerts"]
    return (body["reveal"]["kind"], alert["labels"]["subsystem"], alert["annotations"]["summary"],
            alert["startsAt"])


def documents(text):
    """Yields the JSON documents that stand one after another."""
    decoder = json.JSONDecoder()
    while text := text.lstrip():
        document, end = decoder.raw_decode(text)
        yield document
        text = text[end:]


class KillAlerts(AlertTest):
    def test_a_hundred_times(self):
        hook = self.receiver()
        told = self.folder / "told"
        journal = self.folder / "journal"
        configuration = self.configuration([
            {"kind": "webhook", "url": hook.url},
            {"kind": "command", "command": ["/bin/sh", "-c", 'cat >> "$0"; echo >> "$0"', str(told)]},
            {"kind": "journal"}], keep_firing_ms=20)
        chance = random.Random(20261126)
        with open(journal, "a", encoding="utf-8") as stderr:
            for _ in range(ROUNDS):
                driver = self.start(configuration, stderr=stderr)
                status = driver.say({"churn": ALERTS})
                self.assertEqual(status["damage"], "")
                self.assertEqual(status["state_error"], "")
                time.sleep(chance.uniform(0, LONGEST_LIFE_S))
                driver.kill()
            driver = self.start(configuration, stderr=stderr)
            driver.open()
            wait_until(lambda: self.is_done(driver.status()), "all ends to be told")
            self.assertEqual(driver.stop(), 0)

        self.check("webhook", [event_of(body) for body in hook.bodies])
        self.check("command", [event_of(body) for body in documents(told.read_text())])
        self.check("journal", [(KINDS[kind], subsystem, begin) for kind, subsystem, begin in
                               JOURNAL_LINE.findall(journal.read_text())])

    def is_done(self, status):
        return status["firing"] == 0 and all(
            receiver["queue"] == 0 for receiver in status["receivers"].values())

    def check(self, receiver, events):
        with self.subTest(receiver=receiver):
            counts = collections.Counter(events)
            self.assertEqual([event for event, count in counts.items() if count > 1], [])
            opened = {event[1:] for event in events if event[0] == "open"}
            closed = {event[1:] for event in events if event[0] == "close"}
            self.assertGreater(len(opened & closed), ROUNDS // 2, "too little happened to tell")
            # An event that is lost leaves its counterpart alone. What a kill left open ends later.
            self.assertLessEqual(len(opened ^ closed), ROUNDS, "more is lost than was under way")


if __name__ == "__main__":
    unittest.main()
