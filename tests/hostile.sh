#!/usr/bin/env bash
# hostile.sh - inputs that were made to hurt: each ends soon, in little memory, with the right exit status
# and a code, and leaves nothing behind.  The programs are made here, for they are large.
set -uo pipefail
. "$TESTS/lib.sh"
fresh "$WORK/hostile" && cd "$WORK/hostile" || exit 1

HEAD='kernel f(x: f32[n], out y: f32[n]) {'
# rep COUNT TEXT: with awk's escapes
rep() { awk -v n="$1" -v s="$2" 'BEGIN { while (n-- > 0) printf "%s", s }'; }
stmt() { printf '%s\n\tmap y[i] = ' "$HEAD"; cat; printf ';\n}\n'; }
# Without a limit on addresses when patc itself is instrumented: ASan maps terabytes.
limited() { if [ -n "${ASAN_RUN:-}" ]; then timeout 60 "$@"; else (ulimit -v 1000000 && timeout 10 "$@"); fi; }

# hostile NAME STATUS CODES COMMAND...: the command writes the program; CODES is a pattern, empty if none is due
hostile() {
	local name="hostile: $1" status=$2 codes=$3 dir=$PWD/case got
	shift 3
	fresh "$dir"
	"$@" >"$dir/x.pat"
	(cd "$dir" && limited "$PATC" -target=cuda -o x.cu --header=x.h --depfile=x.d x.pat >out 2>err)
	got=$?
	[[ " $status " == *" $got "* ]] || { bad "$name" "exit status $got, not $status"$'\n'"$(head -n 5 "$dir/err")"; return; }
	[ -z "$codes" ] || [ $got = 0 ] || grep -qE "error\[($codes)\]" "$dir/err" || { bad "$name" "no $codes in: $(head -c 500 "$dir/err")"; return; }
	[ "$(wc -c <"$dir/err")" -lt 100000 ] || { bad "$name" "it said $(wc -c <"$dir/err") bytes"; return; }
	[ $got = 0 ] || [ "$(cd "$dir" && echo *)" = "err out x.pat" ] || { bad "$name" "left: $(cd "$dir" && echo *)"; return; }
	ok "$name"
}

