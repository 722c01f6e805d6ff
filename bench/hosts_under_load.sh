#!/usr/bin/env bash
# Records this host idle, compiling and training, for store_bench to measure.
#
#   bench/hosts_under_load.sh REVEAL OUT SECONDS [LOAD...]
#
# OUT/idle, OUT/compile and OUT/training are the recordings. Training needs python3-torch and is
# left out, with a word, where that is not there.
set -euo pipefail
usage='usage: bench/hosts_under_load.sh REVEAL OUT SECONDS [idle|compile|training]...'
reveal="${1:?$usage}" out="${2:?$usage}" seconds="${3:?$usage}"
shift 3
here="$(cd "$(dirname "$0")" && pwd)"
loads=("$@")
((${#loads[@]})) || loads=(idle compile training)

compile_for() {
  local end=$((SECONDS + $1)) source scratch
  scratch="$(mktemp)"
  while ((SECONDS < end)); do
    for source in "$here"/../src/store/*.cc; do
      ((SECONDS < end)) || break
      g++ -std=c++20 -O2 -I"$here/../src" -I/usr/include/eigen3 -c "$source" -o "$scratch" 2>/dev/null || true
    done
  done
  rm -f "$scratch"
}
export -f compile_for
export here

for load in "${loads[@]}"; do
  case "$load" in
    idle) work=(sleep "$seconds") ;;
    compile) work=(bash -c "compile_for $seconds") ;;
    training)
      if ! /usr/bin/python3 -c 'import torch' 2>/dev/null; then
        echo "hosts_under_load.sh: no training without the package python3-torch" >&2
        continue
      fi
      work=(/usr/bin/python3 "$here/train.py" "$seconds")
      ;;
    *) echo "$usage" >&2; exit 2 ;;
  esac
  rm -rf "${out:?}/$load"
  mkdir -p "$out"
  "$reveal" record -q -o "$out/$load" -- "${work[@]}"
done
