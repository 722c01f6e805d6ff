#!/bin/sh
# Becomes systemd in a root file system, for tests: in namespaces of its own (unshare, see roots.py), of which it
# makes the devices, an empty network and a root. A plain chroot would not do: the sandboxes of units pivot.
# Usage: boot.sh ROOT
set -eu
root=$1
ip link set lo up
mount --make-rprivate /
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount --rbind /sys "$root/sys"
mount -t tmpfs tmpfs "$root/run"
mount -t tmpfs tmpfs "$root/tmp"
mount -t tmpfs -o mode=755 tmpfs "$root/dev"
for device in null zero full random urandom tty kmsg; do
  : >"$root/dev/$device"
  mount --bind "/dev/$device" "$root/dev/$device"
done
mkdir "$root/dev/pts" "$root/dev/shm"
ln -s /proc/self/fd "$root/dev/fd"
ln -s pts/ptmx "$root/dev/ptmx" # units with devices of their own (PrivateDevices) get a copy of it
cd "$root"
mkdir -p .before
pivot_root . .before
umount --lazy /.before
[ -e /sys/fs/cgroup/cgroup.controllers ] && hierarchy="" || hierarchy=systemd.unified_cgroup_hierarchy=0
# shellcheck disable=SC2086 # nothing, or one word
exec env -i container=other PATH=/usr/sbin:/usr/bin:/sbin:/bin \
  /lib/systemd/systemd --log-target=console --log-level=warning $hierarchy
