#!/bin/sh
# Installs the Debian packages that the named groups need (packages_of below has their names) and says nothing when
# all of them are there already. Needs root or sudo only where something is missing.
# `install_packages.sh --list GROUP` only prints the packages of a group.
set -eu

packages_of() {
  case "$1" in
    build) echo "g++ cmake ninja-build python3 $(packages_of libraries)" ;;
    libraries) echo "libexpected-dev libfmt-dev zlib1g-dev libzstd-dev libeigen3-dev nlohmann-json3-dev libcli11-dev" \
                    "libpfm4-dev libtomlplusplus-dev libhwy-dev libncurses-dev libssl-dev libcrypt-dev libnats-dev" \
                    "libsqlite3-dev libpq-dev" ;;
    # Where the programs come from does not matter: npm is often not Debian's.
    web) for program in esbuild npm; do command -v "$program" >/dev/null || echo "$program"; done ;;
    test) echo "ccache lld clang libclang-rt-14-dev libgtest-dev libgmock-dev libbenchmark-dev python3 python3-numpy python3-pandas python3-scipy" \
               "python3-sklearn python3-statsmodels python3-yaml python3-zstandard procps iproute2 tmux chromium chromium-driver" \
               "zsh fish mandoc openssl nats-server" ;;
    lab) echo "python3-torch python3-scipy nftables ethtool iproute2 e2fsprogs util-linux g++" ;;
    trial) echo "stress-ng fio strace xz-utils $(packages_of lab)" ;;
    lint) echo "clang clang-format clang-tidy" ;;
    package) echo "debhelper dpkg-dev po-debconf lintian mmdebstrap debootstrap binutils gcc tar xz-utils busybox-static" \
                  "umoci crun runc util-linux python3-yaml rpm" ;;
    package-arm64) echo "g++-aarch64-linux-gnu qemu-user-static" ;;
    package-riscv64) echo "g++-riscv64-linux-gnu qemu-user-static" ;;
    store-bench) echo "prometheus python3-torch" ;;
    guest-arm64) echo "qemu-system-arm g++-aarch64-linux-gnu $(packages_of guest)" ;;
    guest-riscv64) echo "qemu-system-misc opensbi g++-riscv64-linux-gnu $(packages_of guest)" ;;
    guest) echo "busybox-static cpio libfmt-dev libexpected-dev" ;;
    guest-x86) echo "qemu-system-x86 busybox-static cpio binutils ethtool iproute2 g++ python3" ;;
    *) echo "install_packages.sh: unknown group '$1'; known: build, libraries, web, test, lab, trial, lint, package, package-arm64, package-riscv64, store-bench, guest-arm64, guest-riscv64, guest-x86" >&2; exit 2 ;;
  esac
}

[ "$1" != --list ] || { packages_of "$2"; exit 0; }

missing=""
for group in "$@"; do
  for package in $(packages_of "$group"); do
    dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed ||
      missing="$missing $package"
  done
done
[ -n "$missing" ] || exit 0

echo "Installing:$missing"
as_root=""
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || {
    echo "install_packages.sh: needs root to install these packages; run as root:" >&2
    echo "  apt-get install -y$missing" >&2
    exit 1
  }
  as_root="sudo"
fi
export DEBIAN_FRONTEND=noninteractive
$as_root apt-get update -qq
# shellcheck disable=SC2086 # a list of words
$as_root apt-get install -y -qq --no-install-recommends $missing >/dev/null
