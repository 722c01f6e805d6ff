"""What a simulated fleet's analyser said, held against what was done: counts of plain values, by hand testable.

A fault has {"host", "group", "kind", "subsystems", "from_s", "to_s"}, in seconds of the run. An incident is what the
analyser printed of it: {"at_s": when the line came, "told", "id", "group", "cause", "subsystem", "onset_s", "hosts"}.
"""

import collections

# What counts as told of a fault: printed until so long after its end, with an onset not before that long before it.
AFTER_S = 10
BEFORE_S = 3
# Nobody is judged before.
LEARNING_S = 125
WEEK_S = 7 * 86_400


def opened(incidents: list[dict]) -> list[dict]:
    return [one for one in incidents if one["told"] == "opened"]


def is_of(incident: dict, fault: dict) -> bool:
    """Whether the incident overlaps the fault, in its group."""
    return (incident["group"] == fault["group"] and fault["from_s"] <= incident["at_s"] <= fault["to_s"] + AFTER_S
            and fault["from_s"] - BEFORE_S <= incident["onset_s"] <= fault["to_s"])


def name_in(incident: dict) -> str | None:
    """Whom it calls its cause; of a single host that host."""
    if incident["cause"] is None and len(incident["hosts"]) == 1:
        return incident["hosts"][0]
    return incident["cause"]


def score_fault(fault: dict, incidents: list[dict]) -> dict:
    """How the fault was told: the first incident, and how long after the fault's begin its line came."""
    first = next((one for one in incidents if is_of(one, fault)), None)
    if first is None:
        return {"told": False, "right": False, "subsystem": False, "after_s": None}
    right = name_in(first) == fault["host"]
    return {"told": True, "right": right, "subsystem": right and first["subsystem"] in fault["subsystems"],
            "after_s": first["at_s"] - fault["from_s"]}


def false_ones(faults: list[dict], incidents: list[dict]) -> list[dict]:
    return [one for one in incidents if not any(is_of(one, fault) for fault in faults)]


def quantile(values: list[float], share: float) -> float | None:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else None


def score(faults: list[dict], incidents: list[dict], hosts: int, seconds: int) -> dict:
    """All of it; `kinds` has the same by what was wrong."""
    first = opened(incidents)
    results = [(fault, score_fault(fault, first)) for fault in faults]
    wrong = false_ones(faults, first)
    kinds = collections.defaultdict(lambda: {"faults": 0, "told": 0, "right": 0, "subsystem": 0})
    for fault, result in results:
        for row in (kinds[fault["kind"]], kinds["all"]):
            row["faults"] += 1
            for name in ("told", "right", "subsystem"):
                row[name] += result[name]
    after = [result["after_s"] for _, result in results if result["right"]]
    weeks = hosts * max(seconds - LEARNING_S, 0) / WEEK_S
    return {"kinds": dict(kinds), "after_s": {"p50": quantile(after, 0.5), "p95": quantile(after, 0.95)},
            "false": len(wrong), "false_a_host_week": len(wrong) / weeks if weeks else None, "host_weeks": weeks,
            "false_by_subsystem": dict(collections.Counter(str(one["subsystem"]) for one in wrong))}
