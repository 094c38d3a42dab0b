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
check "an unknown option: usage" status 2 "$PATC" --no-such-option good.pat
check "an unknown target: usage, with the known ones" says 2 'cuda' "$PATC" -target=vulkan good.pat
check "an unknown arch: usage" status 2 "$PATC" -target=cuda --arch=sm_1 good.pat
check "an unknown dump: usage" status 2 "$PATC" --dump=nothing good.pat
check "a file that is not there" says 3 'P0001' "$PATC" -target=cuda missing.pat
check "a folder as input" says 3 'P0001' "$PATC" -target=cuda inc
check "a wrong program" says 1 'bad\.pat:2:17: error\[P02' "$PATC" -target=cuda bad.pat

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

# Several inputs, files found by -I, and what the depfile says of them.
check "several inputs in one run" leaves 'good.cu good.h user.cu user.h' \
	"$PATC" -target=cuda -I ../inc ../good.pat ../user.pat
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
check "--color=always colours" bash -c '"$PATC" -target=cuda --color=always bad.pat 2>&1 | grep -q $'"'"'\033'"'"
check "--color=never does not" bash -c '! "$PATC" -target=cuda --color=never bad.pat 2>&1 | grep -q $'"'"'\033'"'"
check "nor does a pipe" bash -c '! "$PATC" -target=cuda bad.pat 2>&1 | grep -q $'"'"'\033'"'"
