#!/bin/sh
# embed.sh FILE.kernel... > texts.c - the texts of kernels as a C table (struct ktext_row, ktext_impl.h).
#     text NAME(PARAMETER, ...) [gives NAME, ...] {      ... lines ...      }        `}` begins the last line
#     value NAME(PARAMETER, ...) = EXPRESSION;                                       over several lines, too
# What stands between them is for who reads the file.
set -e
LC_ALL=C
export LC_ALL
echo '/* Made by embed.sh from the .kernel files of patterns/. */'
echo '#include "ktext_impl.h"'
echo
echo 'const struct ktext_row ktext_rows[] = {'
for file; do
	awk -v file="$file" '
	function quote(s) {
		gsub(/\\/, "\\\\", s)
		gsub(/"/, "\\\"", s)
		gsub(/\t/, "\\t", s)
		return s
	}
	function wrong(words) {
		print file ":" FNR ": " words > "/dev/stderr"
		failed = 1
		exit 1
	}
	function open_row(line, is_value) {
		name = $2
		sub(/\(.*/, "", name)
		params = $0
		sub(/^[^(]*\(/, "", params)
		sub(/\).*/, "", params)
		gives = ""
		if ($0 ~ /\) gives /) {
			gives = $0
			sub(/.*\) gives /, "", gives)
			sub(/ *\{$/, "", gives)
		}
		sub(/.*patterns\//, "patterns/", file)
		printf "{\"%s\", %d, %s, \"%s\", \"%s\", \"%s\",\n", file, line, is_value ? "true" : "false", name, params, gives
	}
	function value_line(s) {
		if (s ~ /;$/) {
			print "\"" quote(substr(s, 1, length(s) - 1)) "\"},"
			state = ""
		} else
			print "\"" quote(s) "\\n\""
	}
	state == "text" && /^}/ { print "\"\"},"; state = ""; next }
	state == "text" { print "\"" quote($0) "\\n\""; next }
	state == "value" { value_line($0); next }
	/^text / {
		if ($0 !~ /^text [a-z_0-9]+\([A-Za-z_0-9, ]*\)( gives [A-Za-z_0-9, ]+)? \{$/)
			wrong("text NAME(...) [gives ...] {")
		state = "text"
		open_row(FNR, 0)
		next
	}
	/^value / {
		if ($0 !~ /^value [a-z_0-9]+\([A-Za-z_0-9, ]*\) =/)
			wrong("value NAME(...) = ...;")
		state = "value"
		open_row(FNR - 1, 1)
		sub(/^[^)]*\) = */, "")
		value_line($0)
	}
	END { if (!failed && state != "") wrong("the last " state " does not end") }' "$file"
done
echo '{NULL, 0, false, NULL, NULL, NULL, NULL}'
echo '};'
