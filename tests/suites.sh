#!/usr/bin/env bash
# suites.sh - examples/suites: programs of other people's benchmarks, against plain loops in C.  suites.sh [PROGRAM.pat...]
#
# suites/driver.py puts some programs of a suite together and writes a driver for them, which runs on the cpu target, and
# emulated as CUDA (32 lanes) and HIP (64).  Then the same texts go through the strict compilers.
set -uo pipefail
. "$TESTS/check.sh"
AT_ONCE=8                       # programs of one text: starting a compiler takes longer than a program
STRICT="-Wall -Wextra -Wconversion -Wshadow -Wpedantic -Werror"
export STRICT

# suite_text STEM TARGET: of STEM.pat
suite_text() {
	"$PATC" --target="$2" -o "$1.$(suffix_of "$2")" --header="$1.h" "$1.pat" 2>&1
}
# suite_plain STEM PROGRAM...: the driver and the plain loops, one object for all targets
suite_plain() {
	local stem=$1 objects=() file
	shift
	for file; do
		gcc -std=c11 -O2 -Wall -Wextra -Wno-unknown-pragmas -Werror -c "${file%.pat}.c" -o "$(basename "$file" .pat)_plain.o" || return
		objects+=("$(basename "$file" .pat)_plain.o")
	done
	gcc -std=gnu11 -O1 -I. -I"$TESTS/suites" -c "$stem"_main.c -o main.o && ld -r main.o "${objects[@]}" -o "$stem"_check.o
}
suite_cpu() {
	suite_text "$1" cpu && gcc -std=c11 -O2 -fopenmp $STRICT -c "$1.c" -o "$1.o" &&
		gcc -fopenmp "$1_check.o" "$1.o" -o prog -lm
}
suite_cuda() { suite_text "$1" cuda && build_cuda "$1"; }
suite_hip() { suite_text "$1" hip && build_hip "$1"; }

# suite_run STEM TARGET: a line each shape of each program
suite_run() {
	local said
	said=$("suite_$2" "$1" 2>&1) || { bad "suites $2 $1 builds" "$said"; return; }
	OMP_NUM_THREADS=3 SIMT_EDGES=1 SIMT_REV=2 SIMT_RESIDENT=3 timeout 300 ./prog >out 2>err
	local status=$?
	sed -E "s/^((not )?ok) /\1 suites $2 /" out
	[ $status -le 1 ] && [ ! -s err ] || bad "suites $2 $1 came to its end" "exit status $status"$'\n'"$(tail -n 15 err)"
}

# suite_group SUITE-NUMBER PROGRAM...
suite_group() {
	local stem=$1 said
	shift
	fresh "$WORK/$stem" && cd "$WORK/$stem" || return
	said=$(python3 "$TESTS/suites/driver.py" "$stem" "$@" 2>&1) && said=$(suite_text "$stem" cpu) && [ -z "$said" ] &&
		said=$(suite_plain "$stem" "$@" 2>&1) || { bad "suites $stem" "$said"; return; }
	suite_run "$stem" cpu
	suite_run "$stem" cuda
	[ -z "${NVCC:-}" ] || check "suites nvcc $stem" suite_nvcc "$stem"
	suite_run "$stem" hip
	[ ! -e "${HIPLIB:-}/gfx90a.pch" ] || check "suites clang $stem" suite_clang "$stem"
}
suite_nvcc() { "$NVCC" -arch=sm_90 -O3 -Werror all-warnings -cubin "$1.cu" -o "$1.cubin"; }
# nvcc makes code of the same lowering's text
suite_clang() {
	"$PATC" --target=hip --arch=wave64 -o "$1.hip" --header="$1.h" "$1.pat" && hip_device . "$1" gfx90a -fsyntax-only
}
export -f suite_text suite_plain suite_cpu suite_cuda suite_hip suite_run suite_nvcc suite_clang suite_group

# groups of programs, "NAME PROGRAM...", a line each
groups() {
	local suite
	for suite in "$TOP"/examples/suites/*/; do
		find "$suite" -name '*.pat' | LC_ALL=C sort | xargs -r -n $AT_ONCE | awk -v name="$(basename "$suite")" '{ print name "_" NR, $0 }'
	done
}
if [ $# = 0 ]; then
	mapfile -t lines < <(groups)
else
	lines=("some $*")
fi
suite_line() { read -ra words <<<"$1"; suite_group "${words[@]}"; }
export -f suite_line
each suite_line "${lines[@]}"
