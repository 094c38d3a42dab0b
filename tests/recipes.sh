#!/usr/bin/env bash
# recipes.sh - what `patc new` writes is tested, cleaned and built for GPUs; the recipes with a header of helpers build, do
# nothing when asked again, and run patc once when a file that the .pat uses has changed.  matrix.sh has the others.
set -uo pipefail
. "$TESTS/lib.sh"

# A patc that counts its runs.
mkdir -p "$WORK/bin"
printf '#!/bin/sh\necho run >>"%s/runs"\nexec "%s" "$@"\n' "$WORK" "$PATC" >"$WORK/bin/patc"
chmod +x "$WORK/bin/patc"
COUNTED=$WORK/bin/patc

# runs_of COMMAND...: how often patc ran
runs_of() {
	: >"$WORK/runs"
	"$@" >"$WORK/said" 2>&1 || { cat "$WORK/said"; return 1; }
	wc -l <"$WORK/runs"
}
expect() { # NAME COUNT COMMAND...
	local name=$1 want=$2 got
	shift 2
	got=$(runs_of "$@") && [ "$got" = "$want" ] && ok "$name" || bad "$name" "patc ran: $got, not $want"
}

# recipe NAME BUILD-COMMAND...: in a folder that is there; FIRST: how often patc runs at first
recipe() {
	local name=$1
	shift
	sleep 0.01
	expect "$name: builds" "${FIRST:-1}" "$@"
	check "$name: the program runs" bash -c 'p=$(find . -name demo -type f -perm -u+x | head -n 1); ${p:-true}'
	expect "$name: does nothing again" 0 "$@"
	sleep 1.1
	touch ops.pat
	expect "$name: an included file changes" 1 "$@"
	expect "$name: and is settled" 0 "$@"
	sleep 1.1
	printf '\n' >>demo.pat
	expect "$name: the program changes" 1 "$@"
}
# kept NAME: a copy of tests/build/NAME beside the program that all of these build
kept() {
	mkdir -p "$WORK/$1" && cp "$TESTS"/build/common/* "$TESTS/build/$1"/* "$WORK/$1" && chmod u+w "$WORK/$1"/* && cd "$WORK/$1"
}
# new TARGET BUILD: what `patc new demo` writes, in a folder of its own
new() {
	fresh "$WORK/new-$1-$2" && cd "$WORK/new-$1-$2" && "$PATC" new demo --target="$1" --build="$2" >said && cd demo
}

# A target's compiler, and the real patc, under the names that the build files give them.
fresh "$WORK/tools"
ln -s "$COUNTED" "$WORK/tools/patc"
ln -s "$TESTS/build/gpucc" "$WORK/tools/nvcc"
ln -s "$TESTS/build/gpucc" "$WORK/tools/hipcc"
export REAL_NVCC=${NVCC:-} PATH=$WORK/tools:$PATH SIMT_LEAKS=1 SIMT_STREAM=1 CMAKE_GENERATOR="Unix Makefiles"

make_build() { make -j4; }
cmake_build() {
	[ -d out ] || cmake -S . -B out "$@" || return
	cmake --build out -j4
}
meson_build() {
	[ -d out ] || meson setup out "$@" || return
	meson compile -C out
}

for build in make cmake meson python; do
	new cpu "$build" || bad "patc new --build=$build" "$(cat said)"
	check "patc new --build=$build: its test holds" "$PATC" test demo.pat
done

# make: the tests of the skeleton; the others name them too
new cpu make && check "new make: make check" make -s check
new cpu make && check "new make: make clean" bash -c 'before=$(ls) && make -s check >/dev/null && make -s clean && [ "$before" = "$(ls)" ]'
new cpu make && check "new make: no warnings" bash -c 'make -s CFLAGS="-O2 -fopenmp $STRICT" demo 2>&1 | grep . && exit 1; ./demo'
new cpu cmake && command -v cmake >/dev/null && check "new cmake: ctest" bash -c 'cmake -S . -B out >/dev/null && cmake --build out >/dev/null && cd out && ctest'
new cpu meson && command -v meson >/dev/null && check "new meson: meson test" bash -c 'meson setup out >/dev/null && meson test -C out'

# The emulator runs what is written for GPUs; what nvcc and CMake or Meson make is not run.
for target in cuda hip; do
	new $target make && check "new make: builds and runs for $target" bash -c 'make && ./demo | grep "all 1000 cells are right"'
done
check "new: Meson builds no HIP" bash -c 'cd "$WORK" && ! "$PATC" new demo_hip -target=hip --build=meson 2>said && [ ! -e demo_hip ] &&
	grep -q "use one of: make, cmake, python" said'
new hip make && [ -e /usr/include/hip/hip_runtime.h ] && check "new: HIP has what main.hip calls" bash -c '"$PATC" -target=hip demo.pat &&
	g++ -std=c++17 -D__HIP_PLATFORM_AMD__ -Wall -Wextra -Wno-unused-result -fsyntax-only -x c++ main.hip'
if [ -n "${NVCC:-}" ]; then
	export CUDACXX=$NVCC
	command -v cmake >/dev/null && new cuda cmake &&
		check "new cmake: builds for cuda" cmake_build -DCMAKE_CUDA_ARCHITECTURES=90
	command -v meson >/dev/null && new cuda meson && check "new meson: builds for cuda" meson_build
	new cuda python && check "new python: builds for cuda" env NVCC="$NVCC -arch=sm_90" python3 -c 'import build; build.library()'
else
	skip "new: builds for cuda" "no nvcc"
fi

kept make_helpers && FIRST=2 recipe make_helpers make -j4 PATC="$COUNTED"
cmake_helpers() { cmake_build -DPATC="$COUNTED" -DPATC_CMAKE="$TOP/man/patc.cmake"; }
command -v cmake >/dev/null && kept cmake_helpers && FIRST=2 recipe cmake_helpers cmake_helpers
automake_cuda() {
	[ -f Makefile ] || { ACLOCAL_PATH=$TOP/man autoreconf -fi && ./configure -q PATC="$COUNTED" NVCC="$NVCC"; } || return
	: >"$WORK/runs"
	make -j4
}
if [ -n "${NVCC:-}" ] && kept automake_cuda; then
	expect "automake_cuda: builds" 1 automake_cuda
	expect "automake_cuda: does nothing again" 0 automake_cuda
	sleep 1.1
	touch ops.pat
	expect "automake_cuda: an included file changes" 1 automake_cuda
fi

# Bazel looks at contents: a file that is touched has not changed.  It runs without its network and its server.
bazel_build() {
	PATC=$COUNTED bazel --batch --output_user_root="$WORK/bazel-root" build --override_repository=rules_cc="$TESTS/build/bazel_rules_cc" \
		--override_repository=rules_java=/usr/share/bazel/rules/java --strategy=Patc=local "$@" //:demo
}
if command -v bazel >/dev/null && [ -d /usr/share/bazel/rules/java ]; then
	kept bazel && cp "$TOP/man/patc.bzl" .
	expect "bazel: builds" 1 bazel_build
	check "bazel: the program runs" bazel-bin/demo
	expect "bazel: does nothing again" 0 bazel_build
	for changed in ops.pat demo.pat "$COUNTED"; do
		echo >>"$changed"
		expect "bazel: $(basename "$changed") changes" 1 bazel_build
	done
	sed -i 's/uses = .*/& options = ["-g"],/' BUILD.bazel
	expect "bazel: an option changes" 1 bazel_build
	refused() { # TEXT SED-EXPRESSION
		cp BUILD.bazel kept.bazel && sed -i "$2" BUILD.bazel && ! bazel_build >said 2>&1 && grep -F "$1" said
		local refused=$?
		mv kept.bazel BUILD.bazel
		return $refused
	}
	check "bazel: a missing rule" refused 'patc_library(kernels): target cuda needs library=, the rule that compiles .cu' 's/name = "kernels",/& target = "cuda",/'
	check "bazel: two sources of one name" refused 'two sources are called demo.pat' 's/srcs = \["demo.pat"/&, "more\/demo.pat"/'
	check "bazel: an unknown target" refused "patc_library(kernels): target is cpu, cuda or hip" 's/name = "kernels",/& target = "gpu", library = patc_library,/'
else
	skip "bazel" "no bazel-bootstrap and bazel-rules-java"
fi
