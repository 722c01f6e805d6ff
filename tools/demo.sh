#!/bin/sh
# Watches this host for about a minute while it does ordinary, steady work, makes one real
# disturbance on the side (a storage burst of five seconds with dd), and prints the report. The
# disturbance is made by another process than the one that reveal runs: reveal sees it in the
# hardware's signals alone.
#
#   tools/demo.sh REVEAL [quiet]     with "quiet", the same without the disturbance
set -eu

reveal="${1:?usage: tools/demo.sh REVEAL [quiet]}"
burst="${2:-burst}"
seconds=75
burst_after=45
burst_seconds=5

stamp="$(date -u +%Y%m%dT%H%M%SZ)"
recording="build/demo/$stamp-$burst"
mkdir -p build/demo
scratch="$(mktemp build/demo/scratch.XXXXXX)"
trap 'rm -f "$scratch"' EXIT INT TERM

# Writes and rereads a file past the page cache where the filesystem allows it, else with a flush.
storage_burst() {
  end=$(($(date +%s) + burst_seconds))
  while [ "$(date +%s)" -lt "$end" ]; do
    dd if=/dev/zero of="$scratch" bs=1M count=64 oflag=direct conv=notrunc 2>/dev/null ||
      dd if=/dev/zero of="$scratch" bs=1M count=64 conv=notrunc,fdatasync 2>/dev/null
    dd if="$scratch" of=/dev/null bs=1M iflag=direct 2>/dev/null || true
  done
}

if [ "$burst" != quiet ]; then
  (
    sleep "$burst_after"
    echo "demo: storage burst from $(date -u +%T) UTC, for $burst_seconds s" >&2
    storage_burst
  ) &
fi

# The steady work: compresses the same few megabytes over and over, with pauses.
work='end=$(($(date +%s) + '"$seconds"'))
while [ "$(date +%s)" -lt "$end" ]; do
  head -c 4000000 /proc/self/exe /bin/* 2>/dev/null | head -c 8000000 | gzip -6 >/dev/null
  sleep 0.1
done'

status=0
"$reveal" run -o "$recording" -- sh -c "$work" || status=$?
wait
echo "demo: the recording is in $recording, with report.json, and report.html for a browser" >&2
exit "$status"
