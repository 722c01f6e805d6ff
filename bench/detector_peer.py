"""What scikit-learn takes for what detector_bench measures, on the same matrices.

    detector_peer.py DETECTOR_BENCH

Runs the benchmark, which prints its table and leaves its matrices in a temporary folder, and then
scikit-learn on them. CPU time of one thread, medians, in ms: each matrix is standardized already;
the principal components are fitted and their distances computed, the forest is fitted and scores,
in float32, which its trees work in. The smaller matrix is done twice: with OpenBLAS's own choice of
kernels, and with OPENBLAS_CORETYPE=SkylakeX, for older releases take newer processors for very old
ones.

Where scores need not be equal, what is printed is how alike both rank the windows (Spearman's
coefficient), beside how alike two seeds of scikit-learn's forest do.
"""

import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Callable

FILE = re.compile(r"(\d+)x(\d+)\.f32")
LARGE = 10**7


def median_ms(work: Callable[[], object], rounds: int) -> float:
    times = []
    for _ in range(rounds):
        begin = time.thread_time()
        work()
        times.append(1e3 * (time.thread_time() - begin))
    return statistics.median(times)


def agreement(path: Path, pca_scores, forest, single, windows: int) -> None:
    import numpy as np
    from scipy.stats import spearmanr
    from sklearn.ensemble import IsolationForest

    def ours(detector: str):
        return np.fromfile(path.with_suffix("." + detector), dtype=np.float32)

    def alike(a, b) -> str:
        return f"{spearmanr(a, b).statistic:12.3f}"

    first = -forest.score_samples(single)
    other = IsolationForest(n_estimators=100, max_samples=min(256, windows), random_state=2)
    second = -other.fit(single).score_samples(single)
    print(f"  {'ranks of distances, both programs':44} {alike(ours('mahalanobis'), pca_scores)}")
    print(f"  {'ranks of the forest, both programs':44} {alike(ours('forest'), first)}")
    print(f"  {'ranks of the forest, two seeds':44} {alike(first, second)}", flush=True)


def measure(path: Path) -> None:
    # OpenBLAS reads the environment when it is loaded.
    import numpy as np
    from sklearn.decomposition import PCA
    from sklearn.ensemble import IsolationForest

    windows, columns = map(int, FILE.fullmatch(path.name).groups())
    single = np.ascontiguousarray(
        np.fromfile(path, dtype=np.float32).reshape((windows, columns), order="F")
    )
    x = single.astype(np.float64)
    rounds = 1 if x.size > LARGE else 5

    def line(what: str, work: Callable[[], object], times: int = rounds) -> None:
        print(f"  {what:44} {median_ms(work, times):12.2f}", flush=True)

    print(f"{windows} windows x {columns} columns")
    line("z-score", lambda: np.abs((x - x.mean(axis=0)) / x.std(axis=0)).mean(axis=1))
    pca = PCA(n_components=0.95, svd_solver="full")
    line("principal components", lambda: pca.fit(x))
    print(f"  ({pca.n_components_} components hold 95 %)")

    def distances(rows):
        return np.sqrt((pca.transform(rows) ** 2 / pca.explained_variance_).sum(axis=1))

    line("Mahalanobis distances", lambda: distances(x))
    forest = IsolationForest(n_estimators=100, max_samples=min(256, windows), random_state=1)
    line("forest, fitted", lambda: forest.fit(single))
    line("forest, scored", lambda: forest.score_samples(single))
    row = x[windows // 2 : windows // 2 + 1]
    line("one window: all components", lambda: distances(row), 21)
    line("one window: forest", lambda: forest.score_samples(row.astype(np.float32)), 21)
    agreement(path, distances(x), forest, single, windows)


def size(path: Path) -> int:
    windows, columns = map(int, FILE.fullmatch(path.name).groups())
    return windows * columns


def run_with(kernels: str | None, paths: list[Path]) -> None:
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    environment.pop("OPENBLAS_CORETYPE", None)
    if kernels:
        environment["OPENBLAS_CORETYPE"] = kernels
    print(f"scikit-learn, OPENBLAS_CORETYPE {kernels or 'unset'}", flush=True)
    for path in paths:
        subprocess.run([sys.executable, __file__, path, "--here"], env=environment, check=True)


def main(arguments: list[str]) -> None:
    if "--here" in arguments:
        measure(Path(arguments[0]))
        return
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([arguments[0], folder], check=True)
        paths = sorted((p for p in Path(folder).iterdir() if FILE.fullmatch(p.name)), key=size)
        run_with(None, [path for path in paths if size(path) <= LARGE])
        run_with("SkylakeX", paths)


if __name__ == "__main__":
    main(sys.argv[1:])
