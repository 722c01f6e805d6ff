#!/bin/sh
# Checks the types of the page's sources with TypeScript, which the bundler strips without a look.
# Usage: check_types.sh NODE_MODULES   (TypeScript is fetched there; uPlot is there already)
set -eu

[ $# -eq 1 ] || { echo "usage: check_types.sh NODE_MODULES" >&2; exit 2; }
here="$(cd "$(dirname "$0")" && pwd)"
mkdir -p "$1"
packages="$(cd "$1" && pwd)"

"$here/fetch_package.sh" typescript@5.4.5 "$packages/typescript" all <<'SUMS'
113d5ce713ec89581ed77a66c88272d8db18c1c38c97729ceb32fc461a49deaa  lib/tsc.js
16954c7d68c1a4e8a24962e9e25f92620c5416295e4b7ac5b01c93fa282a7ac4  package.json
a7d00bfd54525bc694b6e32f64c7ebcf5e6b7ae3657be5cc12767bce74654a47  LICENSE.txt
SUMS
node "$packages/typescript/lib/tsc.js" -p "$here/../web" --baseUrl "$packages"
echo "tsc: $(find "$here/../web/src" -name '*.ts' | wc -l) sources of the page are clean"
