#!/bin/sh
# Makes a data set of the lab's recordings in tests/recordings, with what was really done to their host and how long
# the steps of its training took:
#   make_dataset.sh REVEAL OUT [OPTION of reveal dataset...]
# Each has the name of its scenario. Nothing of it is in the repository: the same recordings and the same program make
# the same bytes.
set -eu

[ $# -ge 2 ] || { echo "usage: make_dataset.sh REVEAL OUT [OPTION...]" >&2; exit 2; }
reveal=$1
out=$2
shift 2
recordings=$(cd "$(dirname "$0")/../tests/recordings" && pwd)
for truth in "$recordings"/*/truth.json; do
  run=$(dirname "$truth")
  set -- "$@" "$(basename "$run")=$run/host0"
done
exec "$reveal" dataset "$@" -o "$out" --labels ../truth.json --truth ../truth.json --steps ../steps0.jsonl \
  --label environment="virtual machine, 2 CPUs" --label task=training
