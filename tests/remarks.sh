#!/usr/bin/env bash
# remarks.sh - --remarks: well formed for every program and target, never in what is written, each wording
# reached by some program, and a few told word for word.
set -uo pipefail
. "$TESTS/lib.sh"
cd "$WORK" || exit 1
REMARKS=$TESTS/remarks

# told FILE: what its first line asks for (// patc OPTIONS) is what FILE.txt says
told() {
	local file=$1 options base=${1##*/}
	options=$(sed -n '1s,^// patc ,,p' "$file")
	# shellcheck disable=SC2086
	(cd "$REMARKS" && "$PATC" -Wno-all --remarks=all $options --dump=schedule "$base" 2>&1 >/dev/null) >"$base.said"
	! grep "error\[" "$base.said" || { bad "remarks of $base" "the program is wrong"; return; }
	[ -z "$UPDATE" ] || cp "$base.said" "${file%.pat}.txt"
	check "remarks of $base" diff -u "${file%.pat}.txt" "$base.said"
}

# written FILE:TARGET: the outputs are the same without remarks, with text and with JSON
written() {
	local file=${1%:*} target=${1##*:} dir said
	dir=$(basename "$file" .pat).$target
	mkdir -p "$dir" && cd "$dir" || return
	said=$( { "$PATC" --target="$target" -Wno-all -o x.plain --header=x.h "$file" &&
		"$PATC" --target="$target" -Wno-all --remarks=all -o x.text --header=x.h "$file" 2>said.txt &&
		"$PATC" --target="$target" -Wno-all --remarks -o x.missed --header=x.h "$file" 2>missed.txt &&
		"$PATC" --target="$target" -Wno-all --remarks=json -o x.json --header=x.h "$file" >said.json &&
		cmp x.plain x.text && cmp x.plain x.missed && cmp x.plain x.json; } 2>&1) || bad "remarks change nothing: $dir" "$said"
	cd ..
}
export -f told written
export REMARKS

mapfile -t files < <(find "$REMARKS" -name '*.pat' | LC_ALL=C sort)
each told "${files[@]}"
mapfile -t files < <(find "$REMARKS" "$TESTS/golden" "$TOP/examples" -name '*.pat' | LC_ALL=C sort)
each written "${files[@]/%/:cuda}" "${files[@]/%/:hip}" "${files[@]/%/:cpu}"
check "remarks are well formed" python3 "$REMARKS/formed.py" ./*.*/
check "every wording is reached by a program" python3 "$REMARKS/wordings.py" "$TOP" "$WORK"

cat >one.pat <<'END'
kernel one(x: f32[n], out y: f32[n]) { map y[i] = x[i] / 3; }
END
status() { local want=$1 got; shift; "$@" >said 2>&1; got=$?; [ $got = "$want" ] || { echo "exit status $got"; cat said; return 1; }; }
# to the end: a pipe that grep -q closes makes the writer fail
says() { local text=$1 said; shift; said=$("$@" 2>&1); grep -qE -- "$text" <<<"$said" || { echo "no '$text' in: $said"; return 1; }; }
check "the architecture names the machine" says 'on an A100$' "$PATC" --remarks --arch=sm_80 --dump=kir one.pat
check "--machine names another" says 'at most 38\.9 Gcell/s on an L40S|at most 97\.2 Gcell/s on an L40S' \
	"$PATC" --remarks --machine=L40S --dump=kir one.pat
cat >ranked.pat <<'END'
kernel ranked(x: f64[n], out y: f64[n], inout h: i32[100], k: i64[n], out a: f32, out z: f64[n]) {
	map y[i] = sqrt(x[i]);
	reduce a = sum[i](f32(x[i]) * 2);
	repeat pass < 3 {
		let t: f32[n];
		map t[i] = 2 * f32(x[i]);
		scatter h[k[i]] += i32(t[i]);
		map z[i] = f64(t[i]) where i % 2 == 0;
	}
	map z[i] = z[i] + y[i] where x[i] > 0;
}
END
missed() { "$PATC" --remarks --dump=kir ranked.pat 2>&1 >/dev/null | sed -n 's/.*remark: \(.*: no[ :].*\)/\1/p'; }
check "what is not done comes last, what costs most before" diff -u - <(missed) <<'END'
map2: fuse: no (8 B a cell): 2 statements use its target
map1: fuse: no (8 B a cell): the caller receives `y`
scatter1: gather: no: its subscripts are known only at run time; items are combined by one atomic operation each
scatter1: loop: no: one block cannot compute a scatter
END
check "a pass with nothing to do has no line" bash -c '! "$PATC" --remarks --dump=kir one.pat 2>&1 >/dev/null | grep ": no: "'
check "but with =all" says 'stage: no: a map reads no neighbours' "$PATC" --remarks=all --dump=kir one.pat

# The compilers say it in two forms; where there is none, their words are here.
cat >says-ptxas <<'END'
#!/bin/sh
case "$*" in *-arch=sm_90*-Xptxas*) ;; *) exit 4 ;; esac
cat <<'SAID'
ptxas info    : Compiling entry function '_Z8one_map1lPKfPf' for 'sm_90'
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 40 registers, used 0 barriers
ptxas info    : Compiling entry function '_ZL8one_map1ILb1EEvlPKfPf' for 'sm_90'
    8 bytes stack frame, 12 bytes spill stores, 12 bytes spill loads
