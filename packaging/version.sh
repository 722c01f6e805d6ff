#!/bin/sh
# Prints a version for packages, and the time that stands in them (seconds since the epoch): of the commit, so
# that two builds of it are the same. A commit that is not tagged vVERSION comes before that version, and after
# those before it; changes that are not committed are said.
# Usage: version.sh ; prints VERSION TIME
set -eu
cd "$(dirname "$0")/.."

version=$(sed -n 's/^project(reveal VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
time=$(git show --no-patch --format=%ct HEAD)
[ "$(git tag --points-at HEAD --list "v$version")" ] ||
  version="$version~git$(date --utc --date="@$time" +%Y%m%d%H%M%S).$(git rev-parse --short=7 HEAD)"
[ -z "$(git status --porcelain --untracked-files=no)" ] || version="$version.changed"
echo "$version $time"
