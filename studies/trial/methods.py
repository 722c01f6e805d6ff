"""How several methods do on the same recordings of the trial: what each finds, and what it finds of nothing.

A row of `trial.py compare`. Only what every method tells is compared: when, and which subsystem first.
"""

import dataclasses
import json
import pathlib
import tempfile
from collections.abc import Callable

import harm
import lab
import outcome
import table
from outcome import Told

# Of the lab's methods, by the name that the table gives them.
METHODS = {"Reveal": "default", "Reveal, table alone": "saturation_alone", "Reveal without the table": "without_saturation",
           "the paper's method": "paper", "robust z": "robust_z", "k-means (Netdata)": "k_means"}


def told(fields: dict) -> Told:
    """Of a finding in a report.json; a peer's has the shares of the subsystems only."""
    shares = fields["subsystem_shares"]
    first = fields.get("subsystem") or max(shares, key=shares.get, default="")
    return Told(fields["begin"]["ns"], fields["end"]["ns"], first)


@dataclasses.dataclass
class Row:
    """What one method did with the pieces."""
    harmful: int = 0
    found: int = 0
    subsystem_right: int = 0
    harmless: int = 0
    harmless_found: int = 0
    of_nothing: int = 0
    of_nothing_without_loss: int = 0
    flagged_s: float = 0  # in findings of nothing
    seconds: float = 0

    def add(self, truth: dict, findings: list[Told], steps: harm.Steps) -> None:
        events = truth["disturbances"]
        spans = [(one["begin_ns"], one["end_ns"]) for one in events]
        for which, event in enumerate(events):
            mine = outcome.of_event(findings, event)
            cost = harm.harm(steps, spans, which)
            if cost.at_least(table.HARM):
                self.harmful += 1
                self.found += bool(mine)
                self.subsystem_right += bool(mine) and mine[0].subsystem in event["subsystems"]
            elif event["harmless"] and not cost.share >= table.HARM:
                self.harmless += 1
                self.harmless_found += bool(mine)
        for one in outcome.of_none(findings, events):
            self.of_nothing += 1
            self.flagged_s += (one.end_ns - one.begin_ns) / outcome.S
            self.of_nothing_without_loss += not outcome.harm_beside(one, events, steps).at_least(table.HARM)
        self.seconds += truth["seconds"]


def row(method: str, folders: list[pathlib.Path], reveal: pathlib.Path) -> Row:
    out = Row()
    analyze: Callable = (lab.METHODS | lab.PARTS)[METHODS[method]]
    for folder in folders:
        with tempfile.TemporaryDirectory(prefix="reveal_trial_") as place:
            analyze(reveal, folder / "host0", pathlib.Path(place))
            report = json.loads((pathlib.Path(place) / "report.json").read_text(encoding="utf-8"))
        truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
        out.add(truth, list(map(told, report["findings"])), harm.Steps.read(folder / "steps.jsonl"))
    return out


def text(rows: dict[str, Row]) -> str:
    """A table in Markdown."""
    out = ["| method | found, of those with harm | subsystem right | controls found | findings of none, of these while the "
           "job lost nothing | seconds of these |", "|---|---|---|---|---|---|"]
    for name, one in rows.items():
        out.append(f"| {name} | {one.found} of {one.harmful} | {one.subsystem_right} of {one.found} | "
                   f"{one.harmless_found} of {one.harmless} | {one.of_nothing}, {one.of_nothing_without_loss} | "
                   f"{one.flagged_s:.0f} of {one.seconds:.0f} |")
    return "\n".join(out)
