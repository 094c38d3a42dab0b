#!/bin/sh
# embed.sh DIR > rt.c - the constant text of the outputs as a C table (struct rt_row, helper.h).
# A helper starts behind its marker line and ends before the next one:
#     /* helper NAME [effect] [own] [: NEEDED ...] */
# What stands before the first marker of a file only lets the file compile by itself.
set -e
cd "${1:?usage: embed.sh DIR}"
LC_ALL=C
export LC_ALL
echo '/* Made by embed.sh from the files of backends/rt. */'
echo '#include "helper.h"'
echo
echo 'const struct rt_row rt_rows[] = {'
for file in common.h cpu.h cuda.h cuda_atomic.h hip.h hip_atomic.h gpu_atomic.h host.h gpu_host.h; do
	awk -v file="$file" '
	function quote(s) {
		gsub(/\\/, "\\\\", s)
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
		print "{\"" file "\", \"" name "\", \"" needs "\", " is(line, "effect") ", " is(line, "own") ","
		next
	}
	name == "" { next }
	/^$/ { blank++; next }
	{
		for (; blank > 0; blank--)
			print "\"\\n\""
		print "\"" quote($0) "\\n\""
	}
	END { close_row() }' "$file"
done
echo '{NULL, NULL, NULL, false, false, NULL}'
echo '};'
echo
echo 'const char rt_check[] ='
sed 's/\\/\\\\/g; s/"/\\"/g; s/\t/\\t/g; s/.*/"&\\n"/' check.h
echo ';'
