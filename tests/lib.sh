# shellcheck shell=bash
# lib.sh - how a test reports: one line each, "ok NAME", "not ok NAME" with its reasons behind, "skip NAME".
# Sourced by tests/run and by every script it calls; those find the compiler in $PATC, a folder of their
# own in $WORK, this folder in $TESTS.

ok() { printf 'ok %s\n' "$1"; }

# bad NAME REASON: the reason's lines are indented, so that no line of it looks like a result
bad() { printf 'not ok %s\n%s\n' "$1" "${2:-}" | sed '2,$s/^/    /; 41,$d'; }

# A tool that is missing: said on a user's machine, a failure where a change is judged.
skip() {
	if [ "${CI:-}" = true ]; then
		bad "$1" "skipped: $2"
	else
		printf 'skip %s: %s\n' "$1" "$2"
	fi
}

# check NAME COMMAND...: ok if the command succeeds; its output is the reason if not
check() {
	local name=$1 said
	shift
	if said=$("$@" 2>&1); then ok "$name"; else bad "$name" "$said"; fi
}

# status WANT COMMAND...: the exit status, and no more; standard output is in `out`, errors in `said`
status() {
	local want=$1 got
	shift
	"$@" >out 2>said
	got=$?
	[ $got = "$want" ] || { echo "exit status $got, not $want: $*"; cat out said; return 1; }
}
# says WANT TEXT COMMAND...: the exit status, and TEXT (a pattern) in what it says
says() {
	local want=$1 text=$2
	shift 2
	status "$want" "$@" && { cat out said | grep -E -- "$text" >/dev/null || { echo "no '$text' in:"; cat out said; return 1; }; }
}

# each FUNCTION FILE...: calls FUNCTION FILE for all of them, $JOBS side by side; a few are taken one by one
each() {
	local function=$1
	shift
	[ $# = 0 ] || printf '%s\0' "$@" |
		xargs -0 -n $(($# > 400 ? 4 : 1)) -P "${JOBS:-2}" bash -c 'f=$1; shift; for x; do "$f" "$x"; done' _ "$function"
}

# fresh DIR: makes it, empty
fresh() { rm -rf "$1" && mkdir -p "$1"; }

# python_with MODULE: the first python3 that has it
python_with() {
	local p
	for p in python3 /usr/bin/python3; do
		"$p" -c "import $1" 2>/dev/null && command -v "$p" && return
	done
	return 1
}

export -f ok bad skip check each fresh python_with
