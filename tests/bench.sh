#!/usr/bin/env bash
# bench.sh - patc bench: what it measures, what it writes, what it refuses.  No test depends on a time.
set -uo pipefail
. "$TESTS/lib.sh"
cd "$WORK" || exit 1
mkdir tmp
export TMPDIR=$WORK/tmp OMP_NUM_THREADS=1
STRICT="-Wall -Wextra -Wconversion -Wshadow -Wpedantic -Werror"
# what is measured is compiled in a hurry
printf '#!/bin/sh\nexec cc "$@" -O0\n' >quickcc
chmod +x quickcc
export CC=$WORK/quickcc
NVCC=${NVCC-$(. "$TESTS/need.sh"; find_nvcc)}

cat >saxpy.pat <<'END'
kernel saxpy(a: f32, x: f32[n], inout y: f32[n]) {
	map y[i] = a * x[i] + y[i];
}
END
# Layouts, arrays that point, structs, a loop, a status that data decide.
cat >all.pat <<'END'
struct P { x: f32, y: f32, q: i32 }
kernel mm(a: f32[n, k], b: f32[k, m], out c: f32[n, m]) { matmul c[i, j] = sum[p](a[i, p] * b[p, j]); }
kernel spmv(off: i32[n+1], col: i32[z], v: f32[z], x: f32[m], out y: f32[n]) {
	reduce y[i] = sum[p in off[i]..off[i+1]](v[p] * x[col[p]]);
}
kernel laid(p: P[n] layout soa, q: P[n] layout aosoa(4), t: f32[n, m] layout col, inout w: f32[n, m] layout row(ld)) {
	map w[i, j] = w[i, j] + p[i].x * t[i, j] + q[i].y;
}
kernel order(inout key: u32[n], inout val: f32[n]) { sort key with val; }
kernel heat(inout a: f32[n, m], steps: i32) {
	let b: f32[n, m];
	repeat t < steps {
		stencil b[i, j] = a[i-1, j] + a[i+1, j] + a[i, j-1] + a[i, j+1] boundary clamp;
		swap a, b;
	}
}
kernel take(x: f32[n], place: i32[m], out y: f32[m]) { gather y[i] = x[place[i]]; }
END
ALL="n=40 m=50 k=60 z=200 ld=53 steps=3"

bench() { "$PATC" bench "$@"; }
cpu() { bench "$@" --target=cpu --time=0; }
export -f bench cpu
export ALL

check "bench --help" says 0 'usage: patc bench' "$PATC" bench --help
check "bench: the head of the table" says 0 '^kernel  sizes +time +\+-  +GB/s  of copy  Gflop/s$' cpu saxpy.pat n=100
check "bench: the usual compiler" env -u CC bash -c "cpu saxpy.pat n=100"
compared() { # WANT COMMAND...: the words of each row but its numbers
	local want=$1
	shift
	status 0 "$@" && [ "$(sed -E '1d; s/  +/ /g; s/ [0-9.]+ [num]?s .*//' out)" = "$want" ] || { cat out said; return 1; }
}
check "bench: a row for each size" compared $'saxpy n=100\nsaxpy n=200' cpu saxpy.pat n=100,200
check "bench: all combinations" compared $'mm n=8 k=4 m=5\nmm n=8 k=4 m=6\nmm n=16 k=4 m=5\nmm n=16 k=4 m=6' \
	cpu all.pat mm n=8,16 k=4 m=5,6
check "bench: a range" compared $'saxpy n=16\nsaxpy n=64\nsaxpy n=100' cpu saxpy.pat n=2^4..100
check "bench: a range among values" compared $'saxpy n=5\nsaxpy n=8\nsaxpy n=9' cpu saxpy.pat n=5,8..9
check "bench: a range from nothing" says 2 "the range '0..9' of 'n' must be within 1" cpu saxpy.pat n=0..9
check "bench: a range that goes down" says 2 'must be within 1..2.48' cpu saxpy.pat n=10..9
check "bench: a range too far" says 2 'must be within 1..2.48' cpu saxpy.pat n=1..2^60
kernels() { status 0 cpu all.pat $ALL && [ "$(awk 'NR > 1 { print $1 }' out | xargs)" = "mm spmv laid order heat take" ] || { cat out said; return 1; }; }
check "bench: all kernels of a file, in every layout" kernels
check "bench: what data decide is said to be at least" says 0 '^spmv .*  >= [0-9.]+  ' cpu all.pat spmv n=40 m=50 z=200
check "bench: a list is one value" status 0 cpu saxpy.pat 'x=[1,2,3]' a=2,3
check "bench: files tell sizes" says 0 'n=3' bash -c '"$PATC" run saxpy.pat "x=[1,2,3]" a=1 y=0 -o y=y.npy && cpu saxpy.pat x=y.npy'
check "bench: sizes that no data of that many cells are made for" status 0 cpu saxpy.pat n=3000000 y=1
check "bench: no cells" status 0 cpu saxpy.pat n=0
check "bench: another seed, without a pass" status 0 cpu saxpy.pat n=10 --seed=7 --no-pass=fuse
check "bench: the folder is gone" bash -c '[ -z "$(ls -A tmp)" ]'

