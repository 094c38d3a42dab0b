#!/usr/bin/env bash
# cli.sh - the command: its options, its exit statuses, and that its outputs appear whole or not at all.
set -uo pipefail
. "$TESTS/lib.sh"
cd "$WORK" || exit 1

cat >good.pat <<'END'
kernel twice(x: f32[n], out y: f32[n]) {
	map y[i] = 2 * x[i];
}
END
cat >bad.pat <<'END'
kernel twice(x: f32[n], out y: f32[n]) {
	map y[i] = 2 * z[i];
}
END
mkdir inc
echo 'fn triple(x: f32) -> f32 = 3 * x;' >inc/ops.pat
cat >user.pat <<'END'
use "ops.pat";
kernel thrice(x: f32[n], out y: f32[n]) {
	map y[i] = triple(x[i]);
}
END

# status WANT COMMAND...: the exit status, and no more
status() {
	local want=$1 got
	shift
	"$@" >said 2>&1
	got=$?
	[ $got = "$want" ] || { echo "exit status $got, not $want: $*"; cat said; return 1; }
}
# says WANT TEXT COMMAND...: the exit status, and TEXT (a pattern) somewhere in what it says
says() {
	local want=$1 text=$2
	shift 2
	status "$want" "$@" && { grep -qE -- "$text" said || { echo "no '$text' in:"; cat said; return 1; }; }
}
# leaves FILES COMMAND...: FILES are all that a fresh folder holds after the command
leaves() {
	local files=$1
	shift
	fresh there
	(cd there && "$@" >../said 2>&1)
	[ "$(cd there && echo *)" = "$files" ] || { echo "left: $(cd there && echo *)"; cat said; return 1; }
}
same() { cmp "$1" "$2"; }

check "no arguments: usage" status 2 "$PATC"
check "--help" says 0 'usage: patc' "$PATC" --help
check "--version" says 0 '^patc [0-9]+\.[0-9]+\.[0-9]+' "$PATC" --version
check "--list-patterns names every pattern" says 0 '^stencil' "$PATC" --list-patterns
check "--list-targets names every target" says 0 '^hip' "$PATC" --list-targets
check "--list-targets tells the lanes" says 0 '^hip +\.hip +--arch=gfx1030 +32 lanes$' "$PATC" --list-targets
check "--list-targets tells the default" says 0 '^hip +\.hip +--arch=wave64 +64 lanes, default$' "$PATC" --list-targets
check "--arch stands before --target" status 0 "$PATC" --arch=gfx1100 -target=hip -o a.hip --header=a.h good.pat
check "an arch of another target: usage, with its own" says 2 'gfx1030' "$PATC" -target=hip --arch=sm_90 good.pat
check "standard input is a program, its outputs are called stdin" leaves 'stdin.c stdin.h' bash -c '"$PATC" -target=cpu - <../good.pat'
check "standard input to standard output" bash -c '"$PATC" -target=cpu -o - - <good.pat | grep -q "include \"stdin.h\""'
check "standard input is in no depfile" bash -c 'mkdir in && "$PATC" -o in/x.cu --depfile=in/x.d - <good.pat && [ "$(cat in/x.d)" = "in/x.cu in/x.h:" ]; rm -r in'
check "a device as the source: no header" leaves '*' "$PATC" -o /dev/null ../good.pat
check "check writes nothing" leaves '*' "$PATC" check -target=cpu ../good.pat
check "check reports errors" says 1 'P0201' "$PATC" check good.pat bad.pat
check "check: no input" says 2 'no input' "$PATC" check
untouched() {
	fresh there && cd there && cp ../good.pat . && "$PATC" -o kept.cu --manifest=kept.json good.pat && touch -d 2000-01-01 kept.cu kept.h kept.json &&
		"$PATC" --write-if-changed -o kept.cu --manifest=kept.json good.pat && [ -z "$(find kept.* -newermt 2001-01-01)" ] &&
		"$PATC" -g --write-if-changed -o kept.cu good.pat && [ "$(find kept.* -newermt 2001-01-01)" = kept.cu ]
}
export -f untouched
check "--write-if-changed touches what changes" bash -c untouched
check "an unknown option: usage" status 2 "$PATC" --no-such-option good.pat
check "an unknown target: usage, with the known ones" says 2 'cuda' "$PATC" -target=vulkan good.pat
check "an unknown arch: usage" status 2 "$PATC" -target=cuda --arch=sm_1 good.pat
check "an unknown dump: usage" status 2 "$PATC" --dump=nothing good.pat
check "a file that is not there" says 3 'P0001' "$PATC" -target=cuda missing.pat
check "a folder as input" says 3 'P0001' "$PATC" -target=cuda inc
check "a wrong program" says 1 'bad\.pat:2:17: error\[P02' "$PATC" -target=cuda bad.pat
printf 'kernel f(inout x: f32[n]) { sort x of 3; }\n' >clause.pat
check "a clause that another pattern has" says 1 'help: write `segsort` instead of `sort`' "$PATC" -target=cuda clause.pat
rm clause.pat

