#!/bin/sh
# Makes an image for containers (OCI) of the archive for any Linux that is in OUT_DIR, from nothing else, without root
# and without a daemon. The same archive makes the same bytes.
# Usage: image.sh OUT_DIR
set -eu
[ $# -eq 1 ] || { echo "usage: image.sh OUT_DIR" >&2; exit 2; }
tree=$(cd "$(dirname "$0")/.." && pwd)
out=$(cd "$1" && pwd)
umask 022

# Nobody's number on any host, and not root's: what images without a distribution use.
user=65532
archive=$(find "$out" -name 'reveal-*.tar.xz' ! -name '*-debug.tar.xz')
[ -f "$archive" ] || { echo "image.sh: $out has no archive of Reveal, or several; \`make tarball\` makes it" >&2; exit 1; }
name=$(basename "$archive" .tar.xz)
version=${name#reveal-}
version=${version%-*}
work=$out/image.work
trap 'rm -rf "$work"' EXIT
rm -rf "$work"
mkdir -p "$work/root" "$work/own"

# Nobody reads manual pages or completes words in a container.
cd "$work/root"
mkdir -p opt etc/reveal host/proc host/sys proc sys dev run var/lib
tar --extract --directory=opt --file="$archive"
mv "opt/$name" opt/reveal
rm -rf opt/reveal/share/man opt/reveal/share/fish opt/reveal/share/zsh opt/reveal/share/bash-completion
mv opt/reveal/share/reveal/reveal.toml etc/reveal/
rm -rf opt/reveal/share/reveal
mkdir -p "$work/own/var/lib/reveal" "$work/own/run/reveal" "$work/own/tmp"
chmod 750 "$work/own/var/lib/reveal" "$work/own/run/reveal"
chmod 1777 "$work/own/tmp"

seconds=$(stat --format=%Y opt/reveal/bin/reveal)
created=$(date --utc --date="@$seconds" +%Y-%m-%dT%H:%M:%SZ)
revision=$(git -C "$tree" rev-parse HEAD)
fixed="--sort=name --mtime=@$seconds --numeric-owner --format=gnu"
# shellcheck disable=SC2086 # a list of words
tar --create --file="$work/layer.tar" --directory="$work/root" --owner=0 --group=0 $fixed .
# shellcheck disable=SC2086
tar --append --file="$work/layer.tar" --directory="$work/own" --owner=$user --group=$user $fixed \
  var/lib/reveal run/reveal tmp

# A tag may not have what Debian orders versions by.
image=$work/layout:$(echo "$version" | tr "~" -)
umoci init --layout "$work/layout"
umoci new --image "$image"
umoci raw add-layer --image "$image" --history.created="$created" --history.created_by=packaging/image.sh "$work/layer.tar"
umoci config --image "$image" --no-history --created="$created" --os=linux \
  --architecture="$(dpkg --print-architecture)" --config.user="$user:$user" \
  --config.entrypoint=/opt/reveal/bin/reveal --config.cmd=agent --config.env=PATH=/opt/reveal/bin \
  --config.workingdir=/var/lib/reveal --config.volume=/var/lib/reveal --config.exposedports=7383/tcp \
  --config.stopsignal=SIGTERM \
  --config.label="org.opencontainers.image.title=Reveal" \
  --config.label="org.opencontainers.image.description=Finds slowdowns of ML hosts from hardware signals" \
  --config.label="org.opencontainers.image.licenses=Apache-2.0" \
  --config.label="org.opencontainers.image.version=$version" \
  --config.label="org.opencontainers.image.revision=$revision" \
  --config.label="org.opencontainers.image.created=$created"
umoci gc --layout "$work/layout"

rm -f "$out"/reveal-*.oci.tar
tar --create --file="$out/$name.oci.tar" --directory="$work/layout" --owner=0 --group=0 --mode=u=rwX,go=rX \
  --sort=name --mtime="@$seconds" --numeric-owner --format=gnu .
echo "$(du --apparent-size --summarize --block-size=1000 "$work/root" | cut -f 1) kB unpacked:"
cd "$out"
du --apparent-size --block-size=1000 "$name.oci.tar" | sed 's/\t/ kB  /'
