#!/usr/bin/env bash
# Fuzzes each target of a build with the preset `fuzz` for some seconds, from its seeds and from the
# corpus that earlier runs left below the build. One line a target; what was found is kept beside the
# corpus, and then the script fails.
set -euo pipefail
usage='usage: tools/fuzz.sh BUILD_DIR SECONDS'
build="${1:?$usage}/fuzz"
seconds="${2:?$usage}"
if [[ ! $seconds =~ ^[1-9][0-9]*$ ]]; then
  echo "tools/fuzz.sh: '$seconds' is no number of seconds" >&2
  exit 2
fi
if ! grep -qs '^REVEAL_FUZZ:BOOL=ON$' "$1/CMakeCache.txt" || [[ ! -x $build/segment_seed ]]; then
  echo "tools/fuzz.sh: $1 is no build with libFuzzer (cmake --preset fuzz, then build it)" >&2
  exit 2
fi

# Prints the last number that libFuzzer gave for a statistic or a word of its progress lines.
last() {
  grep -oE "$1 *[0-9]+" "$2" | tail -n 1 | grep -oE '[0-9]+$' || echo 0
}

fuzz_one() {
  local target="$1" name="${1##*/}"
  local corpus="$build/corpus/$name" found="$build/found/$name" log="$build/$name.log"
  mkdir -p "$corpus" "$found"
  local state=0
  "$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
    -artifact_prefix="$found/" "$corpus" "$build/${name#fuzz_}_seeds" >"$log" 2>&1 || state=$?
  local result='nothing found'
  ((state == 0)) || result="FOUND: $(find "$found" -type f -newer "$corpus.start" -print -quit), see $log"
  printf '%-14s %s runs, %s edges covered, %s inputs kept: %s\n' "$name" \
    "$(last 'number_of_executed_units:' "$log")" "$(last 'cov:' "$log")" \
    "$(find "$corpus" -type f | wc -l)" "$result"
  return "$state"
}

"$build/segment_seed" "$build/segment_seeds"
"$build/procfs_seed" "${0%/*}/../tests/hosts" "$build/procfs_seeds"
"$build/netlink_seed" "$build/netlink_seeds"
"$build/wire_seed" "$build/wire_seeds"
failed=0
for target in "$build"/fuzz_*; do
  [[ -x $target && -f $target ]] || continue
  mkdir -p "$build/corpus"
  touch "$build/corpus/${target##*/}.start"
  fuzz_one "$target" || failed=1
done
exit "$failed"
