#!/bin/sh
# Fetches DuckDB's shared library, which `reveal sql` and Parquet load when they are used, and puts
# it into FOLDER, where reveal looks for it: by default the user's own. Says nothing when it is there.
# Usage: install_duckdb.sh [--for-tests] [FOLDER]
# --for-tests: where it cannot be had, say so and succeed; the tests that need it are skipped then.
set -eu

# The versions that were tried, and what their libduckdb.so is. src/exchange/duckdb_library.cc names
# the same ones to the user.
case "$(uname -m)" in
  aarch64) package="@duckdb/node-bindings-linux-arm64@1.5.5-r.5"
           sum="d00d007f3f7ca1f2896a5e4b89c2ce141bf0508506a9d6d56f9598b8e59d074e" ;;
  *) package="@duckdb/node-bindings-linux-x64@1.5.6-r.1"
     sum="3f4962cdd266eab2b479a5b5a4a6d063d279b2954ae814ed00385d553b747633" ;;
esac

for_tests=""
if [ "${1:-}" = "--for-tests" ]; then
  for_tests=yes
  shift
fi
folder="${1:-$HOME/.local/lib/reveal}"
library="$folder/libduckdb.so"

give_up() {
  echo "install_duckdb.sh: $1" >&2
  [ -z "$for_tests" ] || { echo "The tests of SQL and Parquet are skipped." >&2; exit 0; }
  exit 1
}

is_right() {
  echo "$sum  $1" | sha256sum --check --status 2>/dev/null
}

[ -f "$library" ] && is_right "$library" && exit 0
command -v npm >/dev/null || give_up "needs npm to fetch $package; apt-get install -y npm"

mkdir -p "$folder"
work="$(mktemp -d "$folder/.fetch-XXXXXX")"
trap 'rm -rf "$work"' EXIT
(cd "$work" && npm pack --silent "$package" >/dev/null) || give_up "npm could not fetch $package"
tar -xzf "$work"/*.tgz -C "$work" package/libduckdb.so || give_up "$package holds no libduckdb.so"
is_right "$work/package/libduckdb.so" || give_up "$package is not what it was when it was tried"
mv "$work/package/libduckdb.so" "$library"
echo "Installed $library"
