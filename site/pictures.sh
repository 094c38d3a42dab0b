#!/usr/bin/env bash
# pictures.sh PATC EXAMPLES OUT: builds each program of EXAMPLES for this machine's cores and
# runs it once, in a copy in OUT.  Its pictures are in OUT/NAME then, and what it prints in
# OUT/NAME/said.  A program runs again when it is newer than that.
set -euo pipefail
PATC=$(realpath "$1") OUT=$3
export PATC OUT OMP_WAIT_POLICY=passive
unset MAKEFLAGS MFLAGS      # of the make that runs this
mkdir -p "$OUT"
OUT=$(realpath "$OUT")
# not what was built or drawn where the sources are
(cd "$2" && find . \( -name 'build-*' -o -name suites \) -prune -o \
	-type f \( -name 'input*' -o ! -name '*.png' ! -name '*.svg' \) -print0 |
	xargs -0 cp -u --parents -t "$OUT")
chmod -R u+w "$OUT"

# arguments NAME: those of a short run
arguments() {
	case $1 in
	flow) echo --steps=4000 ;;
	classify) echo --steps=300 ;;
	spgemm) echo --pairs=8 ;;
	concordance) echo --find=liberty ;;
	esac
}
draw() {
	make -s -C "$OUT/$1" PATC="$PATC" CFLAGS="-O2 -march=native" build-cpu/"$1" || exit 255
	cd "$OUT/$1"
	# shellcheck disable=SC2046
	[ said -nt "build-cpu/$1" ] ||
		{ "build-cpu/$1" --no-measure $(arguments "$1") >said.new && mv said.new said; } ||
		exit 255
}
export -f draw arguments
cd "$OUT"
printf '%s\n' */Makefile | sed 's,/Makefile,,' | xargs -P "$(nproc)" -I{} bash -c 'draw {}'
