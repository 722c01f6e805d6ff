"""What report.html weighs and how soon it can be used.

    page_bench.py REVEAL DIR...
    page_bench.py REVEAL --made ANALYSIS_BENCH

For each recording that has been analyzed, or for made-up ones of 700 channels x 1 h and of 7,000 x
10 min, which the built analysis_bench makes: CPU time and memory of `reveal report`, the page's size,
and the time from opening the page in headless Chromium until findings, timeline and evidence are
drawn: median of five, beside a floor, the same browser opening a page of as many bytes that does
nothing. The aim for both sizes: 10 MB and 2 s.
"""

import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "e2e"))
from browser import Browser  # noqa: E402

ROUNDS = 5
# When the next frame after that in which the page became ready has been drawn.
READY = ("<script>new MutationObserver(() => requestAnimationFrame(() => requestAnimationFrame(() => "
         "{ window.drawn = performance.now(); }))).observe(document.documentElement, "
         "{attributes: true, attributeFilter: ['data-ready']});</script>")
DONE = "<script>document.documentElement.dataset.ready = 'yes';</script>"


def cpu_of(*words) -> tuple[float, float]:
    """Seconds of CPU and MiB of memory."""
    pid = os.posix_spawn(words[0], words, os.environ)
    _, status, used = os.wait4(pid, 0)
    if status != 0:
        sys.exit(f"page_bench: {' '.join(words)} failed")
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def load_ms(path: Path) -> float:
    times = []
    with Browser() as browser:
        for _ in range(ROUNDS):
            browser.open(path)
            times.append(browser.wait("return window.drawn"))
    return statistics.median(times)


def measure(reveal: str, recording: Path, folder: Path) -> None:
    page = folder / "report.html"
    seconds, memory = cpu_of(reveal, "report", str(recording), "-o", str(page))
    text = page.read_text(encoding="utf-8").replace("<head>", "<head>" + READY, 1)
    page.write_text(text, encoding="utf-8")
    idle = folder / "idle.html"
    idle.write_text(f"<!doctype html><html><head>{READY}</head><body>"
                    f"<script type='text/plain'>{'x' * len(text)}</script>{DONE}</body></html>",
                    encoding="utf-8")
    drawn, floor = load_ms(page), load_ms(idle)
    print(f"  {recording.name[:24]:24} {len(text) / 1e6:8.2f} {seconds:8.2f} {memory:8.0f} "
          f"{drawn:10.0f} {floor:10.0f} {drawn / floor:8.1f}")


def made(reveal: str, maker: str, folder: Path) -> list[str]:
    """Recordings of the two sizes, analyzed."""
    out = []
    for name, channels, seconds in (("700 x 1 h", 700, 3600), ("7000 x 10 min", 7000, 600)):
        recording = folder / name
        subprocess.run([maker, "make", recording, str(channels), str(seconds)], check=True)
        subprocess.run([reveal, "analyze", "--no-html", recording], check=True, stdout=subprocess.DEVNULL)
        out.append(str(recording))
    return out


def main(reveal: str, *recordings: str) -> None:
    print(f"  {'page of':24} {'MB':>8} {'CPU s':>8} {'MiB':>8} {'ready ms':>10} {'floor ms':>10} "
          f"{'ratio':>8}")
    with tempfile.TemporaryDirectory() as folder:
        if recordings[0] == "--made":
            recordings = made(reveal, recordings[1], Path(folder))
        for recording in recordings:
            measure(os.path.abspath(reveal), Path(recording), Path(folder))


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
