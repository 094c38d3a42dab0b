#!/usr/bin/env bash
# fix.sh - --fix: which bytes of a file it changes, when it refuses to, and what it says.  That what it writes is right
# for all wrong programs is tests/fixes.py.
set -uo pipefail
. "$TESTS/lib.sh"
fresh "$WORK/fix" && cd "$WORK/fix" || exit 1

HEAD='kernel f(x: f32[n], out y: f32[n], out z: f32[n])'
shifted() { printf '%s {\n\tmap y[i] = x[i-1] for i in 1..n;\n}\n' "$HEAD"; }
# fixed STATUS WANT FILE [OPTION...]: the exit status, and the bytes of the file afterwards: printf's WANT
fixed() {
	local status=$1 want=$2 file=$3 got
	shift 3
	"$PATC" --fix "$@" "$file" >said 2>&1
	got=$?
	[ $got = "$status" ] || { echo "exit status $got"; cat said; return 1; }
	# shellcheck disable=SC2059
	printf "$want" >want && cmp want "$file" && no_other
}
no_other() { [ -z "$(find . -name '.patc*' -o -name '*.cu' -o -name '*.h')" ] || { echo "left: $(ls -A)"; return 1; }; }
says() { grep -qE -- "$1" said || { echo "no '$1' in:"; cat said; return 1; }; }
# refused STATUS TEXT FILE ARGUMENT...: the file, if there is one, is as before
refused() {
	local status=$1 text=$2 file=$3 got
	shift 3
	[ -z "$file" ] || cp -p "$file" before
	"$PATC" --fix "$@" >said 2>&1
	got=$?
	[ $got = "$status" ] || { echo "exit status $got"; cat said; return 1; }
	says "$text" && { [ -z "$file" ] || cmp before "$file"; } && no_other
}

shifted >a.pat
check "the corrected line is shown" bash -c '! "$PATC" -o - a.pat >said 2>&1 && grep -A2 "help: write .stencil. instead of .map.:" said |
	grep -A1 "^    2 |         stencil y\[i\] = x\[i-1\] for i in 1..n;$" | grep -qF "      |         +++++++"'
