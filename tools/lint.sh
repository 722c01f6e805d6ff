#!/usr/bin/env bash
# Checks the types of the page's sources, and runs clang-tidy over every source of the given build. With
# --analyze it runs clang's static analyzer over them instead, which follows paths and takes as long as all
# of that.
set -euo pipefail
usage="usage: tools/lint.sh BUILD_DIR [--analyze]"
build="${1:?$usage}"
cd "$(dirname "$0")/.."

case "${2-}" in
  "") ;;
  --analyze)
    # Rows are read by people, in their order, padded or not.
    git ls-files 'src/*.cc' | grep -v '_test\.cc$' | xargs -P "$(nproc)" -n 4 clang-tidy -p "$build" --quiet \
      --checks='-*,clang-analyzer-*,-clang-analyzer-optin.performance.Padding' 2>/dev/null
    echo "clang's static analyzer: every source is clean"
    exit ;;
  *) echo "$usage" >&2; exit 2 ;;
esac
tools/check_types.sh build/deps/node_modules
tools/tidy.py "$build"
