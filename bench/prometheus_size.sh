#!/usr/bin/env bash
# What Prometheus' storage takes for the samples of recordings: exported as OpenMetrics and made into
# blocks by promtool (package prometheus).
#
#   bench/prometheus_size.sh REVEAL DIR...
set -euo pipefail
usage='usage: bench/prometheus_size.sh REVEAL DIR...'
reveal="${1:?$usage}"
shift
command -v promtool >/dev/null || { echo "prometheus_size.sh: needs promtool: apt-get install prometheus" >&2; exit 1; }
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
printf '%-20s %12s %12s %10s %10s\n' recording samples bytes B/sample KB/s
for dir in "$@"; do
  rm -rf "$scratch/blocks"
  "$reveal" export "$dir" --format prom -o "$scratch/samples.prom"
  promtool tsdb create-blocks-from openmetrics "$scratch/samples.prom" "$scratch/blocks" >/dev/null 2>&1
  samples=$(grep -vc '^#' "$scratch/samples.prom")
  bytes=$(du -sb --apparent-size "$scratch/blocks" | cut -f1)
  span=$("$reveal" info "$dir" --json | python3 -c 'import json,sys; print(json.load(sys.stdin)["span_ns"] / 1e9)')
  awk -v name="$(basename "$dir")" -v samples="$samples" -v bytes="$bytes" -v span="$span" \
    'BEGIN { printf "%-20s %12d %12d %10.4f %10.3f\n", name, samples, bytes, bytes / samples, bytes / span / 1000 }'
done
