"""Two analysers with one database of a PostgreSQL server, which is killed while they write; and how such a database is
named."""

import json
import os
import signal
import subprocess
import sys
import time
import unittest

from broker import NATS, Broker
from fleet_queries import ask, check_documented
from leases_test import GROUP, MADE_FLEET
from postgres import PROGRAMS, Postgres
from reveal_process import RevealTest, dispose, wait_until
from running_analyser import Analyser

SKIPPED = 77  # SKIP_RETURN_CODE
SLOW = 7
FROM_S = 128
TO_S = 160
SECONDS = 200
SECRET = "correct horse battery"


class AnIncidentOnAServer(RevealTest):
    def setUp(self):
        super().setUp()
        broker = Broker(self.folder)
        broker.start()
        self.addCleanup(broker.kill)
        self.broker = broker.url
        self.server = Postgres()
        self.addCleanup(self.server.remove)
        self.server.start()

    def start_analyser(self):
        return Analyser(GROUP, self.start("analyser", "--servers", self.broker, "--db", self.server.url, "--json",
                                          "--make-streams"))

    def test_is_told_once_though_the_server_and_who_judges_are_killed(self):
        first = self.start_analyser()
        wait_until(lambda: any("messages come" in line for _, line in first.notices), "the streams")
        fleet = subprocess.Popen([MADE_FLEET, self.broker, "9", *map(str, (SECONDS, SLOW, FROM_S, TO_S))],
                                 stdout=subprocess.PIPE, text=True)
        self.addCleanup(dispose, fleet)
        begin = int(fleet.stdout.readline()) / 1e9
        wait_until(first.judges, "the first to judge")
        second = self.start_analyser()
        wait_until(lambda: any(f"{GROUP} is judged by" in line for _, line in second.notices), "the other to know")

        # The incident begins while the server is away: it is told once that is back.
        time.sleep(max(0, begin + FROM_S - 3 - time.time()))
        self.server.kill()
        waits = "of incidents wait"
        wait_until(lambda: any(waits in line for _, line in first.notices), "the first to say that it waits")
        time.sleep(max(0, begin + FROM_S + 7 - time.time()))
        self.assertEqual(first.told, [])
        self.server.start()
        wait_until(first.news, "the incident")

        # Who judges is killed, and the server with it: the other one takes over once it can ask what was told.
        self.server.kill()
        first.end(signal.SIGKILL)
        time.sleep(7)
        self.assertIsNone(second.judges())
        self.server.start()
        wait_until(second.judges, "the second to take over")
        wait_until(lambda: any(one["told"] == "closed" for one in second.news()), "the end of the incident")
        self.assertEqual(second.end(signal.SIGTERM), 0)

        told = first.news() + second.news()
        self.assertEqual([one["told"] for one in told if one["told"] != "updated"], ["opened", "closed"])
        self.assertEqual(len({one["id"] for one in told}), 1)
        self.assertEqual([one["revision"] for one in told], list(range(1, len(told) + 1)))
        self.assertEqual(ask(self, self.server.url, "SELECT id, revision, state, lease FROM incidents"),
                         [{"id": told[0]["id"], "revision": told[-1]["revision"], "state": "closed",
                           "lease": told[-1]["lease"]}])
        self.assertEqual(ask(self, self.server.url, "SELECT count(*) AS hosts FROM hosts"), [{"hosts": 9}])
        check_documented(self, self.server.url)
        report = self.reveal("report", "--fleet", self.server.url, "--since", "1h", "--json")
        self.assert_status(report, 0)
        self.assertEqual([(one["who"], one["subsystem"], one["incidents"])
                          for one in json.loads(report.stdout)["costly"]], [("n07", "network", 1)])


class ADatabaseOnAServer(RevealTest):
    def test_asks_for_a_password_that_is_in_a_file_and_is_never_told(self):
        password = self.folder / "password"
        password.write_text(SECRET + "\n", encoding="utf-8")
        os.chmod(self.folder, 0o755)
        server = Postgres(password)
        self.addCleanup(server.remove)
        server.start()
        for known, status, words in ((SECRET, 2, "no analyser has made it"), ("another", 75, "authentication failed")):
            file = self.folder / "pgpass"
            file.write_text(f"*:*:*:*:{known}\n", encoding="utf-8")
            file.chmod(0o600)
            out = self.reveal("sql", "--fleet", server.url, "SELECT 1 AS a",
                              env={**os.environ, "PGPASSFILE": str(file)})
            self.assert_complains(out, status, words)
            self.assertNotIn(known, out.stderr)
        for url in (server.url + "&password=" + SECRET.replace(" ", "%20"), f"postgresql://reveal:{SECRET}@h/d"):
            out = self.reveal("analyser", "--db", url)
            self.assert_complains(out, 2)
            self.assertNotIn("horse", out.stderr)

    def made_certificate(self, name):
        words = f"req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN={name} -addext subjectAltName=DNS:{name}".split()
        subprocess.run(["openssl", *words, "-out", f"{name}.crt", "-keyout", f"{name}.key"], cwd=self.folder,
                       check=True, capture_output=True)
        return self.folder / f"{name}.crt", self.folder / f"{name}.key"

    def test_shows_its_certificate(self):
        certificate, key = self.made_certificate("localhost")
        other, _ = self.made_certificate("other")
        server = Postgres()
        self.addCleanup(server.remove)
        port = server.listen_encrypted(certificate, key)
        server.start()
        url = f"postgresql://reveal@localhost:{port}/postgres?sslmode=verify-full&sslrootcert="
        for authority, status, words in ((certificate, 2, "no analyser has made it"),
                                         (other, 75, "certificate verify")):
            self.assert_complains(self.reveal("sql", "--fleet", url + str(authority), "SELECT 1 AS a"), status, words)
        # Elsewhere that is so if nothing is said: here is none of the authorities that libpq looks for.
        url = f"postgresql://reveal@localhost:{port}/postgres?hostaddr=127.0.0.2"
        out = self.reveal("sql", "--fleet", url, "SELECT 1 AS a", env={**os.environ, "HOME": str(self.folder)})
        self.assert_complains(out, 75, "root certificate file")

    def test_that_is_away_at_the_start_is_said_with_its_name(self):
        out = self.reveal("analyser", "--db", f"postgresql:///fleet?host={self.folder}")
        self.assert_complains(out, 75, f"postgresql://{self.folder}/fleet", "No such file")

    def test_needs_a_library_that_is_named_if_it_is_missing(self):
        without = {**os.environ, "REVEAL_PQ_LIB": "/nowhere/libpq.so.5"}
        out = self.reveal("report", "--fleet", "postgresql:///fleet", env=without)
        self.assert_complains(out, 1, "apt-get install libpq5")
        said = json.loads(self.reveal("version", "--json", env=without).stdout)["parts"]["libpq"]
        self.assertEqual(said["state"], "missing")
        self.assertIn("apt-get install libpq5", said["note"])


if __name__ == "__main__":
    if NATS is None:
        print("skipped: there is no broker (apt-get install nats-server)")
        sys.exit(SKIPPED)
    if PROGRAMS is None:
        print("skipped: there is no PostgreSQL (tools/unpack_packages.sh build/deps/postgres postgresql-15)")
        sys.exit(SKIPPED)
    unittest.main()
