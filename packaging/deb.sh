#!/bin/sh
# Makes Debian packages of a build of the preset `package`, and says what they weigh.
# Usage: deb.sh BUILD_DIR OUT_DIR ; REVEAL_PACKAGE_VERSION is a version to take instead of the commit's.
set -eu
[ $# -eq 2 ] || { echo "usage: deb.sh BUILD_DIR OUT_DIR" >&2; exit 2; }
tree=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "$1" && pwd)
mkdir -p "$2"
out=$(cd "$2" && pwd)

facts=$("$tree/packaging/version.sh")
version=${REVEAL_PACKAGE_VERSION:-${facts% *}}
export SOURCE_DATE_EPOCH="${facts#* }" REVEAL_BUILD="$build"

# Where it is worked in is always the same below the build: folders may be told in what is made.
work=$build/deb
rm -rf "$work"
mkdir -p "$work/reveal"
cp -r "$tree/packaging/debian" "$work/reveal/debian"
cd "$work/reveal"
{
  echo "reveal ($version-1) unstable; urgency=medium"
  echo
  echo "  * What has changed is in /usr/share/doc/reveal/changelog.gz."
  echo
  echo " -- $(sed -n 's/^Maintainer: //p' debian/control)  $(date --utc --rfc-email --date="@$SOURCE_DATE_EPOCH")"
} >debian/changelog

dpkg-buildpackage --build=binary --unsigned-changes --unsigned-buildinfo >"$work/log" 2>&1 || {
  tail -n 30 "$work/log" >&2
  echo "deb.sh: no package was made; $work/log has more" >&2
  exit 1
}
rm -f "$out"/reveal*_*.deb "$out"/reveal_*.buildinfo "$out"/reveal_*.changes
mv "$work"/*.deb "$work"/*.buildinfo "$work"/*.changes "$out"
cd "$out"
du --apparent-size --block-size=1000 reveal*_*.deb | sed 's/\t/ kB  /'