# What is wrong has a place, a reason and a cure.
check "bench: no file" says 2 'no input' bench
check "bench: a size that nothing tells" says 1 'P0705.*cannot infer the size `n`' cpu saxpy.pat
check "bench: and what helps" says 1 'help: give the size' cpu saxpy.pat
check "bench: sizes that disagree" says 1 'P0706.*n is 4 \(given\)' cpu saxpy.pat n=4 'x=[1,2,3]'
check "bench: sizes that do not divide" says 1 'P0706' bash -c 'printf "kernel f(x: f32[2*n], out y: f32[n]) { gather y[i] = x[2*i]; }\n" >half.pat; cpu half.pat "x=[1,2,3]"'
check "bench: sizes of no array" says 1 'P0706.*no arrays of kernel `saxpy` have such sizes: n is -1' cpu saxpy.pat n=-1
check "bench: a name that no kernel has" says 2 "a size or a parameter 'm'" cpu saxpy.pat n=1 m=2
check "bench: a kernel that is not there" says 1 'P0701.*no kernel `axpy`' cpu saxpy.pat axpy n=1
check "bench: and those that are" says 1 'there are: saxpy' cpu saxpy.pat axpy n=1
check "bench: a status of the kernel" says 1 'all.pat:[0-9]+:[0-9]+: error\[P0709\]: kernel `take` returned status' \
	cpu all.pat take n=4 'place=[0,9]'
check "bench: a wrong value" says 1 'command line:2:' cpu saxpy.pat 'x=[1;2]' a=1
check "bench: too many combinations" says 2 'more than 1000 combinations' cpu saxpy.pat "n=$(seq -s, 1 40)" "a=$(seq -s, 1 40)"
check "bench: a compiler that is not there" says 1 'P0712.*needs `no-cc`' env CC=no-cc bash -c 'cpu saxpy.pat n=1'
check "bench: a compiler that fails" says 1 'P0712.*exit status 1' env CC=false bash -c 'cpu saxpy.pat n=1'
check "bench: a target that is not there" says 2 'there is no target' bench saxpy.pat n=1 --target=vulkan
check "bench: a time that is none" status 2 bench saxpy.pat n=1 --time=soon
check "bench: it leaves no folder either" bash -c '[ -z "$(ls -A tmp)" ]'

# Progress is shown on a terminal, and nowhere else.
check "bench: nothing is said when piped" bash -c 'said=$(cpu saxpy.pat n=10 2>&1 >/dev/null) && [ -z "$said" ]'
cat >terminal.py <<'END'
import os, pty, subprocess, sys
ours, theirs = pty.openpty()
run = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=theirs)
os.close(theirs)
said = b""
try:
    while part := os.read(ours, 4096):
        said += part
except OSError:
    pass                         # the other end is closed
sys.exit(run.wait() or not all(text in said for text in (b"compiling for cpu", b"[..........", b"1/2 saxpy n=20")))
END
check "bench: a terminal shows the progress" python3 terminal.py "$PATC" bench saxpy.pat n=10,20 --target=cpu --time=0

