"""A suite of workloads: records them, and prints the paper's studies of the recordings beside the paper's figures.

    suite.py record OUT --reveal REVEAL [--runs N] [--seconds S] [--weight W] [--only NAME...]
    suite.py tables OUT --reveal REVEAL [--only NAME...]

docs/workloads.md says what is in it. Runs that OUT has are never made again.
"""

import argparse
import pathlib
import sys

import campaign  # first: it knows where the other studies are
import shell
import tables


def positive(text: str) -> float:
    value = float(text)
    if not value > 0:
        raise argparse.ArgumentTypeError(f"{text} is not above 0")
    return value


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("record", "tables"):
        command = commands.add_parser(name)
        command.add_argument("out", type=lambda text: pathlib.Path(text).resolve())
        command.add_argument("--reveal", type=lambda text: pathlib.Path(text).resolve(), required=True)
        command.add_argument("--only", nargs="*", default=[])
    commands.choices["record"].add_argument("--runs", type=int, default=10)
    commands.choices["record"].add_argument("--seconds", type=positive, default=60)
    commands.choices["record"].add_argument("--weight", type=positive, default=1,
                                            help="of the jobs, if others want the processors; 1 is usual")
    options = parser.parse_args()
    try:
        if options.command == "record":
            campaign.campaign(options)
        else:
            print(tables.everything(options))
    except ValueError as wrong:
        sys.exit(f"suite.py: {wrong}")


if __name__ == "__main__":
    shell.run_as("suite.py", main)
