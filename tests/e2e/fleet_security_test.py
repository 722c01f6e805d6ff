"""Who may do what in a fleet: real agents, a real analyser, and NATS' server with TLS, by the very configuration of
docs/examples/nats. An agent tells of its own host alone, and whoever has stolen a host's key reads nothing of others."""

import json
import signal
import sqlite3
import subprocess
import sys
import unittest

from broker import NATS
from fleet_host import FleetHost
from nats_client import NatsClient
from nats_keys import EXAMPLES, Key, Operator, credentials, permissions, scope
from reveal_process import REPOSITORY, RevealTest, wait_until
from running_agent import Said
from secure_broker import EXAMPLE, EXAMPLE_ID, SecureBroker, replaced, roles, with_nkeys, with_operator

SKIPPED = 77  # SKIP_RETURN_CODE
FIRST = "firsthostfirsthostfirsthos"
SECOND = "secondhostsecondhostsecond"
FLEET = """servers = ["{url}"]
site = "lab"
role = "trainer"
{who}
[fleet.tls]
ca_file = "{authority}"
"""
OTHERS = ("UAANALYSER", "UAMAKER", "UAREADER")


class SecurityTest(RevealTest):
    """What holds whatever says who is who. A subclass starts the broker, and knows the words for each user."""

    def setUp(self):
        super().setUp()
        self.database = self.folder / "fleet.db"
        self.keys = {name: Key() for name in (FIRST, SECOND, *OTHERS)}
        self.broker = self.make_broker()
        self.broker.start()
        self.addCleanup(lambda: self.broker.kill())

    def seed_file(self, text, name):
        path = self.folder / name
        path.write_text(text)
        path.chmod(0o600)
        return path

    def host(self, name, id, key_of=None):
        """An agent of the host `id`, with the key of `key_of`, which is its own unless told."""
        who = "\n".join(f'{key} = "{value}"' for key, value in self.who(key_of or id).items())
        return FleetHost(self, name, FLEET.format(url=self.broker.url, authority=self.broker.authority, who=who), id)

    def analyser(self, user, *words):
        who = [word for key, value in self.who(user).items() for word in ("--" + key.replace("_", "-"), value)]
        out = self.start("analyser", "--servers", self.broker.url, "--ca-file", self.broker.authority, *who, *words)
        out.said = Said(out)
        return out

    def make_streams(self):
        maker = self.analyser("UAMAKER", "--make-streams")
        wait_until(lambda: "messages come from the broker" in maker.said.text, "the streams: " + maker.said.text)
        maker.terminate()
        self.assertEqual(maker.wait(60), 0, maker.said.text)

    def rows(self, statement):
        kept = sqlite3.connect(self.database)
        try:
            return kept.execute(statement).fetchall()
        except sqlite3.OperationalError:  # it is being made
            return []
        finally:
            kept.close()

    def client(self, user):
        out = NatsClient(self.broker.port, self.broker.authority, self.keys[user], self.jwt(user))
        self.addCleanup(out.close)
        return out

    def jwt(self, user):
        return None

    def start_two_hosts(self):
        self.make_streams()
        self.analysing = self.analyser("UAANALYSER", "--db", self.database)
        self.first = self.host("one", FIRST).start()
        self.second = self.host("two", SECOND).start()

        def judged():
            return self.rows("SELECT id FROM hosts WHERE standing = 'compared' ORDER BY id") == [(FIRST,), (SECOND,)]
        wait_until(judged, f"two hosts that are compared: {self.analysing.said.text}")
        wait_until(lambda: "judges role=trainer" in self.analysing.said.text, "the lease")

    def test_hosts_are_judged_and_a_stolen_key_reads_nothing(self):
        self.start_two_hosts()
        self.assertEqual(self.first.trouble(), "")
        self.assertNotIn("refused", self.analysing.said.text)
        thief = self.client(SECOND)
        self.try_to_read(thief)
        self.try_to_write(thief)
        self.try_a_reply_elsewhere(thief)
        # The key was sound all the while, and readers can read.
        self.assertEqual(self.first.trouble(), "")
        self.check_reader()

    def try_to_read(self, thief):
        """Everything of others: as it comes, from the streams by consumers or by message, leases, answers to others."""
        wanted = ["rv1.>", f"rv1.lvl.lab.{FIRST}", f"rv1.*.*.{FIRST}", ">", "_INBOX.>", "$JS.API.>", "$KV.>", "$SYS.>",
                  *(f"_INBOX.{self.keys[name].public}.>" for name in (FIRST, "UAANALYSER"))]
        for subject in wanted:
            thief.subscribe(subject)
        thief.flush()
        refused = [one for one in thief.refused if "Permissions Violation for Subscription" in one]
        self.assertEqual(len(refused), len(wanted), thief.refused)

        inbox = f"_INBOX.{self.keys[SECOND].public}.answer"
        thief.subscribe(inbox)
        thief.flush()
        self.assertEqual(len(thief.refused), len(wanted), "its own inbox is allowed")
        consumer = {"stream_name": "RV_LVL_e1", "config": {"deliver_subject": inbox, "deliver_policy": "all",
                                                           "ack_policy": "none", "filter_subject": "rv1.lvl.>"}}
        asked = {
            "$JS.API.CONSUMER.CREATE.RV_LVL_e1": json.dumps(consumer),
            "$JS.API.CONSUMER.CREATE.RV_LVL_e1.x": json.dumps(consumer),
            "$JS.API.CONSUMER.DURABLE.CREATE.RV_LVL_e1.x": json.dumps(consumer),
            "$JS.API.CONSUMER.NAMES.RV_LVL_e1": "",
            "$JS.API.CONSUMER.MSG.NEXT.RV_LVL_e1.x": "1",
            "$JS.API.STREAM.MSG.GET.RV_LVL_e1": json.dumps({"last_by_subj": f"rv1.lvl.lab.{FIRST}"}),
            "$JS.API.STREAM.MSG.GET.RV_FACT_e1": json.dumps({"seq": 1}),
            "$JS.API.DIRECT.GET.RV_LVL_e1": json.dumps({"seq": 1}),
            "$JS.API.STREAM.INFO.RV_LVL_e1": "", "$JS.API.STREAM.NAMES": "", "$JS.API.INFO": "",
            "$JS.API.STREAM.SNAPSHOT.RV_LVL_e1": json.dumps({"deliver_subject": inbox}),
        }
        for subject, text in asked.items():
            thief.publish(subject, text.encode(), inbox)
        thief.flush()
        thief.listen(2)
        self.assertEqual(thief.messages, [])
        self.assertEqual(len(thief.refused), len(wanted) + len(asked), thief.refused)

    def try_to_write(self, thief):
        """Whatever is not of its own host: levels of others, leases, streams."""
        before = len(thief.refused)
        subjects = [f"rv1.{kind}.lab.{FIRST}" for kind in ("lvl", "late", "ev", "fact", "dict")]
        subjects += ["$KV.RV_LEASE_e1.x", "$JS.API.STREAM.DELETE.RV_LVL_e1", "$JS.API.STREAM.PURGE.RV_LVL_e1",
                     "$JS.API.STREAM.CREATE.X", "$JS.ACK.RV_LVL_e1.x.1.1.1.1.1", f"_INBOX.{self.keys['UAANALYSER'].public}.x",
                     f"rv1.rpc.{FIRST}.slice", f"rv1.lvl.lab.{FIRST}.more"]
        for subject in subjects:
            thief.publish(subject, b"{}")
        thief.flush()
        self.assertEqual(len(thief.refused) - before, len(subjects), thief.refused[before:])

    def try_a_reply_elsewhere(self, thief):
        """The broker's answer to what a host tells of itself goes where that host says. What the broker says there is no
        message of another host: it is refused, and nobody is judged by it."""
        before = len(thief.refused)
        thief.publish(f"rv1.lvl.lab.{SECOND}", b"x", f"rv1.lvl.lab.{FIRST}")
        thief.flush()
        self.assertEqual(len(thief.refused), before)
        wait_until(lambda: "refused, the last one of rv1.lvl.lab." in self.analysing.said.text, "what is refused")
        self.assertEqual(self.rows(f"SELECT standing FROM hosts WHERE id = '{FIRST}'"), [("compared",)])

    def check_reader(self):
        reader = self.client("UAREADER")
        inbox = f"_INBOX.{self.keys['UAREADER'].public}.x"
        for subject in ("rv1.>", inbox):
            reader.subscribe(subject)
        # Without an acknowledgment and with one, pushed and pulled.
        pushed = {"stream_name": "RV_FACT_e1", "config": {"deliver_subject": inbox, "deliver_policy": "all",
                                                          "ack_policy": "none"}}
        pulled = {"stream_name": "RV_FACT_e1", "config": {"durable_name": "x", "deliver_policy": "all",
                                                          "ack_policy": "explicit"}}
        reader.publish("$JS.API.CONSUMER.CREATE.RV_FACT_e1", json.dumps(pushed).encode(), inbox)
        reader.publish("$JS.API.CONSUMER.DURABLE.CREATE.RV_FACT_e1.x", json.dumps(pulled).encode(), inbox)
        reader.publish("$JS.API.CONSUMER.MSG.NEXT.RV_FACT_e1.x", b"1", inbox)
        reader.publish("$JS.ACK.RV_FACT_e1.x.1.1.1.1.0", b"+ACK", inbox)
        reader.publish("$JS.API.STREAM.INFO.RV_LVL_e1", b"", inbox)
        reader.flush()
        reader.listen(3)
        self.assertEqual(reader.refused, [])
        live = {subject for subject, _ in reader.messages}
        self.assertLessEqual({f"rv1.lvl.lab.{FIRST}", f"rv1.lvl.lab.{SECOND}"}, live)
        answers = [payload for subject, payload in reader.messages if subject == inbox]
        self.assertFalse(any(b'"error"' in one for one in answers), answers)
        # But it tells nothing.
        for subject in (f"rv1.lvl.lab.{FIRST}", "$KV.RV_LEASE_e1.x", "$JS.API.STREAM.DELETE.RV_LVL_e1"):
            reader.publish(subject, b"x")
        reader.flush()
        self.assertEqual(len(reader.refused), 3, reader.refused)

    def test_an_agent_with_another_hosts_id_is_refused_and_says_what_to_do(self):
        self.make_streams()
        self.analysing = self.analyser("UAANALYSER", "--db", self.database)
        wrong = self.host("wrong", FIRST, key_of=SECOND).start()
        words = (f"the broker forbids this user to publish rv1.", f'let it publish "rv1.*.*.{FIRST}" there',
                 f"if {FIRST} is another host's id, give this host its own id or user back")
        wait_until(lambda: "the broker forbids this user" in wrong.trouble(), "the trouble")
        for word in words:
            self.assertIn(word, wrong.trouble())
            wait_until(lambda word=word: word in wrong.health(), "the verdict: " + word)
        wait_until(lambda: "the fleet: the broker forbids" in wrong.said.text, "the line")
        self.assertEqual(wrong.status()["published"], 0)
        self.assertEqual(self.rows("SELECT * FROM hosts"), [])
        # With its own id the same agent is heard at once.
        wrong.end()
        wrong.identity.write_text(SECOND + "\n")
        wrong.start()
        wait_until(lambda: self.rows("SELECT id FROM hosts WHERE standing = 'compared'") == [(SECOND,)], "itself")
        self.assertEqual(wrong.trouble(), "")

    def test_an_analyser_that_may_not_read_says_what_to_do(self):
        self.make_streams()
        wrong = self.analyser(FIRST)
        wait_until(lambda: "no messages: " in wrong.said.text, "the trouble")
        line = next(line for line in wrong.said.text.splitlines() if "no messages: " in line)
        self.assertIn("Permissions Violation for Publish", line)
        self.assertIn("allow it in the broker's configuration", line)


