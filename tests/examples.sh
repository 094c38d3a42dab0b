#!/usr/bin/env bash
# examples.sh - every example is built with its own Makefile, as a user would, and run on its own input.  Their
# kernels are compiled for the GPUs by the section compile; here the drivers are.
set -uo pipefail
. "$TESTS/lib.sh"

export OMP_WAIT_POLICY=passive               # other tests want the cores too
cp -r "$TOP/examples" "$WORK/examples"
chmod -R u+w "$WORK/examples"
rm -rf "$WORK"/examples/*/build-*
cd "$WORK/examples" || exit 1

# redrawn NAME FILE...: draw.py makes them again, byte for byte
redrawn() {
	mkdir "$1/again" && (cd "$1/again" && python3 ../draw.py) || return
	for file in "${@:2}"; do cmp "$1/$file" "$1/again/$file" || return; done
}

# example NAME: builds it, and asks what needs no input
example() {
	local name=$1 input
	check "example $name builds" make -s -C "$name" PATC="$PATC" CFLAGS='-O2 -Werror'
	[ -z "${NVCC:-}" ] || check "example $name builds its driver for cuda" make -s -C "$name" PATC="$PATC" \
		CFLAGS='-O2 -Werror' TARGET=cuda NVCC="$NVCC" build-cuda/main.o build-cuda/common.o
	[ -z "${HIPCC:-}" ] || check "example $name builds its driver for hip" make -s -C "$name" PATC="$PATC" \
		CFLAGS='-O2 -Werror' TARGET=hip HIPCC="$HIPCC" build-hip/main.o build-hip/common.o
	input=$(cd "$name" && ls input.* 2>/dev/null)
	[ -z "$input" ] || check "example $name: draw.py makes its input" redrawn "$name" $input
	check "example $name has a text of its use" bash -c "$name/build-cpu/$name --help | grep -q '^usage: $name '"
	check "example $name refuses an option it does not know" bash -c "$name/build-cpu/$name --what 2>/dev/null; [ \$? = 2 ]"
	[ -z "$input" ] || check "example $name refuses another kind of file" bash -c "$name/build-cpu/$name --no-measure $name/build-cpu/$name 2>/dev/null; [ \$? = 1 ]"
}
export -f redrawn example
each example $(dirname */Makefile)

# What README.md quotes of the pass time is what it says.
quoted() {
	grep ': remark: ' README.md >quoted && while IFS=: read -r file _; do
		"$PATC" -target=cuda --remarks --dump=kir "$file" 2>&1 >/dev/null | grep ': time\(:\| (\)'
	done <quoted >said && [ -s quoted ] && ! grep -vxFf said quoted
}
check "README.md quotes what patc remarks" quoted

# run NAME ARGUMENT...: in its folder, for what it prints
run() { (cd "$1" && "./build-cpu/$1" "${@:2}"); }
# a picture that is one, and is not a plain area
picture() { head -c 8 "$1" | grep -q PNG && [ "$(wc -c <"$1")" -gt "${2:-1000}" ]; }
export -f run picture

check "adi lets a wave fade as it must" run adi --no-measure
check "adi takes a single column" run adi --no-measure --columns=1 --steps=3
check "heat settles" bash -c 'run heat --eps=1e-2 --no-measure | grep -q " settled within"'
check "heat writes its pictures" bash -c 'picture heat/before.png && picture heat/after.png && ! cmp -s heat/before.png heat/after.png'
check "heat is quiet without a terminal" bash -c '[ -z "$(run heat --steps=10 --no-measure 2>&1 >/dev/null)" ]'
check "heat measures itself" bash -c 'run heat --steps=1 | grep -qE "Gcell/s; that moves [0-9.]+ GB/s"'
check "heat refuses what is no number" bash -c '! run heat --eps=warm 2>/dev/null'
check "heat says when a picture cannot be written" bash -c '! run heat --no-measure --steps=1 --after=/nowhere/x.png 2>/dev/null'

