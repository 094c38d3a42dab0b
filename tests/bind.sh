#!/usr/bin/env bash
# bind.sh - manifests are valid and true, and what `patc bind` writes of them calls the kernels.
set -uo pipefail
. "$TESTS/lib.sh"
cd "$WORK" || exit 1
SCHEMA=$TOP/man/manifest.schema.json

# ---- --manifest ----

programs=("$TESTS"/golden/*.pat "$TESTS/bind/every.pat")
manifests() { # TARGET
	fresh "$WORK/manifests-$1" && cd "$WORK/manifests-$1" &&
		python3 "$TESTS/bind/manifest.py" "$PATC" "$SCHEMA" "$1" "${programs[@]}" >seen.c && gcc -fsyntax-only -std=c11 -Wall -Werror seen.c
}
if python3 -c 'import jsonschema' 2>/dev/null; then
	for target in cpu cuda hip; do
		check "manifests are valid, and C agrees: $target" manifests $target
	done
else
	skip "manifests are valid" "no python3-jsonschema"
fi

echo 'kernel twice(x: f32[n], out y: f32[n]) { map y[i] = 2 * x[i]; }' >twice.pat
mkdir -p there && cp twice.pat there
check "manifest: the same from another folder" bash -c '"$PATC" --manifest=a.json twice.pat &&
	"$PATC" -o x.cu --header=twice.h --manifest=b.json there/twice.pat && sed s/x.cu/twice.cu/ b.json | cmp a.json -'
check "manifest: without the source" bash -c '"$PATC" -o /dev/null --header=twice.h --manifest=- twice.pat | grep -q "\"header\": \"twice.h\""'
check "manifest: remarks if they are enabled" bash -c '! grep -q remarks a.json && "$PATC" --manifest=c.json --remarks twice.pat 2>/dev/null &&
	grep -q "\"statements\"" c.json'
check "manifest: of one program" says 2 'with several inputs, --manifest' "$PATC" --manifest=d.json twice.pat there/twice.pat
check "manifest: no input" says 2 'is also an input' "$PATC" --manifest=twice.pat twice.pat

# ---- patc bind ----

# made TARGET: every.pat as a shared library, and its manifest
fresh "$WORK/bind" && cd "$WORK/bind" && "$PATC" --target=cpu -Wno-all -o every.c --manifest=every.json "$TESTS/bind/every.pat" &&
	gcc -O2 -fopenmp -fPIC -shared -Wall -Werror -o libevery.so every.c -lm || bad "every.pat as a library" "$(cat said)"
bind() { "$PATC" bind --lang="$1" "${@:2}" every.json; }
export -f bind

check "bind: a language" says 2 'no language given: use for example --lang=python' "$PATC" bind every.json
check "bind: another language" says 2 "no bindings for 'cobol'; there are: python, c\+\+, fortran, rust, julia" bind cobol
check "bind: no manifest" says 3 'not a manifest of version 1.*: line 1' "$PATC" bind --lang=python every.c
check "bind: no file" says 3 "cannot read 'none.json'" "$PATC" bind --lang=python none.json
check "bind: two manifests" says 2 'made of one manifest' bind python every.json
check "bind: a later manifest" bash -c 'sed "s/\"version\": 1/\"version\": 2/" every.json >later.json && ! "$PATC" bind --lang=python later.json 2>said &&
	grep -q "its version is 2" said'
check "bind: names that are none" bash -c 'sed "s/\"pick\"/\"pi(ck\"/" every.json >bad.json && ! "$PATC" bind --lang=python bad.json 2>said &&
	grep -q "is not a C identifier: .pi(ck" said'
# every value of a manifest of another type, and every key left out: a message, never a crash
damaged() {
	python3 - "$PATC" <<'END'
import copy, json, subprocess, sys
whole = json.load(open("every.json"))
def places(value, path=()):
    for key in value if isinstance(value, dict) else range(min(len(value), 1)) if isinstance(value, list) else ():
        yield path + (key,)
        yield from places(value[key], path + (key,))
for path in places(whole):
    for other in None, 1, "x", [], {}, -1, "gone":
        changed = copy.deepcopy(whole)
        at = changed
        for key in path[:-1]:
            at = at[key]
        if other == "gone":
            del at[path[-1]]
        else:
            at[path[-1]] = other
        for language in "c++", "fortran":
            got = subprocess.run([sys.argv[1], "bind", "--lang=" + language, "-o", "-", "-"], input=json.dumps(changed).encode(),
                                 capture_output=True)
            assert got.returncode in (0, 3), (path, other, got.returncode, got.stderr)
END
}
check "bind: a damaged manifest" damaged
check "bind: the name of the module" bash -c '"$PATC" bind --lang=python -o other.py every.json && [ -s other.pyi ] && head -1 other.py | grep -q "other - "'
check "bind: kernels that are named as what the module has" bash -c 'printf "kernel %s(x: f32[n], out y: f32[n]) { map y[i] = x[i]; }\n" _prepare _kernels Any >taken.pat &&
	"$PATC" --target=cpu -o taken.c --manifest=taken.json taken.pat && "$PATC" bind --lang=python taken.json && [ "$(grep -cE "^def (_prepare_|_kernels_|Any_)\(" taken.py)" = 3 ] && rm taken.*'
check "bind: a name that is none" says 2 "'a-b' cannot be the name of a module" bind python -o a-b.py
check "bind: to standard output" bash -c '"$PATC" bind --lang=python -o - every.json | python3 -m py_compile /dev/stdin && [ ! -e every.py ]'
if numpy=$(python_with numpy); then
	check "python: calls with NumPy arrays, and what is wrong" bash -c 'bind python && PYTHONDONTWRITEBYTECODE=1 "$0" -W error "$TESTS/bind/numpy_calls.py" .' "$numpy"
	gpu() { fresh "$WORK/bind-$1" && cd "$WORK/bind-$1" && "$PATC" --target="$1" -Wno-all -o every.x --header=every.h --manifest=every.json "$TESTS/bind/every.pat" &&
		bind python && "$numpy" -W error -c 'import every; help(every.pick); help(every.pick_host)' | grep 'check: wait'; }
	check "python: the module for cuda" gpu cuda
	# Kernels of the cpu, called as those of a GPU, whose arrays lie in the host's memory.
	pretended() { fresh "$WORK/bind-pretended" && cd "$WORK/bind-pretended" && cp "$WORK/bind/libevery.so" . &&
		sed 's/"gpu": false/"gpu": true/; s/"target": "cpu"/"target": "cuda"/' "$WORK/bind/every.json" >every.json && bind python &&
		PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$TESTS/bind/fake "$numpy" -W error "$TESTS/bind/gpu_calls.py" . "$1"; }
	check "python: arrays as those of PyTorch" pretended torch
	check "python: arrays as those of CuPy" pretended cupy
	check "python: the module for hip" gpu hip
	check "python: operators, for a stub of PyTorch" bash -c 'cd "$WORK/bind" && bind python &&
		PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$TESTS/bind/fake:$TOP/python "$0" -W error "$TESTS/bind/torch_stub.py" .' "$numpy"
else
	skip "python: calls" "no python3-numpy"
fi
check "python: the stub is Python" python3 -c 'import ast; ast.parse(open("every.pyi").read())'

# ---- other languages: every.pat compiles without a warning, and all print the same bits for agree.pat ----

for language in c++ fortran rust julia; do bind $language || bad "bind: $language" "it fails"; done
echo '#include "every.hpp"' >every.cc
strict=(-std=c++17 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -fsyntax-only every.cc)
check "c++: no warnings" g++ "${strict[@]}"
check "c++: no warnings without exceptions" g++ -fno-exceptions "${strict[@]}"
command -v clang++-19 >/dev/null && check "c++: no warnings of clang" clang++-19 "${strict[@]}"

fresh "$WORK/agree" && cd "$WORK/agree" && cp "$TESTS"/bind/agree_main.* . && "$PATC" --target=cpu -o agree.c --manifest=agree.json "$TESTS/bind/agree.pat" &&
	for language in python c++ fortran rust julia; do "$PATC" bind --lang=$language agree.json || bad "bind: $language" "it fails"; done
check "agree.pat as a library" gcc -O2 -fopenmp -fPIC -shared -Wall -Werror -o libagree.so agree.c -lm
link=(-L. -lagree "-Wl,-rpath,$PWD")
check "agree: C" bash -c 'gcc -Wall -Werror -o c agree_main.c "$@" && ./c >c.bits && [ "$(wc -l <c.bits)" = 38 ]' _ "${link[@]}"
check "agree: C++" bash -c 'g++ -std=c++17 -Wall -Werror -o c++ agree_main.cc "$@" && ./c++ | cmp - c.bits' _ "${link[@]}"
check "agree: C++ without exceptions" bash -c 'g++ -std=c++17 -fno-exceptions -Wall -Werror -o c++ agree_main.cc "$@" && ./c++ | cmp - c.bits' _ "${link[@]}"
if command -v gfortran >/dev/null; then
	check "fortran: no warnings" bash -c 'cd "$WORK/bind" && gfortran -Wall -Wextra -Werror -std=f2018 -pedantic -fsyntax-only every.f90'
	check "agree: Fortran" bash -c 'gfortran -Wall -std=f2018 -o f agree.f90 agree_main.f90 "$@" && ./f | cmp - c.bits' _ "${link[@]}"
else
	skip "agree: Fortran" "no gfortran"
fi
if command -v rustc >/dev/null; then
	check "rust: no warnings" bash -c 'cd "$WORK/bind" && rustc -D warnings --edition 2021 --crate-type lib --emit metadata -o every.rmeta every.rs'
	check "agree: Rust" bash -c 'rustc -D warnings --edition 2021 -o r agree_main.rs -L . -l agree -C link-arg="-Wl,-rpath,$PWD" && ./r | cmp - c.bits'
else
	skip "agree: Rust" "no rustc"
fi
[ -z "${numpy:-}" ] || check "agree: Python" bash -c '"$0" agree_main.py | cmp - c.bits' "$numpy"
# Debian 12 has no Julia: elsewhere the text alone is looked at.
if command -v julia >/dev/null; then
	check "agree: Julia" bash -c 'julia agree_main.jl | cmp - c.bits'
else
	check "julia: blocks end" bash -c 'awk "/^(module|struct|function|if)/ { open++ } /^end/ { open-- } END { exit open != 0 }" agree.jl "$WORK/bind/every.jl" &&
		[ "$(grep -c "ccall(symbol(:.*_host)" "$WORK/bind/every.jl")" = 5 ]'
fi
