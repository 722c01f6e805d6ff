#!/bin/sh
# Uses the archive for any Linux in an emulated machine with a kernel of its own, which has the archive, busybox and
# nothing else (archive_init.sh). Usage: archive.sh ARCHITECTURE ARCHIVE BUILD_DIR
# The kernel and busybox are the distribution's; they are kept in BUILD_DIR, not installed.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
architecture=$1
# shellcheck source=machine.sh
. "$here/machine.sh"
archive=$(realpath "$2")
mkdir -p "$3"
build=$(cd "$3" && pwd)

fetch_busybox() {
  options=$("$here/../../tools/apt_of.sh" "$architecture" "$build")
  # shellcheck disable=SC2086 # a list of words
  apt-get $options update
  # shellcheck disable=SC2086
  (cd "$build" && apt-get $options download busybox-static && dpkg-deb -x busybox-static_*.deb busybox)
}

[ -s "$build/kernel" ] || "$here/fetch_kernel.sh" "$architecture" "$package" "$build"
[ -d "$build/busybox" ] || fetch_busybox
root=$build/root
rm -rf "$root"
mkdir -p "$root/bin" "$root/opt"
cp "$(find "$build/busybox" -name busybox -type f -path '*bin/*')" "$root/bin/"
for name in $(/bin/busybox --list); do ln -sf busybox "$root/bin/$name"; done
tar --extract --directory="$root/opt" --file="$archive"
mv "$root"/opt/reveal-* "$root/opt/reveal"
cp "$here/archive_init.sh" "$root/init"
(cd "$root" && find . | cpio -o -H newc --quiet >"$build/archive_initrd")

# shellcheck disable=SC2086 # a list of words
timeout 1200 $machine -m 1024 -smp 2 -nic none -nographic -no-reboot -kernel "$build/kernel" \
  -initrd "$build/archive_initrd" -append "console=$console quiet panic=-1 rdinit=/init" </dev/null |
  tee "$build/console.archive"
grep -q "GUEST PASS" "$build/console.archive"
