#!/bin/sh
# Fetches the distribution's kernel for a guest, and unpacks it; nothing is installed.
# Usage: fetch_kernel.sh ARCHITECTURE METAPACKAGE FOLDER
# Leaves FOLDER/kernel, and its modules below FOLDER/unpacked/lib/modules.
set -eu

mkdir -p "$3/lists/partial" "$3/archives/partial"
folder=$(cd "$3" && pwd)
options="-qq -o APT::Architecture=$1 -o APT::Architectures=$1 -o Dir::State::status=/dev/null
  -o Dir::State::lists=$folder/lists -o Dir::Cache=$folder -o APT::Sandbox::User=root"
# shellcheck disable=SC2086 # a list of words
apt-get $options update
# shellcheck disable=SC2086
package=$(apt-cache $options depends "$2" | sed -n 's/.*Depends: \(linux-image-.*\)/\1/p' | head -n 1)
# shellcheck disable=SC2086
(cd "$folder" && apt-get $options download "$package" && dpkg-deb -x "$package"_*.deb unpacked)
cp "$folder"/unpacked/boot/vmlinuz-* "$folder/kernel"
