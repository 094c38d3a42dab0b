#!/usr/bin/env bash
# compile.sh - how long patc itself takes, how much memory.   bench/compile.sh [--build=DIR] [RUNS]
#
# Every example and every program here, for every target; then one program of growing length,
# written by a loop: kernels of a dozen lines that differ in names, types, offsets and boundaries,
# helpers among them.  A figure is the median of RUNS (15) runs of the whole command, of the growing
# program's a third of them; the memory is the largest resident set of any.  The last table's last
# column is the time a line beside that of the shortest program: 1 when the time grows with the
# length.
set -euo pipefail
HERE=$(cd "$(dirname "$0")" && pwd)
TOP=$(dirname "$HERE")
PATC=$TOP/build/patc RUNS=15
for a; do
	case $a in
	--build=*) PATC=${a#*=}/patc ;;
	[1-9]*) RUNS=$a ;;
	*) sed -n '2s/.*  //p' "$0" >&2; exit 2 ;;
	esac
done
[ -x "$PATC" ] || { echo "compile.sh: no patc at $PATC" >&2; exit 2; }
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT

# write LINES: a program of at least that many lines
write() {
	awk -v lines="$1" 'BEGIN {
		split("f32 f64 i32 i64 u32 u64", type)
		split("clamp wrap mirror reflect keep", edge)
		for (k = 0; n < lines; k++) {
			t = type[k % 6 + 1]; far = k % 3 + 1
			printf "// %d\n", k
			printf "fn mix%d(a: %s, b: %s) -> %s = a > b ? a + b : a - b;\n\n",
				k, t, t, t
			printf "kernel part%d(x: %s[n, m], out y: %s[n, m], out total: %s)\n{\n",
				k, t, t, t
			printf "\tlet u: %s[n, m];\n\n", t
			printf "\tmap u[i, j] = mix%d(x[i, j], %d) * 3;\n", k, k % 7
			printf "\tstencil y[i, j] = u[i, j] + mix%d(u[i - %d, j], ", k, far
			printf "u[i, j + %d])", far
			printf " boundary %s;\n", edge[k % 5 + 1]
			printf "\treduce total = sum[i, j](y[i, j] * x[i, j]);\n}\n\n"
			n += 12
		} }'
}

# measure RUNS COMMAND...: "MEDIAN_MS PEAK_MIB"
measure() {
	python3 - "$@" <<'PYTHON'
import os, sys, time
runs, command = int(sys.argv[1]), sys.argv[2:]
times, peak = [], 0
for _ in range(runs):
    start = time.perf_counter()
    pid = os.posix_spawn(command[0], command, os.environ)
    _, status, used = os.wait4(pid, 0)
    times.append(time.perf_counter() - start)
    peak = max(peak, used.ru_maxrss)
    if status:
        sys.exit(f"compile.sh: {' '.join(command)} failed")
print(f"{1000 * sorted(times)[runs // 2]:.2f} {peak / 1024:.1f}")
PYTHON
}

processor=$(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -n 1)
echo "$("$PATC" --version | head -n 1), $processor, $RUNS runs"
echo
echo "| program | lines | target | ms | MiB |"
echo "|---|---|---|---|---|"
for f in "$TOP"/examples/*/*.pat "$HERE"/*.pat; do
	for target in cuda hip cpu; do
		read -r ms mib < <(measure "$RUNS" "$PATC" --target=$target -o "$WORK/out.x" \
			--header="$WORK/out.h" "$f")
		echo "| ${f#"$TOP"/} | $(wc -l <"$f") | $target | $ms | $mib |"
	done
done
echo
echo "| lines | target | ms | MiB | us a line | beside the shortest |"
echo "|---|---|---|---|---|---|"
for target in cuda hip cpu; do
	first=''
	for lines in 1250 2500 5000 10000; do
		write $lines >"$WORK/long.pat"
		n=$(wc -l <"$WORK/long.pat")
		read -r ms mib < <(measure $(((RUNS + 2) / 3)) "$PATC" --target=$target \
			-o "$WORK/out.x" --header="$WORK/out.h" "$WORK/long.pat")
		each=$(awk "BEGIN { printf \"%.2f\", 1000 * $ms / $n }")
		first=${first:-$each}
		beside=$(awk "BEGIN { printf \"%.2f\", $each / $first }")
		echo "| $n | $target | $ms | $mib | $each | $beside |"
	done
done