check "two outputs, named after the input" leaves 'good.cu good.h' "$PATC" -target=cuda ../good.pat
for target in cuda:cu hip:hip cpu:c; do
	suffix=${target#*:}
	check "-target=${target%:*}" status 0 "$PATC" -target="${target%:*}" -o "a.$suffix" --header=a.h good.pat
	check "--target ${target%:*} writes the same" status 0 "$PATC" --target "${target%:*}" -o "b.$suffix" --header=a.h good.pat
	check "the same bytes ($suffix)" same "a.$suffix" "b.$suffix"
	"$PATC" -target="${target%:*}" -o - good.pat >"c.$suffix" 2>said
	check "-o - writes them to standard output ($suffix)" test -s "c.$suffix"
done
check "a wrong program leaves nothing" leaves '*' "$PATC" -target=cuda -o x.cu --header=x.h --depfile=x.d ../bad.pat
check "and not an older output's remains" bash -c 'echo old >old.cu; "$PATC" -target=cuda -o old.cu --header=old.h bad.pat
	[ "$(cat old.cu)" = old ] && [ ! -e old.h ]'

# Outputs are whole or absent, whatever the place they go to.
check "a full device" status 3 bash -c '"$PATC" -target=cuda -o - good.pat >/dev/full'
check "a closed standard output" status 3 bash -c '"$PATC" -target=cuda -o - good.pat >&-'
check "--help on a full device" status 3 bash -c '"$PATC" --help >/dev/full'
check "a folder that is not there" status 3 "$PATC" -target=cuda -o none/x.cu --header=x1.h good.pat
check "and nothing beside it" test ! -e x1.h
check "a folder as output" status 3 "$PATC" -target=cuda -o inc --header=x2.h good.pat
check "and nothing beside it, either" test ! -e x2.h
check "output = input" bash -c '! "$PATC" -target=cuda -o good.pat --header=x3.h good.pat && grep -q kernel good.pat && [ ! -e x3.h ]'
ln -sf good.pat link.pat
check "output = input through a link" bash -c '! "$PATC" -target=cuda -o link.pat --header=x4.h good.pat && grep -q kernel good.pat'
check "header = input" bash -c '! "$PATC" -target=cuda -o x.cu --header=good.pat good.pat && grep -q kernel good.pat'
check "header = output" status 2 "$PATC" -target=cuda -o y.cu --header=y.cu good.pat
check "a header that cannot be included" status 2 "$PATC" -target=cuda -o z.cu --header='a"b.h' good.pat
check "nor one named after its input" status 2 bash -c 'cp good.pat "a\\b.pat" && "$PATC" "a\\b.pat"; s=$?; rm "a\\b.pat"; exit $s'
rm -f 'a\b.pat'
check "depfile = output" status 2 "$PATC" -target=cuda -o y.cu --header=y.h --depfile=y.cu good.pat
check "and nothing written" test ! -e y.cu
check "one output for two inputs: usage" status 2 "$PATC" -target=cuda -o z.cu good.pat user.pat -I inc
check "no temporary files are left" bash -c '! ls -A | grep -vE "^(a|b|c)\.(cu|hip|c|h)$|^(good|bad|user|link)\.pat$|^(inc|there|said|old\.cu|x\.cu)$"'
# Root may write anywhere.  Nobody may not, but need not reach this folder: a private home is above it, perhaps.
outside=$(mktemp -d) && mkdir -m 555 "$outside/locked" && chmod 755 "$outside" && cp "$PATC" good.pat "$outside"
nobody=()
[ "$(id -u)" != 0 ] || nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups)
check "a folder that may not be written" status 3 env -C "$outside" "${nobody[@]}" \
	./patc -target=cuda -o locked/x.cu --header=locked/x.h good.pat
rm -rf "$outside"

# The header of --helpers: the same text for every program, written whole or not at all, and left alone where it is there.
cat >order.pat <<'END'
kernel order(inout x: f32[n]) { sort x; }
kernel halve(x: i32[n], out y: i32[n]) { map y[i] = x[i] / 2; }
END
cat >both.c <<'END'
#include "good.h"
#include "order.h"
int main(void)
{
	float x[3] = {3, 1, 2}, y[3];
	int32_t a[2] = {7, -7}, b[2];
	return order_host(3, x) || twice_host(3, x, y) || halve_host(2, a, b) || y[0] != 2 || y[1] != 4 || y[2] != 6 || b[0] != 3 || b[1] != -3;
}
END
helpers_shared() { # TARGET SUFFIX: alone, with each of two programs, with both
	fresh shared && cd shared && "$PATC" -target="$1" --helpers=alone.h && "$PATC" -target="$1" --helpers=h.h ../good.pat &&
		mv h.h first.h && "$PATC" -target="$1" --helpers=h.h ../order.pat && cmp alone.h first.h && cmp alone.h h.h &&
		"$PATC" -target="$1" --helpers=./h.h ../good.pat ../order.pat && cmp alone.h h.h &&
		grep -q '^#include "h.h"$' "good.$2" && ! grep -qE '^(static|PATC_).* \**patc_(bring|div_i32|take)\(' "good.$2" "order.$2"
}
for target in cuda:cu hip:hip cpu:c; do
	check "--helpers is the same for all programs (${target%:*})" helpers_shared "${target%:*}" "${target#*:}"
