#!/usr/bin/env bash
# calls.sh - what a call of a kernel costs in Python, over the same call in C, on this machine.
#
#   bench/calls.sh [--build=DIR]
#
# DIR holds a built patc.  Needs cc, and a python3 with NumPy.  Kernels of a few cells (calls.pat,
# target cpu, one thread); the least mean of 20 series of 2000 calls, in microseconds.  On a GPU,
# tests/gpu/bind measures it.
set -euo pipefail
TOP=$(cd "$(dirname "$0")/.." && pwd)
BUILD=$TOP/build
case ${1:-} in
--build=*) BUILD=$(cd "${1#*=}" && pwd) ;;
?*) sed -n '4s/^# *//p' "$0" >&2; exit 2 ;;
esac
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
cd "$WORK"
"$BUILD/patc" --target=cpu -o calls.c --manifest=calls.json "$TOP/bench/calls.pat"
"$BUILD/patc" bind --lang=python calls.json
cat >loops.c <<'END'
#include <time.h>
#include "calls.h"

static float x[4] = { 1, 2, 3, 4 }, y[4], most;
static int32_t at[2] = { 3, 0 };

#define SERIES(name, call) \
	double name(int n) \
	{ \
		struct timespec from, to; \
		clock_gettime(CLOCK_MONOTONIC, &from); \
		for (int k = 0; k < n; k++) \
			call; \
		clock_gettime(CLOCK_MONOTONIC, &to); \
		return ((double)(to.tv_sec - from.tv_sec) + \
		        1e-9 * (double)(to.tv_nsec - from.tv_nsec)) / n; \
	}
SERIES(loop_picked, picked_host(4, 2, x, at, y))
SERIES(loop_scaled, scaled_host(4, 0.5f, x, y))
SERIES(loop_moved, moved_host(2, 2, x, 3, 0.5, y, &most))
END
${CC:-cc} -O3 -fopenmp -fPIC -shared -o libcalls.so calls.c loops.c -lm
cat >calls_main.py <<'END'
import ctypes
import time

import numpy as np

import calls


def series(call, n):
    start = time.perf_counter()
    for _ in range(n):
        call()
    return (time.perf_counter() - start) / n


def least(one):
    return 1e6 * min(one() for _ in range(20))


x, at, y = np.arange(4, dtype="f4"), np.array([3, 0], "i4"), np.zeros(4, "f4")
square = x.reshape(2, 2)
works = {
    "picked": ("2 arrays, a result", calls.picked, (x, at)),
    "scaled": ("2 arrays, a float", calls.scaled, (0.5, x, y)),
    "moved": ("an array, 2 numbers, 2 results", calls.moved, (square, 3, 0.5)),
}
library = ctypes.CDLL("./libcalls.so")
print("%-8s %-32s %8s %8s %8s %8s" % ("kernel", "", "Python", "prepared", "C", "over C"))
for name, (what, kernel, arguments) in works.items():
    loop = library["loop_" + name]
    loop.restype = ctypes.c_double
    again = kernel.prepare(*arguments)
    python = least(lambda: series(lambda: kernel(*arguments), 2000))
    prepared, c = least(lambda: series(again, 2000)), least(lambda: loop(2000))
    print("%-8s %-32s %8.2f %8.2f %8.2f %8.2f" % (name, what, python, prepared, c, python - c))
END
for python in python3 /usr/bin/python3; do
	"$python" -c 'import numpy' 2>/dev/null && break
done
OMP_NUM_THREADS=1 "$python" calls_main.py
