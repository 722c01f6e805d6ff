#!/bin/sh
# Unpacks Debian packages that tests run programs of, without installing them: some would start services.
# Usage: unpack_packages.sh DIR PACKAGE... ; the programs are then in DIR/usr/bin. Does nothing for those that
# are there. What cannot be had is said, and tests that need it are skipped.
set -eu
directory=$1
shift
mkdir -p "$directory"
for package in "$@"; do
  [ -e "$directory/.$package" ] && continue
  echo "Unpacking: $package"
  folder=$(mktemp -d)
  if (cd "$folder" && apt-get download -qq "$package") >/dev/null 2>&1 && dpkg-deb -x "$folder"/*.deb "$directory"; then
    : >"$directory/.$package"
  else
    echo "unpack_packages.sh: cannot get $package; tests that need it are skipped" >&2
  fi
  rm -rf "$folder"
done
