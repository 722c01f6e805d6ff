#!/usr/bin/env python3
"""Builds a preset of CMakePresets.json and says how far it is and about how long it will take.

On a terminal that is one line that changes; in a log it is a line every half a minute. What a compiler says
is passed on. The estimate begins with what this program's own sources take on an ordinary core, and goes
over to what the build has taken so far, by the bytes of source of each step.

usage: tools/build.py PRESET     ends with the build's status
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
STEP = re.compile(r"\[(\d+)/(\d+)\] (.*)")
COMPILED = re.compile(r"CMakeFiles/(\S+)\.dir/(\S+)\.o$")
HEADERS_BYTES = 20_000  # what the headers of a compiler's run weigh, beside its sources
BYTES_A_CORE_S = 6_500  # a whole release build by g++ 12: 2.6 MB of this in 400 s of a core
MEASURED_FROM = 0.2  # of the work: from here on the build's own pace alone is believed
EVERY_S = {True: 0.5, False: 30.0}  # by whether it is shown on a terminal


def preset_of(name):
    """Returns the build preset of that name; nothing if there is none."""
    rows = json.loads((ROOT / "CMakePresets.json").read_text())["buildPresets"]
    return next((row for row in rows if row["name"] == name), None)


def clock_text(seconds):
    """Returns a duration, no more exact than an estimate is."""
    if seconds < 10:
        return "a few seconds"
    return f"{round(seconds, -1):.0f} s" if seconds < 95 else f"{seconds / 60:.0f} min"


def work_of(build, description):
    """Returns how much work a step is: the bytes of source that it compiles, and its headers; else nothing."""
    found = COMPILED.search(description)
    if not found:
        return 0
    # Joined sources are made in the build's folder (tools/joined_sources.py).
    path = next((path for path in (build / found[2], ROOT / found[2]) if path.is_file()), None)
    return HEADERS_BYTES + (os.path.getsize(path) if path else 0)


class Progress:
    """How far a build is, and how long the rest will take."""

    def __init__(self, build, descriptions, cores):
        self.build = build
        self.all = sum(work_of(build, description) for description in descriptions)
        self.expected_s = self.all / BYTES_A_CORE_S / cores
        self.done = 0
        self.steps = 0
        self.of_steps = len(descriptions)

    def step(self, number, of_steps, description):
        self.steps, self.of_steps = number, of_steps
        self.done += work_of(self.build, description)

    def left_s(self, elapsed_s):
        share = min(self.done / self.all, 1.0) if self.all else 1.0
        expected = self.expected_s * (1 - share)
        if share == 0:
            return expected
        measured = elapsed_s / share * (1 - share)
        belief = min(share / MEASURED_FROM, 1.0)
        return belief * measured + (1 - belief) * expected

    def text(self, elapsed_s):
        share = min(self.done / self.all, 1.0) if self.all else self.steps / max(self.of_steps, 1)
        text = f"building: {100 * share:.0f} %, {self.steps} of {self.of_steps} steps"
        return text + (f", about {clock_text(self.left_s(elapsed_s))} left" if self.steps < self.of_steps else "")


def planned(preset):
    """Returns the descriptions of the steps that a build would take."""
    build = ROOT / "build" / preset["configurePreset"]
    if not (build / "build.ninja").is_file():
        return []
    # Of build.ninja itself a dry run goes no further than to make that anew, which it only pretends.
    shutil.copyfile(build / "build.ninja", build / "plan.ninja")
    command = ["ninja", "-C", str(build), "-f", "plan.ninja", "-n", *preset.get("targets", [])]
    done = subprocess.run(command, capture_output=True, text=True, env=environment())
    return [found[3] for line in done.stdout.splitlines() if (found := STEP.match(line))]


def environment():
    return {**os.environ, "NINJA_STATUS": "[%f/%t] "}


class Shown:
    """The line of progress: in place on a terminal, else a line now and then."""

    def __init__(self, stream):
        self.stream = stream
        self.in_place = stream.isatty()
        self.last = None

    def show(self, text, now):
        if self.last is not None and now - self.last < EVERY_S[self.in_place]:
            return
        self.last = now
        self.write(f"\r\033[K{text}" if self.in_place else f"{text}\n")

    def say(self, line):
        self.clear()
        self.write(line + "\n")

    def clear(self):
        if self.in_place:
            self.write("\r\033[K")

    def write(self, text):
        self.stream.write(text)
        self.stream.flush()


def follow(lines, progress, shown, clock):
    """Shows how far the build is whose output `lines` are, and what is not about that."""
    began = clock()
    shown.show(progress.text(0), began)
    for line in map(str.rstrip, lines):
        if found := STEP.match(line):
            progress.step(int(found[1]), int(found[2]), found[3])
            now = clock()
            shown.show(progress.text(now - began), now)
        elif line != "ninja: no work to do.":
            shown.say(line)
    shown.clear()
    return clock() - began


def main(name):
    preset = preset_of(name)
    if preset is None:
        sys.exit(f"tools/build.py: CMakePresets.json has no build preset '{name}'")
    command = ["cmake", "--build", "--preset", name]
    steps = planned(preset)
    if not steps:
        return subprocess.run(command, stdout=subprocess.DEVNULL).returncode
    progress = Progress(ROOT / "build" / preset["configurePreset"], steps, len(os.sched_getaffinity(0)))
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                          env=environment()) as build:
        took_s = follow(build.stdout, progress, Shown(sys.stdout), time.monotonic)
    if build.returncode == 0:
        print(f"built build/{preset['configurePreset']}, which took {clock_text(took_s)}")
    return build.returncode


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
