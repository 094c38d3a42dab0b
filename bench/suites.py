#!/usr/bin/env python3
"""The programs of examples/suites, measured: patc's C beside plain loops with OpenMP, its CUDA
beside plain CUDA.

    bench/suites.py --patc=PATC OUT        here: writes the texts and OUT/run
    OUT/run [RUNS]                         where the GPU is, with gcc and nvcc: writes OUT/times
    bench/suites.py --table OUT            here: prints bench/SUITES.md
"""
import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(HERE)
SUITES = os.path.join(TOP, "examples", "suites")
sys.path.insert(0, os.path.join(TOP, "tests", "suites"))
TITLES = {"polybench": "PolyBench", "prk": "Parallel Research Kernels", "rodinia": "Rodinia"}
# How often a program was given to patc until it was accepted and right, if not once.
# The plain CUDA of a program is KERNEL_cuda() in NAME.cu, with the parameters of KERNEL_host():
# pointers are those of the GPU, and it returns once its kernels are done.
ATTEMPTS = {"adi": 2, "floyd_warshall": 2, "bfs": 2, "dwt2d": 2}

HEAD = """# Suites

`bench/suites.py` says how this table is made; `examples/suites/README.md`, what the programs are.
Measured on: MACHINE.

- **lines** of the program, without comments and empty ones; **attempts**: how often it was given to
  patc until it was accepted and right; **kernels** in the text for CUDA.
- **CPU**: what patc writes for `cpu`, beside the plain loops of `NAME.c` with their OpenMP pragmas,
  both by gcc -O3 -march=native. The plain loops are what one writes first: neither blocked nor
  reordered. Where no pragma is easy (a wavefront, a recurrence, a sort) they run on one core.
- **GPU**: what patc writes for `cuda`, beside the plain CUDA of `NAME.cu`: a thread per cell, a
  launch per step, no tiles and no libraries. Empty where it has not been measured.
- `repeat until` launches every pass up to `at most`, and those after the end test one word: bfs (at
  most 200,000 passes) and kmeans (100) take their time for that. The plain versions wait for a
  flag.
- A time is the least of some runs in milliseconds, arrays already in the memory that the kernels
  use. What differs from the plain version is said in place of the time.
"""

RUN = r"""#!/usr/bin/env bash
# run [RUNS] - builds and measures; a line of `times` is SUITE KIND KERNEL SIZES OURS PLAIN WRONG
set -uo pipefail
cd "$(dirname "$0")"
RUNS=${1:-3}
{ sed -n 's/^model name.*: //p' /proc/cpuinfo | head -n 1
  echo "$(getconf _NPROCESSORS_ONLN) processors, load $(cut -d' ' -f1 /proc/loadavg)"
  env | grep '^OMP_'
  gcc --version | head -n 1
  nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null &&
	nvcc --version | tail -n 1; } >machine
gcc_flags="-O3 -march=native -fopenmp -Wno-unknown-pragmas -I. -std=gnu11"
build() { # SUITE
	local suite=$1 file pids=()
	gcc $gcc_flags ${suite}_main.c $suite.c $suite/*.c -o $suite.cpu -lm || return
	command -v nvcc >/dev/null || return 0
	local include=$(dirname "$(command -v nvcc)")/../include
	gcc $gcc_flags -DSUITE_GPU -I"$include" -c ${suite}_main.c -o $suite.main.o || return
	for file in $suite/*.c; do gcc $gcc_flags -c $file -o ${file%.c}.o || return; done
	for file in $suite.cu $(ls $suite/*.cu 2>/dev/null); do
		nvcc -O3 -arch=native -I. -c $file -o $file.o & pids+=($!)
	done
	for file in "${pids[@]}"; do wait $file || return; done
	nvcc -arch=native $suite.cu.o $suite.main.o $suite/*.o -Xcompiler -fopenmp -o $suite.gpu
}
pids=()
for suite in polybench prk rodinia; do build $suite & pids+=($!); done
for suite in "${pids[@]}"; do wait $suite || exit; done
: >times
while read -r suite kernel _; do
	for kind in cpu gpu; do
		[ -x $suite.$kind ] || continue
		line=$(timeout 300 ./$suite.$kind $RUNS $kernel 2>&1 | tail -n 1)
		[ -n "$line" ] || line=$(printf '%s\t\t0\t0\tno result' $kernel)
		printf '%s\t%s\t%s\n' $suite $kind "$line" | tee -a times
	done
done <programs
"""


