#!/usr/bin/env bash
# tune.sh - patc tune: what it finds, writes and refuses.  A compiler that is none decides how fast programs are, so that
# no test depends on a time.
set -uo pipefail
. "$TESTS/lib.sh"
cd "$WORK" || exit 1
mkdir tmp
export TMPDIR=$WORK/tmp OMP_NUM_THREADS=1 STOP='' AGREES=0 SLOWER='' FAILS=''

cat >chain.pat <<'END'
kernel chain(x: f32[n], out y: f32[n]) {
	let s: f32[n];
	let t: f32[n];
	first: map s[i] = x[i] * x[i] + 1;
	second: map t[i] = s[i] * 3;
	map y[i] = t[i] + 1;
}
kernel later(x: f32[n], out y: f32[n]) { map y[i] = x[i] + 2; }
schedule chain for cpu { no fuse; }
END
# A program takes as many us as its text has loops in the variant for its size, and prints what patc's would.  STOP: this kernel ends patc.  AGREES:
# the status of comparisons.  SLOWER: texts with fewer loops are slower where n is so much.  FAILS: those fail.
cat >fakecc <<'END'
#!/bin/bash
before=
for word; do
	[ "$before" != -o ] || out=$word
	case $word in *_bench.c | *_check.c) driver=$word ;; *.c) text=$word ;; esac
	before=$word
done
name=$(sed -n 's/^int \(.*\)_host(.*/\1/p' "$text")
[ -z "$STOP" ] || [ "$STOP" != "$name" ] || { kill -TERM $PPID; sleep 10; exit 1; }
echo "$text" >>"${LOG:-/dev/null}"
# loops N: in the functions of the first condition that holds
loops() {
	local k=0 when=
	while read -r left is right; do
		k=$((k + 1))
		[ -n "$when" ] || { [ "$is" = "<" ] && [ "$1" -ge "$right" ]; } || { [ "$is" = ">" ] && [ "$1" -le "$right" ]; } || when=$k
	done < <(sed -n 's/^.*if (\(n [<>] [0-9]*\)) {$/\1/p' "$text")
	awk -v when="${when:+_when$when(}" '/^static void /{ other = when != "" ? !index($0, when) : /_when[0-9]/ }
		/^	*PATC_PARALLEL/ && !other { n++ } END { print n + 0 }' "$text"
}
{
	echo '#!/bin/sh'
	case $out in
	*_check) echo "exit $AGREES" ;;
	*)
		[ -z "$FAILS" ] || [ "$(loops 9)" -ge 3 ] || echo "exit 1"
		for n in $(grep -o '\\"n\\": [0-9]*' "$driver" | tr -dc '0-9\n'); do
			time=$(loops "$n")
			[ "$n" != "$SLOWER" ] || time=$((4 - time))
			echo "echo '{\"kernel\": \"$name\", \"sizes\": {\"n\": $n}, \"values\": {}, \"target\": \"cpu\", \"arch\": null, \"seconds\": ${time}e-6}'"
		done ;;
	esac
} >"$out"
chmod +x "$out"
END
chmod +x fakecc
export CC=$WORK/fakecc

tune() { "$PATC" tune "$@"; }
cpu() { tune "$@" --target=cpu --time=0; }
# finds PINS COMMAND...: the blocks of the schedule, on one line, which patc accepts
finds() {
	local want=$1 got
	shift
	status 0 "$@" -o found.sched && "$PATC" -target=cpu --schedule=found.sched -o text.c --header=text.h chain.pat || return 1
	got=$(grep -v '^//' found.sched | xargs)
	[ "$got" = "$want" ] || { echo "not '$want':"; cat found.sched; return 1; }
}
export -f tune cpu finds status says