parens() { { rep "$1" '('; printf 1; rep "$1" ')'; } | stmt; }
parens_open() { rep "$1" '(' | stmt; }
brackets() { { rep "$1" 'x['; printf 1; rep "$1" ']'; } | stmt; }
folds() { { rep "$1" 'sum[i]('; printf 1; rep "$1" ')'; } | stmt; }
lists() { { rep "$1" '['; printf 1; rep "$1" ']'; } | stmt; }
minus() { { rep "$1" '-'; printf 'x[i]'; } | stmt; }
nots() { { rep "$1" '!~'; printf 'x[i]'; } | stmt; }
sums() { { printf 1; rep "$1" ' + x[i]'; } | stmt; }
conditions() { { rep "$1" 'c ? 1 : '; printf 0; } | stmt; }
conditions_left() { { rep "$1" 'c ? '; printf 0; rep "$1" ' : 1'; } | stmt; }
fields() { { printf x; rep "$1" .a; } | stmt; }
signs() { { printf 1; rep "$1" ' ○ 2 ◇ 3'; } | stmt; }
words() { { printf 'x[i]'; rep "$1" ' stable'; } | stmt; }
targets() { printf '%s\n\tmap y[i]' "$HEAD"; rep "$1" ', y[i]'; printf ' = 1;\n}\n'; }
labels() { printf '%s\n' "$HEAD"; rep "$1" 'a: '; printf 'map y[i] = 1;\n}\n'; }
repeats() { printf '%s\n' "$HEAD"; rep "$1" 'repeat t < 2 {'; rep "$1" '}'; printf '}\n'; }
braces_open() { rep "$1" '{'; }
braces_close() { printf '%s\n' "$HEAD"; rep "$1" '}'; }
else_ifs() { printf 'fn f(x: f32) -> f32 {\nif true { }'; rep "$1" ' else if true { }'; printf 'return 1;\n}\n'; }
blocks() { printf 'fn f(x: f32) -> f32 {\n'; rep "$1" 'while true {'; rep "$1" '}'; printf 'return 1;\n}\n'; }
ladder() { printf 'fn f(x: f32) -> f32 {\n'; rep 200 "$(printf 'if a { }'; rep 200 ' else if b { }'; printf ' else {')"; rep 201 '}'; }
long_name() { rep "$1" a | stmt; }
long_number() { rep "$1" 7 | stmt; }
long_string() { printf 'use "'; rep "$1" s; printf '";\n'; }
long_blank() { { rep "$1" '\t'; printf 1; } | stmt; }
long_comment() { printf '/*'; rep "$1" '*'; }
long_line() { rep "$1" '@ '; }
strings_open() { rep "$1" '"\n'; }
slashes() { rep "$1" '/'; }
stars() { rep "$1" '*'; }
quotes() { rep "$1" '"'; }
bytes() { head -c "$1" /dev/zero | tr '\0' '\377'; }
nuls() { head -c "$1" /dev/zero; }
random() { head -c "$1" /dev/urandom; }
names() { { printf 0; for ((k = 0; k < $1; k++)); do printf ' v%d' $k; done; } | stmt; }
large() { head -c 17000000 /dev/zero | tr '\0' ' '; }
huge_number() { { rep 900 9; printf f64; } | stmt; }
huge_exponent() { printf 1e999999999 | stmt; }
huge_size() { printf 'kernel f(x: f32[9223372036854775807, 9223372036854775807], out y: f32[99999999999999999999]) {\n\tmap y[i] = x[i, i];\n}\n'; }
huge_const() { printf 'const A: i64 = 9223372036854775807 * 9223372036854775807 << 4000;\nconst B: i32 = 1 / 0;\n'; }
# of a size that may be 1, more cells than 64 bits number
long_axes() {
	local n='[4611686018427387904*n+4611686018427387904]'
	printf 'kernel f(x: f32%s, out y: f32%s) { map y[i] = x[i]; }\n' $n $n
	printf 'kernel g(inout y: u64%s, o: i64[m]) { sort y stable; segsort y segments o; segsort y segments of 32; }\n' $n
	printf 'kernel h(inout y: u64%s, out z: i64%s) { sort y into z; }\n' $n $n
	printf 'kernel l(x: f32%s, out y: f32%s, out c: i64) { compact y, c = x[i] where x[i] > 0; }\n' $n $n
}
laughs() {
	printf 'fn f0(x: f32) -> f32 = x + x;\n'
	for ((k = 1; k < $1; k++)); do printf 'fn f%d(x: f32) -> f32 = f%d(x) + f%d(x);\n' $k $((k - 1)) $((k - 1)); done
	printf 'f%d(x[i])' $(($1 - 1)) | stmt
}
const_laughs() {
	printf 'const A0: f64 = 1;\n'
	for ((k = 1; k < $1; k++)); do printf 'const A%d: f64 = A%d + A%d;\n' $k $((k - 1)) $((k - 1)); done
	printf '%s\n\tmap y[i] = f32(A%d);\n}\n' "$HEAD" $(($1 - 1))
}
statements() { printf '%s\n' "$HEAD"; rep "$1" '\tmap y[i] = x[i];\n'; printf '}\n'; }

for n in 300 100000; do
	hostile "$n parentheses" 1 P0011 parens $n
	hostile "$n parentheses, not closed" 1 P0011 parens_open $n
	hostile "$n subscripts in each other" 1 P0011 brackets $n
	hostile "$n folds in each other" 1 P0011 folds $n
	hostile "$n lists in each other" 1 P0011 lists $n
	hostile "$n unary minus" 1 P0011 minus $n
	hostile "$n negations" 1 P0011 nots $n
	hostile "a sum of $n terms" 1 P0011 sums $n
	hostile "$n conditions, to the right" 1 P0011 conditions $n
	hostile "$n conditions, to the left" 1 P0011 conditions_left $n
	hostile "$n fields of fields" 1 P0011 fields $n
	hostile "$n signs for operators" 1 P0011 signs $n
	hostile "$n loops in each other" 1 P0011 repeats $n
	hostile "$n blocks in each other" 1 P0011 blocks $n
	hostile "$n else ifs" 1 P0011 else_ifs $n
	hostile "$n labels" 1 'P0011|P0109' labels $n
	hostile "$n opening braces" 1 'P0011|P0101' braces_open $n
	hostile "$n closing braces" 1 P0101 braces_close $n
	hostile "$n words" 1 'P03..|P05..' words $n
	hostile "$n targets" 1 'P0...' targets $n