class NkeyTest(SecurityTest):
    def make_broker(self):
        hosts = {id: self.keys[id].public for id in (FIRST, SECOND)}
        return SecureBroker(self.folder, with_nkeys(hosts, {name: self.keys[name].public for name in OTHERS}))

    def who(self, user):
        key = self.keys[user]
        return {"nkey": key.public, "nkey_seed_file": self.seed_file(key.seed + "\n", user + ".seed")}

    def test_the_document_has_the_permissions_that_are_tried(self):
        document = (REPOSITORY / "docs" / "how_to" / "fleet.md").read_text()
        for name, (publish, subscribe) in roles().items():
            for subject in publish + subscribe:
                told = replaced(subject, {EXAMPLE_ID: "ID", name: "KEY"})
                self.assertTrue(f"`{told}`" in document, f"{told} of {name}")
        self.assertEqual(set(roles()), {"UAHOST", *OTHERS})
        self.assertNotIn("allow_responses", EXAMPLE)

    def test_a_key_that_is_taken_away_is_thrown_out_at_once(self):
        self.make_streams()
        agent = self.host("one", FIRST).start()
        wait_until(lambda: agent.status()["published"] > 2, "levels")
        self.broker.set_users(with_nkeys({SECOND: self.keys[SECOND].public},
                                         {name: self.keys[name].public for name in OTHERS}))
        self.broker.process.send_signal(signal.SIGHUP)
        wait_until(agent.trouble, "the trouble")
        wait_until(lambda: "Authentication Violation" in agent.trouble(), "the reason")
        published = agent.status()["published"]
        self.assertEqual(agent.status()["published"], published)

    def test_a_key_that_the_server_does_not_know_is_refused(self):
        unknown = Key()
        self.keys["unknown"] = unknown
        agent = self.host("unknown", FIRST, key_of="unknown").start()
        wait_until(lambda: "no connection to the broker" in agent.trouble(), "the trouble")
        self.assertIn("Authentication Violation", agent.trouble())

    def test_new_key_makes_a_seed_that_nobody_else_can_read(self):
        made = subprocess.run([EXAMPLES / "new_key.py", self.folder / "seed"], stdout=subprocess.PIPE, text=True, check=True)
        self.assertRegex(made.stdout, "^U[A-Z2-7]{55}\n$")
        self.assertEqual((self.folder / "seed").stat().st_mode & 0o777, 0o600)
        self.assertRegex((self.folder / "seed").read_text(), "^SU[A-Z2-7]{56}\n$")
        again = subprocess.run([EXAMPLES / "new_key.py", self.folder / "seed"], stderr=subprocess.PIPE, text=True, check=False)
        self.assertNotEqual(again.returncode, 0)


