"""What scikit-learn takes for what detector_bench measures, on the same matrices.

    detector_bench FOLDER && detector_peer.py FOLDER

CPU time of one thread, medians, in ms: each of the matrices in FOLDER is standardised already; the
principal components are fitted and their distances computed, the forest is fitted and scores, in
float32, which its trees work in. It is all done twice: with OpenBLAS's own choice of kernels, and
with OPENBLAS_CORETYPE=SkylakeX, for older releases take newer processors for very old ones.
"""

import os
import re
import statistics
import subprocess
import sys
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


def run_with(kernels: str | None, folder: str) -> None:
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    environment.pop("OPENBLAS_CORETYPE", None)
    if kernels:
        environment["OPENBLAS_CORETYPE"] = kernels
    print(f"scikit-learn, OPENBLAS_CORETYPE {kernels or 'unset'}", flush=True)
    subprocess.run([sys.executable, __file__, folder, "--here"], env=environment, check=True)


def main(arguments: list[str]) -> None:
    folder = arguments[0]
    if "--here" not in arguments:
        for kernels in (None, "SkylakeX"):
            run_with(kernels, folder)
        return
    for path in sorted(Path(folder).glob("*.f32"), key=lambda path: path.stat().st_size):
        if FILE.fullmatch(path.name):
            measure(path)


if __name__ == "__main__":
    main(sys.argv[1:])
