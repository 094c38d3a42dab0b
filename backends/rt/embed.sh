#!/bin/sh
# embed.sh DIR > rt.c - the constant text of the outputs as a C table (struct rt_row, helper.h).
# embed.sh DIR FILE - the text of one file, its families written out.
#
# A helper starts after its marker line and ends before the next one:
#     /* helper NAME [effect] [uniform] [own] [: NEEDED ...] */
# uniform: all threads of a block get the same result.
# Text before the first marker of a file is for its readers only.
#
# A family is what lies between two lines, which may be nested; it is written once for each value:
#     /* each t i32, i64; C int, long long */
#     /* end */
# $t is i32, then i64, while $C is int, then long long: variables of one letter, with as many values
# each.  t names a type, and brings: $T its name in C, $U that of the unsigned integer as wide, $W
# its bits, $B one less.
# A line `/* part FILE */` brings the helpers of another file.
set -e
cd "${1:?usage: embed.sh DIR [FILE]}"
LC_ALL=C
export LC_ALL

expand() {
	awk '
	BEGIN {
		split("i8 i16 i32 i64 u8 u16 u32 u64", name, " ")
		for (i in name) {
			bits[name[i]] = substr(name[i], 2)
			c[name[i]] = (name[i] ~ /u/ ? "u" : "") "int" bits[name[i]] "_t"
		}
		bits["f32"] = 32; c["f32"] = "float"; bits["f64"] = 64; c["f64"] = "double"
		bits["bool"] = 1; c["bool"] = "bool"
	}
	/^\/\* part .* \*\/$/ { bring($3); next }
	{ line[++lines] = $0 }
	END { walk(1, lines) }

	function bring(file,    text, begun) {
		while ((getline text < file) > 0)
			if (begun = begun || text ~ /^\/\* (helper|each) /)
				line[++lines] = text
		if (!begun)
			stop("no helpers in " file)
	}

	function walk(from, to,    i, close_, text, n, k) {
		for (i = from; i <= to; i++)
			if (line[i] ~ /^\/\* each .* \*\/$/) {
				close_ = partner(i, to)
				text = substr(line[i], 9, length(line[i]) - 11)
				n = values(text, 0)
				for (k = 1; k <= n; k++) {
					values(text, k)
					walk(i + 1, close_ - 1)
				}
				i = close_
			} else
				print filled(line[i])
	}
	function partner(i, to,    depth) {
		for (depth = 1; depth > 0 && i < to; )
			depth += line[++i] ~ /^\/\* each / ? 1 : line[i] == "/* end */" ? -1 : 0
		if (depth > 0)
			stop("an each without its end")
		return i
	}
	# Sets the variables to their value k; the number of values.
	function values(text, k,    part, parts, value, n, all, v) {
		parts = split(text, part, /; */)
		for (v = 1; v <= parts; v++) {
			n = split(substr(part[v], 3) " ", value, ",")
			if (v > 1 && n != all)
				stop("as many values each: " text)
			all = n
			gsub(/^ +| +$/, "", value[k])
			set(substr(part[v], 1, 1), filled(value[k]))
		}
		return all
	}
	function set(variable, value) {
		val[variable] = value
		if (variable != "t" || value == "")
			return
		if (!(value in c))
			stop("no type: " value)
		val["T"] = c[value]
		val["W"] = bits[value]
		val["B"] = bits[value] - 1
		val["U"] = "uint" bits[value] "_t"
	}
	function filled(text,    done, i, v) {
		for (; i = index(text, "$"); text = substr(text, i + 2)) {
			v = substr(text, i + 1, 1)
			if (!(v in val))
				stop("no variable: " text)
			done = done substr(text, 1, i - 1) val[v]
		}
		return done text
	}
	function stop(why) {
		print FILENAME ": " why >"/dev/stderr"
		exit 1
	}' "$1"
}
if [ -n "${2:-}" ]; then
	expand "$2"
	exit
fi

echo '/* Made by embed.sh from the files of backends/rt. */'
echo '#include "helper.h"'
echo
echo 'const struct rt_row rt_rows[] = {'
for file in common.h cpu.h cuda.h cuda_atomic.h hip.h hip_atomic.h gpu_atomic.h gpu_divide.h host.h \
	gpu_host.h; do
	text=$(expand "$file")
	printf '%s\n' "$text" | awk -v file="$file" '
	function quote(s) {
		gsub(/\\/, "\\\\\\\\", s)
		gsub(/"/, "\\\"", s)
		gsub(/\t/, "\\t", s)
		return s
	}
	function is(line, word) { return line " " ~ " " word " " ? "true" : "false" }
	function close_row() {
		if (name != "")
			print "},"
		blank = 0
	}
	/^\/\* helper [a-z0-9_]+.* \*\/$/ {
		close_row()
		line = substr($0, 11, length($0) - 13)
		needs = ""
		if ((i = index(line, ":")) > 0) {
			needs = substr(line, i + 2)
			line = substr(line, 1, i - 1)
		}
		name = line
		sub(/ .*/, "", name)
		print "{\"" file "\", \"" name "\", \"" needs "\", " is(line, "effect") ", " \
			is(line, "uniform") ", " is(line, "own") ","
		next
	}
	name == "" { next }
	/^$/ { blank++; next }
	{
		for (; blank > 0; blank--)
			print "\"\\n\""
		print "\"" quote($0) "\\n\""
	}
	END { close_row() }'
done
echo '{NULL, NULL, NULL, false, false, false, NULL}'
echo '};'
# whole NAME FILE: a file that is written as it is
whole() {
	printf '\nconst char %s[] =\n' "$1"
	sed 's/\\/\\\\/g; s/"/\\"/g; s/\t/\\t/g; s/.*/"&\\n"/' "$2"
	echo ';'
}
whole rt_cells cells.h
whole rt_check check.h
whole rt_bench bench.h
