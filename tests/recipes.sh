#!/usr/bin/env bash
# recipes.sh - the build recipes of patc(1) work: each builds, does nothing when asked again, and runs
# patc once when a file that the .pat uses has changed.
set -uo pipefail
. "$TESTS/lib.sh"

# A patc that counts its runs.
mkdir -p "$WORK/bin"
printf '#!/bin/sh\necho run >>"%s/runs"\nexec "%s" "$@"\n' "$WORK" "$PATC" >"$WORK/bin/patc"
chmod +x "$WORK/bin/patc"
COUNTED=$WORK/bin/patc

# runs_of COMMAND...: how often patc ran
runs_of() {
	: >"$WORK/runs"
	"$@" >"$WORK/said" 2>&1 || { cat "$WORK/said"; return 1; }
	wc -l <"$WORK/runs"
}
expect() { # NAME COUNT COMMAND...
	local name=$1 want=$2 got
	shift 2
	got=$(runs_of "$@") && [ "$got" = "$want" ] && ok "$name" || bad "$name" "patc ran: $got, not $want"
}

# recipe NAME BUILD-COMMAND...: in a copy of tests/build/NAME beside the program that all recipes build; FIRST: how often patc
# runs at first
recipe() {
	local name=$1 dir=$WORK/$1
	shift
	mkdir -p "$dir" && cp "$TESTS"/build/common/* "$TESTS/build/$name"/* "$dir" && chmod u+w "$dir"/* && cd "$dir" || return
	sleep 0.01
	expect "$name: builds" "${FIRST:-1}" "$@"
	check "$name: the program runs" bash -c 'p=$(find . -name demo -type f -perm -u+x | head -n 1); "$p"'
	expect "$name: does nothing again" 0 "$@"
	sleep 1.1
	touch ops.pat
	expect "$name: an included file changes" 1 "$@"
	expect "$name: and is settled" 0 "$@"
	sleep 1.1
	printf '\n' >>demo.pat
	expect "$name: the program changes" 1 "$@"
}

recipe make make -j4 PATC="$COUNTED"
FIRST=2 recipe make_helpers make -j4 PATC="$COUNTED"
if command -v cmake >/dev/null; then
	export CMAKE_GENERATOR="Unix Makefiles"
	cmake_build() {
		[ -d out ] || cmake -S . -B out -DPATC="$COUNTED" -DPATC_CMAKE="$TOP/man/patc.cmake" || return
		cmake --build out -j4
	}
	recipe cmake cmake_build
	FIRST=2 recipe cmake_helpers cmake_build
else
	skip "recipes: cmake" "no cmake"
fi
automake_build() {
	[ -f configure ] || autoreconf -fi || return
	[ -f Makefile ] || ./configure PATC="$COUNTED" || return
	make -j4
}
recipe automake automake_build
