#!/usr/bin/env bash
# build.sh - what conda build runs in the unpacked archive.
set -euo pipefail
./configure --prefix="$PREFIX"
make -j "${CPU_COUNT:-1}"
make install
