"""What the same features cost in Python, beside feature_bench: numpy, scipy and statsmodels by the
definitions that the tests hold them against, one channel at a time, as tsfresh goes; numpy for all
channels at once, where it can; and tsfresh itself where it is installed.

    feature_peer.py BENCH [CHANNELS]

BENCH is the built feature_bench. CPU time, medians of rounds; what goes by channel is measured on
some of the channels and told for all.
"""

import pathlib
import statistics
import subprocess
import sys
import time

try:
    import numpy as np
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tests" / "e2e"))
    from feature_definitions import FEATURES
except ImportError as error:
    print(f"feature_peer.py: nothing to compare with: {error}")
    sys.exit(0)

TICKS = 30
SOME = 35  # channels that are measured where each is computed by itself
SETS = ("minimal", "default", "curated, no Dickey-Fuller", "curated")
AT_ONCE = {
    "mean": np.mean, "variance": np.var, "standard_deviation": np.std, "minimum": np.min,
    "maximum": np.max, "median": np.median, "sum_values": np.sum,
    "length": lambda x, axis: np.full(len(x), x.shape[axis]),
    "absolute_maximum": lambda x, axis: np.abs(x).max(axis=axis),
    "root_mean_square": lambda x, axis: np.sqrt(np.mean(x * x, axis=axis)),
}


def cpu_us(work, rounds=3):
    times = []
    for _ in range(rounds):
        begin = time.process_time_ns()
        work()
        times.append((time.process_time_ns() - begin) / 1e3)
    return statistics.median(times)


def by_channel(names, walks):
    """Microseconds for all walks, from some of them."""
    def work():
        for x in walks[:SOME]:
            for name in names:
                FEATURES[name](x)
    return cpu_us(work) * len(walks) / min(SOME, len(walks))


def tsfresh_minimal(walks):
    """Microseconds of tsfresh's minimal set, None where it is not installed."""
    try:
        import pandas
        from tsfresh import extract_features
        from tsfresh.feature_extraction import MinimalFCParameters
    except ImportError:
        return None
    frame = pandas.DataFrame({"id": np.repeat(np.arange(len(walks)), TICKS),
                              "time": np.tile(np.arange(TICKS), len(walks)),
                              "value": walks.ravel()})
    return cpu_us(lambda: extract_features(
        frame, column_id="id", column_sort="time", column_value="value", n_jobs=0,
        default_fc_parameters=MinimalFCParameters(), disable_progressbar=True))


def main(bench, channels=700):
    out = subprocess.run([bench, str(channels), str(TICKS)], check=True, capture_output=True,
                         text=True).stdout
    ours = {line[:28].strip(): float(line[28:].split()[1]) for line in out.splitlines()[2:]}
    names = {name: features for name, *features in (
        line.split("\t") for line in subprocess.run(
            [bench, "names"], check=True, capture_output=True, text=True).stdout.splitlines())}
    draw = np.random.default_rng(7)
    walks = np.cumsum(draw.uniform(-0.5, 0.5, (channels, TICKS)), axis=1)
    print(f"{channels} channels of {TICKS} samples, us of CPU a window")
    print(f"{'features':28} {'peer':26} {'reveal':>10} {'peer':>12} {'ratio':>8}")

    def line(name, peer, theirs):
        print(f"{name:28} {peer:26} {ours[name]:10.1f} {theirs:12.0f} {theirs / ours[name]:8.0f}")

    for name in SETS:
        line(name, "scipy, channel by channel", by_channel(names[name], walks))
    line("minimal", "numpy, all at once",
         cpu_us(lambda: [AT_ONCE[name](walks, axis=1) for name in names["minimal"]], rounds=21))
    if (theirs := tsfresh_minimal(walks)) is not None:
        line("minimal", "tsfresh", theirs)


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(sys.argv[1], *map(int, sys.argv[2:]))
