#!/bin/sh
# Fetches the distribution's kernel for a guest, and unpacks it; nothing is installed.
# Usage: fetch_kernel.sh ARCHITECTURE METAPACKAGE FOLDER
# Leaves FOLDER/kernel, and its modules below FOLDER/unpacked/lib/modules.
set -eu

options=$("$(dirname "$0")/../../tools/apt_of.sh" "$1" "$3")
folder=$(cd "$3" && pwd)
# shellcheck disable=SC2086 # a list of words
apt-get $options update
# shellcheck disable=SC2086
package=$(apt-cache $options depends "$2" | sed -n 's/.*Depends: \(linux-image-.*\)/\1/p' | head -n 1)
# shellcheck disable=SC2086
(cd "$folder" && apt-get $options download "$package" && dpkg-deb -x "$package"_*.deb unpacked)
cp "$folder"/unpacked/boot/vmlinu[xz]-* "$folder/kernel"
