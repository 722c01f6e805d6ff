#!/bin/sh
# Unpacks Debian packages of another architecture, and what they need, into a folder that a cross compiler takes for
# its root. Nothing is installed. Does nothing if they are there.
# Usage: sysroot.sh ARCHITECTURE FOLDER PACKAGE...
# `dpkg-query --admindir=FOLDER/var/lib/dpkg` tells which package a file is of, as on a host.
set -eu
[ $# -ge 3 ] || { echo "usage: sysroot.sh ARCHITECTURE FOLDER PACKAGE..." >&2; exit 2; }
architecture=$1
tools=$(cd "$(dirname "$0")/../tools" && pwd)
mkdir -p "$2"
root=$(cd "$2" && pwd)
shift 2
wanted="$architecture $*"
[ "$(cat "$root/.packages" 2>/dev/null)" = "$wanted" ] && exit 0

echo "Unpacking for $architecture: $*"
rm -rf "$root"
work=$root/.work
database=$root/var/lib/dpkg
mkdir -p "$database/info"
options=$("$tools/apt_of.sh" "$architecture" "$work")
# shellcheck disable=SC2086 # a list of words
apt-get $options update
# shellcheck disable=SC2086
apt-get $options --yes --no-install-recommends --download-only install "$@"

echo 1 >"$database/info/format"
for package in "$work"/archives/*.deb; do
  dpkg-deb --extract "$package" "$root"
  facts=$(dpkg-deb --field "$package")
  printf '%s\nStatus: install ok installed\n\n' "$facts" >>"$database/status"
  name=$(dpkg-deb --field "$package" Package)
  # Of packages that several architectures may have at once, dpkg's lists have the architecture in their names.
  case $facts in *"Multi-Arch: same"*) name=$name:$architecture ;; esac
  dpkg-deb --fsys-tarfile "$package" | tar --list | sed -e 's,^\.,,' -e 's,^/$,/.,' -e 's,\(.\)/$,\1,' \
    >"$database/info/$name.list"
done
# Debian's later releases have these folders in /usr, and a package of its own that links them there.
for folder in lib lib64; do
  [ -e "$root/$folder" ] || [ ! -d "$root/usr/$folder" ] || ln -s "usr/$folder" "$root/$folder"
done
# The C++ library by the name that programs are linked by; the package that has it would bring headers of another compiler.
find "$root/usr/lib" -name libstdc++.so.6 -execdir ln -sf libstdc++.so.6 libstdc++.so \;
# A link to an absolute path would name a file of this host.
find "$root" -type l -lname '/*' | while read -r link; do
  ln -sfn "$(realpath -m --relative-to="$(dirname "$link")" "$root$(readlink "$link")")" "$link"
done
rm -rf "$work"
echo "$wanted" >"$root/.packages"
