#!/bin/sh
# Builds the page of a report: OUT_DIR/page.js and OUT_DIR/page.css, from web/src and uPlot.
# Usage: build_page.sh OUT_DIR
# Needs esbuild, and uPlot where tools/fetch_uplot.sh puts it (NODE_PATH, if set, says where else).
set -eu

[ $# -eq 1 ] || { echo "usage: build_page.sh OUT_DIR" >&2; exit 2; }
root="$(cd "$(dirname "$0")/.." && pwd)"
export NODE_PATH="${NODE_PATH:-$root/build/deps/node_modules}"

command -v esbuild >/dev/null || {
  echo "build_page.sh: needs esbuild; apt-get install -y esbuild" >&2
  exit 1
}

mkdir -p "$1"
work="$(mktemp -d "$1/.build-XXXXXX")"
trap 'rm -rf "$work"' EXIT

bundle() {
  esbuild "$1" --bundle --minify --target=es2020 --log-level=warning --outfile="$2"
}
# uPlot is bundled in minified form, which loses its notice.
notice='/*! With uPlot 1.6.32, (c) Leon Sorokin, MIT License: github.com/leeoniya/uPlot */'
bundle "$root/web/src/main.ts" "$work/main.js"
bundle "$root/web/src/page.css" "$work/style.css"

{ echo "$notice"; cat "$work/main.js"; } >"$work/page.js"
# A style that the script imports, if any, lies beside it.
[ -f "$work/main.css" ] || : >"$work/main.css"
cat "$work/main.css" "$work/style.css" >"$work/page.css"

# Both stand inside HTML elements, which these would end or change.
if grep -Eqi '</script|<script|<!--' "$work/page.js" || grep -Eqi '</style' "$work/page.css"; then
  echo "build_page.sh: web/src has a text that HTML reads as the end of a script or style;" \
       "write its < as String.fromCharCode(60)" >&2
  exit 1
fi
mv "$work/page.js" "$work/page.css" "$1"
