#!/bin/sh
# Builds Reveal, records this host's GPU under a load that is known, and holds each metric against nvidia-smi.
# Usage: gpu_check.sh OUT [--gpu N] [--lock-clock]   (REVEAL=BINARY in the environment: builds nothing)
# --lock-clock changes a setting of the GPU and takes it back. The exit status is 1 if a metric failed.
set -eu

[ $# -ge 1 ] || { echo "usage: gpu_check.sh OUT [--gpu N] [--lock-clock]" >&2; exit 2; }
here="$(cd "$(dirname "$0")/.." && pwd)"
command -v nvidia-smi >/dev/null || { echo "gpu_check.sh: there is no nvidia-smi: NVIDIA's driver is not installed" >&2; exit 2; }
if [ -z "${REVEAL:-}" ]; then
  make -C "$here" build
  REVEAL="$here/build/release/reveal"
fi
exec python3 -B "$here/studies/gpu/check.py" run "$@" --reveal "$REVEAL"
