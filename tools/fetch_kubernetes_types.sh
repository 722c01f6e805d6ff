#!/bin/sh
# Fetches the fields of Kubernetes' objects as types, and TypeScript, which checks manifests against them, into
# NODE_MODULES. Nothing of either is part of Reveal. Says nothing when they are there.
# Usage: fetch_kubernetes_types.sh NODE_MODULES
# If they cannot be had, it says so and succeeds; the test that needs them is skipped then.
set -eu

[ $# -eq 1 ] || { echo "usage: fetch_kubernetes_types.sh NODE_MODULES" >&2; exit 2; }
here="$(dirname "$0")"

"$here/fetch_typescript.sh" "$1/typescript" && "$here/fetch_package.sh" kubernetes-types@1.30.0 "$1/kubernetes-types" <<'SUMS' && exit 0
52d8b1e3c68f6471bbaf162a97a10297afa43f74b1f9446cbaa240cc3ce6232b  apps/v1.d.ts
306d4392f933abd1829c5b11167960580b5050b2ff1ce3c1fa8b454aea8f1384  core/v1.d.ts
57537884fe46e5384f867e1fe106ef1e9857091880e63c2c30f9eac9646bd596  meta/v1.d.ts
2362c47692d63b005fc287e65551161cb56fee6ee4dc43aa417dd902cad6782d  scheduling/v1.d.ts
4ef861af9b9472d8fdaa1f0bc1fc223237c3d85a92437549745f9dcebb30ddfe  api/resource.d.ts
07a966e2c11f3f12001995d3fa1910bfd38fe7063e12690ee7196b208d2913b2  runtime.d.ts
2e23caf0261433c70ddaff7a11de94f05c888c8f0433d2909253ae34a48ab306  package.json
SUMS
echo "The fields of the manifests for Kubernetes are not checked; \`make deps-test\` tries again." >&2
