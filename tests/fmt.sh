#!/usr/bin/env bash
# fmt.sh - patc fmt: what it makes of a text, when it changes a file, and that every right program means the same
# afterwards.
set -uo pipefail
. "$TESTS/lib.sh"
fresh "$WORK/fmt" && cd "$WORK/fmt" || exit 1

# becomes WANT TEXT [OPTION...]: TEXT formatted, both as printf has them; then it stays as it is
becomes() {
	local want=$1 text=$2
	shift 2
	# shellcheck disable=SC2059
	printf "$want" >want
	# shellcheck disable=SC2059
	printf "$text" >text
	"$PATC" fmt "$@" - <text >got && diff want got && "$PATC" fmt "$@" - <got >again && diff got again
}
stays() { becomes "$1" "$1"; }
# says STATUS TEXT COMMAND...: the exit status, and TEXT (a pattern) in what it says
says() {
	local status=$1 text=$2 got
	shift 2
	"$@" >said 2>&1
	got=$?
	[ $got = "$status" ] || { echo "exit status $got"; cat said; return 1; }
	grep -qE -- "$text" said || { echo "no '$text' in:"; cat said; return 1; }
}
HEAD='kernel f(x: f32[n], inout y: f32[n])'

check "blanks around operators" becomes "$HEAD {\\n\\tmap y[i] = -x[i] + 2 * y[i];\\n}\\n" "$HEAD{\\nmap y[i]=- x[i]+2*y [ i ] ;\\n}"
check "in subscripts and ranges the author decides" stays "$HEAD {\\n\\tstencil y[i] = x[i-1] + x[i + 1] for i in 1..n-1;\\n}\\n"
check "one blank makes two" becomes "$HEAD {\\n\\tstencil y[i] = x[i - 1] for i in 1 .. n;\\n}\\n" "$HEAD {\\n\\tstencil y[i] = x[i -1] for i in 1.. n;\\n}\\n"
check "statements begin lines" becomes "$HEAD {\\n\\tlet a: f32;\\n\\tlet b: f32;\\n\\n\\tmap a = 1, b = 2;\\n}\\n" "$HEAD { let a: f32; let b: f32;\\n\\n\\n map a = 1, b = 2; }"
check "a block of one statement on its line" stays "fn f(n: i32) -> i32 {\\n\\tvar s = 0;\\n\\tfor k in 0..n { s += k; }\\n\\tif s > 3 { s = 3; }\\n\\treturn s;\\n}\\n"
check "two blocks" becomes "fn f(s: i32) -> i32 {\\n\\tif s > 3 { return 1; } else { return 2; }\\n}\\n" "fn f(s: i32) -> i32 {if s>3 {return 1;}\\nelse {return 2;}}"
check "blocks" becomes "fn f(s: i32) -> i32 {\\n\\tif s > 3 {\\n\\t\\treturn 1;\\n\\t} else {\\n\\t\\treturn 2;\\n\\t}\\n}\\n" "fn f(s: i32) -> i32\\t{\\n  if s > 3\\n  {\\n    return 1; }\\n  else\\n  {\\n    return 2;\\n  }\\n}\\n"
check "a brace below a header stays" stays "$HEAD\\n{\\n\\tmap y[i] = x[i];\\n}\\n"
check "empty lines" becomes "const A: i32 = 1;\\n\\nconst B: i32 = 2;\\n$HEAD {\\n\\tmap y[i] = x[i];\\n}\\n" "\\n\\nconst A: i32 = 1;\\n\\n\\n\\nconst B: i32 = 2;\\n$HEAD {\\n\\n\\tmap y[i] = x[i];\\n\\n}\\n\\n"
check "comments" stays "// a\\n$HEAD {  // b\\n\\t// c\\n\\tmap y[i] = x[i]         // d\\n\\t                        // e\\n\\t\\t+ 1; /* f */    // g\\n\\t/* h */ map y[i] = /* i */ x[i];\\n\\t// j\\n}\\n// k\\n"
check "comments of several lines move" becomes "$HEAD {\\n\\t/* a\\n\\t * b\\n\\n\\t   c */\\n\\tmap y[i] = x[i];\\n}\\n" "$HEAD {\\n  /* a\\n   * b  \\n\\n     c */\\n  map y[i] = x[i];\\n}\\n"
check "columns of a table" stays "const A: i32[2, 2] = [\\n\\t[ 1, -2],\\n\\t[-1,  2]\\n];\\n"
check "words of clauses" stays "$HEAD {\\n\\tstencil y[i] = x[i-1] boundary constant -1;\\n\\tscan y[i] = y[i-1] <.> x[i] <> x[i] using <.> = *, <> = + boundary (0) strict;\\n\\tscatter y[i] min= x[i];\\n}\\n"
check "laws" stays "op f(a: i32, b: i32) -> i32 { return a + b; } identity -0, associative;\\n"
check "fields" stays "struct S {\\n\\ta, b: f32,      // c\\n\\tc: i32[3]\\n}\\nstruct T { a, b: f32 }\\n"
check "ends of lines of other machines" becomes "// a\\n\\nconst A: i32 = 1;\\n" "// a \\r\\n\\r\\nconst A: i32 = 1;\\r\\n"
check "a byte order mark" stays "\\xef\\xbb\\xbfconst A: i32 = 1;\\n"
check "nothing" stays ""
check "--ascii" becomes "$HEAD {\\n\\tscan y[i] = y[i-1] <.> x[i] <> x[i] using <.> = *, <> = +;\\n}\\n" "$HEAD {\\n\\tscan y[i] = y[i-1] ○ x[i] <> x[i] using ○ = *, ◇ = +;\\n}\\n" --ascii
check "--unicode" becomes "$HEAD {\\n\\tscan y[i] = y[i-1] ○ x[i] ◇ x[i] using ○ = *, ◇ = +;\\n}\\n" "$HEAD {\\n\\tscan y[i] = y[i-1] <.> x[i] <> x[i] using <.> = *, ◇ = +;\\n}\\n" --unicode
A=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
check "a long line is broken at a comma" becomes "kernel f(a$A: f32[n], b$A: f32[n],\\n         c$A: f32[n]) {\\n\\tmap c$A[i] = 1;\\n}\\n" "kernel f(a$A: f32[n], b$A: f32[n], c$A: f32[n]) { map c$A[i] = 1; }"
check "or at an operator" becomes "fn f(a$A: f32) -> f32 =\\n\\ta$A * a$A\\n\\t\\t+ a$A * a$A;\\n" "fn f(a$A: f32) -> f32 =\\n\\ta$A * a$A + a$A * a$A;\\n"
check "or before a clause" becomes "kernel f(inout $A: f32[n]) {\\n\\tmap $A[i] = $A[i] + 1\\n\\t\\tfor i in 0..n-1, j in 0..n;\\n}\\n" "kernel f(inout $A: f32[n]) { map $A[i] = $A[i] + 1 for i in 0..n-1, j in 0..n; }"
B=$A$A
check "a parameter after a line that begins with a bracket" becomes "kernel f(a: f32[n\\n], b$B: f32[n],\\n\\tc$A: f32[n]) {\\n\\tmap c$A[i] = 1;\\n}\\n" "kernel f(a: f32[n\\n], b$B: f32[n], c$A: f32[n]) { map c$A[i] = 1; }"
check "a comment below one after a comment of several lines" stays "$HEAD\\n\\t/* a\\n b */ { // c\\n\\t// d\\n\\tmap y[i] = x[i];\\n}\\n"

