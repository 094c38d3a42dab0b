# need.sh - sourced by quickstart and test.  need PACKAGE...: installs what is missing, or says what is.

# need_missing PACKAGE...: those that are not installed
need_missing() {
	local p
	for p; do
		dpkg-query -W -f='${Status}' "$p" 2>/dev/null | grep -q '^install ok installed' || echo "$p"
	done
}

# need PACKAGE...: 0 when all of them are there now
need() {
	if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
		echo "This is not a Debian or Ubuntu: nothing is installed.  What is needed goes there by the names"
		echo "  $*"
		return 0
	fi
	local missing as=()
	mapfile -t missing < <(need_missing "$@")
	((${#missing[@]})) || return 0
	if [ "$(id -u)" != 0 ]; then
		if ! command -v sudo >/dev/null || ! { sudo -n true 2>/dev/null || [ -t 0 ]; }; then
			echo "These packages are missing, and neither root nor sudo is at hand to install them:" >&2
			echo "  apt-get install ${missing[*]}" >&2
			return 1
		fi
		as=(sudo)
	fi
	echo "Installing by apt: ${missing[*]}"
	local said get=("${as[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -y)
	local install=("${get[@]}" install --no-install-recommends "${missing[@]}")
	# a fresh image has no package lists yet, an old one has stale ones
	"${install[@]}" >/dev/null 2>&1 ||
		said=$({ "${get[@]}" update && "${install[@]}"; } 2>&1 >/dev/null) || { echo "$said" >&2; return 1; }
}

# What the compiler itself is built with.  (libisl-dev asks for -lgmp but does not bring it.)
NEED_BUILD="gcc libc6-dev make autoconf automake flex bison pkg-config libisl-dev libgmp-dev"
NEED_BUILD="$NEED_BUILD libutf8proc-dev libjansson-dev uthash-dev"

# build_in DIR [CONFIGURE OPTION...]: bootstraps when it must, configures when it must, builds patc in ./DIR.
# DIR/configured says what it was configured for: where this checkout was, and which libraries were there.
build_in() {
	local dir=$1 top=$PWD configured
	shift
	configured="$top $* $(pkg-config --modversion isl libutf8proc jansson cmocka 2>&1 || true)"
	if [ configure.ac -nt configure ] || [ Makefile.am -nt Makefile.in ]; then
		./bootstrap
	fi
	mkdir -p "$dir"
	if [ ! -f "$dir/Makefile" ] || [ "$(cat "$dir/configured" 2>/dev/null)" != "$configured" ]; then
		(cd "$dir" && ../configure --quiet "$@" && printf '%s\n' "$configured" >configured)
	fi
	make -s -C "$dir" -j "$(nproc)" "${BUILD_GOAL:-all}"
}

# find_nvcc: where nvcc is, nothing when it is not
find_nvcc() {
	command -v nvcc || { [ -x /usr/local/cuda/bin/nvcc ] && echo /usr/local/cuda/bin/nvcc; } || true
}
