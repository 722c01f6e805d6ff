#!/bin/sh
# Fetches TypeScript, with which types are checked, into FOLDER. Nothing of it is part of Reveal. Says nothing when it is
# there.
# Usage: fetch_typescript.sh FOLDER
set -eu

[ $# -eq 1 ] || { echo "usage: fetch_typescript.sh FOLDER" >&2; exit 2; }

"$(dirname "$0")/fetch_package.sh" typescript@5.4.5 "$1" all <<'SUMS'
113d5ce713ec89581ed77a66c88272d8db18c1c38c97729ceb32fc461a49deaa  lib/tsc.js
16954c7d68c1a4e8a24962e9e25f92620c5416295e4b7ac5b01c93fa282a7ac4  package.json
a7d00bfd54525bc694b6e32f64c7ebcf5e6b7ae3657be5cc12767bce74654a47  LICENSE.txt
SUMS
