#!/usr/bin/env bash
# check.sh PROGRAM... - generated code against the reference interpreter: patc-gen writes the code, a driver and
# what eval.c expects; the driver compares.  cpu runs as it is, CUDA (32 lanes) and HIP (64) on tests/simt; what
# a width of 32 changes in HIP's text is tried with a few programs.
# The programs of tests/golden also run under ASan and UBSan, and with the race checker; with ALL=1 all do.
# The interpreter runs once a program: its data are the same for every target.  Plain emulated kernels are not
# optimised: compiling takes longer than running.
set -uo pipefail
. "$TESTS/lib.sh"
GEN=$BUILD/tests/check/patc-gen
SIMT=$SIMT_LIBS
export GEN SIMT
CXXFLAGS="-std=c++17 -I$TESTS/simt/inc"
# Without debugging information, which a third of compiling goes into: the emulator knows lines from the text.
PLAIN="-O0 -ffp-contract=off"
# clang compiles an unoptimised text in half of g++'s time; the sanitisers of tests/simt are g++'s
PLAIN_CXX=$(command -v clang++-19 || echo g++)
LINK=g++
! command -v ld.lld >/dev/null || LINK="g++ -fuse-ld=lld"       # in a third of the time
export CXXFLAGS PLAIN PLAIN_CXX LINK

