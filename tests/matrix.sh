#!/usr/bin/env bash
# matrix.sh - what is installed builds programs by every build system: `make installcheck` calls it.
#
# PATC is the installed program, DATA the folder with its CMake package and macros, WORK a folder to work in.  Each system
# builds two programs of one kernel in each of the scenarios; patc must run when it must, and at no other time.  The last
# lines are a table of both.
set -uo pipefail
: "${TESTS:=$(cd "$(dirname "$0")" && pwd)}"
. "$TESTS/lib.sh"
INSTALLED=$PATC
unset PATC                              # else Automake and Python take it
fresh "$WORK" && cd "$WORK" && WORK=$PWD || exit 1
SYSTEMS="make ninja automake cmake-make cmake-ninja meson python"
SCENARIOS="clean no-op included upgraded consumers parallel elsewhere names"

# A patc that counts the programs that it compiles, and that is upgraded by touching it.
mkdir bin && printf '#!/bin/sh\ncase $* in *--depfile*) echo run >>"%s/runs" ;; esac\nexec "%s" "$@"\n' "$WORK" "$INSTALLED" >bin/patc && chmod +x bin/patc
COUNTED=$WORK/bin/patc
export PATH=$WORK/bin:$PATH

# project SYSTEM: the files of the two programs, in this folder; `patc new` writes those that it has
project() {
	case $1 in
	ninja | automake) cp "$TESTS/build/common"/* "$TESTS/build/$1"/* . && chmod u+w ./* ;;
	*) (cd .. && rm -rf demo && "$INSTALLED" new demo --target=cpu --build="${1%-*}" >/dev/null) && mv ../demo/* . && rmdir ../demo && used ;;
	esac || return
	case $1 in
	make) printf 'all: demo second\nsecond: main.o demo.o\n\t$(CC) $(CFLAGS) -o $@ $^ -lm\n' >>Makefile ;;
	automake) ACLOCAL_PATH=$DATA/aclocal autoreconf -fi ;;
	cmake-*) sed -i 's/^include(patc.cmake)/find_package(patc 0.1 REQUIRED)/' CMakeLists.txt && rm patc.cmake &&
		printf 'add_executable(second main.c)\ntarget_link_libraries(second kernels)\n' >>CMakeLists.txt ;;
	meson) echo "executable('second', 'main.c', kernels, dependencies: [dependency('openmp', required: false), m])" >>meson.build ;;
	python) cp main.py second.py && mv main.py demo.py ;;
	esac
}
# used: the kernel of `patc new` calls a function of another file
used() {
	cp "$TESTS/build/common/ops.pat" . && sed -i '1i use "ops.pat";' demo.pat &&
		sed -i 's/= a \* x\[i\]/= twice(a) * x[i] - a * x[i]/' demo.pat && grep -q twice demo.pat
}

# build SYSTEM FOLDER JOBS PROGRAM...: of the project in this folder
build() {
	local system=$1 out=$2 jobs=$3 from=$PWD
	shift 3
	mkdir -p "$out"
	case $system in
	make) if [ "$out" = . ]; then make -j"$jobs" "$@"; else make -C "$out" -f "$from/Makefile" VPATH="$from" CPPFLAGS=-I. -j"$jobs" "$@"; fi ;;
	ninja) sed -i "s|^patc = .*|patc = $COUNTED|" build.ninja
		[ "$out" = . ] || sed "s|^src = .*|src = ${from// /\$ }|" build.ninja >"$out/build.ninja"
		ninja -C "$out" -j"$jobs" "$@" ;;
	automake) [ $# = 1 ] || set -- all      # which makes BUILT_SOURCES
		(cd "$out" && { [ -f Makefile ] || "$from/configure" -q; } && make -j"$jobs" "$@") ;;
	cmake-*) [ -f "$out/CMakeCache.txt" ] || cmake -S . -B "$out" -G "$(generator "$system")" -DPATC="$COUNTED" -Dpatc_DIR="$DATA/cmake/patc" || return
		for program; do cmake --build "$out" -j"$jobs" --target "$program" || return; done ;;
	meson) [ -f "$out/build.ninja" ] || meson setup "$out" || return
		meson compile -C "$out" -j "$jobs" "$@" ;;
	python) for program; do python3 "./$program.py" || return; done ;;
	esac
}
generator() { [ "$1" = cmake-make ] && echo "Unix Makefiles" || echo Ninja; }
# in_folder SYSTEM: where it builds if nothing else is said
in_folder() { case $1 in cmake-* | meson) echo out ;; *) echo . ;; esac; }

# ran COUNT BUILD-ARGUMENT...: patc runs so often
ran() {
	local want=$1 got
	shift
	: >"$WORK/runs"
	build "$@" >"$WORK/said" 2>&1 || { cat "$WORK/said"; return 1; }
	got=$(wc -l <"$WORK/runs")
	[ "$got" = "$want" ] || { echo "patc ran: $got, not $want"; cat "$WORK/said"; return 1; }
}
# right FOLDER: both programs are there, and compute what they must
right() {
	local program
	for program in demo second; do
		[ -e "$program.py" ] || "$1/$program" || return
	done
}
both="demo second"
later() { sleep 1.1; touch "$@"; }

# scenario SYSTEM NAME, in a folder that the scenarios of the system share; $out is where it builds
scenario() {
	local system=$1 out
	out=$(in_folder "$1")
	# shellcheck disable=SC2086
	case $2 in
	clean) project "$system" && ran 1 "$system" "$out" 1 $both && right "$out" ;;
	no-op) ran 0 "$system" "$out" 1 $both ;;
	included) later ops.pat && ran 1 "$system" "$out" 1 $both && ran 0 "$system" "$out" 1 $both ;;
	upgraded) later "$COUNTED" && ran 1 "$system" "$out" 1 $both && ran 0 "$system" "$out" 1 $both ;;
	consumers) later demo.pat && ran 1 "$system" "$out" 1 demo && ran 0 "$system" "$out" 1 second && right "$out" ;;
	parallel) another "$1-parallel" && ran 1 "$system" "$out" 8 $both && right "$out" && ran 0 "$system" "$out" 8 $both ;;
	elsewhere) out=$WORK/$1-out && another "$1-source" && ran 1 "$system" "$out" 1 $both && right "$out" && ran 0 "$system" "$out" 1 $both ;;
	names) if [ "$1" = automake ]; then another "$1-größe-π"; else another "$1 größe π"; fi &&
		ran 1 "$system" "$out" 1 $both && right "$out" && ran 0 "$system" "$out" 1 $both ;;
	esac
}
# another NAME: the project again, where nothing has been built
another() { fresh "$WORK/$1" && cd "$WORK/$1" && cp -a "$WORK/$system-new/." .; }

# Automake takes no folder with a blank; a script that is started twice at once builds twice.
needless() { [ "$1 $2" = "python parallel" ]; }
tool_of() { case $1 in automake) echo autoreconf ;; cmake-ninja) echo ninja ;; cmake-*) echo cmake ;; python) echo python3 ;; *) echo "$1" ;; esac; }
run_system() {
	local system=$1 name
	command -v "$(tool_of "$system")" >/dev/null || { skip "installed: $system" "no $(tool_of "$system")"; return; }
	fresh "$WORK/$system-new" && cd "$WORK/$system-new" && project "$system" >"$WORK/said" 2>&1 || bad "$system: its project" "$(cat "$WORK/said")"
	fresh "$WORK/$system" && cd "$WORK/$system" || return
	for name in $SCENARIOS; do
		if needless "$system" "$name"; then
			echo "$system $name -" >>"$WORK/table"
		elif said=$(scenario "$system" "$name" 2>&1); then
			ok "installed: $system, $name" && echo "$system $name ok" >>"$WORK/table"
		else
			bad "installed: $system, $name" "$said" && echo "$system $name FAILS" >>"$WORK/table"
		fi
	done
}

: >table
for system in $SYSTEMS; do run_system "$system"; done
awk -v systems="$SYSTEMS" -v scenarios="$SCENARIOS" '{ cell[$1, $2] = $3; n += $3 == "ok"; all += $3 != "-" }
	END {
		columns = split(systems, column, " ")
		rows = split(scenarios, row, " ")
		printf "#%10s", ""
		for (c = 1; c <= columns; c++) printf " %11s", column[c]
		for (r = 1; r <= rows; r++) {
			printf "\n# %-9s", row[r]
			for (c = 1; c <= columns; c++) printf " %11s", ((column[c], row[r]) in cell) ? cell[column[c], row[r]] : "skipped"
		}
		printf "\n# %d of %d\n", n, all
		exit n != all
	}' "$WORK/table"
