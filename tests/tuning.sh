#!/usr/bin/env bash
# tuning.sh - the file of --schedule: what it may hold, what it beats, and where its errors point.
set -uo pipefail
. "$TESTS/lib.sh"
cd "$WORK" || exit 1

cat >blur.pat <<'END'
kernel blur(a: f32[n, m], out b: f32[n, m]) {
	step: stencil b[i, j] = 0.25 * (a[i-1, j] + a[i+1, j] + a[i, j-1] + a[i, j+1]) boundary clamp;
	rest: map b[i, j] *= 2;
}
END
{ cat blur.pat; echo 'schedule blur for cuda { coarsen 2; step: stage l1, coarsen 3; }'; } >pinned.pat

# tuned TEXT: the tuning file
tuned() { printf '%s\n' "$1" >tune.pat; }
# schedule WANT PROGRAM [OPTION...]: the dump holds WANT, a pattern, for --schedule=tune.pat
schedule() {
	local want=$1 program=$2 said
	shift 2
	said=$("$PATC" --target=cuda --schedule=tune.pat --dump=schedule "$@" "$program" 2>&1) || { echo "$said"; return 1; }
	grep -qE -- "$want" <<<"$said" || { echo "no '$want' in:"; echo "$said"; return 1; }
}
# refused CODE PLACE TEXT PROGRAM: nothing is written, and the error points there
refused() {
	local code=$1 place=$2 text=$3 program=$4 said
	said=$("$PATC" --target=cuda --schedule=tune.pat -o out.cu --header=out.h "$program" 2>&1)
	[ $? = 1 ] && [ ! -e out.cu ] && [ ! -e out.h ] && grep -qE -- "^$place: error\[$code\]: .*$text" <<<"$said" || { echo "$said"; return 1; }
}

tuned 'schedule blur for cuda { step: stage shared, tile 6 x 128; }'
check "a tuning file pins a statement" schedule 'step: stage shared, tile 6 x 128' blur.pat
check "and beats the program's own pin" schedule 'step: stage shared, tile 6 x 128, .*coarsen 3' pinned.pat
tuned 'schedule blur for cuda { coarsen 5; }'
check "its pin for the kernel beats the program's label" schedule 'step: stage l1, .*coarsen 5' pinned.pat
tuned 'schedule blur for cuda { coarsen 5; step: coarsen 6; }'
check "in it a label beats the kernel" schedule 'step: stage l1, .*coarsen 6' pinned.pat
tuned 'schedule blur for cuda sm_90 { step: coarsen 7; } schedule blur for cuda { step: coarsen 6; }'
check "and an architecture its target" schedule 'step: .*coarsen 7' pinned.pat --arch=sm_90
check "pins for another architecture are not looked at" schedule 'step: .*coarsen 6' pinned.pat --arch=sm_80
tuned 'schedule blur for cuda { step: coarsen 7 when m < 64; step: coarsen 6; }'
check "a condition has statements of its own" schedule 'step_when1: .*coarsen 7' blur.pat
check "beside those for all other sizes" schedule 'step: .*coarsen 6' blur.pat
check "which beat the program, too" schedule 'step_when1: .*coarsen 7' pinned.pat
tuned 'schedule blur for cuda { coarsen 7 when m < 64; step: coarsen 6; }'
check "a label beats a condition" schedule 'step_when1: .*coarsen 6' blur.pat
tuned 'schedule blur for cuda { coarsen 7 when m < 64; coarsen 6; }'
check "and a condition none" schedule 'step_when1: .*coarsen 7' blur.pat
tuned 'schedule blur for hip { step: coarsen 7 when m < 64; }'
check "a condition for another target makes none" bash -c '! "$PATC" --schedule=tune.pat --dump=schedule blur.pat | grep when'
tuned 'schedule blur for cuda { step: coarsen 7 when a[0, 0] > 0; }'
check "a condition on cells" refused P0613 'tune\.pat:1:47' 'only on sizes and scalar parameters' blur.pat
rm -f tune.pat
check "a file that is not there" bash -c '"$PATC" --schedule=tune.pat -o out.cu blur.pat 2>/dev/null; [ $? = 3 ]'
tuned 'schedule blur for hip { step: stage shared; }'
check "nor those for another target" schedule 'step: stage l1' blur.pat
tuned '// nothing yet'
check "an empty tuning file pins nothing" schedule 'step: stage l1' blur.pat

