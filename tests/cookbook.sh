#!/usr/bin/env bash
# cookbook.sh - examples/cookbook: each program on the cpu target against the interpreter, that against plain loops in
# Python, and what measures them.  That the programs compile for all targets silently is the section lang.
set -uo pipefail
. "$TESTS/lib.sh"
COOKBOOK=$TOP/examples/cookbook
export COOKBOOK OMP_WAIT_POLICY=passive CC=gcc

against_interpreter() {
	check "cookbook $(basename "$1" .pat) on the cpu target" "$PATC" test --target=cpu --shapes=3 "$1"
}
against_loops() {
	check "cookbook $1 agrees with plain loops" python3 "$TESTS/cookbook.py" "$PATC" "$COOKBOOK" "$1"
}
# planted "NAME SED": a program that is changed so differs from the plain loops
planted() {
	local name=${1%% *} dir=$WORK/planted-${1%% *} said
	fresh "$dir" && sed "${1#* }" "$COOKBOOK/$name.pat" >"$dir/$name.pat"
	! cmp -s "$COOKBOOK/$name.pat" "$dir/$name.pat" || { bad "cookbook: planted in $name" "nothing is changed"; return; }
	said=$(python3 "$TESTS/cookbook.py" "$PATC" "$dir" "$name" 2>&1)
	[ $? = 1 ] && grep -q "^$name: cell" <<<"$said" && ok "cookbook: an error planted in $name is found" ||
		bad "cookbook: an error planted in $name is found" "$said"
}
export -f against_interpreter against_loops planted

mapfile -t programs < <(find "$COOKBOOK" -name '*.pat' | LC_ALL=C sort)
each against_interpreter "${programs[@]}"
mapfile -t names < <(sed -n '/^@task/{n;s/^def \(.*\)(.*/\1/p}' "$TESTS/cookbook.py")
each against_loops "${names[@]}"
each planted \
	'dot s/x\[i\] \* y/x[i] + y/' \
	'prefix_sum s/ exclusive//' \
	'run_length s/: n)/: n - 1)/' \
	'fir s/x\[c, i-k\]/x[c, i-k-1]/' \
	'top_k s/by > stable/by > unstable/; s/score by >/score by </' \
	'softmax s/ - top\[i\])) / - top[i]) + 1) /; s/exp(x\[i, j\] - top\[i\]) \//x[i, j] \//' \
	'spmv s/row\[i\]\.\./row[i]+1../' \
	'levenshtein s/? 0 : 1/? 0 : 2/' \
	'sobel s/boundary clamp/boundary wrap/' \
	'fft s/-sin(/sin(/' \
	'nbody s/body\[j\], soft/body[j], 2 * soft/'

# Every program has a row of measurements and an entry in the manual.
listed() {
	local file status=0
	for file in "${programs[@]}"; do
		grep -q "^$(basename "$file") " "$COOKBOOK/sizes" || { echo "$(basename "$file") has no line in sizes"; status=1; }
		grep -qF "quote program examples/cookbook/$(basename "$file")" "$TOP/man/patc-cookbook.7" ||
			{ echo "$(basename "$file") is not in patc-cookbook(7)"; status=1; }
	done
	return $status
}
check "cookbook: every program has sizes and an entry in the manual" listed
# One is written, built and measured, and becomes a table.
measured() {
	"$COOKBOOK/measure" --patc="$PATC" --target=cpu "$WORK/measured" batched_gemm && "$WORK/measured/run" 0.01 &&
		"$COOKBOOK/measure" --table "$WORK/measured" >"$WORK/table" &&
		[ "$(grep -cE '^\| batched_gemm \| batched_gemm \| [a-z]+=.* \| [0-9.e+]+ \| [0-9.]+ % \| +\| .*[0-9]+ % \| [0-9]+ \|$' "$WORK/table")" = 1 ]
}
check "cookbook: measure makes a table" measured