check "a statement gets its word" fixed 0 "$HEAD {\\n\\tstencil y[i] = x[i-1] for i in 1..n;\\n}\\n" a.pat
check "and it says so" says '^a\.pat:2:2: fixed\[P0319\]: `map` is now `stencil`$'
check "what is right stays" fixed 0 "$HEAD {\\n\\tstencil y[i] = x[i-1] for i in 1..n;\\n}\\n" a.pat
check "with no more than the warning of z" test "$(grep -c "\(error\|warning\|fixed\)\[" said)" = 1
printf '\xef\xbb\xbf// \xe2\x97\x8b\r\n%s {\r\n\t/* \xc3\xa4\xf0\x9f\x98\x80 */\tmap\ty[i] = x[n-1-i];\r\n}' "$HEAD" >b.pat
check "a byte order mark, CRLF, tabs, UTF-8, no last newline" \
	fixed 0 "\\xef\\xbb\\xbf// \\xe2\\x97\\x8b\\r\\n$HEAD {\\r\\n\\t/* \\xc3\\xa4\\xf0\\x9f\\x98\\x80 */\\tgather\\ty[i] = x[n-1-i];\\r\\n}" b.pat
printf '%s { map y[i] = x[n-1-i]; a: gather z[i] = sum[j](x[j]) + i; }\n' "$HEAD" >c.pat
check "two in one line" fixed 0 "$HEAD { gather y[i] = x[n-1-i]; a: reduce z[i] = sum[j](x[j]) + i; }\\n" c.pat
printf 'const K: float = 1.; const W: double = 2.;\n%s { map y[i] = values(x[i]); }\nfn value(x: float, y: float) -> float = K * x;\n' "$HEAD" >l.pat
check "several kinds, in rounds" fixed 1 "const K: f32 = 1.0; const W: f64 = 2.0;\\n$HEAD { map y[i] = values(x[i]); }\\nfn value(x: f32, y: f32) -> f32 = K * x;\\n" l.pat
check "a function of other arguments is not the one" says 'help: did you mean `value`'
printf '%s { map y[i] = valeu(x[i], valeus(x[i])) + value1; }\nconst value2: f32 = 1; const value3: f32 = 2; fn value(x: f32, y: f32) -> f32 = x;fn rate(x: f32) -> f32 = x;\n' "$HEAD" >m.pat
check "of names the one that is nearest" fixed 1 "$HEAD { map y[i] = value(x[i], valeus(x[i])) + value1; }\\nconst value2: f32 = 1; const value3: f32 = 2; fn value(x: f32, y: f32) -> f32 = x;fn rate(x: f32) -> f32 = x;\\n" m.pat
printf '%s { mapp y[i] = x[i-1]\n\t+ x[i] boundary clamp; map z[i] = w[i]; }\n' "$HEAD" >d.pat
check "errors that are left" fixed 1 "$HEAD { mapp y[i] = x[i-1]\\n\\t+ x[i] boundary clamp; map z[i] = w[i]; }\\n" d.pat
printf '%s { map y[i] = x[i-1]\n\t+ x[i] boundary clamp; map z[i] = w[i]; }\n' "$HEAD" >e.pat
check "some errors are left, and told of the new text" fixed 1 "$HEAD { stencil y[i] = x[i-1]\\n\\t+ x[i] boundary clamp; map z[i] = w[i]; }\\n" e.pat
check "by their place there" says '^e\.pat:2:36: error\[P0201\]'
shifted | sed 's/map y/sweep: map y/' >f.pat
check "a label stays" fixed 0 "$HEAD {\\n\\tsweep: stencil y[i] = x[i-1] for i in 1..n;\\n}\\n" f.pat
shifted >g.pat
check "without a boundary a stencil is refused, and is none" bash -c 'sed -i "s/ for.*;/;/" g.pat; ! "$PATC" --fix g.pat >said 2>&1 && grep -q "map y" g.pat'
check "then the help says more" says 'help: write `stencil` instead of `map`, with a `boundary`'

cat >c.pat <<'END'
kernel f(x: f32[n, m], out y: f32[n, m]) {
	map y[i, j] = if (x[i, j] > .5f) x[i, j] else exp(g(x[i, j]);
}
kernel h(double gain, out float y[n], inout z: f32[n]) {
	map y[i] = 2.F;
	map z[i = f32(gain) * y[i] if y[i] > .1;
}
fn g(float x) -> f32 {
	var s: f32 = 0;
	for (int i = 0; i <= 3; ++i) {
		if (s > x) return s;
		s += 1.f * x;
	}
	for (int64_t k = 1; k <= i32(x) - 1; k++) { s *= 2; }
	float half = s / 2;
	int  k;
	k = 3;
	while (float(k) < half) k++;
	return s;
}
kernel last(x: f32[n], out y: f32[n]) {
	float most = 3;
	map y[i] = most * (float)i * x[i];
}
END
cat >like_c.want <<'END'
kernel f(x: f32[n, m], out y: f32[n, m]) {
	map y[i, j] = x[i, j] > 0.5f32 ? x[i, j] : exp(g(x[i, j]));
}
kernel h(gain: f64, out y: f32[n], inout z: f32[n]) {
	map y[i] = 2.0f32;
	map z[i] = f32(gain) * y[i] where y[i] > 0.1;
}
fn g(x: f32) -> f32 {
	var s: f32 = 0;
	for i in 0..4 {
		if (s > x) { return s; }
		s += 1.0f32 * x;
	}
	for k in 1..i32(x) - 1 + 1 { s *= 2; }
	var half: f32 = s / 2;
	var k: i32;
	k = 3;
	while (f32(k) < half) { k += 1; }
	return s;
}
kernel last(x: f32[n], out y: f32[n]) {
	let most: f32 = 3;
	map y[i] = most * f32(i) * x[i];
}
END
check "a program with C's habits is accepted in the end" bash -c '"$PATC" --fix c.pat >said 2>&1; status=$?; diff like_c.want c.pat && [ $status = 0 ]'
check "what is put in has no text before" says '^c\.pat:2:[0-9]+: fixed\[P0101\]: `\)` is new$'

# What other languages write, with comments, tabs, CRLF and several on a line.
printf 'fn g(x: f32) -> f32 {\r\n\tlet mut h = 2 * x;\t// \xc3\xa9\r\n\tif h > 1 { h = 1; } elif h > 0.5 { h = 2; }\r\n\tg2(h) + 1 // the result\r\n}\r\nfn g2(x: f32) -> f32 { /* é */ 2 * x }\r\n' >o.pat
check "a function of another language" fixed 0 'fn g(x: f32) -> f32 {\r\n\tvar h = 2 * x;\t// \xc3\xa9\r\n\tif h > 1 { h = 1; } else if h > 0.5 { h = 2; }\r\n\treturn g2(h) + 1; // the result\r\n}\r\nfn g2(x: f32) -> f32 { /* é */ return 2 * x; }\r\n' o.pat
printf 'kernel k(x: [float; n], k: i64, inout z: f32[n], out y: f32) { sort z descending /* first */ first k; reduce y = sum x[i] where k > 0, k < n; }\n' >o.pat
check "a kernel of another language" fixed 0 'kernel k(x: f32[n], k: i64, inout z: f32[n], out y: f32) { sort z by > /* first */ first k; reduce y = sum[i](x[i]) where k > 0 && k < n; }\n' o.pat
printf 'kernel k(x: f32[n, m], out y: f32[n, m], out s: f32[n, m]) { stencil y[i, j] = x[i-1, j] boundary wrap, clamp; scan s[i, j] = sum[j](x[i, j]) boundary 0; }\n' >o.pat
check "no mode is lost, and the first value stays" fixed 0 'kernel k(x: f32[n, m], out y: f32[n, m], out s: f32[n, m]) { stencil y[i, j] = x[i-1, j] boundary (wrap, clamp); scan s[i, j] = sum[j](x[i, j]) from 0; }\n' o.pat
printf 'kernel k(x: f32[n], out y: f32[n]) { map y[i] = asum(x[i]); }\n' >o.pat
check "two letters of four make another word" fixed 1 'kernel k(x: f32[n], out y: f32[n]) { map y[i] = asum(x[i]); }\n' o.pat
printf 'kernel k(x: u8[n], b: i8[n], out y: i32[n]) { map y[i] = (x[i] ^ u8(254)) * b[i]; }\n' >o.pat
check "the narrowest type that holds both" fixed 0 'kernel k(x: u8[n], b: i8[n], out y: i32[n]) { map y[i] = (x[i] ^ u8(254)) * i16(b[i]); }\n' o.pat

# Where two things may be meant nothing is changed.
printf 'kernel k(x: u32[n], out y: u32[n]) { map y[i] = max(x[i], -1); }\n' >o.pat
check "-1 of an unsigned type may be meant or not" fixed 1 'kernel k(x: u32[n], out y: u32[n]) { map y[i] = max(x[i], -1); }\n' o.pat
printf 'kernel k(inout x: f32[n]) { sort x by < by >; }\n' >o.pat
check "of two clauses that differ none is left out" fixed 1 'kernel k(inout x: f32[n]) { sort x by < by >; }\n' o.pat
for text in fix_not fix_not_syntax; do
	cp "$TESTS/lang/fail/$text.pat" o.pat
	check "no fix where another edit may be meant: $text" bash -c '! "$PATC" --fix o.pat >said 2>&1 && cmp o.pat "$TESTS/lang/fail/$0.pat"' $text
done

# Files.
shifted >h.pat && chmod 640 h.pat && ln -sf h.pat link.pat
check "through a link" fixed 0 "$HEAD {\\n\\tstencil y[i] = x[i-1] for i in 1..n;\\n}\\n" link.pat
check "the link stays" test -L link.pat
check "and the permissions" test "$(stat -c %a h.pat)" = 640
shifted >i.pat && chmod 444 i.pat
check "a read-only file" refused 3 "cannot change 'i.pat': it is read-only" i.pat i.pat
check "no file" refused 3 P0001 '' none.pat
check "a folder" refused 2 'not a regular file' '' .
check "standard input" refused 2 "'-' is standard input" '' -
check "a pipe" bash -c 'shifted() { cat a.pat; }; ! "$PATC" --fix <(shifted) >said 2>&1 && grep -q "not a regular file" said'
check "a device" refused 2 'not a regular file' '' /dev/stdin
shifted >j.pat
for option in "-o x.cu" --header=x.h --helpers=x.h --depfile=x.d --dump=graph --remarks --resources; do
	# shellcheck disable=SC2086
	check "--fix with ${option%%[= ]*}: usage" refused 2 "remove ${option%%[= ]*}" j.pat $option j.pat
done
check "several programs" bash -c 'cp j.pat k.pat; "$PATC" --fix j.pat k.pat j.pat 2>said && grep -q stencil j.pat && cmp j.pat k.pat &&
	[ "$(grep -c fixed said)" = 2 ]'
printf 'fn g(x: f32) -> f32 = x\nkernel q(x: f32[n], out y: f32[n]) { map y[i] = x[n-1-i]; }\n' >used.pat
{ echo 'use "used.pat";'; shifted; } >user.pat
check "a file that is used is not changed" refused 1 'used\.pat:2:1: error' used.pat user.pat
outside=$(mktemp -d) && mkdir "$outside/locked" && shifted >"$outside/locked/x.pat" && chmod 666 "$outside/locked/x.pat" &&
	chmod 555 "$outside/locked" && chmod 755 "$outside" && cp "$PATC" "$outside"
nobody=()
[ "$(id -u)" != 0 ] || nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups)
locked() { ! env -C "$outside" "${nobody[@]}" ./patc --fix locked/x.pat >said 2>&1 && grep -q "cannot write" said && shifted | cmp - "$outside/locked/x.pat"; }
check "a folder that may not be written" locked
rm -rf "$outside"