done
cd "$WORK" || exit 1
helpers_linked() { # COMPILER: of the sources in shared/
	local f
	for f in good order; do
		"$1" -std=c11 -O2 -fopenmp -Wall -Wextra -Wconversion -Wshadow -Wpedantic -Werror -c shared/$f.c -o $f.o || return
	done
	"$1" -Ishared -fopenmp both.c good.o order.o -lm -o both && ./both
}
check "sources that share it are linked together" helpers_linked cc
[ -z "$(command -v clang)" ] || check "by clang, too" helpers_linked clang
helpers_refused() { sed 's/^\(#define PATC_HELPERS_CPU\) .*/\1 1/' shared/h.h >h.h && ! cc -fsyntax-only -I. -x c - <shared/good.c 2>said && grep -q 'another version' said; }
mv shared/good.h shared/order.h .
check "a source refuses another version's" helpers_refused
rm -f h.h good.[ch] order.[ch] both* ./*.o
check "--helpers with -o -" leaves 'h.h' bash -c '"$PATC" -target=cpu --helpers=h.h -o - ../good.pat | grep "include \"h.h\""'
check "--helpers in another folder is included by its name" leaves 'deep good.c good.h' \
	bash -c 'mkdir deep && "$PATC" -target=cpu --helpers=deep/h.h ../good.pat && grep "include \"h.h\"" good.c'
check "nothing of it in the depfile" bash -c '"$PATC" -target=cpu --helpers=h.h -o h.c --header=x.h --depfile=h.d good.pat && ! grep h\\.h h.d | grep -v x\\.h'
touch -d 2020-01-01 h.h
check "one that is there is left alone" bash -c '"$PATC" -target=cpu --helpers=h.h -o h.c --header=x.h good.pat && [ h.h -ot both.pat -o h.h -ot good.pat ]'
echo old >h.h
check "one of another text is not" bash -c '"$PATC" -target=cpu --helpers=h.h -o h.c --header=x.h good.pat && ! grep -x old h.h'
touch -d 2020-01-01 h.h
check "nor one that is written alone" bash -c '"$PATC" -target=cpu --helpers=h.h && [ h.h -nt good.pat ]'
rm -f h.h h.c h.d x.h
check "a wrong program leaves none" leaves '*' "$PATC" -target=cuda --helpers=h.h ../bad.pat
check "one that cannot be written: nothing else" leaves '*' "$PATC" -target=cuda --helpers=none/h.h ../good.pat
check "and status 3" status 3 "$PATC" -target=cuda --helpers=none/h.h -o n.cu --header=n.h good.pat
check "another output that cannot be: no helpers" leaves '*' "$PATC" -target=cuda --helpers=h.h -o none/x.cu --header=x.h ../good.pat
check "helpers = output" says 2 "output 'h.h' is also" "$PATC" -target=cuda --helpers=h.h -o h.h --header=x.h good.pat
check "helpers = header" says 2 "two headers named 'good.h'" "$PATC" -target=cuda --helpers=good.h good.pat
check "of another folder" says 2 "two headers named 'x.h'" "$PATC" -target=cuda --helpers=inc/x.h -o x.cu good.pat
check "helpers = depfile" says 2 "output 'h.h' is also" "$PATC" -target=cuda --helpers=h.h -o x.cu --header=x.h --depfile=h.h good.pat
check "helpers = input" bash -c '! "$PATC" -target=cuda --helpers=good.pat good.pat && grep -q kernel good.pat'
check "helpers that cannot be included" status 2 "$PATC" -target=cuda --helpers='a"b.h' good.pat
check "helpers to standard output" says 2 'standard output' "$PATC" -target=cuda --helpers=- good.pat
check "helpers and an output of no program" says 2 'no input' "$PATC" -target=cuda --helpers=h.h -o x.cu
check "and nothing is left of all that" bash -c '! ls h.h x.h n.h n.cu h.c 2>/dev/null'
rm -rf shared order.pat

# Several inputs, files found by -I, and what the depfile says of them.
check "several inputs in one run" leaves 'good.cu good.h user.cu user.h' \
	"$PATC" -target=cuda -I ../inc ../good.pat ../user.pat
check "several targets in one run" leaves 'good.c good.cu good.h good.hip user.c user.cu user.h user.hip' \
	"$PATC" -target=cuda,hip,cpu -I ../inc ../good.pat ../user.pat
several() { # each source is what its target alone gives, and so is a header for GPUs
	fresh several && cd several && "$PATC" -target=cuda,hip ../good.pat && cp good.h gpu.h && "$PATC" -target=cpu,cuda,hip ../good.pat &&
		grep -q 'For the target cpu' good.h && gcc -std=c99 -fsyntax-only -x c good.h && mkdir one && cd one || return
	for target in cuda hip cpu; do "$PATC" -target=$target ../../good.pat || return; done
	cmp good.cu ../good.cu && cmp good.hip ../good.hip && cmp good.c ../good.c && "$PATC" -target=hip ../../good.pat && cmp good.h ../gpu.h
}
check "each as by itself" several
cd "$WORK" || exit 1
check "a target of other lanes has its header, too" leaves 'good.h good.hip' "$PATC" -target=hip --arch=wave32 ../good.pat
check "targets: an error is told once" bash -c '"$PATC" -target=cuda,hip,cpu bad.pat 2>said; [ $? = 1 ] && [ "$(grep -c "error\[" said)" = 1 ]'
check "targets: a warning, too" bash -c 'echo "kernel f(inout x: f32[n], y: f32) { map x[i] = 2 * x[i]; }" >warned.pat
	"$PATC" check -target=cuda,hip,cpu warned.pat 2>said && [ "$(grep -c "warning\[" said)" = 1 ]; s=$?; rm warned.pat; exit $s'
check "targets: remarks are one document" bash -c '"$PATC" --remarks=json -target=cuda,hip,cpu good.pat |
	python3 -c "import json, sys; assert [d[\"target\"] for d in json.load(sys.stdin)] == [\"cuda\", \"hip\", \"cpu\"]"; s=$?; rm -f good.c good.cu good.hip good.h; exit $s'
for one in "-o x" --depfile=x --manifest=x --helpers=x.h --arch=sm_90 --machine=H200 --resources --remarks=html --fix; do
	# shellcheck disable=SC2086
	check "targets: $one" says 2 'needs a single --target' "$PATC" -target=cuda,cpu $one good.pat
done
check "targets: standard input" says 2 'standard input needs a single --target' "$PATC" -target=cuda,cpu -
check "targets: one twice" says 2 'names hip twice' "$PATC" -target=hip,cpu,hip good.pat
check "targets: an unknown one" says 2 "no target 'metal'" "$PATC" -target=hip,metal good.pat
rm -rf several
for k in f32 i8; do
	echo "struct V { x: $k }  struct W { v: V[2] }  kernel f_$k(inout y: W[n], z: $k) { map y[i] = W([V(z), V(1)]); }" >v_$k.pat
done
check "structs of one name in two files" status 0 "$PATC" -target=cuda v_f32.pat v_i8.pat
for t in f32 f64; do
	printf 'struct P { a: %s }\nop later(a: P, b: P) -> P = b associative;\nkernel f(p: P[n], out q: P[n]) { scan q[i] = later(p[i]); }\n' $t >w_$t.pat
done
check "folds of structs of one name in two files" status 0 "$PATC" -target=cuda w_f32.pat w_f64.pat
# Two headers in one file of C: one struct is one struct, two of a name are an error.
for k in "a x,y" "b y,x" "c x,y"; do
	printf 'struct P { %s: f32 } kernel f%s(p: P[n], out q: f32[n]) { map q[i] = p[i].x; }\n' "${k#* }" "${k% *}" >h_${k% *}.pat
	"$PATC" -target=cpu h_${k% *}.pat
done
included() { printf '#include "%s"\n' "${@:2}" >two.c && "$1" -fsyntax-only two.c; }
clash() { ! included "$@" 2>clash && grep -q 'redefinition.*P' clash; }
for k in cc c++; do
	check "headers that share a struct: $k" included $k h_a.h h_c.h h_a.h
	check "structs of one name that differ are an error: $k" clash $k h_a.h h_b.h
done
cat >taken.pat <<'END'
struct float_ { int, float: f32 }
kernel main(double: f32[n], p: float_[n], out y: f32[n]) { map y[i] = double[i] + p[i].float; }
END
taken() {
	"$PATC" -target=cpu taken.pat && for text in '/* main_ (main in the program)$' ' double_ (double in the program): ' \
		'/* float__ (float_ in the program) \*/$' 'float_;  /\* float in the program \*/$'; do
		grep -q "$text" taken.h || { echo "no $text"; return 1; }
	done && included cc taken.h
}
check "the header says which names are others in C" taken