check "photo agrees with plain loops" run photo --check --no-measure
check "photo writes its pictures" bash -c 'picture photo/soft.png 20000 && picture photo/edges.png'
check "ocean agrees with plain loops" run ocean --check --no-measure --eps=1e-7
check "ocean's sweeps are few" bash -c 'run ocean --no-measure | grep -qE " converged after [1-4][0-9][0-9] sweeps"'
check "ocean stops at its limit" bash -c 'run ocean --no-measure --sweeps=7 | grep -q " not converged after 7 sweeps"'
check "ocean writes its picture" picture ocean/psi.png 5000
check "wave agrees with a known wave and with coupled equations" run wave --check --no-measure --across=40 --steps=200
check "wave writes its picture" picture wave/slice.png 5000
check "flow agrees with Poiseuille, and its layouts with each other" run flow --check --no-measure --steps=300
check "flow agrees with Poiseuille in planes too" run flow --check --no-measure --steps=300 --layout=soa
check "flow writes its picture" picture flow/turn.png 5000
check "flow says when it goes too fast" bash -c '! run flow --no-measure --steps=400 --speed=0.3 --viscosity=0.0001 2>/dev/null'
check "filter agrees with plain loops" run filter --check --no-measure
check "filter writes its sound and its picture" bash -c '[ "$(wc -c <filter/filtered.wav)" = "$(wc -c <filter/input.wav)" ] && ! cmp -s filter/filtered.wav filter/input.wav && picture filter/level.png 2000'
check "filter takes the hum out" bash -c 'cd filter && ./build-cpu/filter --no-measure --low=400 >/dev/null && mv filtered.wav low.wav && ./build-cpu/filter --no-measure --low=10 >/dev/null && ! cmp -s low.wav filtered.wav'
check "filter refuses what no recording holds" bash -c '! run filter --no-measure --high=9000 2>/dev/null'
check "table agrees with a plain loop" run table --check --no-measure
check "table sees what is wrong" bash -c "printf 'a,b\n\"x\"y,2\n' >table/bad.csv && run table --check --no-measure bad.csv | grep -q ' 2 lines, 4 fields, 2 bytes in quotes, 1 wrong'"
check "table takes an empty file" bash -c ': >table/empty.csv && run table --check --no-measure empty.csv | grep -q " 0 fields"'
check "cloud agrees with a plain loop" run cloud --check --no-measure
check "cloud writes its picture" picture cloud/kept.png 5000
check "cloud keeps nothing from above the tops" bash -c 'run cloud --check --no-measure --clear=500 | grep -q " 0 stand on the ground"'
check "cg solves both" bash -c 'run cg --check --no-measure | grep -c ": solved after" | grep -qx 2'
check "cg stops at its limit" bash -c 'run cg --no-measure --passes=7 | grep -c " not solved after 7 passes" | grep -qx 2'
check "cg draws how it converged" bash -c 'grep -c polyline cg/convergence.svg | grep -qx 2'
check "align agrees with plain loops" run align --check --no-measure
check "align agrees with plain loops when gaps are cheap" run align --check --no-measure --open=2 --extend=1
check "align finds the relatives first" bash -c 'run align --no-measure --hits=4 | grep -c "  REL" | grep -qx 4'
check "align takes a database with an empty protein" bash -c "printf '>a\nWW\n>none\n' >align/two.fasta && run align --check --no-measure input.query.fasta two.fasta | grep -qE '^ +0  none'"
check "align shows where the two differ" bash -c "printf '>a\nWWHEAGAWGHEE\n' >align/q.fasta && printf '>b\nWWHEGAWGHEE\n' >align/d.fasta && run align --no-measure --open=1 q.fasta d.fasta | grep -q '1 WWHE-GAWGHEE 11'"
check "boxblur agrees with plain loops" run boxblur --check --no-measure --radius=9
check "boxblur writes its picture" picture boxblur/soft.png 5000
check "boxblur leaves the picture alone when the square is a pixel" bash -c "run boxblur --check --no-measure --radius=0 --soft=same.png && picture boxblur/same.png 20000"
check "boxblur agrees when the square is larger than the picture" bash -c "PYTHONPATH=common python3 -c 'import picture; picture.write(\"tiny.png\", [[(9 * i * i % 256, 7 * j, 255) for j in range(5)] for i in range(17)])' && run boxblur --check --no-measure --radius=400 ../tiny.png"
check "plate agrees with plain loops" run plate --check --no-measure --eps=1e-2
check "plate settles by all three methods, by over-relaxation soonest" bash -c 'run plate --no-measure --eps=1e-4 | sed -n "s/.* settled after \\([0-9]*\\) sweeps.*/\\1/p" | tee plate/sweeps | wc -l | grep -qx 3 && sort -rn -c plate/sweeps'
check "plate stops at its limit" bash -c 'run plate --no-measure --sweeps=7 | grep -c " not settled after 7 sweeps" | grep -qx 3'
check "plate writes its picture and its plot" bash -c 'picture plate/settled.png && grep -c polyline plate/convergence.svg | grep -qx 3'
check "warp agrees with plain loops" run warp --check --no-measure
check "warp draws its way" bash -c 'grep -c polyline warp/path.svg | grep -qx 1'
check "warp leaves a recording alone that is the other one" bash -c 'run warp --check --no-measure input.one.wav input.one.wav | grep -q " 0.00 decibels apart .* 0.00 s late"'
check "warp refuses recordings of two rates" bash -c '! run warp --no-measure input.one.wav ../filter/input.wav 2>/dev/null'
# ours NAME, both NAME: what ldiff and diff say of its old and its new text
ours() { run ldiff --no-measure "$1.old" "$1.new" | sed "/^cpu: /d"; }
both() { cmp <(ours "$1") <(cd ldiff && diff -d "$1.old" "$1.new"); }
export -f ours both
check "ldiff agrees with another algorithm" run ldiff --check --no-measure
check "ldiff keeps as many lines as diff" bash -c '[ "$(run ldiff --no-measure | grep -c "^<")" = "$(diff -d ldiff/input.old.txt ldiff/input.new.txt | grep -c "^<")" ]'
check "ldiff prints changes as diff does" bash -c 'printf "%s\n" a b c d e f g >ldiff/x.old; printf "%s\n" 0 a b C C d f g h i >ldiff/x.new; both x'
check "ldiff minds the end of the last line" bash -c 'printf "a\nb" >ldiff/y.old; printf "a\nb\n" >ldiff/y.new; both y'
check "ldiff takes an empty text" bash -c 'printf "a\nb\n" >ldiff/z.old; : >ldiff/z.new; both z && run ldiff --check --no-measure z.new z.old && run ldiff --check --no-measure z.new z.new'
check "ldiff has nothing to say of the same text" bash -c '[ "$(run ldiff --no-measure input.old.txt input.old.txt)" = "cpu: 355 lines became 355, 355 of them stayed" ]'
check "suffix_array agrees with strcmp" run suffix_array --check --no-measure
check "suffix_array finds the longest phrase first" bash -c 'run suffix_array --no-measure --phrases=1 | grep -q "^2 times: This article shall be inoperative unless .* its submission$"'
check "suffix_array finds all places" bash -c '[ "$(run suffix_array --no-measure --find="the Congress" | grep -c ": .*the Congress")" = "$(tr -s "[:space:]" " " <suffix_array/constitution.txt | grep -o "the Congress" | wc -l)" ]'
check "suffix_array takes a text of one letter, and an empty one" bash -c "printf 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' >suffix_array/a.txt && : >suffix_array/empty.txt && run suffix_array --check --no-measure a.txt && run suffix_array --check --no-measure empty.txt"
check "suffix_array refuses another kind of file" bash -c '! run suffix_array --no-measure build-cpu/suffix_array 2>/dev/null'
check "spgemm agrees with plain loops" bash -c 'run spgemm --check --no-measure | grep -q " 698 cells of 1212 products"'
check "spgemm agrees with plain loops in a network of long rows" run spgemm --check --no-measure --nodes=2000
check "spgemm names who ought to meet" bash -c 'run spgemm --no-measure --pairs=1 | grep -q "^3 and 34 do not meet, and have 6 "'
check "spgemm takes an empty graph" bash -c ': >spgemm/empty.txt && run spgemm --check --no-measure empty.txt | grep -q " 0 cells of 0 products"'
check "spgemm refuses another kind of file" bash -c '! run spgemm --no-measure build-cpu/spgemm 2>/dev/null'
check "sgemm agrees with plain loops" bash -c 'run sgemm --check --no-measure --rows=37 --columns=150 --terms=300 | grep -c " off by 0, 0 is allowed" | grep -qx 4'
check "sgemm takes a product of no terms" run sgemm --check --no-measure --rows=5 --columns=6 --terms=0
check "sgemm climbs" bash -c 'run sgemm --rows=200 --columns=200 --terms=200 | grep -q "times the rung below" && grep -c circle sgemm/climb.svg | grep -qx 2'
check "equalise agrees with plain loops" run equalise --check --no-measure
check "equalise leaves half of the pixels in the darker half" bash -c 'run equalise --no-measure | grep -q "half of them darker than 27 of 255, then than 12[78]$"'
check "equalise writes its picture" picture equalise/even.png 5000
check "equalise takes a picture of one colour" bash -c "PYTHONPATH=common python3 -c 'import picture; picture.write(\"black.png\", [[(0, 0, 0)] * 7] * 3)' && run equalise --check --no-measure ../black.png"
check "equalise refuses another kind of file" bash -c '! run equalise --no-measure build-cpu/equalise 2>/dev/null'
check "rotate agrees with plain loops" run rotate --check --no-measure
check "rotate agrees with plain loops when the picture is turned far" run rotate --check --no-measure --angle=-137.3
check "rotate writes its picture" picture rotate/turned.png 20000
check "rotate by nothing leaves the picture alone" bash -c 'run rotate --check --no-measure --angle=0 --turned=same.png && run equalise --no-measure --even=a.png ../rotate/same.png && run equalise --no-measure --even=b.png ../photo/input.png && cmp equalise/a.png equalise/b.png'
check "particles agree with plain loops" run particles --check --no-measure --stars=3000
check "particles write what the sky looks like" bash -c 'picture particles/before.png && picture particles/after.png && ! cmp -s particles/before.png particles/after.png'
check "particles stay where they are without a step" bash -c 'run particles --check --no-measure --stars=1000 --steps=0 && cmp particles/before.png particles/after.png'
check "barnes_hut agrees with all pairs, and keeps the energy" run barnes_hut --check --no-measure --bodies=2000 --steps=50
check "barnes_hut opens all nodes, and is as exact as all pairs" bash -c 'run barnes_hut --check --no-measure --bodies=700 --steps=1 --open=0 | grep -qE "pulls: off by ([0-9.]+e-0[5-9]|0),"'
check "barnes_hut writes how the sky looks" bash -c 'picture barnes_hut/before.png && picture barnes_hut/after.png && ! cmp -s barnes_hut/before.png barnes_hut/after.png'
check "barnes_hut makes a film, and takes a single body" bash -c 'run barnes_hut --no-measure --bodies=1 --steps=25 --film=film && picture barnes_hut/film0002.png 100'
check "rays agree with all triangles, and make a picture" bash -c 'run rays --check --no-measure --wide=96 --high=64 --samples=4 && picture rays/picture.png 5000'
check "rays measure themselves, in a small scene" bash -c 'run rays --detail=1 --wide=20 --high=10 --samples=1 --bounces=0 | grep -c "Mrays/s" | grep -qx 6'
check "rays count the passes of warps" bash -c 'run rays --detail=2 --no-measure --count --wide=40 --high=20 --samples=1 --bounces=0 | grep -c "lanes walk" | grep -qx 6'
check "search agrees with bsearch" run search --check --no-measure --keys=30001 --asked=50000
check "search takes a single key" run search --check --no-measure --keys=1 --asked=1
check "search measures itself" bash -c 'run search --keys=1000 --asked=100 | grep -c "Mkeys/s" | grep -qx 7'
check "spectrum agrees with plain loops" run spectrum --check --no-measure
check "spectrum writes its pictures" bash -c 'picture spectrum/normal.png 20000 && picture spectrum/weight.png 1500'
check "spectrum weighs all tones alike when they are told not to be sharp" run spectrum --check --no-measure --sharpness=0
check "spectrum refuses another kind of file" bash -c '! run spectrum --no-measure build-cpu/spectrum 2>/dev/null'
check "attention agrees with plain loops" run attention --check --no-measure
check "attention foretells letters, and draws what it looks back at" bash -c 'run attention --no-measure | grep -Eq "1[01][0-9] of 400 letters foretold" && picture attention/map.png 10000'
check "attention takes a single place" run attention --check --no-measure --places=1
check "attention refuses an empty text" bash -c ': >empty.txt && ! run attention --no-measure ../empty.txt 2>/dev/null'
check "quantised agrees with plain loops" run quantised --check --no-measure --side=40
check "quantised recalls pictures, and draws them" bash -c 'run quantised --no-measure --side=40 --wrong=35 | grep -q " right, recalled 100.00 %, by f32 100.00 %$" && picture quantised/recalled.png 10000'
check "quantised shows what it is shown without a step" bash -c 'run quantised --no-measure --side=16 --steps=0 --wrong=100 | grep -q ": 0.00 % right, recalled 0.00 %, "'
check "quantised measures itself" bash -c 'run quantised --side=16 | grep -qE "weights of 4 bits: [0-9.e-]+ Gcell/s; that moves [0-9.]+ GB/s"'
check "quantised refuses sides that are no multiple of 8" bash -c '! run quantised --no-measure --side=20 2>/dev/null'
check "classify agrees with plain loops" run classify --check --no-measure
check "classify learns, and finds the window's frame" bash -c 'run classify --no-measure >classify/told && grep -qE "as many others: (9[5-9]|100)\.[0-9] % right" classify/told && grep -cx "\.\{13\}|...|.*" classify/told | grep -qx 3 && grep -qx "\.\{13\}-----.*" classify/told && picture classify/classes.png 20000'
check "classify takes all tiles for the same before it has learned" bash -c 'run classify --check --no-measure --steps=0 | grep -q ": 260 tiles: 260 bright"'
check "classify measures itself" bash -c 'run classify --steps=10 | grep -qE " Mpixel/s, [0-9.e+]+ Gflop/s$"'
check "classify refuses another kind of file, and too small a picture" bash -c '! run classify --no-measure build-cpu/classify 2>/dev/null && ! run classify --no-measure ../tiny.png 2>/dev/null'
check "concordance agrees with plain loops" run concordance --check --no-measure
check "concordance names the lines" bash -c 'run concordance --no-measure --find=liberty | grep -qx "liberty $(grep -niw liberty suffix_array/constitution.txt | cut -d: -f1 | paste -sd, | sed "s/,/, /g")"'
check "concordance counts a line's words" bash -c "printf 'a b a\n\nb\n\n' >concordance/x.txt && run concordance --check --no-measure --letters=1 x.txt | grep -qx 'a 1 (2 times)'"
check "concordance takes an empty text" bash -c ': >concordance/empty.txt && run concordance --check --no-measure empty.txt'
check "concordance refuses another kind of file" bash -c '! run concordance --no-measure build-cpu/concordance 2>/dev/null'
check "bfs agrees with a plain queue" run bfs --check --no-measure
check "bfs agrees with a plain queue in a small graph of many edges" run bfs --check --no-measure --scale=3 --edges=100
check "bfs goes bottom up where a level has most edges" bash -c 'run bfs --no-measure | grep -q "^level 1: 433807 edges, bottom up$"'
check "bfs draws the streets and its levels" bash -c 'picture bfs/reached.png 5000 && grep -c polyline bfs/levels.svg | grep -qx 1'
check "bfs counts edges a second" bash -c 'run bfs --scale=10 | grep -cE "ms a search, [0-9.e+]+ MTEPS$" | grep -qx 2'
check "bfs refuses streets without a square" bash -c '! run bfs --no-measure ../black.png 2>/dev/null'
check "components agree with a plain union of sets" run components --check --no-measure
check "components agree with a plain union of sets in one vertex" bash -c 'run components --check --no-measure --scale=0 --edges=0 | grep -c " 1 parts, the largest of 1," | grep -qx 3'
check "components count edges a second" bash -c 'run components --scale=10 | grep -cE " ms, [0-9.e+]+ MTEPS$" | grep -qx 3'
check "pagerank agrees with plain loops by both numberings" bash -c 'run pagerank --check --no-measure | grep -c "check: ranks: " | grep -qx 2'
check "pagerank stops at its limit" bash -c 'run pagerank --check --no-measure --passes=7 | grep -c " not settled after 7 passes" | grep -qx 2'
check "pagerank agrees with plain loops without edges" run pagerank --check --no-measure --scale=5 --edges=0
check "pagerank counts edges a second" bash -c 'run pagerank --scale=10 | grep -cE " ms a pass, [0-9.e+]+ MTEPS$" | grep -qx 2'
check "sssp agrees with a plain queue" run sssp --check --no-measure
check "sssp agrees with a plain queue in buckets of one distance" run sssp --check --no-measure --scale=8 --delta=1
check "sssp agrees with a plain queue in one bucket" run sssp --check --no-measure --delta=1000000
check "sssp counts edges a second" bash -c 'run sssp --scale=8 | grep -cE "ms a search, [0-9.e+]+ MTEPS$" | grep -qx 3'
check "gray_scott agrees with a known wave and with plain loops" run gray_scott --check --no-measure --steps=100
check "gray_scott's spots divide" bash -c 'run gray_scott --no-measure | sed -n "s/.* step .*, \([0-9]*\) spots$/\1/p" >gray_scott/spots && sort -n -u -c gray_scott/spots && [ "$(head -1 gray_scott/spots)" = 4 ] && [ "$(tail -1 gray_scott/spots)" -gt 200 ]'
check "gray_scott writes its film" bash -c 'picture gray_scott/film0000.png && picture gray_scott/film0010.png 20000 && [ ! -e gray_scott/film0011.png ]'
check "gray_scott draws stripes where more is killed" bash -c 'run gray_scott --no-measure --mixture=stripes --frames=1 --film=stripes && picture gray_scott/stripes0000.png 50000'
check "gray_scott goes on without drops" bash -c 'run gray_scott --no-measure --feed=0 --kill=1 --steps=200 --frames=2 | grep -q "step 200, 0 spots"'
check "gray_scott refuses a mixture that it does not know" bash -c 'run gray_scott --mixture=soup 2>/dev/null; [ $? = 2 ]'
check "life agrees with what is known of it, and with plain loops" run life --check --no-measure
check "life's gun shoots a glider every 30 generations" bash -c 'run life --no-measure | sed -n "s/.* \\([0-9]*\\) live$/\\1/p" | cmp - <(seq 36 5 86) && picture life/film0010.png'
check "life's glider comes back round the world" bash -c 'run life --no-measure --pattern=glider --frames=2 && cmp life/film0000.png life/film0001.png && run life --no-measure --pattern=glider --generations=126 --frames=2 && ! cmp -s life/film0000.png life/film0001.png'
check "life's soup thins out" bash -c 'run life --no-measure --pattern=soup --size=128 | sed -n "s/.* \\([0-9]*\\) live$/\\1/p" | sed -n "1p;\$p" | sort -n -r -c'
check "life measures itself" bash -c 'run life --generations=0 --frames=1 | grep -qE "Gcell/s; that moves [0-9.]+ GB/s"'
check "life refuses a pattern that it does not know" bash -c 'run life --pattern=maze 2>/dev/null; [ $? = 2 ]'