# Rows and pictures.
shown() { # of FILE, as it was shown when it was measured
	status 0 cpu saxpy.pat n=100,200 --json=rows.json --svg=rows.svg && cp out table && [ "$(wc -l <rows.json)" = 2 ] &&
		status 0 bench --read=rows.json --json=again.json && cmp out table && cmp rows.json again.json
}
check "bench: --json, and --read" shown
check "bench: --read of standard input" says 0 '^saxpy' bash -c 'bench --read=- <rows.json'
check "bench: --json on standard output" says 0 '^{"kernel": "saxpy", "sizes": {"n": 100}, "values": .., "target": "cpu", .*"bytes": 1200' cpu saxpy.pat n=100 --json=-
check "bench: the roofline is XML" python3 -c 'import sys, xml.dom.minidom; t = xml.dom.minidom.parse("rows.svg"); sys.exit(len(t.getElementsByTagName("circle")) != 5)'
check "bench: a roofline without operations" bash -c 'cpu all.pat order n=10 --svg=order.svg && grep -q "no operations counted" order.svg'
check "bench: --read of another file" says 3 'not rows of patc bench' bench --read=all.pat
check "bench: --read of a row with other types" says 0 '^k +n=0 +1.00 s' bench --read=- <<<'{"kernel": "k", "sizes": {"n": "x"}, "values": {"a": 1}, "seconds": 1, "machine": 3, "copy": "a"}'
check "bench: --read of nothing draws nothing" bash -c 'bench --read=- --svg=nothing.svg </dev/null && grep -q "</svg>" nothing.svg'
check "bench: a machine of one of two targets" status 0 bench saxpy.pat n=1 --target=cpu --target=cuda --machine=H200 --write=machine
check "bench: a machine that the target has not" says 2 'has no machine' bench saxpy.pat n=1 --target=cpu --machine=H200
check "bench: names that C has taken" status 0 bash -c 'printf "kernel main(x: f32[stream], out y: f32[stream]) { map y[i] = x[i]; }\n" >main.pat && cpu main.pat main stream=9'
check "bench: --read of no file" says 3 'cannot read' bench --read=none.json
check "bench: --read and a program" says 2 'remove the program' bench saxpy.pat --read=rows.json
check "bench: one file for both" status 2 cpu saxpy.pat n=1 --json=x --svg=x
check "bench: a file that cannot be written" status 3 cpu saxpy.pat n=1 --json=none/x
if python3 -c 'import jsonschema' 2>/dev/null; then
	check "bench: rows are what the schema says" python3 -c 'import json, sys, jsonschema
for line in open("rows.json"): jsonschema.validate(json.loads(line), json.load(open(sys.argv[1])))' "$TOP/man/bench.schema.json"
else
	skip "bench: rows are what the schema says" "no python3-jsonschema"
fi

# Comparisons: each row beside the first of its kernel and sizes.
echo 'schedule saxpy for cpu { coarsen 2; }' >pins.pat
echo 'schedule saxpy for cpu { coarsen 2; coarsen 3; }' >bad.pat
"$PATC" -target=cpu saxpy.pat && cat >mine.c <<'END'
#include "saxpy.h"
#define PARAMETERS int64_t n, float a, const float *x, float *y, void *workspace, size_t bytes, void *stream
#define UNUSED (void)n, (void)a, (void)x, (void)y, (void)workspace, (void)bytes, (void)stream
int mine(PARAMETERS) { UNUSED; for (int64_t i = 0; i < n; i++) y[i] += a * x[i]; return 0; }
int wrong(PARAMETERS) { UNUSED; for (int64_t i = 0; i < n; i++) y[i] = a * x[i]; return 0; }
int fails(PARAMETERS) { UNUSED; return 7; }
END
cc -O2 -shared -fPIC mine.c -o mine.so
check "bench: two schedules" compared $'saxpy n=10 -\nsaxpy n=10 pins.pat\nsaxpy n=20 -\nsaxpy n=20 pins.pat' \
	cpu saxpy.pat n=10,20 --schedule=pins.pat
check "bench: how many times as fast" says 0 'time +\+- +faster' cpu saxpy.pat n=10 --schedule=pins.pat
check "bench: values tell rows apart" compared $'heat n=9 m=9 steps=1\nheat n=9 m=9 steps=2' cpu all.pat heat n=9 m=9 steps=1,2
check "bench: long ones are not shown" compared 'saxpy n=8' cpu saxpy.pat 'x=[10,20,30,40,50,60,70,80]'
check "bench: an error in a schedule" says 1 '^bad.pat:1:' cpu saxpy.pat n=10 --schedule=bad.pat
check "bench: a schedule that is not there" says 3 P0001 cpu saxpy.pat n=10 --schedule=none.pat
check "bench: too many programs" says 2 'at most 8' cpu saxpy.pat n=10 $(printf -- '--schedule=pins.pat %.0s' 1 2 3 4 5 6 7 8)
check "bench: two targets, written" says 0 'measure.sh' bench saxpy.pat n=10 --target=cpu --target=cuda --write=two
check "bench: and both in the script" bash -c '[ "$(grep -c "^\${" two/measure.sh)" = 2 ] && [ -e two/program.c ] && [ -e two/program2.cu ]'
check "bench: two targets and an architecture" says 2 'arch needs a single --target' bench saxpy.pat n=10 --target=cpu --target=cuda --arch=sm_90
check "bench: a function of the user's" compared $'saxpy n=1000 -\nsaxpy n=1000 mine.so:mine' cpu saxpy.pat n=1000 --against=mine.so:mine
check "bench: and its results" says 0 '"function": "mine.so:mine".*"agrees": true' cpu saxpy.pat n=1000 --against=mine.so:mine --json=-
check "bench: other results" says 1 'saxpy.pat:1:8: error\[P0710\]: kernel `saxpy n=50` and `mine.so:wrong` have different' \
	cpu saxpy.pat n=50 --against=mine.so:wrong