ptxas info    : Used 38 registers, used 0 barriers
ptxas info    : Compiling entry function '_Z9one_map12lPKfPf' for 'sm_90'
ptxas info    : Used 99 registers, used 0 barriers
SAID
END
cat >says-hip <<'END'
#!/bin/sh
case "$*" in *--offload-arch=gfx90a*kernel-resource-usage*) ;; *) exit 4 ;; esac
cat <<'SAID'
p.hip:30:1: remark: Function Name: _ZL8one_map1lPKfPf [-Rpass-analysis=kernel-resource-usage]
p.hip:30:1: remark:     TotalSGPRs: 24 [-Rpass-analysis=kernel-resource-usage]
p.hip:30:1: remark:     VGPRs: 17 [-Rpass-analysis=kernel-resource-usage]
p.hip:30:1: remark:     AGPRs: 70 [-Rpass-analysis=kernel-resource-usage]
p.hip:30:1: remark:     ScratchSize [bytes/lane]: 0 [-Rpass-analysis=kernel-resource-usage]
SAID
END
printf '#!/bin/sh\necho no such flag; exit 9\n' >says-no
chmod +x says-ptxas says-hip says-no
check "registers, by ptxas: the most of all instances" says ', 40 registers a thread, 12 bytes spilled, ' \
	env NVCC=./says-ptxas "$PATC" --resources --arch=sm_90 --dump=kir one.pat
check "registers, by the HIP compiler, for a machine of the width" says ', 17 registers a thread, nothing spilled, ' \
	env HIPCC=./says-hip "$PATC" --target=hip --resources --dump=kir one.pat
check "registers as JSON" says '"registers": 40, "spilled": 12, ' \
	env NVCC=./says-ptxas "$PATC" --resources --remarks=json --arch=sm_90 -o one.cu one.pat
check "what is written does not depend on it" bash -c 'cp one.cu with.cu && "$PATC" --arch=sm_90 -o one.cu one.pat && cmp one.cu with.cu'
check "a compiler that is not there" status 3 env NVCC=no-nvcc "$PATC" --resources --dump=kir one.pat
check "says which, and the cure" grep -q 'needs `no-nvcc`, which was not found; set NVCC to' said
check "a compiler that fails" status 3 env NVCC=./says-no "$PATC" --resources --dump=kir one.pat
check "says so, with its words" bash -c 'grep -q "failed to compile .* status 9" said && grep -q "no such flag" said'
check "nothing is left in the folder for temporary files" bash -c 'mkdir temporary && TMPDIR=$PWD/temporary NVCC=./says-ptxas "$PATC" --resources --arch=sm_90 --dump=kir one.pat >/dev/null 2>&1 && rmdir temporary'
check "resources of the cpu: usage" status 2 "$PATC" --target=cpu --resources --dump=kir one.pat
nvcc=$(. "$TESTS/need.sh"; find_nvcc)
if [ -n "$nvcc" ]; then
	check "registers, by nvcc" says ', [1-9][0-9]* registers a thread, nothing spilled, ' \
		env NVCC="$nvcc" "$PATC" --resources --dump=kir one.pat
