#!/bin/sh
# Fetches files of a package of the npm registry and puts them into FOLDER, where they are what they
# were when they were tried. Says nothing when they are there.
# Usage: fetch_package.sh PACKAGE FOLDER [all] <SUMS
# SUMS are lines as sha256sum writes them, with paths in the package. "all" keeps its other files too.
# Ends with 1 and says why where that cannot be done.
set -eu

[ $# -eq 2 ] || [ "${3:-}" = all ] || { echo "usage: fetch_package.sh PACKAGE FOLDER [all] <SUMS" >&2; exit 2; }
package="$1" folder="$2" sums="$(cat)"

give_up() {
  echo "fetch_package.sh: $1" >&2
  exit 1
}

is_right() {
  [ -d "$1" ] && (cd "$1" && echo "$sums" | sha256sum --check --status 2>/dev/null)
}

is_right "$folder" && exit 0
command -v npm >/dev/null || give_up "needs npm to fetch $package; apt-get install -y npm"

mkdir -p "$folder"
work="$(mktemp -d "$folder/.fetch-XXXXXX")"
trap 'rm -rf "$work"' EXIT
(cd "$work" && npm pack --silent "$package" >/dev/null) ||
  give_up "npm could not fetch $package; try again with a network"
tar -xzf "$work"/*.tgz -C "$work" || give_up "$package is no archive"
is_right "$work/package" || give_up "$package is not what it was when it was tried"
if [ $# -eq 3 ]; then
  cp -r "$work/package/." "$folder"
else
  for file in $(echo "$sums" | sed 's/^[^ ]*  //'); do
    mkdir -p "$folder/$(dirname "$file")"
    mv "$work/package/$file" "$folder/$file"
  done
fi
echo "Fetched $package into $folder"