# In a shared object another library's function of a kernel's name takes its place, but not for the text itself.
cat >interposed.pat <<'END'
kernel step(x: f32[n], out y: f32[n]) { map y[i] = 2 * x[i]; }
kernel most(x: f32[n], out m: f32) { reduce m = max[i](x[i]); }
kernel taken_at(p: i32[m], x: f32[n], out y: f32[m]) { gather y[i] = x[p[i]]; }
END
cat >interposed.c <<'END'
#include "interposed.h"
int step(int64_t n, const float *x, float *y, void *w, size_t bytes, void *stream) { (void)n, (void)x, (void)y, (void)w, (void)bytes, (void)stream; return 99; }
int most(int64_t n, const float *x, float *m, void *w, size_t bytes, void *stream) { (void)n, (void)x, (void)m, (void)w, (void)bytes, (void)stream; return 99; }
size_t most_workspace(int64_t n) { (void)n; return 1; }
size_t taken_at_workspace(int64_t m, int64_t n) { (void)m, (void)n; return 1; }
int taken_at_status(void *w, void *stream) { (void)w, (void)stream; return 99; }
int main(void)
{
	const float x[3] = {1, 2, 3};
	const int32_t p[2] = {2, 1};
	float y[3], m, z[2];
	if (step(3, x, y, NULL, 0, NULL) != 99 || step_host(3, x, y) || y[2] != 6)
		return 1;
	return most_host(3, x, &m) || m != 3 || taken_at_host(2, 3, p, x, z) || z[0] != 3;
}
END
interposed() {
	"$1" -std=c11 -fPIC -shared $STRICT interposed_k.c -o libinterposed.so &&
		"$1" -std=c11 $STRICT interposed.c -o interposed -L. -linterposed -Wl,-rpath,"$PWD" && ./interposed
}
# What is indented calls no function that begins a line without `static`.
calls_own() {
	"$PATC" -target="$1" -o interposed.txt --header=i.h interposed.pat &&
		awk '/^(int|size_t|const char \*) ?[a-z_]+\(/ { sub(/^(int|size_t|const char \*) ?/, ""); sub(/\(.*/, ""); public[$0]; n++; next }
			{ line[NR] = $0 }
			END { for (i in line) for (f in public) if (line[i] ~ "^\t.*[^a-z_]" f "\\(") { print line[i]; bad = 1 } exit bad || n != 15 }' interposed.txt
}
"$PATC" -target=cpu -o interposed_k.c --header=interposed.h interposed.pat
for k in gcc clang; do check "functions of a shared object whose names others have: $k" interposed $k; done
for k in cpu cuda hip; do check "no function that is printed calls a public one: $k" calls_own $k; done

# Words of C, C++, CUDA and HIP, functions of their libraries, names that the generated text uses.
words="step t main double index y0 j1 gamma exp read write free register class new template this dim3 blockIdx threadIdx
	warpSize min max abs printf int32_t NULL bool errno signal div log pow malloc int static restrict volatile auto
	namespace nullptr operator thread_local typename constexpr concept co_await uint3 float4 half cudaFree hipMalloc
	__global__ __half INT64_C SIZE_MAX div_t nullptr_t std isless random select lgamma_r workspace stream
	failure copies pieces place arrays status state lane block cells rows linux time wait select random strdup
	host_step run_step workspace_step param_step patc_n patc_p kernels host_most patc_w check_main check_read GPU"
renamed() {
	local w k=0
	for w in $(printf '%s\n' $words | sort -u); do
		k=$((k + 1))
		case $w in patc_*) ;; *)
			echo "kernel $w(x: f32[n], out y: f32[n], out s: f32) { map y[i] = 2 * x[i]; reduce s = max[i](y[i]); }" >>kernels.pat
			echo "test of_$w { $w(x = [1, 3]) -> y = [2, 6], s = 6; }" >>kernels.pat
			case $w in t | exp | min | max | abs | bool | log | pow | half | state | index) ;; *)
				echo "struct $w { $w: f32, k: i32 }"
				echo "kernel a$k(v: $w[m], inout o: $w[m], inout q: $w[m] layout soa, out r: f32[m], out f: $w) {
					let u: $w[m]; map u[h] = $w(v[h].$w + 1, 2); stencil o[h] = u[h-1] boundary $w(0, 0);
					map q[h].$w += 1; map r[h] = o[h].$w; map f = $w(1, 2); }" ;;
			esac >>structs.pat ;;
		esac
		echo "kernel p$k($w: f32[z], out ${w}1: f32, q: i32[z], out o: f32[z], ${w}2: f32) {
			let u: f32[z]; gather u[h] = $w[q[h]]; map o[h] = u[h] * ${w}2; reduce ${w}1 = sum[h](o[h]); }
		kernel s$k(v: f32[$w], out r: f32) { reduce r = sum[h](v[h]); }
		kernel l$k(v: f32[z], out r: f32[z]) { let $w: f32[z]; map $w[h] = exp(v[h]); stencil r[h] = $w[h-1] + $w[h+1] boundary 0; }
		kernel i$k(v: f32[c, d], out r: f32[c]) { reduce r[$w] = sum[h](sqrt(abs(v[$w, h]))); }
		fn g$k($w: f32) -> f32 = max(abs($w), 2.5);
		kernel o$k(v: f32[z], out $w: f32[z]) { map $w[h] = g$k(v[h]); }" >>params.pat
	done
}
compiled() {
	"$PATC" -target=cpu "$1.pat" && "$PATC" -target=cuda -o "$1.cu" --header="$1.h" "$1.pat" &&
		gcc -std=c11 $STRICT -fsyntax-only "$1.c" && gcc -std=gnu11 $STRICT -fsyntax-only "$1.c" &&
		gcc -std=c99 $STRICT -fsyntax-only -x c "$1.h" &&
		printf '#include <cstdlib>\n#include <cmath>\n#include "%s"\n' "$1.h" | g++ -I. -fsyntax-only -x c++ - &&
		g++ -std=c++17 -I"$TESTS/simt/inc" -fsyntax-only -x c++ "$1.cu"
}
renamed
for k in kernels params structs; do check "names that others have: $k" compiled $k; done
check "kernels of such names run" says 0 ', 0 failed$' "$PATC" test --target=cpu kernels.pat