tuned 'kernel f(x: f32[n], out y: f32[n]) { map y[i] = x[i]; }'
check "a kernel in it is refused" refused P0609 'tune\.pat:1:8' 'may contain only .schedule. blocks' blur.pat
tuned 'use "blur.pat";'
check "a use in it is refused" refused P0609 'tune\.pat:1:5' 'may contain only .schedule. blocks' blur.pat
tuned 'schedule blurr for cuda { coarsen 2; }'
check "an unknown kernel" refused P0601 'tune\.pat:1:10' 'no kernel `blurr`' blur.pat
tuned 'schedule blur for cuda { last: coarsen 2; }'
check "an unknown label" refused P0602 'tune\.pat:1:26' 'no statement labelled `last`' blur.pat
tuned 'schedule blur for cuda { step: coarsen 2; } schedule blur for cuda { step: coarsen 2; }'
check "the same pin in two blocks" refused P0607 'tune\.pat:1:76' 'pinned twice' blur.pat
tuned 'schedule blur for cuda { step: coarsen }'
check "bad syntax" refused P0101 'tune\.pat:1:40' '' blur.pat

tuned 'schedule blur for cuda { step: coarsen 2; }'
same_as_block() {
	{ cat blur.pat tune.pat; } >whole/blur.pat
	"$PATC" --target=cuda --schedule=tune.pat -o file.cu --header=x.h blur.pat &&
		"$PATC" --target=cuda -o block.cu --header=x.h whole/blur.pat && cmp file.cu block.cu
}
mkdir whole
check "the same bytes as the block in the program" same_as_block
cat >until.pat <<'END'
kernel jacobi(inout a: f32[n, m], eps: f32, steps: i64, out change: f32) {
	let b: f32[n, m];
	repeat until change < eps at most steps {
		stencil b[i, j] = 0.25 * (a[i-1, j] + a[i+1, j] + a[i, j-1] + a[i, j+1]) boundary keep;
		reduce change = max[i, j](abs(b[i, j] - a[i, j]));
		swap a, b;
	}
}
END
# same_as_none TARGET PROGRAM PIN: for the whole kernel, where no statement can have it
same_as_none() {
	echo "schedule $(sed -n 's/^kernel \([a-z]*\).*/\1/p' "$2") for $1 { $3; }" >unfit.pat
	"$PATC" --target="$1" --schedule=unfit.pat -o file.cu --header=x.h "$2" &&
		"$PATC" --target="$1" -o none.cu --header=x.h "$2" && cmp file.cu none.cu
}
check "passes of a launch where a loop asks after each (cuda)" same_as_none cuda until.pat 'time 2'
check "passes of a launch where a loop asks after each (cpu)" same_as_none cpu until.pat 'time 2'
echo 'kernel f(row: i32[m+1], w: f32[m], inout y: f32[n]) { gather y[e] = w[r] for r in 0..m, e in row[r]..row[r+1]; }' >rows.pat
check "copies of cells where no items meet" same_as_none cuda rows.pat privatise
cat >product.pat <<'END'
kernel product(a: f32[n, l], b: f32[l, m], out c: f32[n, m], out top: f32[n]) {
	matmul c[i, j] = sum[k](a[i, k] * b[k, j]);
	reduce top[i] = max[j](c[i, j]);
}
END
# the fold is behind the product only where that has tiles
in_l1() {
	local pin
	for pin in runs l1; do
		echo "schedule product for cuda { stage $pin; }" >stage.pat
		"$PATC" --target=cuda --schedule=stage.pat -o $pin.cu --header=x.h product.pat || return
	done
	cmp runs.cu l1.cu
}
check "windows of a product whose rows are folded" in_l1
check "the depfile lists it" bash -c '"$PATC" --target=cuda --schedule=tune.pat -o d.cu --header=d.h --depfile=d.d blur.pat &&
	grep -q "^d\.cu d\.h: blur\.pat tune\.pat$" d.d && grep -q "^tune\.pat:$" d.d'
status() { local want=$1 got; shift; "$@" >said 2>&1; got=$?; [ $got = "$want" ] || { echo "exit status $got"; cat said; return 1; }; }
check "one that is not there" status 3 "$PATC" --target=cuda --schedule=none.pat blur.pat
check "one that would be written over" status 2 "$PATC" --target=cuda --schedule=tune.pat -o tune.pat --header=x.h blur.pat
check "one for two programs: usage" status 2 "$PATC" --target=cuda --schedule=tune.pat blur.pat pinned.pat
