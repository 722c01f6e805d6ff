"""The processes of a running agent."""

import pathlib


def children_of(pid):
    """Returns {role: pid} of an agent's processes."""
    out = {}
    for process in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
        try:
            words = pathlib.Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if len(words) > 1 and words[1].startswith(b"agent-"):
            out[words[1].decode()] = int(process)
    return out