done
hostile "blocks and else ifs in each other" 1 P0011 ladder
hostile "a name of 10^6 letters" 1 P0012 long_name 1000000
hostile "a number of 10^6 digits" 1 P0012 long_number 1000000
hostile "a string of 10^6 letters" 1 P0012 long_string 1000000
hostile "10^6 tabs" "0 1" 'P02..' long_blank 1000000
hostile "a comment of 10^6 stars, not closed" 1 P0102 long_comment 1000000
hostile "10^6 strange signs in a line" 1 P0105 long_line 1000000
hostile "10^6 strings, not closed" 1 P0103 strings_open 1000000
hostile "10^6 slashes" 0 '' slashes 1000000
hostile "10^6 stars" 1 P0101 stars 1000000
hostile "10^6 quotes" 1 'P0101' quotes 1000000
hostile "10^6 bytes 0xff" 1 P0004 bytes 1000000
hostile "10^6 NUL bytes" 1 P0003 nuls 1000000
hostile "10^6 random bytes" 1 'P000.|P01..' random 1000000
hostile "10^5 names" 1 'P0...' names 100000
hostile "17 MB" 3 P0002 large
hostile "a literal of 900 digits" 1 'P0...' huge_number
hostile "an enormous exponent" 1 'P0...' huge_exponent
hostile "enormous sizes" "0 1" 'P0...' huge_size
hostile "axes of more than 64 bits" 0 '' long_axes
hostile "constants that overflow" "0 1" 'P0...' huge_const
hostile "functions that double 60 times" "0 1" 'P0...' laughs 60
hostile "constants that double 2000 times" "0 1" 'P0...' const_laughs 2000
hostile "20000 statements" "0 1" 'P0...' statements 20000

# ---- files ----------------------------------------------------------------------------------------

# used NAME STATUS CODE: compiles ./a.pat of the folder that was made
used() {
	local name="hostile: $1" got
	limited "$PATC" -target=cuda -o - a.pat >out 2>err
	got=$?
	[ $got = "$2" ] && { [ -z "$3" ] || grep -qE "error\[($3)\]" err; } && ok "$name" ||
		bad "$name" "exit status $got"$'\n'"$(head -n 5 err)"
}
GOOD="$HEAD map y[i] = x[i]; }"
fresh use && cd use || exit 1
printf 'use "a.pat";\n%s' "$GOOD" >a.pat
used "a file that uses itself" 1 P0009
printf 'use "b.pat";\n%s' "$GOOD" >a.pat; echo 'use "c.pat";' >b.pat; echo 'use "./b.pat";' >c.pat
used "two files that use each other" 1 P0009
printf 'use "b.pat"; use "./b.pat"; use "c.pat";\n%s' "$GOOD" >a.pat; echo 'fn g(x: f32) -> f32 = x;' >b.pat; echo 'use "b.pat";' >c.pat
used "a file that is used three ways is read once" 0 ''
for ((k = 0; k < 100; k++)); do echo "use \"u$((k + 1)).pat\";" >u$k.pat; done
: >u100.pat
printf 'use "u0.pat";\n%s' "$GOOD" >a.pat
used "files that use each other 100 deep" 1 P0010
for ((k = 0; k < 300; k++)); do echo "use \"w$k.pat\";"; : >w$k.pat; done >a.pat
echo "$GOOD" >>a.pat
used "300 used files" 0 ''
mkdir -p folder.pat
printf 'use "folder.pat";\n%s' "$GOOD" >a.pat
used "a folder that is used" 1 P0008
printf 'use "/dev/zero";\n%s' "$GOOD" >a.pat
used "an endless file that is used" 1 P0002
printf 'use "a\033[31m\n' >a.pat
used "an escape sequence" 1 P0007
! grep -q $'\033' err && ok "hostile: no escape sequence reaches the terminal" || bad "hostile: no escape sequence reaches the terminal"
printf 'use "bad.pat";\n%s' "$GOOD" >a.pat; printf '\xff' >bad.pat
used "a used file that is not UTF-8" 1 P0004
rm a.pat
used "no file" 3 P0001
mkdir a.pat
used "a folder" 3 P0001
cd ..