check "use without -I" says 1 'P00' "$PATC" -target=cuda -o - user.pat
check "use with -I" status 0 "$PATC" -target=cuda -I inc -o d.cu --header=d.h --depfile=d.d user.pat
check "the depfile names outputs and inputs" bash -c 'tr -d "\\\\\n" <d.d | grep -qE "^d\.cu d\.h *: *user\.pat +inc/ops\.pat"'
check "make reads the depfile" bash -c 'printf "%s\n" "all: d.cu" "include d.d" >d.mk && make -f d.mk -n'
echo 'extern fn e(x: f32) -> f32 from "not_there.h"; kernel f(inout y: f32[n]) { map y[i] = e(y[i]); }' >e.pat
check "a header of the user is not looked for" status 0 "$PATC" -target=cpu -o e.c --header=e.h --depfile=e.d e.pat
check "nor a dependence of patc's output" bash -c '! grep -q not_there e.d && grep -q "^#include \"not_there.h\"$" e.c'
mkdir 'a b'
cp good.pat 'a b/c$d#e.pat'
check "odd file names" status 0 "$PATC" -target=cuda -o 'a b/x.cu' --header='a b/x.h' --depfile='a b/x.d' 'a b/c$d#e.pat'
check "and their depfile" bash -c 'printf "all: a\\ b/x.cu\ninclude a\\\\ b/x.d\n" | sed "s/\\\\\\\\/\\\\/g" >o.mk; touch "a b/x.cu" "a b/x.h"; make -s -f o.mk'
rm -rf 'a b' ./*.mk d.*

# The same bytes from any folder and under any path of the input.
mkdir -p deep/er
cp good.pat deep/er
"$PATC" -target=cuda -o one.cu --header=one.h good.pat
mkdir p q && mv one.cu one.h p
(cd deep && "$PATC" -target=cuda -o ../q/one.cu --header=../q/one.h ../deep/er/good.pat)
check "the same bytes from another folder" diff -r p q
(cd / && LC_ALL=C TZ=Asia/Tokyo "$PATC" -target=cuda -o "$WORK/q/one.cu" --header="$WORK/q/one.h" "$WORK/good.pat")
check "the same bytes under another locale, zone and an absolute path" diff -r p q

for stage in ast types graph schedule plan kir; do
	check "--dump=$stage" says 0 . "$PATC" -target=cuda --dump=$stage good.pat
done
check "--explain of no code: usage" status 2 "$PATC" --explain nonsense
# Warnings: which are shown, which are errors.
cat >warn.pat <<'END'
kernel f(x: f32[n], w: f32[n], out y: f32[n], out z: f32[n]) {
	map y[i] = x[i] / n;
}
END
warned() { # "WANTED..." OPTION...: status, then the codes with e or w before them
	local want=$1 got
	shift
	got=$("$PATC" -target=cpu -o - "$@" warn.pat 2>&1 >/dev/null; echo $?)
	got="$(tail -n 1 <<<"$got")$(sed -nE 's/.* (e|w)[a-z]*\[(P[0-9]+)\].*/ \1\2/p' <<<"$got" | tr -d '\n')"
	[ "$got" = "$want" ] || { echo "wanted $want"; echo "got $got"; return 1; }
}
check "warnings that are on" warned "0 wP0801 wP0802"
check "-Wall" warned "0 wP0801 wP0802 wP0808" -Wall
check "-Wnarrowing" warned "0 wP0801 wP0802 wP0808" -Wnarrowing
check "-W with a blank" warned "0 wP0801 wP0802 wP0808" -W narrowing
check "-Wno-unused" warned "0 wP0802" -Wno-unused
check "-Wno-all" warned "0" -Wno-all
check "a later option beats an earlier one" warned "0 wP0801" -Wno-all -Wunused
check "-Werror" warned "1 eP0801 eP0802" -Werror
check "-Werror=unused" warned "1 eP0801 wP0802" -Werror=unused
check "-Werror=narrowing shows it" warned "1 wP0801 wP0802 eP0808" -Werror=narrowing
check "-Wno-error=unused" warned "1 wP0801 eP0802" -Werror -Wno-error=unused
check "-Wno-error" warned "0 wP0801 wP0802" -Werror -Wno-error
check "-Werror and -Wno-all" warned "0" -Werror -Wno-all
check "-Werror writes nothing" bash -c '! "$PATC" -target=cpu -Werror -o werror.c warn.pat 2>/dev/null && [ ! -e werror.c ] && [ ! -e werror.h ]'
check "-W of no name: the nearest" says 2 "no warning 'unusde'; did you mean 'unused'" "$PATC" -Wunusde warn.pat
check "-Wno-: likewise" says 2 "-Wno-narowing.*did you mean 'narrowing'" "$PATC" -Wno-narowing warn.pat
check "-Werror=: likewise" says 2 "-Werror=unwriten.*did you mean 'unwritten'" "$PATC" -Werror=unwriten warn.pat
check "-W of no name that is near: all" says 2 'there are: all, unused, unwritten' "$PATC" -Wxyz warn.pat
check "-W alone: usage" status 2 "$PATC" warn.pat -W
check "run warns" says 0 'warning.P0801' "$PATC" run warn.pat x=[1,2] w=0
check "run -Werror" says 1 'error.P0801.*Werror=unused' "$PATC" run -Werror warn.pat x=[1,2] w=0
check "test -Werror" says 1 'error.P0801' "$PATC" test -Werror warn.pat
check "test -Wno-all" says 0 '^0 passed, 0 failed$' "$PATC" test -Wno-all warn.pat
check "--explain of a warning's name" says 0 '^P0801, -Wunused: ' "$PATC" --explain unused
check "--explain of an option" says 0 '^P0810, -Wredundant-trusted: ' "$PATC" --explain -Wredundant-trusted
check "--fix of a warning" bash -c 'cp warn.pat fixed.pat; "$PATC" --fix -Wno-all -Wnarrowing fixed.pat 2>said; grep -q "fixed.P0808.*is now .f32(n)" said && grep -q "/ f32(n);" fixed.pat'
check "--fix of one that is not shown" bash -c 'cp warn.pat fixed.pat; "$PATC" --fix fixed.pat 2>/dev/null; cmp warn.pat fixed.pat'
check "--color=always colours" bash -c '"$PATC" -target=cuda --color=always bad.pat 2>&1 | grep -q $'"'"'\033'"'"
check "--color=never does not" bash -c '! "$PATC" -target=cuda --color=never bad.pat 2>&1 | grep -q $'"'"'\033'"'"
check "nor does a pipe" bash -c '! "$PATC" -target=cuda bad.pat 2>&1 | grep -q $'"'"'\033'"'"

