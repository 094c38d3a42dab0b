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
	local get=("${as[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y)
	"${get[@]}" install --no-install-recommends "${missing[@]}" >/dev/null 2>&1 ||
		{ "${get[@]}" update >/dev/null && "${get[@]}" install --no-install-recommends "${missing[@]}" >/dev/null; }
}

# What the compiler itself is built with.
NEED_BUILD="gcc libc6-dev make autoconf automake flex bison pkg-config libisl-dev libutf8proc-dev uthash-dev"

# build_in DIR [CONFIGURE OPTION...]: bootstraps when it must, configures when it must, builds patc
build_in() {
	local dir=$1 top=$PWD
	shift
	if [ configure.ac -nt configure ] || [ Makefile.am -nt Makefile.in ]; then
		./bootstrap
	fi
	mkdir -p "$dir"
	[ -f "$dir/Makefile" ] || (cd "$dir" && "$top/configure" --quiet "$@")
	make -s -C "$dir" -j "$(nproc)" "${BUILD_GOAL:-all}"
}

# find_nvcc: where nvcc is, nothing when it is not
find_nvcc() {
	command -v nvcc || { [ -x /usr/local/cuda/bin/nvcc ] && echo /usr/local/cuda/bin/nvcc; } || true
}
