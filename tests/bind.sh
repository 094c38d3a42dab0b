#!/usr/bin/env bash
# bind.sh - manifests are valid and true, and what `patc bind` writes of them calls the kernels.
set -uo pipefail
. "$TESTS/lib.sh"
cd "$WORK" || exit 1
SCHEMA=$TOP/man/manifest.schema.json

# ---- --manifest ----

programs=("$TESTS"/golden/*.pat "$TESTS/bind/every.pat")
manifests() { # TARGET
	fresh "$WORK/manifests-$1" && cd "$WORK/manifests-$1" &&
		python3 "$TESTS/bind/manifest.py" "$PATC" "$SCHEMA" "$1" "${programs[@]}" >seen.c && gcc -fsyntax-only -std=c11 -Wall -Werror seen.c
}
if python3 -c 'import jsonschema' 2>/dev/null; then
	for target in cpu cuda hip; do
		check "manifests are valid, and C agrees: $target" manifests $target
	done
else
	skip "manifests are valid" "no python3-jsonschema"
fi

echo 'kernel twice(x: f32[n], out y: f32[n]) { map y[i] = 2 * x[i]; }' >twice.pat
mkdir -p there && cp twice.pat there
check "manifest: the same from another folder" bash -c '"$PATC" --manifest=a.json twice.pat &&
	"$PATC" -o x.cu --header=twice.h --manifest=b.json there/twice.pat && sed s/x.cu/twice.cu/ b.json | cmp a.json -'
check "manifest: without the source" bash -c '"$PATC" -o /dev/null --header=twice.h --manifest=- twice.pat | grep -q "\"header\": \"twice.h\""'
check "manifest: remarks if they are enabled" bash -c '! grep -q remarks a.json && "$PATC" --manifest=c.json --remarks twice.pat 2>/dev/null &&
	grep -q "\"statements\"" c.json'
check "manifest: of one program" says 2 'with several inputs, --manifest' "$PATC" --manifest=d.json twice.pat there/twice.pat
check "manifest: no input" says 2 'is also an input' "$PATC" --manifest=twice.pat twice.pat