# patc new: a folder that was not there, whole or not at all.  What is in it builds: recipes.sh.
check "new --help" says 0 'usage: patc new' "$PATC" new --help
check "new writes its files" leaves 'blend' "$PATC" new blend
check "and no others" bash -c '[ "$(cd there/blend && echo *)" = "blend.pat main.cu Makefile README.md" ] || [ "$(cd there/blend && echo *)" = "Makefile README.md blend.pat main.cu" ]'
check "and says which" bash -c '[ "$(grep -c "^blend/" said)" = 4 ] && grep -qx "build and run it: cd blend && make && ./blend" said'
check "nothing is left to fill in" bash -c '! grep -rE "@(name|target|suffix|run)@" there/blend'
check "what is there stays" bash -c 'cd there && echo mine >blend/main.cu && ! "$PATC" new blend 2>../said && grep -qx mine blend/main.cu &&
	grep -q "already exists.*choose another name" ../said'
check "a file of that name stays" bash -c 'cd there && echo mine >other && ! "$PATC" new other 2>../said && grep -qx mine other'
check "a link to nothing stays" bash -c 'cd there && ln -s nothing dangling && ! "$PATC" new dangling 2>../said && [ ! -e nothing ]'
for name in a 1st x/y ../up 'x y' '' ä x-y "$(printf '%065d' 0 | tr 0 x)"; do
	check "new '$name': no name" says 2 'use 2 to 64 letters, digits and _' "$PATC" new "$name"
done
for name in for kernel_ int main select cudaFree patc_x; do
	case $name in
	kernel_) check "new $name" leaves "$name" "$PATC" new "$name" ;;
	*) check "new $name: a word" says 2 "a keyword of the language or of C: choose another name, such as my_$name" "$PATC" new "$name" ;;
	esac
done
check "new test: a name of build systems" says 2 'build systems use.*my_test' "$PATC" new test
check "none of them is made" bash -c '[ -z "$(ls -d for int main test 2>/dev/null)" ]'
check "new without a name" says 2 'patc new NAME' "$PATC" new
check "new with two" says 2 "not 'one' and 'two'" "$PATC" new one two
check "new: an unknown build, with the known ones" says 2 'it has: make, cmake, meson, python' "$PATC" new one --build=scons
check "new: an unknown target, with the known ones" says 2 'cuda' "$PATC" new one --target=vulkan
check "new: a build that the target has not" says 2 'build=meson does not support target hip.*make, cmake, python' "$PATC" new one --target=hip --build=meson
check "new: an option of another command" says 2 'patc new has no option' "$PATC" new one --remarks
check "new on a full device leaves a folder" bash -c '"$PATC" new full >/dev/full; [ $? = 3 ]'
new_locked() {
	local outside
	outside=$(mktemp -d) && cp "$PATC" "$outside" && chmod 755 "$outside" && mkdir "$outside/locked" && chmod 555 "$outside/locked"
	local nobody=()
	[ "$(id -u)" != 0 ] || nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups)
	env -C "$outside/locked" "${nobody[@]}" ../patc new one >said 2>&1
	[ $? = 3 ] && grep -q 'cannot create the folder' said && [ -z "$(ls "$outside/locked")" ] && rm -rf "$outside"
}
check "new in a folder that may not be written" new_locked
new_cut() { (ulimit -f 1; "$PATC" new cut >said 2>&1); [ $? = 3 ] && [ ! -e cut ] || { ls -la cut; cat said; return 1; }; }
check "new that cannot write a file leaves no folder" new_cut

# patc run: what it is given, what it says, what it leaves.
cat >run.pat <<'END'
struct P { x: f32, c: u8 }
const HALF: f32 = 0.5;
fn twice(x: f32) -> f32 = 2 * x;
kernel saxpy(a: f32, x: f32[n], inout y: f32[n]) { map y[i] = a * x[i] + y[i]; }
kernel rows(x: f64[n, m], out s: f64[n], out big: bool) {
	reduce s[i] = sum[j](x[i, j]);
	reduce big = any[i, j](x[i, j] > 2);
}
kernel copy(p: P[n], i: i64[n], out q: P[n], out j: i64[n]) { map q[k] = p[k], j[k] = i[k]; }
kernel wide(x: u8[2*n+1], out y: u8[n]) { map y[i] = x[0] for i in 0..n; }
END
run() { "$PATC" run "$@"; }
# prints WANT COMMAND...: exit status 0, and WANT on standard output to the letter
prints() {
	local want=$1
	shift
	"$@" >out 2>said && [ "$(cat out)" = "$want" ] || { echo "wanted: $want"; cat out said; return 1; }
}
export -f run
check "run --help" says 0 'usage: patc run' "$PATC" run --help
check "run: nothing to run" status 2 "$PATC" run
check "run: the only kernel needs no name" prints 'y = [2, 4]' run good.pat 'x=[1,2]'
check "run: of several the name is asked for" says 1 'P0701.*several' run run.pat n=2
check "run: a kernel that is not there" says 1 'P0701' run run.pat none n=2
check "run: two kernels" status 2 run run.pat saxpy rows
check "run: lists, functions, constants" prints 'y = [7, 1, inf, nan]' run run.pat saxpy a=twice\(HALF\) 'x=[6,0,inf,nan]' y=1
check "run: values read back" prints 'y = [0.1, 1e-40, 16777216, -0]' run run.pat saxpy a=1 'x=[0.1,1e-40,16777217,-0.0]' y=-0.0
check "run: scalars and tables" prints $'s = [3, 7]\nbig = true' run run.pat rows 'x=[[1,2],[3,4]]'
check "run: rows of a table" prints $'x = [[1, 2],\n     [3, 4]]' bash -c 'run run.pat rows "x=[[1,2],[3,4]]" -o x=x.npy -o s=s.npy >/dev/null &&
	printf "kernel f(inout x: f64[n, m]) { map x[i, j] = x[i, j]; }\n" >same.pat && run same.pat x=x.npy'
