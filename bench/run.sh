#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What `./dev bench` runs: the shipped kernels, original against emitted code and
# peers, and the time of the tool itself, in less than two minutes. Arguments are
# those of suite/suite.py: --polybench=DIR and --tsvc=DIR bring those corpora
# along.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=${RAISE_BUILD_DIR:-$(dirname "$here")/build}
tool=$build/bin/clang-raise
[ -x "$tool" ] || { echo "bench: $tool is not there; run ./dev build first" >&2; exit 2; }
exec python3 "$here/suite/suite.py" --tool="$tool" --runs=3 "$@"
