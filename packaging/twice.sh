#!/bin/sh
# Builds the commit twice, one build after the other, in two folders below FOLDER whose names have different lengths,
# and compares what is handed out (tools/compare_builds.py). Fails if a byte differs. What is not committed is not built.
# Usage: twice.sh FOLDER [TARGET...] ; TARGETs of make that fill build/packages: all for this architecture unless given
set -eu
[ $# -ge 1 ] || { echo "usage: twice.sh FOLDER [TARGET...]" >&2; exit 2; }
tree=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$1"
folder=$(cd "$1" && pwd)
shift
[ $# -gt 0 ] || set -- deb tarball rpm image
commit=$(git -C "$tree" rev-parse HEAD)
[ -z "$(git -C "$tree" status --porcelain --untracked-files=no)" ] ||
  echo "twice.sh: changes that are not committed are not built" >&2
one=$folder/one
other=$folder/further/down/the_other

# build CLONE TIME_ZONE TARGET...
build() {
  clone=$1
  zone=$2
  shift 2
  rm -rf "$clone"
  git clone --quiet --no-checkout "$tree" "$clone"
  git -C "$clone" checkout --quiet --detach "$commit"
  # What the page is made with is fetched once.
  modules=build/deps/node_modules
  if [ -d "$tree/$modules/uplot" ]; then
    mkdir -p "$clone/$modules"
    cp -r "$tree/$modules/uplot" "$clone/$modules/"
  fi
  env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL TZ="$zone" make --no-print-directory --directory="$clone" "$@"
}

build "$one" UTC "$@"
build "$other" UTC-14 "$@"
python3 -B "$tree/tools/compare_builds.py" "$one/build/packages" "$other/build/packages"