fi
check "an unknown machine: usage, with the known ones" status 2 "$PATC" --remarks --machine=ENIAC one.pat
check "and their names" grep -q 'H200, H100' said
check "the cpu has none" status 2 "$PATC" --target=cpu --remarks --machine=H200 one.pat
check "another form of remarks: usage" status 2 "$PATC" --remarks=xml one.pat
cat >two.pat <<'END'
kernel two(x: f32[n], out y: f32) { reduce y = sum[i](x[i]); }
END
echo kernel >bad.pat
json() { local want=$1 got; shift; "$PATC" --remarks=json "$@" 2>/dev/null >said
	got=$(python3 -c 'import json, sys; d = json.load(sys.stdin); print([p["file"] for p in d] if isinstance(d, list) else d["file"])' <said) || return
	[ "$got" = "$want" ] || { echo "$got, not $want"; return 1; }; }
check "JSON of one program is an object" json one.pat one.pat
check "JSON of two programs is a list" json "['one.pat', 'two.pat']" one.pat two.pat
check "JSON of two programs, one of them wrong" json "['two.pat']" bad.pat two.pat
check "JSON of wrong programs alone" json "[]" bad.pat bad.pat
check "JSON and the source on one stream: usage" status 2 "$PATC" --remarks=json -o - one.pat
cat >page.py <<'END'
import html.parser, sys
class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.ids, self.links, self.text, self.open = [], [], "", []
    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.ids += [attrs["id"]] if "id" in attrs else []
        self.links += [attrs["href"][1:]] if "href" in attrs else []
        self.open += [tag] if tag != "meta" else []
    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag
    def handle_data(self, data):
        self.text += data
page = Page()
page.feed(sys.stdin.buffer.read().decode())
assert not page.open and len(set(page.ids)) == len(page.ids)
assert page.links and set(page.links) <= set(page.ids), set(page.links) - set(page.ids)
for words in sys.argv[1:]:
    assert words in page.text, words
END
page() { local words=("${@:3}"); "$PATC" --target="$1" --remarks=html "$2" 2>said >page.html && [ ! -s said ] && python3 page.py "${words[@]}" <page.html; }
check "a page of remarks and the text: cuda" page cuda ranked.pat 'fuse: no (8 B a cell)' 'x[i] > 0' '<cuda_runtime.h>' ranked_map1
check "a page of remarks and the text: cpu" page cpu ranked.pat 'fuse: no (8 B a cell)' PATC_PARALLEL
check "a page does not change what -o writes" bash -c '"$PATC" -o a.cu one.pat && "$PATC" --remarks=html -o b.cu --header=a.h one.pat >page.html && cmp a.cu b.cu'
check "a page of a statement in a used file" bash -c 'echo "fn twice(x: f32) -> f32 = x < 0 ? 0 : 2 * x;" >used.pat
	printf "use \"used.pat\";\nkernel k(x: f32[n], out y: f32[n]) { map y[i] = twice(x[i]); }\n" >uses.pat
	"$PATC" --remarks=html uses.pat >page.html && python3 page.py "use \"used.pat\"" <page.html'
check "a page and the source on one stream: usage" status 2 "$PATC" --remarks=html -o - one.pat
check "a page of two programs: usage" status 2 "$PATC" --remarks=html one.pat two.pat
check "a wrong program has no page" bash -c '! "$PATC" --remarks=html bad.pat 2>said >page.html && [ ! -s page.html ]'
check "a page of an odd name" bash -c 'cp one.pat $'"'"'p"<\xff.pat'"'"' && "$PATC" --remarks=html --header=o.h -o o.cu p*.pat >page.html && python3 page.py <page.html'
check "a wrong program has no remarks" bash -c '"$PATC" --remarks bad.pat 2>said; ! grep -q remark: said'
check "odd names stay JSON" bash -c 'cp one.pat $'"'"'a"\xff\t.pat'"'"' && "$PATC" --remarks=json --header=o.h -o o.cu a*.pat | python3 -m json.tool'
