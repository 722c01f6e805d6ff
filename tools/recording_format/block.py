"""Blocks: frames by column. docs/storage_format.md, "Block (8)"."""

import struct
from typing import NamedTuple

from .coded_numbers import RESIDUAL, coded_numbers
from .fields import MASK, Fields, Frame, read_notes, require, signed, unzstd

MOST_TICKS = 4096
MOST_VALUES = 1 << 26

SEQUENCE, WALL, MONO, COST, GAP, CHANNELS, READINGS, HEAD_COLUMNS = range(8)
CONSTANT, LINE, FEW, STEPS, BENDS, BESIDE = range(6)
CODED = (STEPS, BENDS, BESIDE, RESIDUAL)


class Details(NamedTuple):
    """What the tables say of one column."""

    form: int
    decimal: bool
    all_ticks: bool
    first: int
    places: int = 0
    divisor: int = 0
    slope: int = 0
    few: tuple = ()
    center: int = 0
    reference: int = 0
    shortest: int = 1
    length: int = 0  # of its code


def read_details(form, first, fields):
    common = {"form": form & 15, "decimal": bool(form & 16), "all_ticks": bool(form & 32),
              "first": first}
    require(form < 64 and form & 15 <= RESIDUAL, "a form that is not known")
    number = common["form"]
    if number == CONSTANT:
        return Details(**common)
    if common["decimal"]:
        common["places"] = fields.u8()
        require(common["places"] <= 9, "more than nine places")
    common["divisor"] = fields.varint()
    if number == LINE:
        return Details(**common, slope=fields.zigzag())
    if number == FEW:
        return Details(**common, few=tuple((fields.varint(), fields.zigzag())
                                           for _ in range(fields.varint())))
    if number == STEPS:
        common["center"] = fields.zigzag()
    elif number in (BESIDE, RESIDUAL):
        common["reference"] = fields.varint()
        require(common["reference"] >= 1, "a column that is its own reference")
    shortest = fields.u8()
    require(1 <= shortest <= 64, "a shortest length out of range")
    return Details(**common, shortest=shortest, length=fields.varint())


def few_steps(few, ticks):
    steps = [0] * ticks
    tick = 0
    for left_out, step in few:
        tick += left_out + 1
        require(tick < ticks, "a step beyond the block")
        steps[tick] = step
    return steps


def coded_steps(details, code, coded, reference, ticks):
    """Steps of a coded column; `coded` lists its coded ticks, `reference` the other's steps."""
    steps = [0] * ticks
    other = [reference[tick] for tick in coded] if reference else [0] * len(coded)
    before = 0
    numbers = coded_numbers(code, details.form, details.shortest, other)
    for tick, number in zip(coded, numbers):
        if details.form == STEPS:
            number = signed(number + details.center)
        elif details.form == BENDS:
            number = before = signed(number + before)
        steps[tick] = number
    return steps


def values_of(details, steps):
    if details.form == CONSTANT:
        whole = [details.first] * len(steps)
    else:
        whole = []
        value = details.first
        for step in steps:
            value = (value + details.divisor * step) & MASK
            whole.append(value)
    if not details.decimal:
        return whole
    power = 10.0 ** details.places
    return [struct.unpack("<Q", struct.pack("<d", float(signed(w)) / power))[0] for w in whole]


def read_runs(fields, total, number):
    """`total` elements told as runs: `number` reads what all of a run are."""
    out = []
    while len(out) < total:
        element = number()
        count = fields.varint()
        require(1 <= count <= total - len(out), "a run of wrong length")
        out += [element] * count
    return out


def read_patterns(fields, columns, ticks):
    """The pattern of each column."""
    distinct = []
    for _ in range(fields.varint()):
        distinct.append(bytes(read_runs(fields, ticks, fields.u8)))
        require(max(distinct[-1]) <= 3, "a pattern with a number above 3")
    numbers = read_runs(fields, columns, fields.varint)
    require(all(number < len(distinct) for number in numbers), "a pattern that is not there")
    return [distinct[number] for number in numbers]


