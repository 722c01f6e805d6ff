#!/bin/sh
# Counts for real: runs guest_test as the only program of an emulated Arm machine whose hardware
# counters are exact, once for each of two clocks. Usage: run.sh BUILD_DIR
#
# QEMU emulates the Neoverse N1's PMU. With -icount each instruction takes 2^shift ns and nothing
# else takes any, so cycles and instructions are known in advance, on however busy a machine.
# The kernel is the distribution's own for Arm servers; it is kept in BUILD_DIR, not installed.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
mkdir -p "$1"
build=$(cd "$1" && pwd)

# The compiler for Arm must not see this machine's headers, but for those that are only text.
build_test() {
  mkdir -p "$build/include"
  for headers in fmt tl; do ln -sfn "/usr/include/$headers" "$build/include/$headers"; done
  aarch64-linux-gnu-g++ -std=c++20 -O2 -static -DFMT_HEADER_ONLY -I"$root/src" \
    -idirafter "$build/include" -o "$build/init" "$here/guest_test.cc" \
    "$root/src/perf/event_group.cc" "$root/src/perf/scaled_count.cc" "$root/src/base/result.cc"
  (cd "$build" && echo init | cpio -o -H newc --quiet >initrd)
}

run_guest() {
  timeout 300 qemu-system-aarch64 -M virt -cpu neoverse-n1 -m 256 -smp 1 -nic none -nographic \
    -no-reboot -icount "shift=$1,sleep=off" -kernel "$build/kernel" -initrd "$build/initrd" \
    -append "console=ttyAMA0 quiet panic=-1 rdinit=/init reveal_shift=$1" </dev/null |
    tee "$build/console.$1"
  grep -q "GUEST PASS" "$build/console.$1" && ! grep -q "^FAIL" "$build/console.$1"
}

[ -s "$build/kernel" ] || "$here/fetch_kernel.sh" arm64 linux-image-cloud-arm64 "$build"
build_test
run_guest 0
run_guest 1
echo "guest-test: cycles and instructions are exact at both clocks"