# Arrays as large as their cells, so that a read outside of them is seen: between pages that nobody may touch, or by
# the sanitisers.  tests/simt/planted plants bugs that are found without.
exact() {
	case $1 in
	*_sane) DRIVER="-DCHECK_GUARD=0" ;;
	*) DRIVER="-DCHECK_GUARD=0 -DCHECK_EDGES -D_GNU_SOURCE -I$TESTS/check" ;;
	esac
	export DRIVER SIMT_EDGES=1
}
# How a generated file and its driver become $dir/prog: one function a kind of build.  A driver's object that
# is there is kept.  Most warnings need an optimiser, and -O1 is one: what -O2 adds is asked of the programs that
# stand for all forms of text.
# VISITS: loops share visits of memory, however small their arrays are.
export VISITS=-DPATC_CACHE=0
cpu_level() { case $1 in */lang/*) echo -O1 ;; *) echo -O2 ;; esac; }
build_cpu() {
	gcc -std=c11 "$(cpu_level "${2:-}")" $VISITS -fopenmp $STRICT -c "$1.c" -o "$1.o" &&
		gcc -std=c11 -fopenmp ${DRIVER:-} "$1_check.c" "$1.o" -o prog -lm
}
# What a user may ask for who does not know of `strict`: its statements still give the bits they say.
build_cpu_fma() {
	gcc -std=gnu11 -O3 -march=native -ffp-contract=fast $VISITS -fopenmp $STRICT -c "$1.c" -o "$1.o" &&
		gcc -std=c11 -fopenmp ${DRIVER:-} "$1_check.c" "$1.o" -o prog -lm
}
build_cpu_sane() {
	local sane="-fsanitize=address,undefined -fno-sanitize-recover=undefined"
	gcc -std=c11 -O1 -g $VISITS -fopenmp $sane ${DRIVER:-} "$1.c" "$1_check.c" -o prog -lm
}
build_simt() { # COMPILER STEM SUFFIX MACRO LIBRARY FLAGS-OF-THE-KERNELS [FLAGS-OF-ALL]
	local header=''
	# reading the headers takes longer than most drivers
	[ "$6${7:-}" != "$PLAIN" ] || [ ! -e "$SIMT/$3.pch" ] || header="-include-pch $SIMT/$3.pch"
	# shellcheck disable=SC2086
	"$TESTS/simt/instances" "$2.$3" | $1 $CXXFLAGS $header $VISITS $6 ${7:-} -I. -x c++ -c - -o "$2.o" &&
		{ [ -e "$2_check.o" ] || $1 $CXXFLAGS $header ${7:-} ${DRIVER:-} -D"$4" -x c++ -c "$2_check.c" -o "$2_check.o"; } &&
		$LINK ${7:-} "$2_check.o" "$2.o" "$SIMT/$5.a" -o prog
}
SANE="-fsanitize=address,undefined -fno-sanitize-recover=undefined"
SANE_KERNEL="-O1 -g -fsanitize-sections=simt_shared"
RACE="-O1 -g -fsanitize=thread -fno-tree-sra"
export SANE SANE_KERNEL RACE
# --check: no access of a right program is outside
build_cpu_checked() { build_cpu "$@"; }
build_cuda_checked() { build_cuda "$1"; }
build_hip_checked() { build_hip "$1"; }
build_cuda() { build_simt "$PLAIN_CXX" "$1" cu CHECK_CUDA libsimt "$PLAIN"; }
build_hip() { build_simt "$PLAIN_CXX" "$1" hip CHECK_HIP libsimt "$PLAIN"; }
build_hip_wave32() { build_simt "$PLAIN_CXX" "$1" hip CHECK_HIP libsimt "$PLAIN" -DSIMT_WARP=32; }
build_cuda_sane() { build_simt g++ "$1" cu CHECK_CUDA libsimt-asan "$SANE_KERNEL" "$SANE"; }
build_hip_sane() { build_simt g++ "$1" hip CHECK_HIP libsimt-asan "$SANE_KERNEL" "$SANE"; }
build_cuda_race() { build_simt g++ "$1" cu CHECK_CUDA libsimt-race "$RACE"; }
build_hip_race() { build_simt g++ "$1" hip CHECK_HIP libsimt-race "$RACE"; }

# Matrix units of later machines, which give a block more shared memory.
build_cuda_sm_80() { build_cuda "$1"; }
build_cuda_sm_90a() { build_cuda "$1"; }
build_cuda_sm_90a_race() { build_cuda_race "$1"; }
build_hip_gfx90a() { build_simt "$PLAIN_CXX" "$1" hip CHECK_HIP libsimt "$PLAIN" -DPATC_ANY_LANES; }
build_hip_gfx1100() { build_simt "$PLAIN_CXX" "$1" hip CHECK_HIP libsimt "$PLAIN" "-DSIMT_WARP=32 -DPATC_ANY_LANES"; }
build_hip_gfx1200() { build_hip_gfx1100 "$1"; }

arch_of() { case $1 in *_wave32) echo --arch=wave32 ;; *_gfx*) echo "--arch=${1#hip_}" ;; *_sm_*) echo "--arch=$(sed 's/cuda_//; s/_race//' <<<"$1")" ;; esac; }
suffix_of() { case $1 in cuda*) echo cu ;; hip*) echo hip ;; *) echo c ;; esac; }

WAITS=patc_state_load          # in a text whose blocks wait for one another
# NAME_host and NAME_run launch the same kernels: emulated, a case is called both ways if its arrays have few cells, and
# in another order of blocks by NAME_run alone
HOST_CELLS=${ALL:+1000000000000}
HOST_CELLS=${HOST_CELLS:-2100}
export WAITS HOST_CELLS
# other_orders TEXT COMMAND...: if blocks of the text wait for one another, the command again, with many of them at a
# time in orders of their own; ends at the first that fails.  There are two, of which ORDERS picks; ALL=1 adds two.
other_orders() {
	local text=$1 order
	shift
	! grep -q "$WAITS" "$text" || for order in ${ORDERS:-2:13 4:90} ${ALL:+1:3 3:40}; do
		SIMT_REV=2 SIMT_SEED=${order%:*} SIMT_PREEMPT=${order%:*} SIMT_RESIDENT=${order#*:} "$@" || return
	done
}

# data_of PROGRAM: the folder with its inputs and what eval.c expects; data_make PROGRAM: fills it
data_of() { echo "$WORK/data/$(basename "$(dirname "$1")")-$(basename "$1" .pat)"; }
data_make() {
	local dir said long=$LONG fewer=''
	dir=$(data_of "$1")
	fresh "$dir"
	[[ $1 != "$TESTS"/golden/* && $1 != */ok/scan_tiles.pat && $1 != */ok/recurrences.pat ]] || long=70001
	[[ $1 != "$TOP"/examples/* ]] || fewer=--cells=3000      # they repeat, and fold
	# more of them, and the long shape takes hundreds of steps, each of seven launches
	[[ $1 != */examples/adi/adi.pat ]] || fewer=--cells=1500
	# launches of thousands of blocks, pass after pass, whatever the size
	[[ $1 != */suffix_array.pat ]] || fewer=--cells=700
	# as many passes as an array has cells, each of them launches of many blocks
	[[ $1 != */examples/bfs/bfs.pat ]] || fewer=--cells=12
	# a strict scatter asks every item in every thread
	[[ $1 != */ok/scatters.pat ]] || fewer=--cells=3000 long=3001
	# warps multiply by shuffles; large tiles have 130 rows of 72 terms
	[[ $1 != */ok/@(units|units_bytes|convolution).pat ]] || fewer="--cells=3000 --large=9360" long=3001
	[[ $1 != */ok/attention.pat ]] || fewer="--cells=3000 --large=3000" long=300
	# an array of so many cells that nothing in it is hot
	[[ $1 != */ok/hot.pat ]] || fewer=--cells=66000
	# shellcheck disable=SC2086
	said=$("$GEN" $SIZES --along=$long $fewer "$dir" "$1" 2>&1) || bad "check $(basename "$1" .pat)" "$said"
}