def programs():
    import driver
    for suite in TITLES:
        folder = os.path.join(SUITES, suite)
        for name in sorted(f[:-4] for f in os.listdir(folder) if f.endswith(".pat")):
            path = os.path.join(folder, name + ".pat")
            text, kernels = driver.kernels_of(path)
            lines = [x for x in text.split("\n") if x.strip() and not x.strip().startswith("//")]
            yield suite, name, path, kernels[0].name, len(lines)


def generate(patc, out):
    os.makedirs(out, exist_ok=True)
    paths, rows = {}, []
    for suite, name, path, kernel, lines in programs():
        cuda = subprocess.run([patc, "--target=cuda", "-o", "-", path], stdout=subprocess.PIPE,
                              text=True, check=True).stdout
        kernels = len(re.findall("^static __global__", cuda, re.M))
        rows.append(f"{suite} {kernel} {name} {lines} {kernels}")
        paths.setdefault(suite, []).append(path)
    open(os.path.join(out, "programs"), "w").write("\n".join(rows) + "\n")
    for suite, files in paths.items():
        stem = os.path.join(out, suite)
        driver = os.path.join(TOP, "tests", "suites", "driver.py")
        subprocess.run([sys.executable, driver, "--bench", stem, *files], check=True)
        for target, suffix in ("cpu", "c"), ("cuda", "cu"):
            subprocess.run([patc, "--target=" + target, "-o", f"{stem}.{suffix}",
                            f"--header={stem}.h", stem + ".pat"], check=True)
        os.makedirs(stem, exist_ok=True)
        for file in files:
            for plain in (file[:-4] + ".c", file[:-4] + ".cu"):
                if os.path.exists(plain):
                    shutil.copy(plain, stem)
    for header in "suite.h", "plain.cuh":
        shutil.copy(os.path.join(TOP, "tests", "suites", header), out)
    open(os.path.join(out, "run"), "w").write(RUN)
    os.chmod(os.path.join(out, "run"), 0o755)


def figure(ms):
    return f"{ms:.3g}" if ms < 1000 else f"{ms:.0f}"


def cells(measured):
    """ours, plain, plain / ours: what differs is said instead."""
    if not measured:
        return ["", "", ""]
    ours, plain, wrong = float(measured[2]), float(measured[3]), measured[4]
    if wrong:
        return [wrong, "", ""]
    if not plain or not ours:
        return [figure(ours), "", ""]
    return [figure(ours), figure(plain), f"{plain / ours:.2f}"]


def table(out):
    measured = {}
    for line in open(os.path.join(out, "times")):
        suite, kind, *rest = line.rstrip("\n").split("\t")
        measured[suite, kind, rest[0]] = rest
    print(HEAD.replace("MACHINE", "; ".join(
        open(os.path.join(out, "machine")).read().strip().split("\n"))))
    for suite, title in TITLES.items():
        print(f"## {title}\n\n| program | lines | attempts | kernels | sizes | CPU ms | OpenMP ms "
              "| times faster | GPU ms | CUDA ms | times faster |\n" + 11 * "|---" + "|")
        for row in open(os.path.join(out, "programs")):
            of, kernel, name, lines, kernels = row.split()
            if of == suite:
                both = [measured.get((suite, kind, kernel)) for kind in ("cpu", "gpu")]
                sizes = next((m[1] for m in both if m), "")
                print("|", " | ".join([name, lines, str(ATTEMPTS.get(kernel, 1)), kernels, sizes,
                                       *cells(both[0]), *cells(both[1])]), "|")
        print()


if len(sys.argv) == 3 and sys.argv[1].startswith("--patc="):
    generate(sys.argv[1].split("=", 1)[1], sys.argv[2])
elif len(sys.argv) == 3 and sys.argv[1] == "--table":
    table(sys.argv[2])
else:
    sys.exit(__doc__)
