#!/bin/sh
# Builds the page of a report, OUT_DIR/page.js and page.css, the agent's live page, live.js and
# live.css, and the analyser's page of a fleet, fleet.js and fleet.css, from web/src and uPlot.
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
# Makes NAME.js and NAME.css of a script and a style. A style that the script imports, if any, lies
# beside it.
page() {
  bundle "$root/web/src/$2" "$work/script.js"
  bundle "$root/web/src/$3" "$work/style.css"
  { echo "$notice"; cat "$work/script.js"; } >"$work/$1.js"
  [ -f "$work/script.css" ] || : >"$work/script.css"
  cat "$work/script.css" "$work/style.css" >"$work/$1.css"
}
page page main.ts page.css
page live live.ts live.css
page fleet fleet.ts fleet.css

# Both stand inside HTML elements, which these would end or change.
if grep -Eqi '</script|<script|<!--' "$work/page.js" || grep -Eqi '</style' "$work/page.css"; then
  echo "build_page.sh: web/src has a text that HTML reads as the end of a script or style;" \
       "write its < as String.fromCharCode(60)" >&2
  exit 1
fi
mv "$work/page.js" "$work/page.css" "$work/live.js" "$work/live.css" "$work/fleet.js" "$work/fleet.css" "$1"
