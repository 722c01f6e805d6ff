"""Reveal's values against those of node_exporter and sysstat, on this host, at the same moments.

    crosscheck.py run OUT --reveal BINARY [--seconds 40]
    crosscheck.py score OUT --reveal BINARY

`run` records while node_exporter is asked each second and sysstat's sadc reads each second; `score` says of each channel
that Reveal and one of them have whether their values agree (compare.py says when), and fails if any does not. OUT keeps
the recording and the scrapes.
"""

import argparse
import collections
import contextlib
import json
import pathlib
import re
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping, Sequence

import compare
import exposition
import programs
import readings
import sysstat
from compare import Compared, Value
from names import Names
from readings import Channel, Recording

SPARE_S = 3  # that the recording begins earlier and ends later


def run(out: pathlib.Path, reveal: pathlib.Path, seconds: int) -> None:
    out.mkdir(parents=True)
    with programs.node_exporter(out / "node_exporter.log", programs.NODE_EXPORTER_FLAGS) as exporter:
        with contextlib.ExitStack() as stack:
            recorder = stack.enter_context(subprocess.Popen(
                [reveal, "record", "-q", "-o", out / "recording", "--duration", f"{seconds + 2 * SPARE_S}s"]))
            time.sleep(SPARE_S)
            peer = sysstat.program()
            if peer:
                stack.enter_context(sysstat.start(peer, out / "sysstat", seconds))
            scrape_each_second(exporter.port, out / "scrapes.jsonl", seconds)
        if recorder.returncode != 0:
            raise RuntimeError(f"reveal record: status {recorder.returncode}")
    if peer:
        (out / "sysstat.raw").write_text(sysstat.raw(peer, out / "sysstat"), encoding="utf-8")


def scrape_each_second(port: int, file: pathlib.Path, seconds: int) -> None:
    begin = time.monotonic()
    with contextlib.closing(exposition.Scraper(port)) as scraper, open(file, "w", encoding="utf-8") as kept:
        for second in range(seconds):
            time.sleep(max(0.0, begin + second - time.monotonic()))
            one = scraper.scrape()
            kept.write(json.dumps([one.before_ns, one.after_ns, one.text]) + "\n")


def node_exporter_values(scrapes: Iterable[Sequence], names: Names) -> tuple[dict[Channel, list[Value]], set[str]]:
    """By Reveal's channels, and the names of the series that it has no channel for."""
    out: dict[Channel, list[Value]] = {}
    others: set[str] = set()
    for before, after, text in scrapes:
        sums: dict[Channel, float] = collections.defaultdict(float)
        for one in exposition.series_of(text):
            terms = names.terms(one.name, one.labels)
            if not terms:
                others.add(json.dumps([one.name, one.labels], sort_keys=True))
            for term in terms:
                sums[term.metric, term.instance] += one.value * term.factor
        for channel, value in sums.items():
            out.setdefault(channel, []).append(Value(before, after, value))
    return out, {json.loads(one)[0] for one in others}


def compare_all(recording: Recording, theirs: Mapping[Channel, Sequence[Value]]) -> list[Compared]:
    return [compare.compare(channel, recording.metrics[channel[0]].kind, recording.metrics[channel[0]].scale,
                            recording.readings[channel], values)
            for channel, values in sorted(theirs.items()) if channel in recording.readings]


def shown(channel: Channel) -> str:
    return f"{channel[0]}{{{channel[1]}}}" if channel[1] else channel[0]


def lines_of(peer: str, compared: Sequence[Compared]) -> list[str]:
    count = collections.Counter(one.verdict for one in compared)
    equal = [one for one in compared if one.verdict == "equal"]
    out = [f"{peer}: {len(compared)} channels: {count['equal']} equal ({sum(one.moved for one in equal)} of them moved, "
           f"{sum(one.is_zero for one in equal)} were always 0), {count['different']} different, "
           f"{count['not compared']} not compared (Reveal did not read them around a moment of the other)"]
    left = [one for one in equal if one.fits < one.values]
    if left:
        worst = min(left, key=lambda one: one.fits / one.values)
        out.append(f"  gauges that left Reveal's range in some moments: {len(left)}, most often {shown(worst.channel)}, "
                   f"within it {worst.fits} times of {worst.values}")
    return out + [f"  different, {one.fits} of {one.values} within: {shown(one.channel)}: {peer} "
                  f"{one.misfit.value.value:.15g}, Reveal {one.misfit.least:.15g} to {one.misfit.most:.15g}"
                  for one in compared if one.verdict == "different" and one.misfit]


def family(name: str) -> str:
    """node_exporter's collector, as well as its names tell it."""
    found = re.match(r"node_(memory_numa|nf_conntrack|[a-z]+)", name)
    return found[1] if found else "of itself"


def rest_lines(recording: Recording, compared: Sequence[Compared], others: Iterable[str]) -> list[str]:
    by_family = collections.Counter(family(name) for name in others)
    alone = set(recording.readings) - {one.channel for one in compared}
    return ["metrics that only node_exporter has: " + ", ".join(f"{name} {n}" for name, n in by_family.most_common()),
            f"channels that only Reveal has: {len(alone)}: " + ", ".join(
                f"{name} {n}" for name, n in sorted(readings.of_collectors(recording, alone).items(),
                                                    key=lambda one: (-one[1], one[0])))]


def score(out: pathlib.Path, reveal: pathlib.Path) -> bool:
    """Prints what agrees. Whether all does."""
    recording = readings.read_recording(reveal, out / "recording")
    names = Names({name: metric.source for name, metric in recording.metrics.items()})
    with open(out / "scrapes.jsonl", encoding="utf-8") as kept:
        values, others = node_exporter_values(map(json.loads, kept), names)
    scraped = compare_all(recording, values)
    print("\n".join(lines_of("node_exporter", scraped)))
    both = list(scraped)
    if (out / "sysstat.raw").exists():
        read = compare_all(recording, sysstat.values_of((out / "sysstat.raw").read_text(encoding="utf-8")))
        print("\n".join(lines_of("sysstat", read)))
        both += read
    else:
        print("sysstat: not there; `make deps-peers` unpacks it")
    print("\n".join(rest_lines(recording, both, others)))
    return scraped != [] and all(one.verdict != "different" for one in both)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("act", choices=("run", "score"))
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--reveal", type=pathlib.Path, required=True)
    parser.add_argument("--seconds", type=int, default=40)
    arguments = parser.parse_args()
    try:
        if arguments.act == "run":
            run(arguments.out, arguments.reveal.resolve(), arguments.seconds)
        sys.exit(0 if score(arguments.out, arguments.reveal.resolve()) else 1)
    except (FileNotFoundError, FileExistsError, RuntimeError, subprocess.CalledProcessError) as error:
        sys.exit(f"crosscheck: {error}")


if __name__ == "__main__":
    main()
