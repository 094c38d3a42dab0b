#!/usr/bin/env bash
# debug.sh - -g: what debuggers and sanitizers say of the lines of a program, and that nothing else changes; --check:
# what it tells of an access outside its array.  tests/check.sh runs texts with --check on all targets.
set -uo pipefail
. "$TESTS/lib.sh"
fresh "$WORK/debug" && cd "$WORK/debug" || exit 1
STRICT="-Wall -Wextra -Wconversion -Wshadow -Wpedantic -Werror"

mkdir inc
cat >inc/ops.pat <<'END_'
fn grow(a: f32) -> f32 {
	var s = 1.0f32;
	for k in 0..8 {
		s = s + a;
	}
	return s;
}
END_
cat >pick.pat <<'END_'
use "ops.pat";
kernel pick(x: f32[n], place: i32[m], out y: f32[n], out z: f32[m], out s: f32) {
	map y[i] =
		grow(x[i]);
	gather z[j] = x[place[j]]
		trusted;
	reduce s =
		sum[i](y[i] * x[i]);
}
END_
# With an argument a place is outside of x.
cat >main.c <<'END_'
#include "pick.h"
#include <stdlib.h>
int main(int argc, char **argv)
{
	enum { N = 100 };
	float *x = calloc(N, sizeof *x), y[N], z[N], s;
	int32_t place[N] = {0};
	(void)argv;
	place[50] = argc > 1 ? N + 2 : 0;
	return pick_host(N, N, x, place, y, z, &s);
}
END_
"$PATC" -g -target=cpu -I inc pick.pat || exit 1

# Directives that name the output have the number of the next line; all others name what was read.
exact() { # TEXT PROGRAM...
	local text=$1 base
	shift
	base=$(basename "$text")
	awk -v own="\"$base\"" -v read="$*" '
		/^#line / && $3 == own && $2 != NR + 1 { print FILENAME ":" NR ": " $0; wrong = 1 }
		/^#line / && $3 != own { name = $3; gsub(/"/, "", name); if (index(" " read " ", " " name " ") == 0) { print; wrong = 1 } }
		/^#line / { last = $3 == own ? "own" : "program"; seen[last]++ }
		END { exit wrong || !seen["own"] || !seen["program"] || last != "own" }' "$text"
}
own_lines() { # TARGET SUFFIX
	local f base
	for f in pick.pat "$TESTS"/golden/*.pat; do
		base=$(basename "$f" .pat)
		"$PATC" -g -target="$1" -I inc -o "own$2" --header=own.h "$f" && exact "own$2" "$f" inc/ops.pat ||
			{ echo "$base for $1"; return 1; }
	done
}
for target in cpu:.c cuda:.cu hip:.hip; do
	check "the output has its own lines where no statement is (${target%:*})" own_lines "${target%:*}" "${target#*:}"
done

strict() { # COMPILER
	local f
	for f in pick.pat "$TESTS"/golden/*.pat; do
		"$PATC" -g -target=cpu -I inc -o strict.c "$f" &&
			"$1" -std=c11 -g -O1 $STRICT -fopenmp -c strict.c -o strict.o || return
	done
}
check "no compiler warns of it" strict gcc
[ -z "$(command -v clang)" ] || check "nor does clang" strict clang

# Without debugging information.
same_code() {
	local f g
	for f in pick.pat "$TESTS"/golden/*.pat; do
		for g in '' -g; do
			# shellcheck disable=SC2086
			"$PATC" $g -target=cpu -I inc -o code.c "$f" && gcc -std=c11 -O2 -fopenmp -c code.c -o code.o || return
			objdump -dr code.o >"code$g"
		done
		cmp code code-g || { echo "$f"; return 1; }
	done
}
check "the machine code is the same" same_code

decoded() { gcc -g -O1 -c pick.c -o pick.o && objdump --dwarf=decodedline pick.o >said && grep -q "^pick.pat  *5 " said && grep -q "^ops.pat  *4 " said; }
check "the lines of the program are in DWARF, those of use, too" decoded

debugged() {
	gcc -O0 -g -fopenmp main.c pick.c -lm -o pick || return
	OMP_NUM_THREADS=1 gdb -nx -batch -ex 'set debuginfod enabled off' -ex 'break ops.pat:4' -ex run -ex bt ./pick >said 2>&1
	grep -qE '^#0 .*grow.* at (.*/)?inc/ops\.pat:4$' said && grep -qE '^#1 .*pick_map1.* at (.*/)?pick\.pat:3$' said &&
		grep -qE 'in main .* at main\.c:10$' said || { cat said; return 1; }
}
if command -v gdb >/dev/null; then
	check "gdb stops at a line of a program and says where that is" debugged
else
	skip "gdb stops at a line of a program" "no gdb"
fi

