#!/bin/sh
# Makes the archive for any Linux of a build of the preset `package`: the program with the libraries and the loader
# that it was built with, behind a launcher that needs nothing (tarball/launcher.c); and beside it an archive of its
# debugging symbols and a list of what is in it (SPDX). The same commit makes the same bytes.
# Usage: tarball.sh BUILD_DIR OUT_DIR [TRIPLET SYSROOT]
# TRIPLET names the compiler of a cross build, and SYSROOT the folder (sysroot.sh) that it took libraries from.
set -eu
[ $# -eq 2 ] || [ $# -eq 4 ] || { echo "usage: tarball.sh BUILD_DIR OUT_DIR [TRIPLET SYSROOT]" >&2; exit 2; }
prefix=${3:+$3-}
sysroot=${4:-}
tree=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "$1" && pwd)
mkdir -p "$2"
out=$(cd "$2" && pwd)
umask 022

facts=$("$tree/packaging/version.sh")
export SOURCE_DATE_EPOCH="${facts#* }"
machine=$("${prefix}gcc" -dumpmachine)
name=reveal-${facts% *}-${machine%%-*}
work=$build/tarball
root=$work/$name
libraries=$root/lib/reveal
rm -rf "$work"
mkdir -p "$work"

# The folder that documents and manual pages name is the one that the how-to has it unpacked to.
DESTDIR=$work/installed cmake --install "$build" --prefix /opt/reveal >/dev/null
mv "$work/installed/opt/reveal" "$root"
mkdir -p "$libraries" "$root/share/reveal"
mv "$root/bin/reveal" "$libraries/reveal"

# Symbols are for whoever looks into a crash, and are four fifths of the program.
mkdir -p "$work/$name-debug"
"${prefix}objcopy" --only-keep-debug --compress-debug-sections "$libraries/reveal" "$work/$name-debug/reveal.debug"
"${prefix}strip" --strip-all "$libraries/reveal"
"${prefix}objcopy" --add-gnu-debuglink="$work/$name-debug/reveal.debug" "$libraries/reveal"

# Nothing may have to be put right before it runs: nobody would do it.
launcher="-std=c17 -Os -Wall -Wextra -Werror -fPIE -static-pie -nostdlib -ffreestanding -fno-stack-protector
  -fno-tree-loop-distribute-patterns -fno-asynchronous-unwind-tables
  -Wl,-z,relro,-z,now,-z,noexecstack,--build-id=none,--no-dynamic-linker -s"
case $machine in x86_64-*) launcher="$launcher -fcf-protection=none" ;; esac
# shellcheck disable=SC2086 # a list of words
"${prefix}gcc" $launcher -o "$root/bin/reveal" "$tree/packaging/tarball/launcher.c"
"${prefix}readelf" --relocs "$root/bin/reveal" | grep -q "no relocations" || {
  echo "tarball.sh: the launcher has relocations, and nobody to do them" >&2
  exit 1
}

python3 -B "$tree/packaging/tarball/libraries.py" "$build/reveal" "${prefix}readelf" "$sysroot" >"$work/libraries"
while read -r library; do
  cp --dereference "$library" "$libraries/"
done <"$work/libraries"
chmod 644 "$libraries"/*.so.*
chmod 755 "$libraries"/ld-linux-*

sed -e 's,/usr/bin/reveal,/opt/reveal/bin/reveal,' -e 's,^User=reveal$,DynamicUser=yes,' -e '/^Group=reveal$/d' \
  "$tree/packaging/debian/reveal-agent.service" >"$root/share/reveal/reveal-agent.service"
sed 's,/usr/share/doc,/opt/reveal/share/doc,' "$tree/packaging/debian/etc/reveal/reveal.toml" \
  >"$root/share/reveal/reveal.toml"
# The analyser keeps a user of its own: a file with its password must be of somebody who stays.
sed 's,/usr/bin/reveal,/opt/reveal/bin/reveal,' "$tree/packaging/debian/reveal-fleet.service" \
  >"$root/share/reveal/reveal-fleet.service"
cp "$tree/packaging/debian/reveal-fleet.sysusers" "$tree/packaging/debian/etc/default/reveal-fleet" \
  "$root/share/reveal/"
python3 -B "$tree/packaging/sbom.py" "$build" "$root" "$work/libraries" ${sysroot:+"$sysroot"} >"$work/$name.spdx.json"
cp "$work/$name.spdx.json" "$root/share/doc/reveal/sbom.spdx.json"

rm -f "$out"/reveal-*.tar.xz "$out"/reveal-*.spdx.json
for folder in "$name" "$name-debug"; do
  tar --create --directory="$work" --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner \
    --format=gnu "$folder" | xz --threads=1 -9 >"$out/$folder.tar.xz"
done
mv "$work/$name.spdx.json" "$out/"
cd "$out"
echo "$(du --apparent-size --summarize --block-size=1000 "$root" | cut -f 1) kB unpacked:"
du --apparent-size --block-size=1000 "$name"* | sed 's/\t/ kB  /'
