#!/bin/sh
# Fetches axe-core, with which the tests look at the pages as users of screen readers meet them, into
# FOLDER. Nothing of it is part of Reveal. Says nothing when it is there.
# Usage: fetch_axe.sh FOLDER
# Where it cannot be had, it says so and succeeds; the test that needs it is skipped then.
set -eu

[ $# -eq 1 ] || { echo "usage: fetch_axe.sh FOLDER" >&2; exit 2; }

"$(dirname "$0")/fetch_package.sh" axe-core@4.10.2 "$1" <<'SUMS' && exit 0
b511cd9dec01c76f4b2ad1723b66b6db37d4c2eb4ed199076e1829d9ee7b75e3  axe.min.js
e9308f559250103b171514eef1ce0df4348660c14817f2cd3f3d2a2d81aafb08  package.json
af175b9d96ee93c21a036152e1b905b0b95304d4ae8c2c921c7609100ba8df7e  LICENSE
SUMS
echo "The pages are not looked at with axe-core; \`make deps-test\` tries again." >&2
