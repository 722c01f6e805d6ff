#!/bin/sh
# Prints the options by which apt-get and apt-cache work with the packages of another architecture, as far as nothing
# is installed: lists and archives are in FOLDER, which it makes.
# Usage: options=$(apt_of.sh ARCHITECTURE FOLDER); then apt-get $options update
# They are of this host's release, or of the first release that has the architecture.
set -eu
[ $# -eq 2 ] || { echo "usage: apt_of.sh ARCHITECTURE FOLDER" >&2; exit 2; }
mkdir -p "$2/lists/partial" "$2/archives/partial"
folder=$(cd "$2" && pwd)
printf '%s ' -qq -o "APT::Architecture=$1" -o "APT::Architectures=$1" -o Dir::State::status=/dev/null \
  -o "Dir::State::lists=$folder/lists" -o "Dir::Cache=$folder" -o APT::Sandbox::User=root

case $1 in
  riscv64) release=trixie ;;
  *) exit 0 ;;
esac
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | sed -n '/\/debian\/*$/{p;q}')
[ -n "$mirror" ] || { echo "apt_of.sh: no source of apt on this host has Debian's main archive" >&2; exit 1; }
keys=/usr/share/keyrings/debian-archive-keyring.gpg
echo "deb [signed-by=$keys] $mirror $release main" >"$folder/sources.list"
printf '%s ' -o "Dir::Etc::sourcelist=$folder/sources.list" -o Dir::Etc::sourceparts=-