check "bench: a function that fails" says 1 'P0709.*function `mine.so:fails` returned status 7$' cpu saxpy.pat n=50 --against=mine.so:fails
check "bench: a function that is not there" says 1 'P0712.*mine.so:none: the library has no such function' \
	cpu saxpy.pat n=50 --against=mine.so:none
check "bench: a library that is not there" says 1 'help: give the path of a shared library' cpu saxpy.pat n=50 --against=none.so:f
check "bench: a function without a library" says 2 'LIBRARY:FUNCTION' cpu saxpy.pat n=50 --against=mine
check "bench: a function and several kernels" says 2 'for one kernel' cpu all.pat $ALL --against=mine.so:mine
check "bench: a function, written" status 0 cpu saxpy.pat n=50 --against=../mine.so:mine --write=against
check "bench: and measured there" says 0 '"agrees": true' against/measure.sh 0

# The program that measures, for another machine: as strictly as the compilers can be told to.
strict() { # FOLDER COMPILER FLAG...
	local folder=$1 compiler=$2
	shift 2
	(cd "$folder" && "$compiler" $STRICT "$@" -I. -c program_bench.c -o "$WORK/strict.o")
}
check "bench: --write" says 0 '^strict/measure.sh compiles' cpu all.pat $ALL --write=strict
check "bench: it is strict C" strict strict gcc -std=c11 -O2 -fopenmp
check "bench: and strict C++" strict strict g++ -std=c++17 -O2 -fopenmp -x c++
[ -z "$(command -v clang)" ] || check "bench: by clang, too" strict strict clang -std=c11 -O2 -fopenmp
there() { status 0 bash -c 'cd / && "$WORK/strict/measure.sh" 0 >"$WORK/there.json"' && says 0 '^heat' bench --read=there.json; }
check "bench: with a function it is, too" strict against gcc -std=c11 -O2 -fopenmp
check "bench: and C++" strict against g++ -std=c++17 -O2 -fopenmp -x c++
check "bench: it measures without patc" there
check "bench: a folder that is there" says 2 'already exists.*choose another name' cpu saxpy.pat n=1 --write=strict
check "bench: nothing is left of a wrong command" bash -c '! cpu saxpy.pat --write=wrong && [ ! -e wrong ]'
check "bench: --write and --json" says 2 'read=rows.json' cpu saxpy.pat n=1 --write=w --json=x
check "bench: for cuda" status 0 bench all.pat $ALL --target=cuda --arch=sm_90 --write=gpu
gpu() {
	cd gpu && "$NVCC" -std=c++17 -x cu -arch=sm_90 -Xcompiler -Wall,-Wextra,-Wconversion,-Wshadow,-Werror -Werror all-warnings \
		-I. -c program_bench.c -o "$WORK/gpu.o" &&
		gcc -std=c11 $STRICT -isystem "$(dirname "$(realpath "$NVCC")")/../include" -I. -c program_bench.c -o "$WORK/gpu.o"
}
if [ -n "$NVCC" ]; then
	check "bench: its driver is strict C and CUDA C++" gpu
	cd "$WORK" || exit 1
else
	skip "bench: its driver is strict C and CUDA C++" "no nvcc"
fi
check "bench: for hip" status 0 bench saxpy.pat n=10 --target=hip --write=hip
check "bench: a bound of the machine" bash -c 'grep -q "machine..: {..name..: ..H200" gpu/program_bench.c && grep -q "bound..: [0-9.]*e-" gpu/program_bench.c'
