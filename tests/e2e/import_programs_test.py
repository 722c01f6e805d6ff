"""What sysstat's own programs print of this host is imported, and has the values that they print: `sadf -d` and
`sadf -j` of one file, and `iostat` as text and as JSON."""

import csv
import json
import os
import pathlib
import shutil
import subprocess
import sys
import unittest

from reveal_process import PATIENCE_S, RevealTest

SADF = shutil.which("sadf")
IOSTAT = shutil.which("iostat")
SKIPPED = 77  # SKIP_RETURN_CODE
PLAIN = {**os.environ, "LC_ALL": "C", "TZ": "UTC"}
# From the reports of sadf: columns that this module reads by hand.
CHECKED = {"%usr": "cpu_user_percent", "%steal": "cpu_steal_ratio", "cswch/s": "cpu_context_switches_rate",
           "kbmemfree": "memory_free_bytes", "%memused": "memory_used_ratio", "rtps": "storage_reads_rate",
           "rkB/s": "storage_read_rate", "%util": "storage_busy_ratio", "rxpck/s": "network_received_packets_rate",
           "ldavg-1": "cpu_load_1min_tasks", "%scpu": "cpu_pressure_some_seconds_total", "totsck": "network_used_sockets"}
KEYS = {"CPU": "cpu", "DEV": "dev", "IFACE": "dev"}


def sadc():
    """It stands beside sadf, where no PATH leads."""
    for folder in (pathlib.Path(SADF).parents[1], pathlib.Path("/usr")):
        for path in (folder / "lib/sysstat/sadc", folder / "lib64/sa/sadc"):
            if path.exists():
                return path
    return None


def samples(text):
    """{(time, channel): value} of what `reveal export` prints."""
    header, *rows = csv.reader(text.splitlines())
    first = header.index("read_ns") + 1
    return {(int(row[0]), name): float(cell) for row in rows
            for name, cell in zip(header[first:], row[first:]) if cell != ""}


class Programs(RevealTest):
    def printed(self, name, *words):
        path = self.folder / name
        with open(path, "w") as file:
            subprocess.run(list(map(str, words)), stdout=file, env=PLAIN, check=True, timeout=PATIENCE_S)
        return path

    def imported(self, path):
        out = self.folder / f"rec_{path.name}"
        outcome = self.reveal("import", path, "-o", out)
        self.assert_status(outcome, 0)
        metadata = self.folder / f"{path.name}.out.csv"
        self.assert_status(self.reveal("export", out, "-o", metadata), 0)
        described = json.loads(pathlib.Path(f"{metadata}.meta.json").read_text())
        return samples(metadata.read_text()), described

    def test_sadf_d_and_sadf_j_are_the_same(self):
        activity = self.folder / "sa"
        subprocess.run([sadc(), "-S", "XALL", "1", "6", activity], env=PLAIN, check=True, timeout=PATIENCE_S)
        table = self.printed("sar.csv", SADF, "-d", activity, "--", "-A")
        document = self.printed("sar.json", SADF, "-j", activity, "--", "-A")
        by_table, described = self.imported(table)
        by_document, also = self.imported(document)
        self.assertEqual(by_table, by_document)
        self.assertEqual(described["run"]["host"], os.uname().nodename)
        metrics = lambda of: sorted((m["name"], m["unit"], m["scale"], m["kind"], m["subsystem"])
                                    for m in of["metrics"])
        self.assertEqual(metrics(described), metrics(also))
        self.assertEqual({m["kind"] for m in described["metrics"]}, {"gauge"})
        self.assertGreater(len({name for _, name in by_table}), 150)
        self.assertGreater(self.count_by_hand(table, by_table), 60)

    def count_by_hand(self, table, imported):
        """Holds the values of some columns against the file, and counts them."""
        header, count = [], 0
        for row in csv.reader(open(table), delimiter=";"):
            if row[0].startswith("#"):
                header = row
                continue
            key = KEYS.get(header[3], "")
            for head, cell in zip(header[3:], row[3:]):
                if head not in CHECKED:
                    continue
                whole = not key or row[3] == "-1"
                name = CHECKED[head] + ("" if whole else f"{{{key}={row[3]}}}")
                times = [time for time, channel in imported if channel == name]
                self.assertTrue(times, name)
                self.assertIn(float(cell), [imported[time, name] for time in times], name)
                count += 1
        return count

    def test_an_analysis_knows_pressure_and_disks_of_sadf(self):
        activity = self.folder / "sa"
        subprocess.run([sadc(), "-S", "XALL", "1", "3", activity], env=PLAIN, check=True, timeout=PATIENCE_S)
        _, described = self.imported(self.printed("sar.json", SADF, "-j", activity, "--", "-A"))
        by_name = {metric["name"]: metric for metric in described["metrics"]}
        self.assertEqual(by_name["storage_busy_ratio"]["subsystem"], "storage")
        self.assertEqual(by_name["storage_busy_ratio"]["scope"], "disk")
        self.assertEqual(by_name["network_received_packets_rate"]["scope"], "nic")
        unknown = [m["name"] for m in described["metrics"] if m["subsystem"] == "unknown"]
        self.assertEqual([name for name in unknown if not name.startswith(("tty_", "sensor_"))], [])

    def test_iostat_as_text_and_as_json(self):
        text, _ = self.imported(self.printed("iostat.txt", IOSTAT, "-xt", "1", "4"))
        document, described = self.imported(self.printed("iostat.json", IOSTAT, "-xt", "-o", "JSON", "1", "4"))
        names = lambda of: {name for _, name in of}
        self.assertEqual(names(text), names(document))
        self.assertEqual(len({time for time, _ in text}), 3)  # without the mean since the boot
        self.assertEqual(described["run"]["host"], os.uname().nodename)
        self.assertIn("cpu_steal_ratio", names(text))
        self.assertTrue(any(name.startswith("storage_queue_depth{dev=") for name in names(text)), names(text))

    def test_what_cannot_be_read_says_what_to_write_instead(self):
        without = self.printed("plain.txt", IOSTAT, "-x", "1", "2")
        self.assert_complains(self.reveal("import", without, "-o", "x"), 2, "has no times", "iostat -xt")
        joined = self.folder / "sa"
        subprocess.run([sadc(), "-S", "XALL", "1", "2", joined], env=PLAIN, check=True, timeout=PATIENCE_S)
        table = self.printed("h.csv", SADF, "-dh", joined, "--", "-d")
        self.assert_complains(self.reveal("import", table, "-o", "x"), 2, "without -h")


if __name__ == "__main__":
    if SADF is None or IOSTAT is None or sadc() is None:
        print("skipped: there is no sysstat (apt-get install sysstat)")
        sys.exit(SKIPPED)
    unittest.main()
