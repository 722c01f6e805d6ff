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

fetch_kernel() {
  mkdir -p "$build/lists/partial" "$build/archives/partial"
  options="-qq -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o Dir::State::status=/dev/null
    -o Dir::State::lists=$build/lists -o Dir::Cache=$build -o APT::Sandbox::User=root"
  # shellcheck disable=SC2086 # a list of words
  apt-get $options update
  # shellcheck disable=SC2086
  package=$(apt-cache $options depends linux-image-cloud-arm64 |
    sed -n 's/.*Depends: \(linux-image-.*\)/\1/p' | head -n 1)
  # shellcheck disable=SC2086
  (cd "$build" && apt-get $options download "$package" && dpkg-deb -x "$package"_*.deb unpacked)
  cp "$build"/unpacked/boot/vmlinuz-* "$build/kernel"
}

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

[ -s "$build/kernel" ] || fetch_kernel
build_test
run_guest 0
run_guest 1
echo "guest-test: cycles and instructions are exact at both clocks"
