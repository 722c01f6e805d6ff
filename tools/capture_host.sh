#!/bin/sh
# Captures the kernel files that Reveal's collectors read into a tree that --proc-root and --sys-root
# (and the contract tests) can use. Needs no root. The host's name and boot id are not captured: NAME
# stands for the one, zeros for the other.
#
#   tools/capture_host.sh NAME DIR      makes DIR/proc and DIR/sys
set -eu

if [ $# -ne 2 ]; then
  echo "usage: $0 NAME DIR" >&2
  exit 2
fi
name=$1
dir=$2

proc_files="stat interrupts softirqs meminfo vmstat diskstats net/dev net/snmp net/netstat
  pressure/cpu pressure/memory pressure/io pressure/irq sys/kernel/osrelease"

for file in $proc_files; do
  # A file may exist and still refuse to be read; it is then not part of the tree.
  if text=$(cat "/proc/$file" 2>/dev/null && echo .); then
    mkdir -p "$(dirname "$dir/proc/$file")"
    printf '%s' "${text%.}" >"$dir/proc/$file"
  fi
done

mkdir -p "$dir/proc/sys/kernel/random"
echo "$name" >"$dir/proc/sys/kernel/hostname"
echo 00000000-0000-0000-0000-000000000000 >"$dir/proc/sys/kernel/random/boot_id"

mkdir -p "$dir/sys/devices/system/cpu"
cat /sys/devices/system/cpu/online >"$dir/sys/devices/system/cpu/online"

# The collectors only ask whether a whole disk has an entry; its size stands for the entry here.
for disk in /sys/block/*; do
  [ -e "$disk/size" ] || continue
  mkdir -p "$dir/sys/block/$(basename "$disk")"
  cat "$disk/size" >"$dir/sys/block/$(basename "$disk")/size"
done