# ---- arrays ----------------------------------------------------------------------------------------

fresh npy && cd npy || exit 1
echo 'kernel f(x: f32[n, m], s: f32, out y: f32[n, m]) { map y[i, j] = s * x[i, j]; }' >f.pat
# npy DICT CELLS: a file of version 1
npy() {
	printf '\223NUMPY\001\000' && printf "$(printf '\\x%02x\\x%02x' $((${#1} % 256)) $((${#1} / 256)))" && printf '%s' "$1" && head -c "$2" /dev/zero
}
# array NAME TEXT ARGUMENT...: refused with status 1, a code and TEXT, in little memory
array() {
	local name="hostile: $1" text=$2 got
	shift 2
	limited "$PATC" run f.pat s=1 "$@" >out 2>err
	got=$?
	[ $got = 1 ] && grep -qE "error\[P070.\].*$text" err && ok "$name" || bad "$name" "exit status $got"$'\n'"$(head -c 600 err)"
}
head="'descr': '<f4', 'fortran_order': False, 'shape'"
npy "{$head: (1000000, 1000000)}" 4 >x.npy
array "a shape of 10^12 cells, 4 bytes behind it" 'MiB' x=x.npy
npy "{$head: (4000000000, 4000000000)}" 4 >x.npy
array "a shape whose cells overflow" 'status 2|overflow|MiB' x=x.npy
npy "{$head: (9223372036854775807, 9223372036854775807)}" 4 >x.npy
array "a shape whose product overflows" 'status 2|MiB' x=x.npy
npy "{$head: (99999999999999999999, 1)}" 4 >x.npy
array "an axis of 10^20 cells" '2\^63' x=x.npy
npy "{$head: (2, 3)}" 23 >x.npy
array "a byte too few" 'ends after 5 of 6' x=x.npy
npy "{$head: (2, 3)}" 25 >x.npy
array "a byte too many" 'goes on' x=x.npy
npy "{'descr': '|O', 'fortran_order': False, 'shape': (2, 3)}" 24 >x.npy
array "pickled objects" 'pickled' x=x.npy
npy "{'descr': $(rep 10000 '['), 'fortran_order': False, 'shape': (2, 3)}" 24 >x.npy
array "lists in each other" 'structs' x=x.npy
npy "{'descr': '$(rep 60000 a)" 0 >x.npy
array "a string that is not closed" 'malformed' x=x.npy
npy $'{\'descr\': \'\033[31m\', ' 0 >x.npy
array "an escape sequence in a header" 'holds' x=x.npy
! grep -q $'\033' err && ok "hostile: it does not reach the terminal" || bad "hostile: it does not reach the terminal"
printf '\223NUMPY\002\000\377\377\377\377' >x.npy
array "a header of 4 GiB" 'claims' x=x.npy
head -c 100000 /dev/urandom >x.npy
array "random bytes" 'NumPy' x=x.npy
: >x.npy
array "an empty file" 'NumPy' x=x.npy
array "an endless one" 'NumPy' x=npy:/dev/zero
array "an endless raw one" 'goes on' x=raw:/dev/zero n=3 m=5
array "an endless raw one, and sizes beyond memory" 'MiB' x=raw:/dev/zero n=1000000 m=1000000
array "a folder" 'directory' x=npy:.
cd ..

# ---- output ---------------------------------------------------------------------------------------

fresh out && cd out || exit 1
echo "$GOOD" >good.pat