check "tune --help" says 0 'usage: patc tune' tune --help
FUSED='schedule chain for cpu { first: fuse; second: fuse; }'
check "tune: pins that are faster" finds "$FUSED" cpu chain.pat n=100
check "tune: the table" says 0 '^chain +n=100 +found.sched +1.00 us' cpu chain.pat n=100 -o found.sched
check "tune: the comments" grep -qx '//     chain n=100: 1.00 us, before 3.00 us, 3.00 times as fast' found.sched
check "tune: a kernel that no pin changes" grep -qx '// later: texts compiled: 0, none is faster' found.sched
check "tune: the same times, the same file" bash -c 'cp found.sched before.sched && cpu chain.pat n=100 -o found.sched >out && cmp found.sched before.sched'
check "tune: several sizes" finds "$FUSED" cpu chain.pat chain n=2^4..2^8
BOTH='schedule chain for cpu { first: fuse when n < 64; first: fuse when n > 64; second: fuse when n < 64; second: fuse when n > 64; }'
check "tune: pins for some sizes" env SLOWER=64 bash -c 'finds "$1" cpu chain.pat chain n=2^4..2^8' _ "$BOTH"
check "tune: their rows" grep -c '3.00 times as fast' found.sched
check "tune: it begins with pins for some sizes" bash -c 'sed "s/n < 64/!(n >= 1 + 63) \&\& n != 5/" found.sched >some.sched; finds "${1//n < 64/(!(n >= (1 + 63))) \&\& (n != 5)}" cpu chain.pat chain n=64 --budget=0 --schedule=some.sched' _ "$BOTH"
check "tune: nothing that is slower at one size" env SLOWER=16 bash -c 'cpu chain.pat chain n=16 -o slow.sched >out && ! grep fuse slow.sched'
check "tune: nothing that is slower at the ends" env SLOWER=16 bash -c 'finds "$1" cpu chain.pat chain n=16,64' _ 'schedule chain for cpu { first: fuse when n > 16; second: fuse when n > 16; }'
check "tune: nothing that differs from the interpreter" env AGREES=1 bash -c 'cpu chain.pat chain n=9 -o wrong.sched >out && ! grep fuse wrong.sched'
check "tune: nothing that fails" env FAILS=1 bash -c 'cpu chain.pat chain n=9 -o fails.sched >out && ! grep -v "^//\|^$" fails.sched'
check "tune: rows" says 0 '"schedule": "found.sched".*"faster": 3' cpu chain.pat chain n=9 -o found.sched --json=-
check "tune: the schedule alone on standard output" bash -c 'cpu chain.pat chain n=9 -o - >alone.sched && "$PATC" -target=cpu --schedule=alone.sched chain.pat'
check "tune: a picture" bash -c 'cpu chain.pat n=9 -o found.sched --svg=bars.svg >out && python3 -c "import sys, xml.dom.minidom; sys.exit(len(xml.dom.minidom.parse(sys.argv[1]).getElementsByTagName(\"rect\")) != 2)" bars.svg'
check "tune: nothing is said when piped" bash -c 'said=$(cpu chain.pat n=10 -o found.sched 2>&1 >/dev/null) && [ -z "$said" ]'
check "tune: the folder is gone" bash -c '[ -z "$(ls -A tmp)" ]'

# Pins to begin with.
printf '%s\n' 'schedule later for cuda { coarsen 2; }' 'schedule chain for hip { first: no fuse; }' 'schedule chain for cpu { first: fuse; }' >begin.sched
check "tune: it begins with pins" finds "$FUSED schedule chain for hip { first: no fuse; } schedule later for cuda { coarsen 2; }" \
	cpu chain.pat n=9 --schedule=begin.sched
check "tune: and is as fast as with them" says 0 '^chain +n=9 +begin.sched +2.00 us' cpu chain.pat chain n=9 --schedule=begin.sched -o found.sched
check "tune: wrong pins to begin with" says 1 '^bad.sched:1:.*P0603' bash -c 'echo "schedule chain for cpu { quick; }" >bad.sched; cpu chain.pat n=9 --schedule=bad.sched -o found.sched'
check "tune: pins of several words" bash -c 'echo "schedule chain for cuda { first: no fuse, layout aosoa(8), tile 8 x 16; }" >words.sched; cpu chain.pat n=9 --budget=0 --schedule=words.sched -o - | grep -qx "	first: no fuse, tile 8 x 16, layout aosoa(8);"'

# A budget, and a signal.
check "tune: no time compiles nothing" env LOG="$WORK/log" bash -c 'cpu chain.pat n=9 --budget=0 -o none.sched && [ ! -e log ] && [ "$(grep -c "not measured" none.sched)" = 2 ] && "$PATC" -target=cpu --schedule=none.sched chain.pat'
check "tune: a signal ends it" status 143 env STOP=later "$PATC" tune chain.pat n=9 --target=cpu --time=0 -o kept.sched
check "tune: and it keeps what it found" grep -q 'second: fuse' kept.sched
check "tune: and the rest is not measured" grep -qx '// later: not measured' kept.sched
check "tune: a signal at once" status 143 env STOP=chain "$PATC" tune chain.pat n=9 --target=cpu --time=0 -o once.sched
check "tune: leaves no folder" bash -c '[ -z "$(ls -A tmp)" ]'