sanitized() {
	gcc -O1 -g -fsanitize=address main.c pick.c -lm -o picky || return
	ASAN_OPTIONS=detect_leaks=0 ./picky || { echo "a right call fails"; return 1; }
	ASAN_OPTIONS=detect_leaks=0 ./picky outside >said 2>&1
	grep -qE '#0 .* in pick_gather1 .*pick\.pat:5(:|$)' said && grep -qE ' in main .*main\.c:10(:|$)' said || { cat said; return 1; }
}
check "AddressSanitizer names the line of a trusted access outside its array" sanitized

on_cuda() {
	"$PATC" -g -target=cuda -I inc pick.pat && "$NVCC" -arch=sm_90 -O3 -lineinfo -Werror all-warnings -Xcompiler -Wall,-Wextra -ptx pick.cu -o pick.ptx || return
	file=$(sed -nE 's/^[[:space:]]*\.file[[:space:]]+([0-9]+) ".*pick\.pat".*/\1/p' pick.ptx)
	[ -n "$file" ] && grep -qE "\.loc[[:space:]]+$file 5 " pick.ptx || { grep -E '\.(file|loc)' pick.ptx; return 1; }
	"$NVCC" -arch=sm_90 -O3 -lineinfo -Werror all-warnings -Xcompiler -Wall,-Wextra -c pick.cu -o pick.cu.o
}
if [ -n "${NVCC:-}" ]; then
	check "nvcc -lineinfo has the lines of the program" on_cuda
else
	skip "nvcc -lineinfo has the lines of the program" "no nvcc"
fi

on_hip() {
	"$PATC" -g -target=hip -I inc pick.pat && clang++-19 -x hip --rocm-path=/usr --rocm-device-lib-path=/usr/lib/x86_64-linux-gnu/amdgcn/bitcode \
		-g -O3 -Wall -Werror --offload-arch=gfx90a --cuda-device-only -S pick.hip -o pick.s || return
	file=$(sed -nE 's/^[[:space:]]*\.file[[:space:]]+([0-9]+) .*"pick\.pat".*/\1/p' pick.s | head -n 1)
	[ -n "$file" ] && grep -qE "\.loc[[:space:]]+$file 5 " pick.s || { grep -E '\.(file|loc)' pick.s | head -n 20; return 1; }
}
if [ -n "${HIPCC:-}" ]; then
	check "a HIP compiler has the lines of the program" on_hip
else
	skip "a HIP compiler has the lines of the program" "no clang-19"
fi

mkdir 'a "b' && cp pick.pat 'a "b/c\d?.pat'
quoted() {
	"$PATC" -g -target=cpu -I inc -o q.c 'a "b/c\d?.pat' && grep -qxF '#line 5 "a \"b/c\\d\?.pat"' q.c &&
		gcc -std=c11 -g $STRICT -c q.c -o q.o && objdump --dwarf=decodedline q.o >said && grep -qF 'c\d?.pat' said
}
check "a name with quotes is one name" quoted
check "the name of the source is that of -o" bash -c '"$PATC" -g -target=cpu -I inc -o ./inc/x.c pick.pat && grep -q "^#line [0-9]* \"./inc/x.c\"$" inc/x.c'
check "on standard output it is that of the program" bash -c '"$PATC" -g -target=cpu -I inc -o - inc/../pick.pat >said && grep -q "^#line [0-9]* \"pick.c\"$" said && grep -q "^#line 5 \"inc/../pick.pat\"$" said'
check "the same command writes the same bytes" bash -c '"$PATC" -g -target=cuda -I inc -o - pick.pat >a && "$PATC" -g -target=cuda -I inc -o - pick.pat | cmp - a'
check "the header and the dumps have none of it" bash -c '! grep -q "#line" pick.h && "$PATC" -g -I inc --dump=kir pick.pat >said && ! grep -q -e "#line" -e "$(printf "\v")" said'

# ---- --check ----

