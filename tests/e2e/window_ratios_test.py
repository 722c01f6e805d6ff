"""The mean of a ratio in a window is the ratio of sums: numpy's, of the raw counters of recordings
of the lab as the second reader has them, not of what Reveal derives."""

import json
import sys
import unittest

import numpy as np
from reveal_process import REPOSITORY, RevealTest

sys.path.insert(0, str(REPOSITORY / "tools"))
import read_recording  # noqa: E402

TICKS = 30
# Ticks are a little uneven, and rates are weighted as if they were not.
TOLERANCE = 0.02

# By derived channel: raw counters whose growth is divided, and the unit of the first in seconds.
RATIOS = {
    "network_tcp_retransmit_ratio": ("network_tcp_retransmits_total",
                                     "network_tcp_sent_segments_total"),
    "storage_write_latency_seconds{dev=vda}": ("storage_write_seconds_total{dev=vda}",
                                               "storage_writes_total{dev=vda}"),
}


class Raw:
    """Counters of a recording, by channel name and sequence."""

    def __init__(self, folder):
        recording = read_recording.open(folder)
        self.frames = list(recording.frames())
        self.numbers = {recording.name(channel): number
                        for number, channel in enumerate(recording.channels)}
        self.scale = {name: recording.metrics[recording.channels[number].metric].scale
                      for name, number in self.numbers.items()}
        self.place = {frame.sequence: at for at, frame in enumerate(self.frames)}

    def series(self, name, first):
        """The counter in the tick before `first` and in the window from it on, NaN if not read;
        None if a tick is missing."""
        ticks = range(first - 1, first + TICKS)
        if any(tick not in self.place for tick in ticks):
            return None
        number = self.numbers[name]
        out = []
        for tick in ticks:
            frame = self.frames[self.place[tick]]
            read = number < len(frame.bits) and frame.validity[number] == 1
            out.append(frame.bits[number] * self.scale[name] if read else np.nan)
        return np.array(out)


class WindowRatios(RevealTest):
    def compare(self, recording, channel):
        """Returns how many windows there were in which the two ways to average differ."""
        folder = REPOSITORY / "tests" / "recordings" / recording / "host0"
        raw = Raw(folder)
        counters = RATIOS[channel]
        if any(name not in raw.numbers for name in counters):
            return 0
        out = self.reveal("features", folder, "--format", "jsonl", "--features", "mean",
                          "--channels", channel, "--window", str(TICKS), "--stride", "10")
        self.assert_status(out, 0)
        differ = 0
        for row in map(json.loads, out.stdout.splitlines()):
            first = raw.frames[0].sequence + 10 * row["window"]
            parts = [raw.series(name, first) for name in counters]
            if any(part is None or np.isnan(part).any() for part in parts):
                continue
            grown = [np.diff(part) for part in parts]
            if grown[1].sum() == 0:
                self.assertEqual(row["mean"], 0)
                continue
            of_sums = grown[0].sum() / grown[1].sum()
            by_tick = np.divide(*grown, out=np.zeros(TICKS), where=grown[1] > 0).mean()
            self.assertAlmostEqual(row["mean"], of_sums, delta=TOLERANCE * of_sums + 1e-12,
                                   msg=f"{recording} {channel} {row}")
            differ += abs(by_tick - of_sums) > 2 * TOLERANCE * of_sums
        return differ

    def test_the_mean_is_of_sums(self):
        for channel in RATIOS:
            with self.subTest(channel=channel):
                differ = sum(self.compare(recording, channel)
                             for recording in ("network", "storage", "steady"))
                self.assertGreater(differ, 10, "nothing here tells the two ways apart")


if __name__ == "__main__":
    unittest.main()