# Of these programs every run-time call of NAME_host fails once (check/faults.c), with few cells.
FAULTY="*/golden/* */ok/@(fuse_rows|histograms|privatised|product_parts|products_sized|ragged|scan_cut|swaps|windows).pat"
is_faulty() {
	local each
	shopt -s extglob
	[[ $1 =~ ^(cpu|cuda|hip)$ ]] || return
	for each in $FAULTY; do
		# shellcheck disable=SC2053
		[[ $2 != $each ]] || return 0
	done
	return 1
}
# faults KIND STEM PROGRAM: in the folder with the text and the program's object
faults() {
	local driver=$TESTS/check/faults.c name="-DDRIVER=\"$2_check.c\""
	mkdir small && "$GEN" --cells=300 small "$3" || return
	case $1 in
	cpu) gcc -std=c11 -fopenmp -Dmalloc=faults_malloc -Dfree=faults_free -c "$2.c" -o faulty.o &&
		gcc -std=c11 -fopenmp $STRICT -I. "$name" "$driver" faulty.o -o faults -lm ;;
	# shellcheck disable=SC2086
	*) $PLAIN_CXX $CXXFLAGS -I. -DCHECK_${1^^} "$name" -x c++ -c "$driver" -o faults.o &&
		$LINK faults.o "$2.o" "$SIMT/libsimt.a" -o faults ;;
	esac && timeout 300 ./faults "small/$2.dat"
}

