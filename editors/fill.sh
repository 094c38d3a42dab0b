#!/bin/sh
# fill.sh PATC TEMPLATE: the template with the words of the language, as PATC lists them.  @KIND@ is the words of a kind
# with blanks between them, @KIND|@ with bars, as in a regular expression; @VERSION@ is patc's.
set -e
"$1" --list-words | awk -v version="$("$1" --version | sed -n 's/^patc //p')" '
	FNR == NR { kinds[$1] = kinds[$1] sep[$1] $2; sep[$1] = " "; next }
	{
		for (kind in kinds) {
			gsub("@" kind "@", kinds[kind])
			bars = kinds[kind]
			gsub(/ /, "|", bars)
			gsub("@" kind "[|]@", bars)
		}
		gsub(/@VERSION@/, version)
		print
	}' - "$2"
