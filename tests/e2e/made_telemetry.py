"""Made-up telemetry of one host as recordings: gauges of noise, with disturbances where planted."""

import csv

import numpy as np

from reveal_process import RevealTest

START_S = 1_795_255_200  # date -u -d 2026-11-21T10:00:00Z +%s
LEVEL = 50.0
GAUGES = '[[channel]]\nmatch = "*"\nkind = "gauge"\n'


def noise(seed, ticks=300, channels=8):
    """Samples, a row a tick and a column a channel: mean 50, standard deviation 2."""
    return np.random.default_rng(seed).normal(LEVEL, 2.0, (ticks, channels))


class TelemetryTest(RevealTest):
    def record(self, name, samples, channels=None, interval_s=1, without=(), host="node7", start_s=START_S):
        """Returns a recording of these samples; ticks in `without` are missing from it."""
        names = channels or [f"load_{i}" for i in range(samples.shape[1])]
        path = self.folder / f"{name}.csv"
        with open(path, "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(["time", *names])
            for tick, row in enumerate(samples):
                if tick not in without:
                    writer.writerow([start_s + tick * interval_s, *(repr(float(v)) for v in row)])
        mapping = self.folder / "gauges.toml"
        mapping.write_text(GAUGES, encoding="utf-8")
        recording = self.folder / name
        self.assert_status(self.reveal("import", path, "-o", recording, "--map", mapping,
                                       "--host", host), 0)
        return recording

    def printed(self, *words):
        """What a run that must succeed prints."""
        outcome = self.reveal(*words)
        self.assert_status(outcome, 0)
        return outcome.stdout

    def scores(self, recording, *options):
        """The table of `reveal scores`: column -> numbers by window."""
        header, *rows = csv.reader(self.printed("scores", recording, *options).splitlines())
        numbers = np.array([[float(cell) for cell in row] for row in rows])
        return dict(zip(header, numbers.T))
