"""What a fleet has once: a broker with a certificate, an analyser, and who writes down what it tells."""

import contextlib
import json
import pathlib
import signal
import sqlite3
import subprocess
import threading
import time
import urllib.request

import network
from shell import LabError, run

PATIENCE_S = 20
MONITOR = 8222
LOOK_S = 0.5
BROKER = """
listen: 0.0.0.0:4222
http: 127.0.0.1:{monitor}
jetstream {{store_dir: "{folder}/nats", max_file_store: 16G}}
tls {{cert_file: "{folder}/broker.pem", key_file: "{folder}/broker.key"}}
"""


CERTIFICATE = """
[req]
distinguished_name = name
x509_extensions = extensions
prompt = no
[name]
CN = broker
[extensions]
basicConstraints = critical, CA:TRUE
subjectAltName = IP:{address}
"""


def make_certificate(folder: pathlib.Path) -> None:
    """The broker's own authority: beyond a host itself agents speak TLS alone."""
    configuration = folder / "certificate.conf"
    configuration.write_text(CERTIFICATE.format(address=network.CENTER), encoding="ascii")
    run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
        "-config", configuration, "-keyout", folder / "broker.key", "-out", folder / "broker.pem")


def end(process: subprocess.Popen) -> None:
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


class Broker:
    def __init__(self, program: str, folder: pathlib.Path) -> None:
        make_certificate(folder)
        configuration = folder / "nats.conf"
        configuration.write_text(BROKER.format(folder=folder, monitor=MONITOR), encoding="ascii")
        self.log = folder / "broker.log"
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen([program, "-c", configuration], stdout=log, stderr=log, start_new_session=True)
        until = time.monotonic() + PATIENCE_S
        while not self.counts():
            if self.process.poll() is not None or time.monotonic() > until:
                raise LabError(f"the broker does not answer; {self.log} says why")
            time.sleep(0.1)

    def counts(self) -> dict[str, int]:
        """Messages and bytes from clients so far; nothing if it does not answer."""
        with contextlib.suppress(OSError, ValueError):
            with urllib.request.urlopen(f"http://127.0.0.1:{MONITOR}/varz", timeout=5) as answer:
                told = json.load(answer)
                return {"messages": told["in_msgs"], "bytes": told["in_bytes"]}
        return {}


class Analyser:
    """Writes each of its lines to incidents.jsonl, with the time at which it came."""

    def __init__(self, reveal: pathlib.Path, work: pathlib.Path, out: pathlib.Path) -> None:
        self.database = work / "fleet.db"
        self._lines = open(out / "incidents.jsonl", "a", encoding="utf-8", buffering=1)
        with open(out / "analyser.log", "ab") as log:
            self.process = subprocess.Popen(
                [reveal, "analyser", "--servers", f"tls://{network.CENTER}:4222", "--ca-file", work / "broker.pem",
                 "--db", self.database, "--json", "--make-streams"],
                stdout=subprocess.PIPE, stderr=log, text=True, start_new_session=True)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        for line in self.process.stdout:
            self._lines.write(json.dumps({"at_ns": time.time_ns(), "incident": json.loads(line)}) + "\n")

    def end(self) -> None:
        end(self.process)
        self._reader.join(5)

    def keep(self, path: pathlib.Path) -> None:
        """A copy of its database, which may be in use."""
        if self.database.exists():
            with contextlib.closing(sqlite3.connect(self.database)) as kept:
                with contextlib.closing(sqlite3.connect(path)) as copy:
                    kept.backup(copy)

    def rows(self, statement: str) -> list[dict]:
        """What its database has; nothing while it is not there."""
        if not self.database.exists():
            return []
        kept = sqlite3.connect(f"file:{self.database}?mode=ro", uri=True, timeout=1)
        kept.row_factory = sqlite3.Row
        try:
            return [dict(row) for row in kept.execute(statement)]
        except sqlite3.OperationalError:
            return []
        finally:
            kept.close()


class Findings:
    """Keeps when each host's own finding was first in the analyser's database."""

    def __init__(self, analyser: Analyser) -> None:
        self._analyser, self._first, self._over = analyser, {}, threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()

    def _look(self) -> None:
        while not self._over.wait(LOOK_S):
            self._take()

    def _take(self) -> None:
        for row in self._analyser.rows("SELECT host, id FROM findings"):
            self._first.setdefault((row["host"], row["id"]), time.time_ns())

    def all(self) -> list[dict]:
        """Ends the looking. The last state of each finding."""
        self._over.set()
        self._thread.join(5)
        self._take()
        rows = self._analyser.rows("SELECT f.*, h.name FROM findings f JOIN hosts h ON h.id = f.host")
        return [row | {"at_ns": self._first[row["host"], row["id"]]} for row in rows]
