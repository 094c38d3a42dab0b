#!/usr/bin/env bash
# install.sh - what `make install` leaves is enough for CMake, pkg-config, autoconf and the shells, and uninstall removes it.
set -uo pipefail
. "$TESTS/lib.sh"
cd "$WORK" || exit 1
PREFIX=$WORK/prefix
MAKE=(make -s -C "$BUILD" "prefix=$PREFIX" DESTDIR=)

check "make install" "${MAKE[@]}" install
# ---- what packages say ----

# listed: each installed file is in the list of the RPM's spec
listed() {
	local file pattern patterns
	patterns=$(sed -n '/^%files/,$s/^\(%doc \)\?%{_\(.*\)/\2/p' "$TOP/packaging/patc.spec" |
		sed 's|^bindir}|bin|; s|^mandir}|share/man|; s|^datadir}|share|; s|^docdir}/%{name}|share/doc/patc|')
	while read -r file; do
		for pattern in $patterns; do
			# shellcheck disable=SC2053
			[[ $file == $pattern || $file == $pattern/* ]] && continue 2
		done
		echo "not in %files: $file"
		return 1
	done < <(cd "$PREFIX" && find . -type f | sed 's|^\./||')
}
check "RPM: the spec lists what is installed" listed
filled() {
	local library file
	fresh "$WORK/packages" && cd "$WORK/packages" && echo archive >patc-1.2.tar.gz &&
		"$TOP/packaging/fill" https://example.org/patc-1.2.tar.gz patc-1.2.tar.gz out && ! grep -rn '@[A-Z]*@' out &&
		[ "$(grep -rhoE "$(sha256sum patc-1.2.tar.gz | cut -c 1-64)|\"1\.2\"" out | wc -l)" = 4 ] && bash -n out/conda/build.sh || return
	for library in gmp isl jansson utf8proc uthash; do
		for file in out/conda/meta.yaml out/homebrew/patc.rb "$TOP/packaging/patc.spec" "$TOP/packaging/Dockerfile"; do
			grep -q "$library" "$file" || { echo "$file: no $library"; return 1; }
		done
	done
}
check "conda, Homebrew: a release's recipes, with all that is needed" filled
image() {
	local p
	. "$TESTS/need.sh"
	for p in $NEED_BUILD; do grep -qE "(^|[[:space:]])$p( |\$)" "$TOP/packaging/Dockerfile" || { echo "not in the Dockerfile: $p"; return 1; }; done
	fresh "$WORK/image" && "${MAKE[@]}" DESTDIR="$WORK/image" prefix=/usr/local install-strip && "$WORK/image/usr/local/bin/patc" --version
}
check "the image has what a build needs" image

described() { # TEXT FOLDER VERSION
	local said
	said=$("$TOP/src/tools/describe.sh" "$2" "$3") && grep -qxE "#define PATC_BUILD \"$1\"" <<<"$said" || { echo "$said"; return 1; }
}
commit() { git -C checkout -c user.name=x -c user.email=x@x -c commit.gpgsign=false "$@"; }
builds() {
	fresh "$WORK/builds" && cd "$WORK/builds" && mkdir -p checkout/release && git -C checkout init -q && described '' checkout/release 1.0 && touch checkout/a && git -C checkout add a &&
		commit commit -qm a && described 'development build [0-9a-f]+' checkout 1.0 && git -C checkout tag v1.0 && described '' checkout 1.0 &&
		echo b >checkout/a && described 'development build v1\.0-dirty' checkout 1.0 && commit commit -qam b &&
		described 'development build v1\.0-1-g[0-9a-f]+' checkout 1.0 && described '' checkout/release 1.0
}
if command -v git >/dev/null; then check "--version: the commit of a development build" builds; else skip "--version of a development build" "no git"; fi
"${MAKE[@]}" installcheck || bad "make installcheck" "exit status $?"
export PATH=/usr/bin:/bin
unset PATC
# the files of configure have the prefix that it was given
sed -i "s|^prefix=.*|prefix=$PREFIX|" "$PREFIX/share/pkgconfig/patc.pc"
check "pkg-config" bash -c '[ "$(PKG_CONFIG_PATH=$0/share/pkgconfig pkg-config --variable=patc patc)" = "$0/bin/patc" ]' "$PREFIX"

if command -v cmake >/dev/null; then
	found() {
		cp -r "$TESTS/build/find_package" . && cd find_package && cmake -S . -B out -DCMAKE_PREFIX_PATH="$PREFIX" >said &&
			grep "patc is $PREFIX/bin/patc" said && cmake --build out && [ "$(out/found)" = "8 18 2 3" ] &&
			cmake --build out >again && ! grep -q Generating again
	}
	check "CMake: find_package, two sources of one name, OpenMP and libm" found
	refused() { # TEXT CALL
		fresh "$WORK/refused" && cd "$WORK/refused" && printf 'cmake_minimum_required(VERSION 3.20)\nproject(x C)\nfind_package(patc REQUIRED)\n%s\n' "$2" >CMakeLists.txt &&
			! cmake -S . -B out -DCMAKE_PREFIX_PATH="$PREFIX" >said 2>&1 && tr -s '\n ' ' ' <said | grep -F "$1" || { cat said; return 1; }
	}
	check "CMake: a missing language" refused 'TARGET cuda needs the language CUDA' 'patc_add_library(k TARGET cuda SOURCES a.pat)'
	check "CMake: an unknown argument" refused 'it takes no more' 'patc_add_library(k more TARGET cpu SOURCES a.pat)'
	check "CMake: an unknown target" refused 'TARGET is cuda, hip or cpu' 'patc_add_library(k TARGET gpu SOURCES a.pat)'
	check "CMake: no sources" refused 'no SOURCES' 'patc_add_library(k TARGET cpu)'
	check "CMake: a later version" refused 'compatible with requested version "9"' 'find_package(patc 9 REQUIRED)'
	fetched() {
		make -s -C "$BUILD" distdir distdir="$WORK/source" && fresh "$WORK/fetched" && cd "$WORK/fetched" && cp -r "$TESTS"/build/find_package/* . &&
			sed -i "s|^find_package.*|include(FetchContent)\nFetchContent_Declare(patc SOURCE_DIR $WORK/source)\nFetchContent_MakeAvailable(patc)|" CMakeLists.txt &&
			CFLAGS=-O0 cmake -S . -B out >said && grep "patc is $PWD/out/_deps/patc-build/build/patc" said && cmake --build out && [ "$(out/found)" = "8 18 2 3" ] &&
			cmake --build out >again && ! grep -q Generating again && cmake out >said && ! grep "Building patc" said
	}
	check "CMake: FetchContent of the source tree" fetched
	beside() {
		fresh "$WORK/beside" && cd "$WORK/beside" &&
			printf 'cmake_minimum_required(VERSION 3.20)\nproject(x C)\ninclude(%s/share/patc/patc.cmake)\nmessage(STATUS "it is ${PATC}")\n' "$PREFIX" >CMakeLists.txt &&
			cmake -S . -B out | grep "it is $PREFIX/.*bin/patc"
	}
	check "CMake: patc.cmake finds the patc that it came with" beside
else
	skip "CMake: find_package" "no cmake"
fi

m4() { # VERSION
	fresh "$WORK/m4" && cd "$WORK/m4" && printf 'AC_INIT([x], [1])\nPATC_PROG([%s])\nAC_CONFIG_FILES([out])\nAC_OUTPUT\n' "$1" >configure.ac &&
		echo '@PATC@' >out.in && aclocal -I "$PREFIX/share/aclocal" && autoconf && PATH=$PREFIX/bin:$PATH ./configure
}
found_by_m4() { m4 0.1 && grep "$PREFIX/bin/patc" out; }
older() { ! m4 9.0 2>"$WORK/older" && grep 'patc 9.0 or newer is needed' "$WORK/older"; }
check "autoconf: PATC_PROG" found_by_m4
check "autoconf: PATC_PROG of a later version" older

# completed WORD...: what bash offers for the last word
completed() {
	bash -c '. "$0/share/bash-completion/completions/patc" && compopt() { :; } && COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) && _patc && echo "${COMPREPLY[*]}"' "$PREFIX" "$@"
}
offers() { local want=$1 got; shift; got=$(completed "$@") && [ "$got" = "$want" ] || { echo "$*: $got"; return 1; }; }
check "bash: options" offers '--manifest=' patc --man
check "bash: options of a command" offers '--lang=' patc bind --l
check "bash: targets" offers 'cuda cpu' patc --target = c
check "bash: commands" offers 'bench' patc benc
check "completions have every option" bash -c 'for c in "" check new run test bench tune fmt lsp bind; do
	for o in $("$0/bin/patc" $c --help | grep -oE "^  --[a-z-]+" | sed "s/^  --//" | sort -u); do
		for f in bash-completion/completions/patc zsh/site-functions/_patc; do grep -qe "--$o" "$0/share/$f" || { echo "$f: $o"; exit 1; }; done
		grep -q -- "-l $o " "$0/share/fish/vendor_completions.d/patc.fish" || { echo "fish: $o"; exit 1; }
	done
done' "$PREFIX"
check "the schemas and patc.bzl are installed" ls "$PREFIX"/share/patc/{{manifest,bench,diagnostics}.schema.json,patc.bzl}
example() {
	fresh "$WORK/example" && cp -r "$PREFIX/share/doc/patc/examples" "$WORK/example" && cd "$WORK/example/examples/heat" &&
		make PATC="$PREFIX/bin/patc" CFLAGS=-O1 && ./build-cpu/heat --after=after.png input.png && [ -s after.png ]
}
check "an installed example is built, and runs" example
mkdir -p "$PREFIX/share/other"
check "make uninstall: nothing of patc, no empty folder" bash -c '"$@" uninstall && [ "$(find "$0")" = "$(printf "%s\n" "$0" "$0/share" "$0/share/other")" ] || { find "$0"; exit 1; }' "$PREFIX" "${MAKE[@]}"
staged() { "${MAKE[@]}" DESTDIR="$WORK/staged" install && "${MAKE[@]}" DESTDIR="$WORK/staged" uninstall && [ "$(find staged)" = staged ] || { find staged; return 1; }; }
check "make uninstall: with DESTDIR" staged