# What is wrong has a place, a reason and a cure.
check "tune: no file" says 2 'no input' tune -o x
check "tune: no schedule" says 2 '-o FILE names the schedule' cpu chain.pat n=9
check "tune: a schedule that is the program" says 2 'also an input' cpu chain.pat n=9 -o chain.pat
check "tune: a schedule that cannot be written is told at once" env LOG="$WORK/log" bash -c 'cpu chain.pat n=9 -o none/x 2>said; [ $? = 3 ] && grep -q "cannot write .none/x." said && [ ! -e log ]'
check "tune: a size that nothing tells" says 1 'P0705.*cannot infer the size `n`' cpu chain.pat -o x
check "tune: a name that no kernel has" says 2 "a size or a parameter 'm'" cpu chain.pat n=1 m=2 -o x
check "tune: a kernel that is not there" says 1 'P0701.*no kernel `axpy`' cpu chain.pat axpy n=1 -o x
check "tune: a compiler that is not there" says 1 'P0712.*needs `no-cc`' env CC=no-cc bash -c 'cpu chain.pat n=1 -o x'
check "tune: a compiler that fails" says 1 'P0712.*exit status 1' env CC=false bash -c 'cpu chain.pat n=1 -o x'
check "tune: and there is no schedule" [ ! -e x ]
check "tune: a budget that is none" says 2 "needs an integer, not 'soon'" tune chain.pat n=1 -o x --budget=soon
check "tune: a budget that is too long" says 2 'at most a day' tune chain.pat n=1 -o x --budget=2000m
check "tune: a target that is not there" says 2 'there is no target' tune chain.pat n=1 -o x --target=vulkan
check "tune: a range that goes down" says 2 'must be within 1' cpu chain.pat n=8..4 -o x

# Another machine measures.
there() { cpu chain.pat n=9,10 --write=there >out && there/measure.sh 0 >rows.json; }
check "tune: --write" status 0 there
check "tune: --read" finds 'schedule chain for cpu { fuse; }' tune --read=rows.json
check "tune: and its table" says 0 '^chain +n=10 +found.sched +1.00 us +- +3.00' tune --read=rows.json -o found.sched
check "tune: --read of pins for some sizes" env SLOWER=9 bash -c 'cpu chain.pat n=9,10,11 --write=ends >out && ends/measure.sh 0 >ends.json && finds "schedule chain for cpu { fuse when n > 9; }" tune --read=ends.json && grep "n=10: 1.00 us, before 3.00" found.sched && grep "n=9: 1.00 us, before 1.00" found.sched'
check "tune: the next pin" bash -c 'cpu chain.pat n=9 --schedule=begin.sched --write=next >out && next/measure.sh 0 >next.json'
check "tune: and both" finds "$FUSED schedule chain for hip { first: no fuse; } schedule later for cuda { coarsen 2; }" \
	tune --read=next.json --schedule=begin.sched
check "tune: what differs is left out, and said" env AGREES=1 bash -c 'there/measure.sh 0 2>said >empty.json && [ ! -s empty.json ] && grep -q "left out: chain (fuse)" said'
check "tune: --read of standard input" says 0 '^	fuse;' tune --read=- -o - <rows.json
check "tune: --write for cuda" status 0 tune chain.pat n=9 --arch=sm_90 --write=gpu
check "tune: has candidates and a script" bash -c 'ls gpu/k1_*.cu >out && grep -q "^candidate k1_[0-9]* .chain. .vector 1.$" gpu/measure.sh && [ -x gpu/measure.sh ] && ! ls gpu/*.log 2>out'
check "tune: --read knows the architecture" bash -c 'sed "s/\"target\": \"cpu\", \"arch\": null/\"target\": \"cuda\", \"arch\": \"sm_90\"/" rows.json | tune --read=- -o - | grep -qx "schedule chain for cuda sm_90 {"'
check "tune: a folder that is there" says 2 'already exists' cpu chain.pat n=1 --write=there
check "tune: nothing is left of a wrong command" bash -c '! cpu chain.pat --write=wrong && [ ! -e wrong ]'
check "tune: --write and -o" says 2 'patc tune --read=rows.json -o' cpu chain.pat n=1 --write=w -o x
check "tune: --read and a program" says 2 'remove the program' tune chain.pat --read=rows.json -o x
check "tune: --read of other rows" says 3 'rows of another command' bash -c 'sed s/tuned/tune/ rows.json | tune --read=- -o x'
check "tune: --read of no rows" says 3 'not rows of patc bench' tune --read=chain.pat -o x
check "tune: --read of nothing" says 3 'measure.sh prints why' tune --read=empty.json -o x
check "tune: --read of no file" says 3 'cannot read' tune --read=none.json -o x

# A compiler that is one.
check "tune: a real compiler" env -u CC bash -c 'cpu chain.pat n=1000 --budget=20 -o real.sched >out && "$PATC" -target=cpu --schedule=real.sched chain.pat && grep -q "chain n=1000: [0-9]" real.sched'
