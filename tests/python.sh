#!/usr/bin/env bash
# python.sh - the package of Python: its wheel is whole, installs without a network, and loads kernels.
set -uo pipefail
. "$TESTS/lib.sh"
cd "$WORK" || exit 1

# ---- the wheel ----

wheel() { rm -f "$BUILD"/patc-*.whl && make -s -C "$BUILD" wheel && mkdir -p "$1" && cp "$BUILD"/patc-*.whl "$1"; }
check "the wheel is built" wheel one
check "the wheel is the same again" bash -c '"$@" && cmp one/*.whl two/*.whl' _ bash -c "$(declare -f wheel); rm -f \"\$BUILD/python/patc-static\"; wheel two"
check "the wheel has what it lists, and no dynamic library" python3 -B "$TESTS/python/wheel.py" one/*.whl

python=$(python_with numpy) || { skip "the package" "no python3-numpy"; exit 0; }
"$python" -c 'import ensurepip, venv' 2>/dev/null || { skip "the package" "no python3-venv"; exit 0; }
# The second line is the commit of a development build, and the wheel may be of a later one.
version() { "$PATC" --version | head -1; }
# What is not in it is where the machine's NumPy is.
installed() {
	"$python" -m venv venv && venv/bin/pip install -q --no-index --no-deps one/*.whl &&
		"$python" -c 'import numpy, os; print(os.path.dirname(os.path.dirname(numpy.__file__)))' >numpy.pth && mv numpy.pth venv/lib/python3*/site-packages &&
		[ "$(venv/bin/patc --version | head -1)" = "$(version)" ] && [ "$(venv/bin/python -m patc --version | head -1)" = "$(version)" ]
}
check "it installs, with the command patc" installed
export PATH=$WORK/venv/bin:/usr/bin:/bin PATC_CACHE_DIR=$WORK/cache PYTHONDONTWRITEBYTECODE=1

# ---- the package ----

# block FIRST: the lines of README.md from this one to the end of their block
block() { awk -v first="$1" '$0 == first { on = 1 } /^```$/ { on = 0 } on' "$TOP/README.md"; }
readme() {
	block '// heat.pat' >heat.pat && block 'import numpy as np, patc' >lines.py && [ "$(wc -l <lines.py)" = 4 ] &&
		[ "$(python lines.py)" = 0.38671875 ]
}
check "README: four lines" readme
check "loads, the cache, and what is wrong" python -W error "$TESTS/python/loads.py"
# Four processes at once, without a cache.
together() {
	local k
	rm -rf cache && for k in 1 2 3 4; do python lines.py >"said.$k" 2>&1 & done
	wait
	[ "$(cat said.*)" = "$(printf '0.38671875\n%.0s' 1 2 3 4)" ] && [ "$(ls cache | wc -l)" = 1 ] || { cat said.*; ls cache; return 1; }
}
check "processes load it at the same time" together
if [ -n "${NVCC:-}" ]; then
	check "target cuda: it is built and loaded" env NVCC="$NVCC" python -c 'import patc; k = patc.load("heat.pat"); print(k.heat, k.heat_host)'
else
	skip "target cuda" "no nvcc"
fi

# ---- operators of PyTorch ----

operators() {
	fresh operators && cd operators && "$PATC" --target=cpu -Wno-all -o every.c --manifest=every.json "$TESTS/bind/every.pat" &&
		gcc -O2 -fopenmp -fPIC -shared -o libevery.so every.c -lm && "$PATC" bind --lang=python every.json &&
		PYTHONPATH=$TOP/python "$1" "$TESTS/bind/torch_calls.py" .
}
# Debian's PyTorch is older than its custom operators: tests/gpu/bind tests them elsewhere.
if "$python" -c 'from torch.library import custom_op' 2>/dev/null; then
	check "operators of PyTorch" operators "$python"
else
	echo "# no PyTorch from 2.4 on: its operators are not tested here"
fi