class JwtTest(SecurityTest):
    """Users by credentials. Hosts are users of a signing key whose template says that each may tell of the host that has
    the user's name alone; the permissions of the others are in their own JWTs."""

    def make_broker(self):
        allowed = roles()
        self.signer = Key("account")
        publish, subscribe = ([replaced(one, {EXAMPLE_ID: "{{name()}}", "UAHOST": "{{subject()}}"}) for one in part]
                              for part in allowed["UAHOST"])
        self.operator = Operator([scope(self.signer, "host", publish, subscribe)])
        self.tokens = {id: self.operator.user(self.signer, self.keys[id], id) for id in (FIRST, SECOND)}
        for name in OTHERS:
            publish, subscribe = ([replaced(one, {name: self.keys[name].public}) for one in part]
                                  for part in allowed[name])
            self.tokens[name] = self.operator.user(self.operator.account, self.keys[name], name,
                                                   permissions(publish, subscribe))
        return SecureBroker(self.folder, with_operator(self.operator))

    def jwt(self, user):
        return self.tokens[user]

    def who(self, user):
        return {"credentials_file": self.seed_file(credentials(self.tokens[user], self.keys[user]), user + ".creds")}

    def test_a_user_that_signs_its_own_permissions_is_refused(self):
        forged = Key()
        publish, subscribe = ["rv1.>"], [">"]
        self.keys["forged"] = forged
        self.tokens["forged"] = self.operator.user(forged, forged, FIRST, permissions(publish, subscribe))
        with self.assertRaises(ConnectionError):
            self.client("forged")


del SecurityTest  # it is no test by itself

if __name__ == "__main__":
    if NATS is None:
        print("skipped: no nats-server here (apt-get install nats-server libnats3.4)")
        sys.exit(SKIPPED)
    unittest.main()
