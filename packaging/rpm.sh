#!/bin/sh
# Makes RPM packages of the archive for any Linux that is in OUT_DIR, with Debian's rpmbuild, and says what they weigh.
# The same archive makes the same bytes.
# Usage: rpm.sh OUT_DIR [TO_DIR] ; REVEAL_PACKAGE_VERSION is a version to take instead of the archive's.
set -eu
[ $# -eq 1 ] || [ $# -eq 2 ] || { echo "usage: rpm.sh OUT_DIR [TO_DIR]" >&2; exit 2; }
tree=$(cd "$(dirname "$0")/.." && pwd)
out=$(cd "$1" && pwd)
mkdir -p "${2:-$out}"
to=$(cd "${2:-$out}" && pwd)
umask 022

archive=$(find "$out" -maxdepth 1 -name 'reveal-*.tar.xz' ! -name '*-debug.tar.xz')
[ -f "$archive" ] || {
  echo "rpm.sh: $out has no archive of Reveal, or several; \`make tarball\` makes it" >&2
  exit 1
}
name=$(basename "$archive" .tar.xz)
machine=${name##*-}
version=${name#reveal-}
version=${REVEAL_PACKAGE_VERSION:-${version%-*}}
work=$to/rpm.work
trap 'rm -rf "$work"' EXIT
rm -rf "$work"
mkdir -p "$work/made"

tar --extract --directory="$work" --file="$archive" "$name/bin/reveal"
SOURCE_DATE_EPOCH=$(stat --format=%Y "$work/$name/bin/reveal")
export SOURCE_DATE_EPOCH
rpmbuild -bb --target "$machine-linux" \
  --define "reveal_version $version" --define "reveal_release 1" --define "reveal_archive $name" \
  --define "_topdir $work" --define "_sourcedir $out" --define "_rpmdir $work/made" --define "_dbpath $work/db" \
  --define "_rpmfilename %%{NAME}-%%{VERSION}-%%{RELEASE}.%%{ARCH}.rpm" \
  --define "use_source_date_epoch_as_buildtime 1" --define "clamp_mtime_to_source_date_epoch 1" \
  --define "_buildhost reveal" "$tree/packaging/rpm/reveal.spec" >"$work/log" 2>&1 || {
  tail -n 30 "$work/log" >&2
  echo "rpm.sh: no package was made" >&2
  exit 1
}
rm -f "$to"/reveal-*.rpm
mv "$work"/made/*.rpm "$to"
cd "$to"
du --apparent-size --block-size=1000 reveal-*.rpm | sed 's/\t/ kB  /'