check "run: an array's file tells its size" prints $'s = [3, 7]\nbig = true' run run.pat rows x=x.npy
check "run: a size that disagrees" says 1 'P0706.*n is 3 \(given\)' run run.pat rows n=3 x=x.npy
check "run: two arrays that disagree" says 1 'P0706.*axis 1 of `x`, which has 2' run run.pat saxpy a=1 'x=[1,2]' 'y=[1,2,3]'
check "run: a size from 2*n+1" prints 'y = [9, 9]' run run.pat wide 'x=[9,0,0,0,0]'
check "run: no n for 2*n+1 = 4" says 1 'P0706.*2\*n' run run.pat wide 'x=[9,0,0,0]'
check "run: a size that nothing tells" says 1 'P0705.*`n`' run run.pat saxpy a=1 x=1 y=1
check "run: an input that is missing" says 1 'P0705.*`a`, `y`' run run.pat saxpy n=1 x=1
check "run: a status" says 1 'P0709.*status 1' run run.pat saxpy n=-1 a=1
check "run: a wrong list" says 1 'command line:2:8: error\[P0703\]' run run.pat rows 'x=[[1],2]'
check "run: a wrong expression" says 1 'command line:2:5: error\[P0101\]' run run.pat saxpy 'x=[1;2]' a=1
check "run: a word that is no value" says 1 'help: a value is a number' run run.pat saxpy x=zeros a=1
check "a word that is no command" says 3 'help: a program is a file, NAME.pat' "$PATC" compile
check "run: a bracket that is open" says 2 'an unmatched bracket' run run.pat saxpy 'x=[1,2' a=1
check "run: a bracket that closes nothing" says 2 'an unmatched bracket' run run.pat saxpy 'x=1)(' a=1
check "run: more than a value" says 2 'more than a value' run run.pat saxpy 'n=1 /*(*/); } const A: i32 = 1; test b { saxpy(n=1 /*)*/'
check "run: an option of another command" says 2 'patc run has no option .--target=cpu' run run.pat saxpy --target=cpu
check "run: sizes that are missing" says 1 'cannot infer the sizes `n`, `m`' run run.pat rows x=1
check "run: a name that is none" status 2 run run.pat saxpy '2=1'
check "run: no name after -o" status 2 run run.pat saxpy n=1 a=1 x=1 y=1 -o z.npy
check "run: an unknown name after -o" status 2 run run.pat saxpy n=1 a=1 x=1 y=1 -o z=z.npy
check "run: a format that nothing names" status 2 run run.pat saxpy n=1 a=1 x=1 y=1 -o y=z.bin
check "run: random is the same again" bash -c 'run run.pat saxpy n=9 a=random x=random y=random >r1; run run.pat saxpy n=9 a=random x=random y=random >r2; cmp r1 r2'
check "run: random of another seed is not" bash -c 'run run.pat saxpy n=9 a=1 x=random y=random >r1; run run.pat saxpy n=9 a=1 x=random y=random --seed=2 >r2; ! cmp -s r1 r2'
check "run: random does not depend on its neighbours" prints "$(run run.pat saxpy n=3 a=1 x=random y=0)" run run.pat saxpy n=3 a=1 y=0 x=random
check "run: random is the same on every machine" prints 'y = [0.010869442, -0.10477819, 0.04300702]' run run.pat saxpy n=3 a=0 x=0 y=random
check "run: structs" prints $'q = [P(1, 2), P(-0.5, 255)]\nj = [-9223372036854775808, 7]' run run.pat copy 'p=[P(1,2),P(-HALF,255)]' 'i=[i64.min,7]'
check "run: structs in raw files" bash -c 'run run.pat copy "p=[P(1,2),P(-HALF,255)]" i=3 -o q=q.raw -o p=npy:p.bin >/dev/null && [ "$(wc -c <q.raw)" = 16 ] &&
	[ "$(run run.pat copy p=q.raw i=0 | head -n 1)" = "q = [P(1, 2), P(-0.5, 255)]" ] &&
	[ "$(run run.pat copy p=npy:p.bin i=0 | head -n 1)" = "q = [P(1, 2), P(-0.5, 255)]" ]'
check "run: a large array in short" says 0 '^y: f32\[1000\]  min 2  max 2  mean 2' run good.pat n=1000 x=1
check "run: an empty one" prints 'y: f32[0]' run good.pat n=0
check "run: a type that differs" says 1 "P0707.*it holds '<f8'" run good.pat x=x.npy n=4
check "run: its cure" says 1 "astype\('<f4'\)" run run.pat saxpy x=s.npy a=1 y=1
echo "kernel f(x: f64[n], out y: f64[n]) { map y[i] = x[i]; }" >rows.pat
check "run: an axis too many" says 1 'P0707.*2 axes' run rows.pat x=x.npy
check "run: a file that is not there" says 1 'P0707.*No such file' run good.pat x=none.npy
check "run: a raw file that is too short" says 1 'P0707.*32 bytes.*have 48' bash -c 'run run.pat rows "x=[[1,2],[3,4]]" -o x=x.raw; run run.pat rows n=2 m=3 x=x.raw'
check "run: output = input" status 2 run same.pat x=x.npy -o x=x.npy
check "run: output = the program" status 2 bash -c 'cp same.pat raw.raw && run raw.raw x=x.npy -o x=raw.raw'
check "run: a failed run leaves no file" leaves '*' run ../run.pat saxpy n=-1 a=1 -o y=y.npy
check "run: outputs that cannot be written" status 3 run same.pat x=x.npy -o x=none/x.npy
check "run: a full standard output" status 3 bash -c 'run good.pat n=1 x=1 >/dev/full'
check "run: more memory than there is to have" says 1 'P0708' run good.pat n=1000000000 x=1
check "run: an endless loop ends" says 1 'P0[0-9]*.*steps' bash -c 'echo "fn f(x: f32) -> f32 { var y = x; while true { y = y + 1; } return y; }
	kernel k(out y: f32[n]) { map y[i] = f(1); }" >loop.pat; run loop.pat n=1 --steps=100000'
# functions_twice N: each calls the one before it twice
functions_twice() {
	echo 'fn g0(x: f32) -> f32 = x + 1;'
	for ((k = 1; k < $1; k++)); do echo "fn g$k(x: f32) -> f32 = g$((k - 1))(x) + g$((k - 1))(x);"; done
	echo "kernel k(x: f32[n], out y: f32[n]) { map y[i] = g$(($1 - 1))(x[i]); }"
}
functions_twice 40 >twice.pat
check "run: calls of functions are steps" says 1 'P0[0-9]*.*steps' run twice.pat 'x=[1]' --steps=100000
functions_twice 60 >twice.pat
for target in cpu cuda hip; do
	check "functions that call the one before twice: $target" status 0 timeout 100 "$PATC" -target=$target --remarks -o twice.out twice.pat