checked() { # COMPILER
	local f
	for f in pick.pat "$TESTS"/golden/*.pat; do
		"$PATC" --check -g -target=cpu -I inc -o strict.c "$f" &&
			"$1" -std=c11 -O1 $STRICT -fopenmp -c strict.c -o strict.o || return
	done
}
check "no compiler warns of --check" checked gcc
[ -z "$(command -v clang)" ] || check "nor does clang" checked clang

"$PATC" --check -target=cpu -I inc pick.pat
cat >offence.c <<'END_'
#include "pick.h"
#include <stdio.h>
int main(int argc, char **argv)
{
	enum { N = 100 };
	static int64_t workspace[1 << 12];
	static float x[N], y[N], z[N], s;
	static int32_t place[N];
	struct patc_offence first;
	(void)argv;
	place[50] = argc > 1 ? -2 : 0;
	const int status = pick(N, N, x, place, y, z, &s, workspace, sizeof workspace, NULL);
	const int found = pick_offence(workspace, NULL, &first);
	printf("%d %d %s:%d %d, %s\n", status, found, first.file, first.line, (int)first.cell, pick_strerror(found));
	return 0;
}
END_
offence() { # COMPILER
	"$1" -O1 -g -fsanitize=address,undefined -fopenmp -I. offence.c pick.c -lm -o offence || return
	[ "$(./offence)" = "0 0 :0 0, success" ] && [ "$(./offence outside)" = "0 31 pick.pat:5 -2, an access is outside of its array: *_offence() says where" ] || { ./offence; ./offence outside; return 1; }
}
check "the first access outside its array is told of, and not made" offence gcc
told() { export ASAN_OPTIONS=detect_leaks=0; gcc -O1 -fsanitize=address main.c pick.c -lm -o told && ./told && ! ./told outside 2>said && grep -qx 'pick.pat:5: cell 102 of an array is outside of it' said; }
check "NAME_host says so" told
shared_helpers() {
	"$PATC" --check -target=cpu -I inc --helpers=h.h -o shared.c --header=pick.h pick.pat &&
		gcc -std=c11 -O1 $STRICT -fopenmp offence.c shared.c -lm -o offence && [ "$(./offence outside)" = "0 31 pick.pat:5 -2, an access is outside of its array: *_offence() says where" ]
}
check "also with --helpers" shared_helpers
cat >tri.pat <<'END_'
kernel tri(b: f32[m, n], a: f32[k, 2, 2], out x: f32[m, n], out y: f32[k, 2]) {
	solve x[s, i] in x[s, i-1] + b[s, i] * x[s, i] + x[s, i+1] = 6 boundary 0;
	solve y[q, i] in sum[j](a[q, i, j] * y[q, j]) = 1;
}
END_
cat >system.c <<'END_'
#include "tri.h"
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
	enum { M = 20, N = 3, K = 5 };
	static int64_t workspace[1 << 14];
	static float b[M * N], a[K * 4], x[M * N], y[K * 2];
	struct patc_system first;
	for (int i = 0; i < M * N; i++)
		b[i] = 4;
	for (int i = 0; i < K * 4; i++)
		a[i] = i % 4 == 0 || i % 4 == 3;
	for (int i = 1; i < argc; i++)
		if (atoi(argv[i]) < M)
			b[atoi(argv[i]) * N] = 0;
		else
			a[(atoi(argv[i]) - M) * 4] = 0;
	const int status = tri(M, N, K, b, a, x, y, workspace, sizeof workspace, NULL);
	const int found = tri_system(workspace, NULL, &first);
	printf("%d %d %d %s %d\n", status, found, tri_status(workspace, NULL), first.statement, (int)first.number);
	return 0;
}
END_
system_told() { # OPTION...
	"$PATC" "$@" -target=cpu tri.pat && gcc -std=c11 -O1 $STRICT -fopenmp system.c tri.c -lm -o system || return
	./system && ./system 17 4 19 && ./system 23 && ./system 24 5
}
systems() { [ "$(system_told "$@" | tr '\n' ' ')" = "0 0 0  0 0 15 15 solve1 4 0 15 15 solve2 3 0 15 15 solve1 5 " ] || { system_told "$@"; return 1; }; }
check "the first system with a zero pivot is told" systems
check "also with --check" systems --check
cat >walk.pat <<'END_'
fn cell(x: f32[n], at: i64) -> f32 = x[at];
fn twice(x: f32[n], at: i64) -> f32 = 2 * cell(x, at);
kernel walk(x: f32[n], at: i64[m], out y: f32[m]) { gather y[i] = twice(x, at[i]) trusted; }
END_
cat >walk_main.c <<'END_'
#include "walk.h"
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
	(void)argv;
	float *x = malloc(2 * sizeof *x), y[3] = {7, 7, 7};
	const int64_t at[3] = {0, argc, 1};
	x[0] = 1, x[1] = 2;
	const int status = walk_host(2, 3, x, at, y);
	printf("%d %g %g\n", status, y[0], y[2]);
	free(x);
	return 0;
}
END_
in_function() {
	"$PATC" --check -target=cpu walk.pat && gcc -O1 -g -fsanitize=address,undefined -fopenmp walk_main.c walk.c -lm -o walk &&
		[ "$(./walk)" = "0 2 4" ] && [ "$(./walk outside)" = "9 2 4" ]
}
check "a trusted subscript in a function that reads an array" in_function
if [ -n "${NVCC:-}" ]; then
	check "nvcc takes it" bash -c '"$PATC" --check -g -target=cuda -I inc pick.pat && "$NVCC" -arch=sm_90 -O1 -Werror all-warnings -Xcompiler -Wall,-Wextra -c pick.cu -o pick.cu.o'
else
	skip "nvcc takes it" "no nvcc"
fi
