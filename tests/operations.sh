#!/usr/bin/env bash
# operations.sh - the expressions of tests/fuzz/operations, compiled as users do, against the interpreter: on a
# CPU by gcc and clang with all optimisations, on the emulator as CUDA and HIP.  Every operation alone and some
# triples; ALL=1: with all pairs, and all triples of i32.  tests/gpu has all of them on a GPU.
set -uo pipefail
. "$TESTS/check.sh"

build_gcc() { gcc -std=c11 -O3 -fopenmp -c "$1.c" -o "$1.o" && link_cpu "$1"; }
build_clang() { "$(command -v clang-19 || echo clang)" -std=c11 -O3 -c "$1.c" -o "$1.o" && link_cpu "$1"; }
link_cpu() { gcc -std=c11 -fopenmp -I"$TESTS/check" "$1_check.c" "$1.o" -o prog -lm; }

run_quietly() { ./prog "$1" >out 2>&1 || { grep -v '^ok' out; return 1; }; }

# operate COMPILER:PROGRAM
operate() {
	local compiler=${1%%:*} file=${1#*:} target stem dir said
	stem=$(basename "$file" .pat)
	dir=$WORK/$compiler-$stem
	case $compiler in cuda | hip) target=$compiler ;; *) target=cpu ;; esac
	fresh "$dir" && cd "$dir" || return
	said=$("$GEN" --target=$target $OPERATIONS_GEN --no-data . "$file" 2>&1 && "build_$compiler" "$stem" 2>&1) ||
		{ bad "operations $compiler $stem builds" "$said"; return; }
	check "operations $compiler $stem" run_quietly "$WORK/$stem.dat"
	rm -rf "$dir"
}
export -f build_gcc build_clang link_cpu run_quietly operate

export OPERATIONS_GEN="--shapes=3 --cells=300 --no-pass=vectorise --no-pass=coarsen"
fresh "$WORK"
if [ -n "${ALL:-}" ]; then
	"$TESTS/fuzz/operations" "$WORK"
else
	"$TESTS/fuzz/operations" --lengths=1 --complete=none --triples=40 "$WORK"
fi
jobs=()
for file in "$WORK"/operations_*.pat; do
	stem=$(basename "$file" .pat)
	# shellcheck disable=SC2086
	said=$(fresh "$WORK/data" && cd "$WORK/data" && "$GEN" $OPERATIONS_GEN . "$file" 2>&1 && mv "$stem.dat" ..) ||
		bad "operations $stem" "$said"
	jobs+=("gcc:$file" "clang:$file" "cuda:$file" "hip:$file")
done
each operate "${jobs[@]}"
