#!/usr/bin/env bash
# linked.sh - 100 libraries of kernels in one program: what --prefix makes of names, and what the linker sees of them.
set -uo pipefail
. "$TESTS/lib.sh"
cd "$WORK" || exit 1
COUNT=100
export COUNT

# The names are the same in all libraries, and two of them are C's: only a factor differs.
program() { # FACTOR
	cat <<END
struct P { a: f32, b: f32 }
kernel main(x: f32[n], out y: f32[n]) { map y[i] = $1.0 * x[i]; }
kernel index(p: P[n], out s: f32) { reduce s = sum[i](p[i].a * p[i].b + $1.0); }
test factor {
	main(x = [1.0, 2.0]) -> y = [$1.0, 2 * $1.0];
	main(n = 100, x = random);
	index(p = [P(2.0, 3.0)]) -> s = 6 + $1.0;
}
END
}
# library K: the program, and while there are some one of tests/golden
library() {
	local k=$1 goldens=("$TESTS"/golden/*.pat) said
	fresh "lib$k" && cd "lib$k" && program "$k" >program.pat || return
	said=$("$PATC" -target=cpu --prefix="lib$k" --helpers=helpers.h program.pat "${goldens[@]:k-1:1}" 2>&1 &&
		gcc -O0 -fopenmp -Wall -Wextra -Werror -c ./*.c 2>&1 && ar rc "../lib$k.a" ./*.o && cp program.h "../lib$k.h") ||
		bad "library $k" "$said"
}
export -f program library
each library $(seq $COUNT)
check "100 libraries" bash -c '[ "$(ls lib*.a | wc -l)" = $COUNT ]'

# own_names FILE...: each global name begins with that of its library
own_names() {
	local file said
	for file; do
		said=$(nm -g --defined-only "$file" | awk -v own="$(basename "$file" .a)_" 'NF == 3 && $2 != "V" && $2 != "W" { n++; if (index($3, own) != 1) print }
			END { if (!n) print "no name" }')
		[ -z "$said" ] || { echo "$file: $said"; return 1; }
	done
}
check "only names with the prefix are global" own_names lib*.a

{
	for k in $(seq $COUNT); do echo "#include \"lib$k.h\""; done
	printf '#include <stdio.h>\nint main(void)\n{\n\tconst float x[2] = {1, 2};\n\tfloat y[2], s;\n'
	for k in $(seq $COUNT); do
		printf '\tconst lib%d_P p%d = {2, 3};\n' "$k" "$k"
		printf '\tif (lib%d_main_host(2, x, y) || y[0] != %d || y[1] != 2 * %d)\n\t\treturn printf("%d: %%g\\n", y[0]);\n' "$k" "$k" "$k" "$k"
		printf '\tif (lib%d_index_host(1, &p%d, &s) || s != 6 + %d)\n\t\treturn printf("%d: %%g\\n", s);\n' "$k" "$k" "$k" "$k"
	done
	printf '\treturn 0;\n}\n'
} >main.c
check "they are linked in one program, and each computes its own" bash -c 'gcc -Wall -Wextra -Werror -fopenmp main.c lib*.a -lm -o main && ./main'
check "their headers are C++ together" g++ -Wall -Wextra -Werror -fsyntax-only -x c++ main.c

# ---- where the prefix is, and where not ----

program 3 >program.pat
check "patc test: kernels with names of C" bash -c '"$PATC" test --target=cpu program.pat | grep -x "[1-9][0-9]* passed, 0 failed"'
check "the header says which name is whose" bash -c '"$PATC" -target=cpu program.pat && grep "main_ (main in the program)" program.h &&
	"$PATC" -target=cpu --prefix=img program.pat && grep "img_main (main in the program)" program.h && grep "img_P (P in the program)" program.h'
check "remarks have the names of the program" bash -c '"$PATC" -target=cpu --prefix=img --remarks=json program.pat | grep "\"kernel\": \"main\""'
check "-g, --check and -target=hip, too" bash -c '"$PATC" -target=cpu --prefix=img -g program.pat && grep "^int img_main_host" program.c &&
	"$PATC" -target=cpu --prefix=img --check program.pat && grep "^int img_main_offence" program.h &&
	"$PATC" -target=hip --prefix=img program.pat && grep "^img_main_map1(" program.hip'
check "a name that the prefix makes one of a library" bash -c 'echo "kernel get_wtime(inout x: f32[n]) { map x[i] = 2 * x[i]; }" >omp.pat &&
	"$PATC" -target=cpu --prefix=omp omp.pat && grep "omp_get_wtime_ (get_wtime in the program)" omp.h'
check "a name that the prefix makes another's" says 1 'P02.*would both be `fn_f` in C' "$PATC" -target=cpu --prefix=fn -o - - \
	< <(echo 'fn f(x: f32) -> f32 = 2 * x; kernel f(inout x: f32[n]) { map x[i] = f(x[i]); }')
for wrong in 9a _a a-b "" "$(printf 'a%.0s' {1..65})"; do
	check "--prefix='$wrong'" says 2 'at most 64 letters, digits' "$PATC" --prefix="$wrong" program.pat
done
check "--prefix=img_" says 2 'adds the .* itself: --prefix=img$' "$PATC" --prefix=img_ program.pat
for wrong in patc PATC patc_x; do check "--prefix=$wrong" says 2 'helpers of patc' "$PATC" --prefix=$wrong program.pat; done

nvcc=$(. "$TESTS/need.sh"; find_nvcc)
cuda() { "$PATC" -target=cuda --prefix=libcuda -o libcuda.cu program.pat && "$nvcc" -arch=sm_75 -Werror all-warnings -c libcuda.cu -o libcuda.a && own_names libcuda.a; }
if [ -n "$nvcc" ]; then check "nvcc: only names with the prefix are global" cuda; else skip "nvcc: --prefix" "no nvcc"; fi

# bindings: names of C
bound() {
	"$PATC" -target=cpu --prefix=img -o img.c --manifest=img.json program.pat && gcc -O2 -fopenmp -fPIC -shared -o libimg.so img.c -lm &&
		"$PATC" bind --lang=c++ img.json && "$PATC" bind --lang=python img.json &&
		printf '#include "img.hpp"\n' | g++ -std=c++17 -Wall -Wextra -Werror -fsyntax-only -x c++ -I. -
}
check "patc bind: C++" bound
called() { "$numpy" -W error -c 'import numpy, img
y = img.img_main(numpy.array([1, 2], dtype=numpy.float32))
assert list(y) == [3, 6], y
s = img.img_index(numpy.array([(2, 3)], dtype=img.img_P))
assert s == 9, s'; }
if numpy=$(python_with numpy); then check "patc bind: Python" called; else skip "patc bind: Python" "no python3-numpy"; fi