long_line() { python3 -c 'print("const A: i32 = 1; " * 60000)' | timeout 20 "$PATC" fmt - | cmp - <(yes 'const A: i32 = 1;' | head -60000); }
check "a line of a megabyte takes no minute" long_line

# ---- files ----

printf 'const A: i32=1;\n' >a.pat
printf 'const A: i32 = 1;\n' >b.pat
printf 'const A: i32=;\n' >c.pat
cp a.pat was.pat; cp c.pat wrong.pat
check "--check names a file, and the line" says 1 '^a\.pat:1: not formatted$' "$PATC" fmt --check a.pat b.pat
check "and shows it" bash -c 'printf "%s\n" "a.pat:1: not formatted" "-const A: i32=1;" "+const A: i32 = 1;" | diff - said'
check "and changes nothing" cmp a.pat was.pat
check "--check of a formatted file is silent" bash -c '"$PATC" fmt --check b.pat >said 2>&1 && test ! -s said'
check "a wrong program is left alone, with its error" says 1 '^c\.pat:1:14: error\[P01' "$PATC" fmt c.pat a.pat
check "as it was" cmp c.pat wrong.pat
check "and the others are formatted" cmp a.pat b.pat
check "a file that is not there" says 3 'P0001' "$PATC" fmt none.pat
check "no file: usage" says 2 'no input' "$PATC" fmt
check "two spellings: usage" says 2 'ascii' "$PATC" fmt --ascii --unicode a.pat
cp was.pat d.pat; chmod 640 d.pat; ln -s d.pat link.pat
check "a link stays one, and its file keeps its mode" bash -c '"$PATC" fmt link.pat && test -L link.pat && cmp d.pat b.pat && test "$(stat -c %a d.pat)" = 640'
touch -d 2000-01-01 b.pat
check "a formatted file is not touched" bash -c '"$PATC" fmt b.pat && test "$(stat -c %Y b.pat)" = "$(date -d 2000-01-01 +%s)"'
check "a full disk: nothing is lost" bash -c 'cp was.pat e.pat; ! (ulimit -f 0; "$PATC" fmt e.pat) 2>/dev/null; cmp e.pat was.pat && test -z "$(find . -name ".patc*")"'
check "no memory of standard output" says 3 'standard output' bash -c '"$PATC" fmt - <was.pat >/dev/full'

# ---- all right programs ----

# The text for the cpu does not know lines, so it is the same; and the layout is the same with each spelling.
formatted() {
	local name=${1#"$TOP"/} dir
	dir=$WORK/fmt/${name//\//_}
	fresh "$dir"
	"$PATC" fmt - <"$1" >"$dir/new.pat" && "$PATC" fmt --check "$dir/new.pat" >"$dir/said" || { bad "fmt $name" "$(cat "$dir/said")"; return; }
	cp "$1" "$dir/$(basename "$1")"
	"$PATC" -target=cpu -I "$(dirname "$1")" -o "$dir/old.c" "$dir/$(basename "$1")" 2>/dev/null
	cp "$dir/new.pat" "$dir/$(basename "$1")"
	"$PATC" -target=cpu -I "$(dirname "$1")" -o "$dir/new.c" "$dir/$(basename "$1")" 2>/dev/null
	sed -i 's/old\.h/new.h/' "$dir/old.c"
	check "fmt $name" cmp "$dir/old.c" "$dir/new.c"
	rm -r "$dir"
}
export -f formatted
mapfile -t files < <(programs "$TOP/examples" "$TESTS/lang/ok" "$TESTS/golden")
each formatted "${files[@]}"
check "and whatever their blanks are" python3 "$TESTS/fmt.py" "$PATC" 300 "${files[@]}"
mapfile -t files < <(programs "$TOP/examples" "$TOP/bench" "$TESTS/golden")
check "the programs of examples/, bench/ and tests/golden/ are formatted" "$PATC" fmt --check "${files[@]}"
