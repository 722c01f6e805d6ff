#!/bin/sh
# First program of an emulated machine that has busybox and the unpacked archive of Reveal and nothing else: uses it as
# an admin would, says on the console what came of it, "GUEST PASS" or "GUEST FAIL" last, and turns the machine off.
set -u
export PATH=/bin
reveal=/opt/reveal/bin/reveal
failures=0

expect() {
  if grep -qE "$2" "/tmp/$1"; then
    echo "ok   $1 has $2"
  else
    echo "FAIL $1 has no $2"
    failures=$((failures + 1))
  fi
}

# Runs reveal, and shows and keeps what it says.
try() {
  name=$1
  shift
  echo "== reveal $*"
  "$reveal" "$@" >"/tmp/$name" 2>&1
  status=$?
  cat "/tmp/$name"
  echo "== status $status"
}

mkdir -p /proc /sys /dev /tmp
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
mount -t tmpfs tmp /tmp
echo "== files"
for file in /proc/version /proc/cpuinfo /proc/interrupts; do
  echo "-- $file"
  cat "$file"
done
for file in $(find /sys/bus/event_source/devices/*/ -type f ! -name uevent); do
  echo "-- $file $(cat "$file" 2>/dev/null)"
done

try version version
try doctor doctor
try metrics metrics --values
expect metrics '^cpu_timer_interrupts_total .*[0-9]'
# Half of the time one core computes.
(while sleep 5; do timeout 5 sh -c 'while :; do :; done'; done) &
try record record -o /tmp/r --duration 30s
try analyze analyze /tmp/r
expect analyze 'Analyzed +[0-9]+ windows'
try info info /tmp/r
dmesg | grep -iE 'pmu|sbi' | tail -n 20
[ "$failures" = 0 ] && echo "GUEST PASS" || echo "GUEST FAIL"
poweroff -f