done
check "run: a wrong program" says 1 'P0201' run bad.pat n=1 x=1
check "run: a wrong program, not there" status 3 run missing.pat

# patc test
cat >test.pat <<'END'
kernel twice(x: f32[n], out y: f32[n]) { map y[i] = 2 * x[i]; }
test right { twice(x = [1, 2]) -> y = [2, 4]; twice(n = 7, x = random); }
test wrong {
	twice(x = [1, 2]) -> y = [2, 5];
	twice(x = [1, 2, 3]) -> y = [2, 4];
	twice(n = -1) -> status shape;
	twice(x = "x.npy");
	twice(x = "raw:s.npy");
}
test refusal refused P0401 { kernel f(x: f32[n], out y: f32[n]) { map y[i] = z[i]; } }
END
check "test --help" says 0 'usage: patc test' "$PATC" test --help
check "test: passed and failed" says 1 '^3 passed, 5 failed$' "$PATC" test test.pat
check "test: a difference" says 1 'test.pat:4:23: error\[P0710\]: `y\[1\]` is 4, expected 5$' "$PATC" test test.pat
check "test: a shape" says 1 'P0710.*has 3 cells, expected 2' "$PATC" test test.pat
check "test: a status" says 1 'P0709.*status 1 .*expected 2' "$PATC" test test.pat
check "test: a file beside the program" says 1 "P0707.*x.npy.*'<f8'" bash -c 'cd / && "$PATC" test "$OLDPWD/test.pat"'
check "test: another refusal" says 1 'P0711.*refused with P0201, expected P0401' "$PATC" test test.pat
check "test: nothing but the count when piped" prints '0 passed, 0 failed' "$PATC" test good.pat
check "test: a wrong program fails" says 1 '^0 passed, 1 failed$' "$PATC" test bad.pat
check "test: several programs" says 1 '^3 passed, 6 failed$' "$PATC" test test.pat bad.pat good.pat
check "test: what is in a used file is not run" prints '0 passed, 0 failed' bash -c 'echo "use \"test.pat\";" >uses.pat; "$PATC" test uses.pat'
check "a file named as a command" status 0 bash -c 'cp good.pat run && "$PATC" -target=cuda -o - ./run'
cat >halves.pat <<'END'
kernel halves(x: f16[n], y: bf16[n], out a: f16[n], out b: bf16[n]) { map a[i] = x[i], b[i] = y[i]; }
END
check "run: f16 and bf16" prints $'a = [0.1, 65504, 6e-08]\nb = [0.1, 3.3e+38, nan]' run halves.pat 'x=[0.1,65504,6e-8]' 'y=[0.1,3.3e38,nan]'
check "run: f16 and bf16 in files" prints $'a = [0.1, 65504]\nb = [0.1, 3]' bash -c 'run halves.pat "x=[0.1,65504]" "y=[0.1,3]" -o a=a.npy -o b=b.npy &&
	grep -qa "<f2" a.npy && grep -qa "<u2" b.npy && run halves.pat x=a.npy y=b.npy'

# patc test --target: built by the user's compiler, in a folder that is always removed.
mkdir tmp
echo "kernel t(x: f32[n], out y: f32[n]) { map y[i] = 2 * x[i]; }" >t.pat
export TMPDIR=$WORK/tmp
cat >wrongcc <<'END'
#!/bin/bash
for a; do case $a in */program.c) sed -i 's/2\.0f/3.0f/' "$a" ;; esac; done
exec cc "$@"
END
printf '#!/bin/bash\ntouch "$TMPDIR/../started"\nsleep 60 &\nwait\n' >slowcc
chmod +x wrongcc slowcc
clean() { [ -z "$(ls -A tmp)" ] || { echo "left: $(ls -AR tmp)"; return 1; }; }
check "test: built for the cpu" says 1 '^31 passed, 5 failed$' "$PATC" test --target=cpu test.pat
check "test: more shapes" says 0 '^24 passed, 0 failed$' "$PATC" test --target=cpu --shapes=12 good.pat
check "test: without a pass" says 0 '^16 passed, 0 failed$' "$PATC" test --target=cpu --no-pass=fuse good.pat
check "test: a compiler that makes mistakes is found out" says 1 'good.pat:1:8: error\[P0713\]: `twice` built for cpu .*y\[0\]: got' \
	env CC=./wrongcc "$PATC" test --target=cpu good.pat
check "test: and counted" says 1 '^2 passed, 14 failed$' env CC=./wrongcc "$PATC" test --target=cpu good.pat
check "test: a compiler with options" says 0 ' 0 failed$' env CC='cc -DNOTHING=1' "$PATC" test --target=cpu good.pat
check "test: a compiler that is not there" says 1 'P0712.*needs `no-cc`' env CC='no-cc -O' "$PATC" test --target=cpu good.pat
check "test: a compiler that fails" says 1 'P0712.*exit status 1' env CC=false "$PATC" test --target=cpu good.pat
check "test: an arch and no target" status 2 "$PATC" test --arch=sm_90 good.pat
check "test: no shapes at all" status 2 "$PATC" test --target=cpu --shapes=0 good.pat
check "test: a kernel named t" says 0 " 0 failed$" "$PATC" test --target=cpu t.pat
check "test: the folder is gone" clean
check "test: a full disk" status 3 bash -c '(ulimit -f 0; exec "$@") 2>&1 | cat; exit "${PIPESTATUS[0]}"' _ \
	"$PATC" test --target=cpu good.pat
check "test: it leaves no folder either" clean
check "test: no folder can be made" status 3 env TMPDIR="$WORK/none" "$PATC" test --target=cpu good.pat
interrupted() {
	local p s k
	rm -f started
	CC=$WORK/slowcc "$PATC" test --target=cpu good.pat & p=$!
	for ((k = 0; k < 100; k++)); do [ ! -e started ] || break; sleep 0.1; done
	kill -TERM $p
	wait $p
	s=$?
	[ $s = 143 ] || { echo "exit status $s"; return 1; }
	clean
}
check "test: nor does a signal leave it" interrupted
check "test: a kernel that does not end is not built into a comparison" says 1 'P0.*steps' timeout 100 "$PATC" test --target=cpu --shapes=1 --steps=100000 loop.pat
