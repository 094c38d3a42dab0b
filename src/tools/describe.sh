#!/bin/sh
# describe.sh SOURCES VERSION - a line of C: what a development build says of itself in `patc --version`.
#
# In a checkout of git it is what `git describe` says of the commit, unless that is the release's tag, vVERSION.  What is
# unpacked from a release, also inside of another project's checkout, is no checkout: the text is empty.
cd "$1" || exit
if [ -e .git ] && said=$(git describe --tags --always --dirty 2>/dev/null) && [ "$said" != "v$2" ]; then
	echo "#define PATC_BUILD \"development build $said\""
else
	echo "#define PATC_BUILD \"\""
fi
