#!/bin/sh
# Fetches uPlot, the chart library of the page of a report, and puts the files that are used into
# FOLDER. Says nothing when they are there.
# Usage: fetch_uplot.sh [--for-build] FOLDER
# --for-build: where it cannot be had, say so and succeed; reveal is built without the page then.
set -eu

for_build=""
if [ "${1:-}" = "--for-build" ]; then
  for_build=yes
  shift
fi
[ $# -eq 1 ] || { echo "usage: fetch_uplot.sh [--for-build] FOLDER" >&2; exit 2; }

"$(dirname "$0")/fetch_package.sh" uplot@1.6.32 "$1" <<'SUMS' && exit 0
5dd9b3281aa64b461b42d9945f6adb2649d346502b12281a9ae0d46599a80eba  dist/uPlot.esm.js
df630c6a8d6f8eeaff264b50f73ce5b114f646ffd9a0bb74f049b0a00135fa04  dist/uPlot.min.css
af44374f6e808be4f7f3fa5888b9c7574dca9f8a15a66d54b6763535802c8080  dist/uPlot.d.ts
6bfea8e275a2f8194e2395d2dc15f64151e69f141db19741e5a5afe75ba4180b  package.json
8f989229699b4fe2f1a0432d0e9edc338a8a911e250e2d1b01ecd770a5f5b1bd  LICENSE
SUMS
[ -n "$for_build" ] || exit 1
echo "Reveal is built without report.html; \`make deps-page\` tries again." >&2
