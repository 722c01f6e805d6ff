#!/bin/sh
# Fetches DuckDB's shared library, which `reveal sql` and Parquet load when they are used, and puts
# it into FOLDER, where reveal looks for it: by default the user's own. Says nothing when it is there.
# Usage: install_duckdb.sh [--for-tests] [FOLDER]
# --for-tests: where it cannot be had, say so and succeed; the tests that need it are skipped then.
set -eu

# The versions that were tried, and what their libduckdb.so is. src/duck/library.cc names
# the same ones to the user.
case "$(uname -m)" in
  aarch64) package="@duckdb/node-bindings-linux-arm64@1.5.5-r.5"
           sum="d00d007f3f7ca1f2896a5e4b89c2ce141bf0508506a9d6d56f9598b8e59d074e" ;;
  x86_64) package="@duckdb/node-bindings-linux-x64@1.5.6-r.1"
          sum="3f4962cdd266eab2b479a5b5a4a6d063d279b2954ae814ed00385d553b747633" ;;
  *) package="" ;;
esac

for_tests=""
if [ "${1:-}" = "--for-tests" ]; then
  for_tests=yes
  shift
fi
folder="${1:-$HOME/.local/lib/reveal}"

if [ -z "$package" ]; then
  echo "install_duckdb.sh: DuckDB's library is not handed out for $(uname -m); build libduckdb.so into $folder" >&2
elif echo "$sum  libduckdb.so" | "$(dirname "$0")/fetch_package.sh" "$package" "$folder"; then
  exit 0
fi
[ -n "$for_tests" ] || exit 1
echo "The tests of SQL and Parquet are skipped." >&2