class Block:
    """A block: its heading at once, its frames when asked for."""

    def __init__(self, payload):
        fields = Fields(payload)
        self.first_sequence = fields.varint()
        self.ticks = fields.varint()
        self.first_wall_ns = fields.zigzag()
        fields.zigzag()
        self.first_mono_ns = fields.zigzag()
        fields.zigzag()
        self.channels = fields.varint()
        self.collectors = fields.varint()
        self.columns = HEAD_COLUMNS + self.channels + self.collectors
        require(1 <= self.ticks <= MOST_TICKS, "too few or too many ticks")
        require(self.columns * self.ticks <= MOST_VALUES, "too many values")
        length, stored = fields.varint(), fields.varint()
        tables = fields.take(stored)
        self._tables = Fields(tables if length == stored else unzstd(tables, length))
        self._codes = Fields(fields.rest())

    def frames(self):
        """The frames, as the block tells them."""
        forms = self._tables.take(self.columns)
        notes = self._read_notes()
        patterns = read_patterns(self._tables, self.channels + self.collectors, self.ticks)
        bases = self._tables.part()
        firsts = [bases.varint() for _ in forms]
        fields = self._tables.part()
        details = [read_details(form, first, fields) for form, first in zip(forms, firsts)]
        columns = self._decode_columns(details, patterns)
        return self._build(columns, patterns, notes)

    def _read_notes(self):
        notes = {}
        for _ in range(self._tables.varint()):
            tick = self._tables.varint()
            require(tick < self.ticks, "notes beyond the block")
            notes.setdefault(tick, []).extend(read_notes(self._tables))
        return notes

    def _decode_columns(self, details, patterns):
        every = range(1, self.ticks)
        all_steps, columns = [], []
        for index, column in enumerate(details):
            steps = [0] * self.ticks
            if column.form == LINE:
                steps = [0] + [column.slope] * (self.ticks - 1)
            elif column.form == FEW:
                steps = few_steps(column.few, self.ticks)
            elif column.form in CODED:
                coded = every
                if index >= HEAD_COLUMNS and not column.all_ticks:
                    pattern = patterns[index - HEAD_COLUMNS]
                    coded = [tick for tick in every if pattern[tick] & 1]
                require(column.reference <= index, "a reference before the first column")
                reference = all_steps[index - column.reference] if column.reference else None
                code = self._codes.take(column.length)
                steps = coded_steps(column, code, coded, reference, self.ticks)
            all_steps.append(steps)
            columns.append(values_of(column, steps))
        return columns

    def _build(self, columns, patterns, notes):
        head, rest = columns[:HEAD_COLUMNS], columns[HEAD_COLUMNS:]
        require(max(head[CHANNELS]) <= self.channels, "a frame with too many channels")
        require(max(head[READINGS]) <= self.collectors, "a frame with too many reading times")
        require(max(head[GAP]) <= 255, "a gap above 255")
        mono = [signed(value) for value in head[MONO]]
        read = [self._readings(column, pattern, mono)
                for column, pattern in zip(rest[self.channels:], patterns[self.channels:])]
        frames = []
        for t in range(self.ticks):
            n, m = head[CHANNELS][t], head[READINGS][t]
            frames.append(Frame(
                head[SEQUENCE][t], signed(head[WALL][t]), mono[t], head[COST][t], head[GAP][t],
                [column[t] for column in rest[:n]], [pattern[t] for pattern in patterns[:n]],
                [times[t] for times in read[:m]], notes.get(t, [])))
        return frames

    def _readings(self, offsets, pattern, mono):
        times = []
        for t in range(self.ticks):
            read = t == 0 or pattern[t] & 1
            times.append(signed(mono[t] + offsets[t]) if read else times[-1])
        return times
