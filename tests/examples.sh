#!/usr/bin/env bash
# examples.sh - every example is built with its own Makefile, as a user would, and run on its own input.
set -uo pipefail
. "$TESTS/lib.sh"

for dir in "$TOP"/examples/*/; do
	name=$(basename "$dir")
	cp -r "$dir" "$WORK/$name"
	chmod -R u+w "$WORK/$name"
	rm -rf "$WORK/$name"/build-*
	cd "$WORK/$name" || exit 1
	check "example $name builds" make -s PATC="$PATC" CFLAGS='-O2 -Werror'
done

cd "$WORK/heat" || exit 1
check "the floor plan is what draw.py draws" bash -c 'python3 draw.py again.png && cmp input.png again.png'
check "heat settles" bash -c './build-cpu/heat --eps=1e-2 --no-measure | grep -q " settled within"'
check "heat writes its pictures" bash -c 'for f in before.png after.png; do head -c 8 $f | grep -q PNG || exit 1; done; ! cmp -s before.png after.png'
check "heat is quiet without a terminal" bash -c '[ -z "$(./build-cpu/heat --steps=10 --no-measure 2>&1 >/dev/null)" ]'
check "heat measures itself" bash -c './build-cpu/heat --steps=1 | grep -qE "Gcell/s; that moves [0-9.]+ GB/s"'
check "heat refuses what is no picture" bash -c '! ./build-cpu/heat heat.pat 2>/dev/null'
