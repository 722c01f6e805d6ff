#!/bin/sh
# Checks the types of the page's sources with TypeScript, which the bundler strips without a look.
# Usage: check_types.sh NODE_MODULES   (TypeScript is fetched there; uPlot is there already)
set -eu

[ $# -eq 1 ] || { echo "usage: check_types.sh NODE_MODULES" >&2; exit 2; }
here="$(cd "$(dirname "$0")" && pwd)"
mkdir -p "$1"
packages="$(cd "$1" && pwd)"

"$here/fetch_typescript.sh" "$packages/typescript"
node "$packages/typescript/lib/tsc.js" -p "$here/../web" --baseUrl "$packages"
echo "tsc: $(find "$here/../web/src" -name '*.ts' | wc -l) sources of the page are clean"
