#!/bin/sh
# Counts for real: runs guest_test as the only program of an emulated machine whose hardware
# counters are exact, once for each of its clocks. Usage: run.sh ARCHITECTURE BUILD_DIR
#
# With QEMU's -icount each instruction takes 2^shift ns and nothing else takes any, so cycles and
# instructions are known in advance, on however busy a machine. arm64 is a Neoverse N1, whose PMU
# counts a cycle a ns. riscv64 is a core with 16 counters behind OpenSBI, whose instructions QEMU 7.2
# counts in ns, too: there is but the clock with which that is the same.
# The kernel is the distribution's own for servers; it is kept in BUILD_DIR, not installed.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
architecture=$1
# shellcheck source=machine.sh
. "$here/machine.sh"
mkdir -p "$2"
build=$(cd "$2" && pwd)

# The cross compiler must not see this machine's headers, but for those that are only text.
build_test() {
  mkdir -p "$build/include"
  for headers in fmt tl; do ln -sfn "/usr/include/$headers" "$build/include/$headers"; done
  "$compiler" -std=c++20 -O2 -static -DFMT_HEADER_ONLY -I"$root/src" \
    -idirafter "$build/include" -o "$build/init" "$here/guest_test.cc" \
    "$root/src/perf/event_group.cc" "$root/src/perf/scaled_count.cc" "$root/src/base/result.cc"
  (cd "$build" && echo init | cpio -o -H newc --quiet >initrd)
}

run_guest() {
  # shellcheck disable=SC2086 # a list of words
  timeout 600 $machine -m 512 -smp 1 -nic none -nographic \
    -no-reboot -icount "shift=$1,sleep=off" -kernel "$build/kernel" -initrd "$build/initrd" \
    -append "console=$console quiet panic=-1 rdinit=/init reveal_shift=$1" </dev/null |
    tee "$build/console.$1"
  grep -q "GUEST PASS" "$build/console.$1" && ! grep -q "^FAIL" "$build/console.$1"
}

[ -s "$build/kernel" ] || "$here/fetch_kernel.sh" "$architecture" "$package" "$build"
build_test
for shift in $shifts; do run_guest "$shift"; done
echo "guest-test: cycles and instructions of $architecture are exact"
