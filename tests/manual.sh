# shellcheck shell=bash
# manual.sh - the manual: its examples are tests.  Sourced by tests/run.
#
# What is between .EX and .EE after one of these lines is one:
#     .\" example ok [FILE]        a program that patc accepts, silently, and whose tests hold; sessions find it as FILE
#     .\" example P0401            a program that is refused with that code, or (P08xx) warned of
#     .\" example file FILE        a file of the sessions
#     .\" example part TARGET BUILD FILE    lines of FILE as `patc new foo --target=TARGET --build=BUILD` writes it
#     .\" example kept FOLDER FILE  lines of tests/build/FOLDER/FILE, which has demo for foo
#     .\" example cuda             CUDA C++ that nvcc, if it is there, compiles
#     .\" example session [TOOL]   lines `$ COMMAND` and what they print; left out without TOOL,
#                                 a command or a module of Python
# In a session nvcc is tests/build/gpucc: what it makes runs without a GPU, and examples is the folder of the examples.
# What quote.py writes after a line `.\" quote ...` is as it writes it; --update-goldens brings it up to date.

# manual_examples PAGE DIR: each becomes DIR/LINE.text, the words after `example` DIR/LINE.want
manual_examples() {
	awk -v dir="$2" '/^\.\\" example / { want = substr($0, 13); next }
		/^\.EX/ && want { to = sprintf("%s/%04d", dir, NR); print want > (to ".want"); next }
		/^\.EE/ { to = want = "" }
		to { gsub(/\\-/, "-"); gsub(/\\&/, ""); gsub(/\\\(ha/, "^"); gsub(/\\\(ti/, "~"); gsub(/\\\(aq/, "\x27")
			gsub(/\\\(ga/, "`"); gsub(/\\\(dq/, "\""); gsub(/\\\[u25CB\]/, "○"); gsub(/\\\[u25C7\]/, "◇")
			gsub(/\\e/, "\\"); print > (to ".text") }' "$1"
}
# In the order of the page, so that a file may change between two sessions.  DIR has the examples.
manual_page() { # PAGE DIR
	local page=$1 dir=$2 there=$WORK/sessions/$1 want example kind first
	fresh "$there"
	ln -s "$PATC" "$there/patc"
	ln -s "$TESTS/build/gpucc" "$there/nvcc"
	ln -s "$TOP/examples" "$there/examples"
	ln -s "$(python_with numpy || command -v python3)" "$there/python3"
	for want in "$dir"/*.want; do
		example=${want%.want}
		[ -e "$want" ] && read -r kind first _ <"$want" || continue
		case $kind in
		ok | P*) mv "$example.text" "$example.pat"; [ -z "$first" ] || cp "$example.pat" "$there/$first" ;;
		file) cp "$example.text" "$there/$first" ;;
		part) check "$page:$(basename "$example") is part of what patc new writes" manual_part "$example" ;;
		kept) check "$page:$(basename "$example") is part of what the tests build" manual_kept "$example" ;;
		cuda) manual_cuda "$page:$(basename "$example") is CUDA C++" "$example" ;;
		session) manual_session "$page:$(basename "$example") session" "$example" "$there" "$first" ;;
		*) bad "$page:$(basename "$example")" "there is no example $kind" ;;
		esac
	done
}
manual_session() { # NAME EXAMPLE FOLDER [TOOL]
	local line
	if [ -n "$4" ] && ! { command -v "$4" || python_with "$4"; } >/dev/null; then
		skip "$1" "no $4"
		return
	fi
	sed -n 's/^\$ //p' "$2.text" | while IFS= read -r line; do
		printf '$ %s\n' "$line"
		(cd "$3" && PATH=$3:$PATH PYTHONPATH=$TOP/python PYTHONDONTWRITEBYTECODE=1 PATC_CACHE_DIR=$3/cache eval "set -f; $line" 2>&1)
	done >"$2.got"
	check "$1" diff -u "$2.text" "$2.got"
}
manual_part() { # EXAMPLE
	local target build file dir
	read -r _ target build file <"$1.want"
	dir=$WORK/parts/$target-$build
	fresh "$dir" && (cd "$dir" && "$PATC" new foo -target="$target" --build="$build") >/dev/null || return
	manual_lines "$1.text" "$dir/foo/$file"
}
manual_kept() { # EXAMPLE
	local folder file
	read -r _ folder file <"$1.want"
	sed 's/demo/foo/g' "$TESTS/build/$folder/$file" >"$1.kept" && manual_lines "$1.text" "$1.kept"
}
manual_lines() { # TEXT FILE: each line of the text is one of the file
	local line
	while IFS= read -r line; do
		grep -qxF -- "$line" "$2" || { echo "not a line of $2: $line"; return 1; }
	done <"$1"
}
manual_cuda() { # NAME EXAMPLE
	[ -n "$NVCC" ] || { skip "$1" "no nvcc"; return; }
	cp "$2.text" "$2.cu"
	check "$1" "$NVCC" -arch=sm_90 -Werror all-warnings -c "$2.cu" -o "$2.o"
}
manual_example() {
	local file=$1 want name said warn=()
	read -r want _ <"${file%.pat}.want"
	name="$(basename "$(dirname "$file")"):$(basename "$file" .pat) $want"
	[[ $want != P08* ]] || warn=(-Wall -Werror)
	said=$("$PATC" -target=cuda "${warn[@]}" -o - "$file" 2>&1 >/dev/null)
	case $?:$want in
	0:ok) { [ -z "$said" ] && said=$("$PATC" test "$file" 2>&1); } && ok "$name" || bad "$name" "$said" ;;
	1:P*) grep -q "error\[$want" <<<"$said" && ok "$name" || bad "$name" "$said" ;;
	*) bad "$name" "$said" ;;
	esac
}
export -f manual_example

# The options in a page and those in --help are the same ones: manual_options PAGE [COMMAND] [SECTION]
manual_options() {
	diff <("$PATC" ${2:-} --help | sed -n 's,^  \(--[a-z][a-z-]*\).*,\1,p' | sort -u) \
		<(sed 's/\\-/-/g' "$TOP/man/$1.1" | awk -v of="${3:-OPTIONS}" '/^\.SH/ { on = $0 ~ of; next } on && /^\.B/' |
			grep -oE -- '--[a-z][a-z-]+' | sort -u)
}
# The lines of the page's table: target, architecture, lanes.
manual_targets() {
	diff <("$PATC" --list-targets | sed -E 's/^(\S+) +\S+ +--arch=(\S+) +([0-9]+) .*/\1 \2 \3/') \
		<(sed 's/\\-/-/g' "$TOP/man/patc.1" | awk -F'\t' '/^\.SH TARGETS/ { on = 1; next } /^\.SH/ { on = 0 }
			on && $2 ~ /^(sm_|wave|gfx|any)/ { if ($1 != "") target = $1; print target, $2, $3 }')
}
# The passes of the page are those of the table, in its order.
manual_passes() {
	diff <("$PATC" --no-pass=none x.pat 2>&1 | sed -n 's/.*there are: //p' | tr -s ', ' '\n') \
		<(awk '/^\.SH PASSES/ { on = 1; next } /^\.SH/ { on = 0 } on && last == ".TP" { print $2 } { last = $0 }' "$TOP/man/patc.1")
}
# The warnings of the page's table, * for those that no option shows, are those of the sources, in their order.
manual_warnings() {
	diff <(sed -n 's/^WARNING(\([A-Z_]*\), "\(.*\)", \(true\|false\))$/\1 \2 \3/p' "$TOP/src/base/warning.def" |
		while read -r name option on; do
			printf '%s%s P%04d\n' "$option" "$([ "$on" = true ] || echo ' *')" \
				"$(sed -n "s/^DIAG(0*\([0-9]*\), $name,.*/\1/p" "$TOP/src/base/diag.def")"
		done) <(sed 's/\\-/-/g' "$TOP/man/patc.1" | awk -F'\t' '/^\.SH WARNINGS/ { on = 1; next } /^\.TE/ { on = 0 }
			on && $2 ~ /^P08/ { print $1, $2 }')
	for option in $(sed -n 's/^WARNING([A-Z_]*, "\(.*\)".*/\1/p' "$TOP/src/base/warning.def"); do
		sed 's/\\-/-/g' "$TOP/man/patc.1" | grep -xF ".SS -W$option" >/dev/null || { echo "no section -W$option"; return 1; }
	done
}
manual_quotes() { # PAGE
	local now=$WORK/quoted
	python3 "$TESTS/quote.py" "$PATC" "$1" >"$now" || return
	[ -z "$UPDATE" ] || cmp -s "$1" "$now" || cp "$now" "$1"
	diff -u "$1" "$now"
}
# What the tables of patc-from(7) have in bold at the right is in a program of its section; programs are compiled.
manual_from() {
	awk 'function end_section(r) { for (r in row) if (!index(programs, r)) { print "in no program of its section: " r; bad = 1 }
			delete row; programs = "" }
		/^\.SH/ { end_section() } /^\.EX/ { text = 1 } /^\.EE/ { text = 0 } text { programs = programs $0 "\n" }
		right && /^\\fB.*\\fR$/ && !/\\fR.*\\f/ { gsub(/\\f[BR]/, ""); row[$0]; rows++ } { right = /^T}\tT{$/ }
		END { exit bad || rows < 60 }' "$TOP/man/patc-from.7"
}
manual_clean() { local said; said=$(LC_ALL=C.UTF-8 groff -t -man -ww -z -Tutf8 -K utf8 "$1" 2>&1) && [ -z "$said" ] || { echo "$said"; return 1; }; }
manual_plain() { ! LC_ALL=C grep -n $'[\001-\010\013-\037]' "$1"; }      # a lost backslash: \f is a font, or a form feed

drawn_from_results() { python3 "$TOP/bench/plot.py" "$TOP/bench/RESULTS.md" | cmp - "$TOP/bench/orders.svg"; }

section_manual() {
	local page section
	emulator
	local -x REAL_NVCC=$NVCC SIMT_LEAKS=1 SIMT_STREAM=1
	[ -z "${ASAN_RUN:-}" ] || REAL_NVCC=''        # it says the same of the same text
	for page in "$TOP"/man/*.[17]; do
		fresh "$WORK/manual/$(basename "$page")"
		manual_examples "$page" "$WORK/manual/$(basename "$page")"
		manual_page "$(basename "$page")" "$WORK/manual/$(basename "$page")"
		check "$(basename "$page") has no control characters" manual_plain "$page"
		! grep -q '^\.\\" quote ' "$page" || check "$(basename "$page") quotes programs as they are" manual_quotes "$page"
		if command -v groff >/dev/null; then check "$(basename "$page") is well formed" manual_clean "$page"; fi
	done
	mapfile -t files < <(programs "$WORK/manual")
	each manual_example "${files[@]}"
	check "bench/orders.svg is drawn from bench/RESULTS.md" drawn_from_results
	check "patc(1) and --help name the same options" manual_options patc
	check "patc-run(1) and --help name the same options" manual_options patc-run run
	check "patc-test(1) and --help name the same options" manual_options patc-test test
	check "patc-bench(1) and --help name the same options" manual_options patc-bench bench
	check "patc-tune(1) and --help name the same options" manual_options patc-tune tune
	check "patc-fmt(1) and --help name the same options" manual_options patc-fmt fmt
	check "patc-lsp(1) and --help name the same options" manual_options patc-lsp lsp
	check "patc(1) and check --help name the same options" manual_options patc check "CHECKS ALONE"
	check "patc-bind(1) and --help name the same options" manual_options patc-bind bind
	check "patc(1) and new --help name the same options" manual_options patc new "NEW PROGRAMS"
	check "patc(1) and --list-targets show the same table" manual_targets
	check "patc(1) and --no-pass name the same passes" manual_passes
	check "patc(1) and warning.def name the same warnings" manual_warnings
	check "patc-from(7) has every statement of its tables in a program" manual_from
	for section in $SECTIONS; do
		check "HACKING.md says what $section tests" grep -qE "^\|.*\`$section\`.*\|" "$TOP/HACKING.md"
	done
	for page in $("$PATC" --list-patterns | awk '{ print $1 }'); do
		check "patc-patterns(7) names $page" grep -qE "^\.(SS|TP|B|IP) .*\b$page\b|^\.B $page" "$TOP/man/patc-patterns.7"
	done
}

