"""Metrics of the user's own, from the configuration to the recording: text files, programs, StatsD.

docs/how_to/own_metrics.md is what a user reads; its example is read here, too.
"""

import csv
import io
import json
import os
import pathlib
import re
import signal
import socket
import threading
import time
import unittest

from reveal_process import REPOSITORY, RevealTest, fixture, shown, wait_until

METRIC = """
[[probes.metric]]
name = "{name}"
kind = "{kind}"
unit = "{unit}"
subsystem = "gpu"
"""


def metric(name, kind, unit, more=""):
    return METRIC.format(name=name, kind=kind, unit=unit) + more


def free_port():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def is_running(pid):
    try:
        return ") Z " not in pathlib.Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False


class OwnMetrics(RevealTest):
    def configure(self, text):
        (self.folder / "reveal.toml").write_text(text, encoding="utf-8")

    def record(self, *options, duration="3s"):
        out = self.reveal("record", "-o", "run", "--duration", duration, "-q", "--config", "reveal.toml",
                          *fixture(), *options)
        self.assert_status(out, 0)
        return out

    def entries(self):
        self.assert_status(self.reveal("export", "run", "-o", "run.jsonl"), 0)
        return [json.loads(line) for line in (self.folder / "run.jsonl").read_text(encoding="utf-8").splitlines()]

    def derived(self):
        """The values of each channel as people see them, by name; what is missing is left out."""
        out = self.reveal("export", "run", "--derived", "-o", "derived.csv")
        self.assert_status(out, 0)
        rows = list(csv.DictReader(io.StringIO((self.folder / "derived.csv").read_text(encoding="utf-8"))))
        return {name: [float(row[name]) for row in rows if row[name] not in ("", "nan")] for name in rows[0]
                if re.match(r"(own|train)_", name)}

    def notes(self):
        return {note["subject"]: note["text"] for entry in self.entries() for note in entry.get("notes", [])
                if note["source"] in ("textfile", "command", "statsd")}

    def test_all_three_are_recorded_beside_the_rest(self):
        folder = self.folder / "metrics"
        folder.mkdir()
        port = free_port()
        self.configure(
            f'[probes]\ntextfile = "{folder}"\nstatsd = "127.0.0.1:{port}"\n'
            '[[probes.command]]\nrun = ["/bin/echo", "own_power_watts{rack=\\"a\\"} 2.5"]\nevery = "2s"\n'
            + metric("own_power_watts", "gauge", "watts", "scale = 1000\n")
            + metric("own_steps_total", "counter", "steps")
            + metric("own_tokens_total", "counter", "tokens")
            + metric("own_step_seconds", "gauge", "seconds", "scale = 0.001\n"))
        stop = threading.Event()

        def work():
            # 20 steps/s, written twice a second; 1000 tokens/s; steps of 40 ms.
            begin, steps, next_file = time.monotonic(), 0, 0.0
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
                client.connect(("127.0.0.1", port))
                while not stop.wait(0.02):
                    elapsed = time.monotonic() - begin
                    due, steps = int(elapsed * 1000) - steps, int(elapsed * 1000)
                    try:
                        client.send(f"own.tokens.total:{due}|c|#rank:0\nown_step_seconds:30:50|ms".encode())
                    except ConnectionRefusedError:
                        pass  # the recorder is not there yet
                    if elapsed >= next_file:
                        next_file += 0.5
                        (folder / "new").write_text(f"# TYPE own_steps_total counter\nown_steps_total {elapsed * 20}\n")
                        (folder / "new").rename(folder / "job.prom")

        worker = threading.Thread(target=work)
        worker.start()
        try:
            self.record(duration="6s")
        finally:
            stop.set()
            worker.join()
        values = self.derived()
        self.assertEqual(set(values["own_power_watts{rack=a}"]), {2500.0})
        self.assertEqual(set(values["own_step_seconds"]), {0.04})
        # What was sent is what is counted; only the first and last moments are not whole.
        tokens = values["own_tokens_total{rank=0}"]
        self.assertAlmostEqual(sum(tokens) / len(tokens), 1000, delta=100)
        steps = values["own_steps_total"]
        self.assertAlmostEqual(sum(steps) / len(steps), 20, delta=8)
        self.assertLess(len(steps), 20, "a rate for each writing, not for each look")
        self.assertEqual(self.notes(), {})

    def test_the_kinds_and_units_are_the_declared_ones(self):
        folder = self.folder / "metrics"
        folder.mkdir()
        (folder / "a.prom").write_text("own_level 1\nown_errors_total 3\n")
        self.configure(f'[probes]\ntextfile = "{folder}"\n' + metric("own_level", "gauge", "requests")
                       + metric("own_errors_total", "event", "errors"))
        self.record(duration="1s")
        metrics = {row["name"]: (row["kind"], row["unit"], row["subsystem"], row["collector"], row["label"])
                   for row in self.entries()[0]["metrics"] if row["name"].startswith("own_")}
        self.assertEqual(metrics, {
            "own_level": ("gauge", "requests", "gpu", "textfile", "Own level"),
            "own_errors_total": ("event", "errors", "gpu", "textfile", "Own errors total")})

    def test_hostile_input_costs_itself_alone(self):
        folder = self.folder / "metrics"
        folder.mkdir()
        os.mkfifo(folder / "a.prom")
        (folder / "b.prom").symlink_to("/dev/zero")
        (folder / "c.prom").write_bytes(b"own_level 1\nown_level{x=\"" + b"\x1b[31m\n" + os.urandom(4096))
        (folder / "d.prom").write_text("".join(f'own_many{{i="{i}"}} 1\n' for i in range(3000)))
        port = free_port()
        self.configure(
            f'[probes]\ntextfile = "{folder}"\nstatsd = "127.0.0.1:{port}"\n'
            '[[probes.command]]\nrun = ["/usr/bin/yes"]\nevery = "2s"\n'
            '[[probes.command]]\nrun = ["/bin/sleep", "300"]\nevery = "2s"\ntimeout = "1s"\n'
            + metric("own_level", "gauge", "things") + metric("own_many", "gauge", "things")
            + metric("own_sent", "gauge", "things"))
        stop = threading.Event()

        def flood():
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
                client.connect(("127.0.0.1", port))
                for number in range(10**9):
                    if stop.is_set():
                        return
                    try:
                        client.send(os.urandom(200) if number % 2 else f"own_sent:1|g|#i:{number}".encode())
                    except ConnectionRefusedError:
                        time.sleep(0.01)

        worker = threading.Thread(target=flood)
        worker.start()
        try:
            out = self.record(duration="4s")
        finally:
            stop.set()
            worker.join()
        values, notes = self.derived(), self.notes()
        self.assertEqual(set(values["own_level"]), {1.0})
        self.assertEqual(sum(name.startswith("own_many") for name in values), 1999, "2,000 with own_level")
        self.assertLessEqual(sum(name.startswith("own_sent") for name in values), 2000)
        self.assertIn("not a regular file", notes["text file a.prom"])
        self.assertIn("not a regular file", notes["text file b.prom"])
        self.assertIn("more than 1048576 bytes", notes["command /usr/bin/yes"])
        self.assertIn("its time of 1 s was up", notes["command /bin/sleep"])
        self.assertNotIn("\x1b", out.stdout + out.stderr)
        frames = [entry for entry in self.entries() if "time_ns" in entry]
        self.assertGreater(len(frames), 35, "no tick waits for them")

    def test_a_program_is_gone_with_the_recorder(self):
        pid = self.folder / "pid"
        script = self.folder / "hang.sh"
        script.write_text(f"#!/bin/sh\necho $$ > {pid}.new; mv {pid}.new {pid}; exec sleep 300\n")
        script.chmod(0o755)
        self.configure(f'[[probes.command]]\nrun = ["{script}"]\n')
        self.record(duration="3s")
        wait_until(lambda: not is_running(int(pid.read_text())), "the end of the program")

    def test_what_cannot_be_is_refused_before_anything_is_recorded(self):
        for text, words in (
                ('[probes]\nstatsd = "0.0.0.0:8125"\n', ("0.0.0.0:8125", "loopback")),
                ('[probes]\ntextfile = "/a"\n' + metric("cpu_busy_ratio", "gauge", "ratio"), ("cpu_busy_ratio",)),
                ('[probes]\n' + metric("own_level", "level", "things"), ("line 5", "kind must be")),
                ('[probes]\ntextfiles = "/a"\n', ("textfiles", "textfile"))):
            self.configure(text)
            out = self.reveal("record", "-o", "run", "--duration", "1s", "--config", "reveal.toml", *fixture())
            self.assert_complains(out, 2, *words)
            self.assertFalse((self.folder / "run").exists(), shown(out))
            self.assert_complains(self.reveal("agent", "--check-config", "--config", "reveal.toml"), 2, *words)

    def test_a_port_that_is_taken_costs_statsd_alone(self):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
            other.bind(("127.0.0.1", 0))
            port = other.getsockname()[1]
            self.configure(f'[probes]\nstatsd = "127.0.0.1:{port}"\n' + metric("own_level", "gauge", "things"))
            self.record(duration="1s")
        reasons = {one["source"]: one["reason"] for one in self.entries()[0]["run"]["unseen"]}
        self.assertIn("cannot listen for StatsD's samples", reasons["statsd"])

    def test_the_example_of_the_documents_is_one(self):
        text = (REPOSITORY / "docs/how_to/own_metrics.md").read_text(encoding="utf-8")
        self.configure(re.search(r"```toml\n(.*?)```", text, re.S)[1])
        out = self.reveal("agent", "--print-config", "--config", "reveal.toml")
        self.assert_status(out, 0)
        self.assertIn("[[probes.metric]]\nname = \"train_step_seconds\"", out.stdout, shown(out))
        self.assertIn('run = ["/usr/local/bin/rack_power", "--all"]\nevery = "1m"\ntimeout = "10s"', out.stdout)


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    unittest.main()
