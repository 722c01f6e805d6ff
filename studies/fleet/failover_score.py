"""What became of incidents while analysers were killed."""

import collections
import json
import pathlib
import statistics

S = 1_000_000_000
# An incident's onset may be so far from that of the fault.
NEAR_S = 5


def pieces(out: pathlib.Path) -> list[dict]:
    files = sorted(out.glob("piece_*.json"), key=lambda path: int(path.stem.partition("_")[2]))
    return [json.loads(file.read_text(encoding="ascii")) for file in files]


def is_of(incident: dict, fault: dict, begin_ns: int) -> bool:
    from_s, to_s = ((incident[name] - begin_ns) / S for name in ("onset_ns", "end_ns"))
    return incident["name"] == f"n{fault['host']:02d}" and from_s <= fault["to_s"] + NEAR_S and to_s >= fault["from_s"] - NEAR_S


def score(piece: dict) -> collections.Counter:
    """Counts, each of which but the first three should be 0; ends that nobody saw may come of two kills in a row."""
    out = collections.Counter(faults=len(piece["faults"]), kills=len(piece["kills"]),
                              of_judges=sum(kill["was_judge"] for kill in piece["kills"]))
    used = set()
    for fault in piece["faults"]:
        found = {one["id"] for one in piece["incidents"] if is_of(one, fault, piece["begin_ns"])}
        used |= found
        out["lost"] += not found
        out["doubled"] += len(found) > 1
    states = {one["id"]: one["state"] for one in piece["incidents"]}
    out["of_no_fault"] = len(states.keys() - used)
    out["left_open"] = sum(state == "open" for state in states.values())
    out["end_unseen"] = sum(state == "ended_unseen" for state in states.values())
    printed = collections.Counter((one["id"], one["revision"]) for one in piece["told"])
    opened = collections.Counter(one["id"] for one in piece["told"] if one["told"] == "opened")
    closed = collections.Counter(one["id"] for one in piece["told"] if one["told"] == "closed")
    out["printed_twice"] = sum(count - 1 for count in printed.values())
    out["opened_twice"] = sum(count - 1 for count in opened.values())
    out["never_printed"] = sum((name not in opened) + (name not in closed) for name in states)
    out["not_judged_again"] = sum(kill["was_judge"] and kill["judged_again_s"] is None for kill in piece["kills"])
    return out


def takeovers(all_pieces: list[dict]) -> list[float]:
    return sorted(kill["judged_again_s"] for piece in all_pieces for kill in piece["kills"]
                  if kill["judged_again_s"] is not None)


def table(all_pieces: list[dict]) -> str:
    total = sum((score(piece) for piece in all_pieces), collections.Counter())
    rows = [("pieces", len(all_pieces)), ("kills", total["kills"]), ("of the one that judged", total["of_judges"]),
            ("faults", total["faults"]), ("without an incident", total["lost"]), ("with two", total["doubled"]),
            ("incidents of no fault", total["of_no_fault"]), ("open at the end", total["left_open"]),
            ("whose end nobody saw", total["end_unseen"]),
            ("changes printed twice", total["printed_twice"]), ("incidents opened twice", total["opened_twice"]),
            ("begins or ends never printed", total["never_printed"]),
            ("kills after which nobody judged", total["not_judged_again"])]
    times = takeovers(all_pieces)
    if times:
        rows.append(("seconds until another judged: median, worst", f"{statistics.median(times):.1f}, {times[-1]:.1f}"))
    width = max(len(name) for name, _ in rows)
    return "\n".join(f"{name:<{width}}  {value}" for name, value in rows)
