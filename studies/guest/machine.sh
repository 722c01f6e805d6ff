# What is emulated of an architecture, for scripts that include this with its name, Debian's, in `architecture`.
# It sets compiler, package (of the kernel), console, machine (QEMU and its first words), and shifts: the clocks at
# which the counts of run.sh are known.
# shellcheck shell=sh disable=SC2034 # others use them
case $architecture in
  arm64) compiler=aarch64-linux-gnu-g++ package=linux-image-cloud-arm64 console=ttyAMA0 shifts="0 1"
         machine="qemu-system-aarch64 -M virt -cpu neoverse-n1" ;;
  riscv64) compiler=riscv64-linux-gnu-g++ package=linux-image-riscv64 console=ttyS0 shifts=0
           machine="qemu-system-riscv64 -M virt -cpu rv64" ;;
  *) echo "guest: no machine for '$architecture'; known: arm64, riscv64" >&2; exit 2 ;;
esac