# untouched NAME STATUS COMMAND...: the command fails so, and the folder is as it was
untouched() {
	local name="hostile: $1" status=$2 before got
	shift 2
	before=$(ls -A; cat ./*.pat ./*.cu ./*.h 2>/dev/null)
	limited "$@" >/dev/null 2>../err
	got=$?
	[ $got = "$status" ] || { bad "$name" "exit status $got, not $status"$'\n'"$(cat ../err)"; return; }
	[ "$before" = "$(ls -A; cat ./*.pat ./*.cu ./*.h 2>/dev/null)" ] && ok "$name" || bad "$name" "left: $(ls -A)"
}
to() { local file=$1; shift; "$@" >"$file"; }
shut() { "$@" >&-; }
full() { (ulimit -f 0; "$@"); }
mkdir taken
echo old >old.cu
echo old >old.h
ln -s good.pat link.cu
export -f to shut full
untouched "output = input" 2 "$PATC" -o good.pat good.pat
untouched "output = input, by another name" 2 "$PATC" -o ../out/good.pat good.pat
untouched "output = input, through a link" 2 "$PATC" -o link.cu good.pat
untouched "header = input" 2 "$PATC" -o x.cu --header=good.pat good.pat
untouched "header = output" 2 "$PATC" -o x.cu --header=./x.cu good.pat
untouched "depfile = output" 2 "$PATC" -o x.cu --depfile=x.cu good.pat
untouched "output is a folder" 3 "$PATC" -o taken good.pat
untouched "header is a folder" 3 "$PATC" -o old.cu --header=taken good.pat
untouched "output in no folder" 3 "$PATC" -o none/x.cu good.pat
untouched "header in no folder" 3 "$PATC" -o old.cu --header=none/x.h good.pat
untouched "depfile in no folder" 3 "$PATC" -o old.cu --header=old.h --depfile=none/x.d good.pat
untouched "output to a full disk" 3 "$PATC" -o /dev/full --header=old.h good.pat
untouched "header to a full disk" 3 "$PATC" -o old.cu --header=/dev/full good.pat
untouched "a file size limit" 3 bash -c 'full "$@"' _ "$PATC" -o old.cu --header=old.h good.pat
untouched "standard output to a full disk" 3 bash -c 'to /dev/full "$@"' _ "$PATC" -o - good.pat
untouched "standard output closed" 3 bash -c 'shut "$@"' _ "$PATC" -o - good.pat
untouched "--help to a full disk" 3 bash -c 'to /dev/full "$@"' _ "$PATC" --help
untouched "--dump to a full disk" 3 bash -c 'to /dev/full "$@"' _ "$PATC" --dump=ast good.pat
untouched "--explain, closed" 3 bash -c 'shut "$@"' _ "$PATC" --explain P0101
untouched "several inputs, one -o" 2 "$PATC" -o x.cu good.pat good.pat
check "hostile: /dev/null as output" "$PATC" -o /dev/null --header=/dev/null good.pat

# ---- many statements: linear in time and memory, or refused with a code before they are too much ----

# many COUNT PARAMETERS STATEMENT: in one kernel; apart: each in a kernel of its own
many() { printf 'kernel f(%s) {\n' "$2"; rep "$1" "\t$3\\n"; echo '}'; }
apart() { awk -v n="$1" -v p="$2" -v s="$3" 'BEGIN { for (; n > 0; n--) printf "kernel f%d(%s) { %s }\n", n, p, s }'; }
# large NAME TARGET WRITER ARGUMENT...: 400 MB of addresses, 256 MiB of them for the program's own
large() {
	local name="hostile: $1, $2" target=$2 got
	shift 2
	"$@" >large.pat
	(ulimit -v 400000; timeout 60 "$PATC" -target="$target" -o large.out --header=large.h large.pat >out 2>err)
	got=$?
	[ $got = 0 ] || { [ $got = 1 ] && grep -q 'error\[P0091\]' err && [ "$(grep -c error err)" = 1 ]; } ||
		{ bad "$name" "exit status $got"$'\n'"$(head -n 5 err)"; return; }
	ok "$name"
}
for target in cpu cuda hip; do
	[ -z "${ASAN_RUN:-}" ] || break         # ASan reserves terabytes of addresses
	while IFS='|' read -r parameters statement; do
		for way in many apart; do
			large "10,000 times ${statement%% *}, $way" $target $way 10000 "$parameters" "$statement"
		done
	done <<-'END'
		x: f32[n], out y: f32[n]|map y[i] = x[i] + 1;
		x: f32[n], out y: f32[n]|stencil y[i] = x[i-1] + x[i+1] boundary clamp;
		x: f32[n], out y: f32|reduce y = sum[i](x[i]);
		x: f32[n], out y: f32[n]|scan y[i] = sum(x[i]);
		x: f32[n], k: i32[n], out y: f32[n]|gather y[i] = x[k[i]];
		x: f32[n], k: i32[n], inout y: f32[n]|scatter y[k[i]] = x[i] unique;
		k: i32[n], inout y: i32[m]|histogram y[k[i]] += 1;
		x: f32[n], out y: f32[n], out c: i64|compact y, c = x[i] where x[i] > 0;
		inout y: i32[n]|sort y;
		o: i64[m], inout y: i32[n]|segsort y segments o;
		x: f32[n, m], z: f32[m, n], out y: f32[n, n]|matmul y[i, j] = sum[k](x[i, k] * z[k, j]);
		x: f32[n, m], out y: f32[m, n]|transpose y[i, j] = x[j, i];
		x: f32[n, m], out y: f32[n, m]|wavefront y[i, j] = max(y[i-1, j], y[i, j-1]) + x[i, j] boundary 0.0;
	END
done
if [ -z "${ASAN_RUN:-}" ]; then
	large "500 maps" cuda many 500 "x: f32[n], inout y: f32[n]" "map y[i] = x[i] + 1 where x[i] > 0;"
	check "hostile: 500 maps are compiled" grep -q f_map500 large.out
fi
cd ..

# ---- memory ---------------------------------------------------------------------------------------

# Of every command one request for memory fails: it ends with status 3, and writes nothing; or it could do without and
# writes what it always writes (of patc run P0708 says that there is no room for an array).  All requests with --all, a few of more than 40 without.
[ -z "${ASAN_RUN:-}" ] || exit 0
fresh memory && cd memory || exit 1
cc -shared -fPIC -O1 -o failing.so "$TESTS/failing.c" -ldl 2>err || { skip "hostile: no memory" "no LD_PRELOAD of glibc"; exit 0; }
fails() { FAIL=alloc FAIL_AT=$1 FAIL_LOG=asked LD_PRELOAD=$PWD/failing.so timeout 60 "${@:2}" >out 2>err; }
# lacking NAME TRIES COMMAND...: the command writes below to/ or to standard output
lacking() {
	local name="hostile: no memory, once: $1" tries=$2 n k step got
	shift 2
	fresh to
	fails 0 "$@" || { bad "$name" "$(head -n 5 err)"; return; }
	rm -rf whole && cp -r to whole && mv out whole.out
	n=$(<asked)
	step=$((n > 40 && ${#ALL} == 0 ? n / tries : 1))
	for ((k = 1; k <= n; k += k + 3 < n ? step : 1)); do
		fresh to
		fails "$k" "$@"
		got=$?
		case $got in
		0) diff -r to whole && cmp out whole.out ;;
		1) [ -z "$(ls -A to)" ] && grep -q P0708 err ;;
		3) [ -z "$(ls -A to)" ] && grep -q 'out of memory' err ;;
		*) false ;;
		esac >said 2>&1 && continue
		bad "$name" "request $k of $n: exit status $got"$'\n'"$(head -n 5 said err; ls -A to)"
		return
	done
	[ "$n" -gt 5 ] && ok "$name" || bad "$name" "$n requests"
}
for file in "$TESTS"/golden/*.pat "$TESTS"/lang/ok/{functions,layouts_structs,ragged,scalars,scan_cut,structs,swaps,windows}.pat; do
	for target in cpu cuda hip; do
		lacking "$(basename "$file") $target" 4 "$PATC" -target=$target -o to/o.x --header=to/o.h --depfile=to/o.d "$file"
	done
done
lacking "--diagnostics=sarif" 20 "$PATC" -target=cpu --diagnostics=sarif --remarks -o to/o.c --header=to/o.h "$TESTS/golden/map.pat"
lacking "--manifest" 20 "$PATC" -target=cuda --remarks -o to/o.cu --header=to/o.h --manifest=to/o.json "$TESTS/golden/map.pat"
"$PATC" -target=cuda -Wno-all -o /dev/null --manifest=every.json "$TESTS/bind/every.pat"
for language in python c++ fortran rust julia; do
	lacking "patc bind --lang=$language" 20 "$PATC" bind --lang=$language -o to/every.x every.json
done
lacking "patc run" 20 "$PATC" run "$TESTS/golden/map.pat" n=100 a=2 x=random y=0 -o y=to/y.npy
lacking "patc test" 20 "$PATC" test "$TESTS/lang/ok/compact_groups.pat"
