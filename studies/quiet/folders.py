"""Where this study finds the other studies; imported before anything of theirs."""

import pathlib
import sys

STUDIES = pathlib.Path(__file__).resolve().parents[1]
for _name in ("lab", "trial", "soak"):
    sys.path.append(str(STUDIES / _name))