# check_one KIND:PROGRAM
check_one() {
	local kind=${1%%:*} file=${1#*:} stem name dir said status
	stem=$(basename "$file" .pat)
	name="check $kind $stem"
	dir=$WORK/$kind/$(basename "$(dirname "$file")")-$stem
	fresh "$dir" && cd "$dir" || return
	export CPATH=${file%/*}         # where a program's own headers are
	# with few cells one block runs all loops that it can: as HIP they are launched, but for one program's
	local launched=''
	[[ $kind != hip* || $stem = one_block ]] || launched=--no-pass=loop
	[[ $kind != *_checked ]] || launched="$launched --check"
	# shellcheck disable=SC2086
	said=$("$GEN" --target="${kind%%_*}" $(arch_of "$kind") $launched --no-data "$dir" "$file" 2>&1) || { bad "$name" "$said"; return; }
	exact "$kind"
	said=$("build_$kind" "$stem" "$file" 2>&1) || { bad "$name builds" "$said"; return; }
	export OMP_NUM_THREADS=3 SIMT_LEAKS=1 SIMT_STREAM=1 CHECK_HOST_CELLS=$HOST_CELLS
	[[ $kind != cpu* ]] || unset CHECK_HOST_CELLS
	unset SIMT_SMS SIMT_SHARED      # of the job before, in the same shell
	# they repeat, and launch as many blocks as fit on the device, pass after pass: on one multiprocessor, not on four
	[[ $file != "$TOP"/examples/* ]] || export SIMT_SMS=1
	[[ $kind != *_sm_* ]] || export SIMT_SHARED=163
	[[ $kind != *_sm_90* ]] || export SIMT_SHARED=227
	# blocks that wait for one another run as CUDA in order and in another, as HIP in a third only
	local text=$stem.$(suffix_of "$kind") run=(timeout 300 ./prog "$(data_of "$file")/$stem.dat") ORDERS=2:13
	[[ $kind != hip* ]] || ! grep -q "$WAITS" "$text" || { ORDERS=4:90 run=(other_orders "$text" "${run[@]}"); }
	"${run[@]}" >out 2>err
	status=$?
	[ $status != 0 ] || [[ $kind != cuda* ]] || CHECK_HOST_CELLS=-1 other_orders "$text" "${run[@]}" >out2 2>&1 ||
		bad "$name in another order of blocks" "$(grep -v '^ok' out2 | tail -n 15)"
	# loops that are one launch of all blocks, where a device has none, or no room for them
	local how=0
	[[ $file != "$TESTS"/golden/* ]] || how='0 2'
	[[ $status = 0 && $kind = cuda* ]] && grep -q patc_launch_together "$text" || how=''
	for how in $how; do
		SIMT_COOPERATIVE=$how CHECK_HOST_CELLS=-1 "${run[@]}" >out2 2>&1 ||
			bad "$name without cooperative launches" "$(grep -v '^ok' out2 | tail -n 15)"
	done
	# one line a case: what else is wrong in it stands behind the first
	awk -v kind="$kind" '/^ok / { sub(/^ok /, "ok check " kind " "); print }
		/^not ok / { key = $3 $4 $5 $6; sub(/^not ok /, seen[key]++ ? "    " : "not ok check " kind " "); print }' out
	[ $status -le 1 ] && [ ! -s err ] && grep -qE '^[0-9]+ passed' out ||
		bad "$name came to its end" "exit status $status"$'\n'"$(tail -n 15 err)"
	! is_faulty "$kind" "$file" ||
		check "$name: NAME_host when a call fails" faults "$kind" "$stem" "$file"
	[ $status != 0 ] || rm -rf "$dir"
}
export FAULTY
export -f is_faulty faults exact arch_of suffix_of other_orders data_of data_make check_one cpu_level build_cpu build_cpu_fma build_cpu_sane build_simt build_cuda build_cuda_sm_80 build_cuda_sm_90a build_cuda_sm_90a_race build_cpu_checked build_cuda_checked build_hip_checked build_hip build_hip_gfx90a build_hip_gfx1100 build_hip_gfx1200 build_hip_wave32 build_cuda_sane build_hip_sane \
	build_cuda_race build_hip_race

[ "${BASH_SOURCE[0]}" = "$0" ] || return 0     # tests/fuzz/run wants the functions only

jobs=()
for file; do
	jobs+=("cpu:$file")
	[[ $file != */lang/cpu/* ]] || continue
	jobs+=("cuda:$file" "hip:$file")
	if [ -n "${ALL:-}" ] || [[ $file == "$TESTS"/golden/* ]]; then
		jobs+=("cpu_sane:$file" "cuda_sane:$file" "hip_sane:$file" "cuda_race:$file" "hip_race:$file")
	fi
	case ${ALL:-}$file in
	*/golden/* | */ok/scatters.pat | */ok/structs_whole.pat | */ok/one_block.pat | */ok/together.pat | */ok/layouts.pat | 1*)
		jobs+=("cpu_checked:$file" "cuda_checked:$file" "hip_checked:$file") ;;
	esac
	[[ $file != */ok/strict.pat ]] || jobs+=("cpu_fma:$file")
	[[ $file != */ok/@(units|units_bytes|precision|attention|convolution).pat ]] || jobs+=("cuda_sm_80:$file" "cuda_sm_90a:$file")
	[[ $file != */ok/units.pat ]] || jobs+=("hip_gfx90a:$file" "hip_gfx1100:$file" "hip_gfx1200:$file" "hip_wave32:$file")
	case ${ALL:-}$file in
	*/golden/* | */ok/reduces.pat | */ok/stencils.pat | */ok/ops.pat | 1*) jobs+=("hip_wave32:$file") ;;
	esac
done
# --along: several tiles; in a few programs more tiles of a scan than a warp has lanes, which look at
# as many at once.
export SIZES="--cells=20000" LONG=20001
[ -z "${ALL:-}" ] || SIZES="--shapes=0" LONG=70001
each data_make "$@"
each check_one "${jobs[@]}"
rm -rf "$WORK/data"

# A flow whose cells lie in four ways, in one program with a kernel for each.
lattice_make() {
	local from=$TESTS/layouts/lattice.pat layout
	fresh "$WORK/layouts" && cd "$WORK/layouts" || return
	sed '/^kernel/,$d' "$from" >lattice.pat
	for layout in "aos:aos" "soa:soa" "col:col soa" "aosoa:aosoa(8)" "tiled:tiled(8, 4)"; do
		sed -n '/^kernel/,$p' "$from" | sed "s/NAME/${layout%%:*}/; s/LAYOUT/${layout#*:}/" >>lattice.pat
	done
}
lattice_cpu() {
	lattice_make && "$PATC" --target=cpu -o lattice_k.c --header=lattice.h lattice.pat &&
		gcc -std=c11 -O2 -fopenmp $STRICT -I. "$TESTS/layouts/lattice.c" lattice_k.c -o lattice && ./lattice
}
lattice_simt() { # TARGET SUFFIX LIBRARY
	lattice_make && "$PATC" --target="$1" -o "lattice_k.$2" --header=lattice.h lattice.pat || return
	# shellcheck disable=SC2086
	g++ $CXXFLAGS -O1 -I. -x c++ "$TESTS/layouts/lattice.c" "lattice_k.$2" -x none "$SIMT/$3.a" -o lattice && ./lattice
}
# What of tables is kept that nobody else reads, how large what is sorted may be.
called_cpu() { # NAME [OPTION]: layouts/NAME.c calls what becomes of NAME.pat
	# shellcheck disable=SC2086
	fresh "$WORK/$1" && cd "$WORK/$1" && "$PATC" ${2:-} --target=cpu -o k.c --header="$1.h" "$TESTS/layouts/$1.pat" &&
		gcc -std=c11 -fopenmp $STRICT -I. "$TESTS/layouts/$1.c" k.c -lm -o called && ./called
}
called_simt() { # NAME TARGET SUFFIX LIBRARY [OPTION]
	# shellcheck disable=SC2086
	fresh "$WORK/$1" && cd "$WORK/$1" && "$PATC" ${5:-} --target="$2" -o "k.$3" --header="$1.h" "$TESTS/layouts/$1.pat" || return
	# shellcheck disable=SC2086
	g++ $CXXFLAGS -I. -x c++ "$TESTS/layouts/$1.c" "k.$3" -x none "$SIMT/$4.a" -o called && ./called gpu
}
check "tables that nobody reads take no room: cpu" called_cpu room
check "tables that nobody reads take no room: cuda" called_simt room cuda cu libsimt
check "chunks of items give the same bits for any number of threads" called_cpu chunks
check "a CPU sorts arrays of any size, and refuses domains of more than 2^62 cells" called_cpu limits
check "GPUs refuse to sort what 32 bits cannot number, and such domains" called_simt limits cuda cu libsimt
check "a workspace that overlaps an array is refused, and the data's status is no call's: cpu" called_cpu calls
check "a workspace that overlaps an array is refused: cuda" called_simt calls cuda cu libsimt
residual="residuals with \`pivot\` are at most ten times those of LAPACK's elimination"
check "$residual: cpu" called_cpu residuals
check "$residual: cuda" called_simt residuals cuda cu libsimt
check "$residual: hip" called_simt residuals hip hip libsimt
# told WHAT...: called as WHAT says, and the first accesses outside are told of
told() {
	local said line
	said=$("$@" 2>&1) || { echo "$said"; return 1; }
	for line in "2: cell 43" "5: cell -3" "8: cell 43" "11: cell 43"; do
		grep -q "outside.pat:$line of an array is outside of it" <<<"$said" || { echo "$said"; return 1; }
	done
}
check "--check finds accesses outside, and makes none: cpu" told called_cpu outside --check
check "--check finds accesses outside, and makes none: cuda" told called_simt outside cuda cu libsimt --check
check "--check finds accesses outside, and makes none: hip" told called_simt outside hip hip libsimt --check
check "layouts give the same bits: cpu" lattice_cpu
check "layouts give the same bits: cuda" lattice_simt cuda cu libsimt
