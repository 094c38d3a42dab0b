"""formed.py FOLDER... - the remarks of programs, said.txt and said.json: every line and every field is of its form, the two agree,
and each statement with a kernel of its own hears from every pass that concerns all."""
import json
import re
import sys

PASSES = ["bin", "gather", "separate", "fuse", "layout", "regularise", "sweep", "stage", "tile", "privatise", "vectorise", "coarsen", "time", "loop", "way", "cse", "hoist", "divide", "together"]
SOME = {"bin", "gather", "separate", "layout", "privatise", "time", "loop", "way", "divide", "together"}  # concern few statements; time, loop, together: the first of a repeat; divide: those that divide floats; way: those with a table of ways
MADE = ["_far", "_near", "_rows"]  # of a wavefront by blocks: by pass_sweep.c, after the passes before it
RELIEFS = [None, "bandwidth", "contention", "balance", "regularity", "efficiency"]


def judge(text, program):
    assert sorted(program) == ["arch", "file", "machine", "statements", "target"], sorted(program)
    assert program["machine"] is None or set(program["machine"]) == {"name", "copy", "read", "f32", "f64"}
    lines = []
    names = {(s["kernel"], s["statement"]) for s in program["statements"]}
    for s in program["statements"]:
        place = f"{program['file']}:{s['line']}:{s['column']}: remark: {s['statement']}: "
        lines.append(place + s["pattern"] + ", ")
        if s["note"]:
            lines.append(f"{place}note: {s['note']}")
        own = s["group"] == s["statement"]
        assert (s["kernel"], s["group"]) in names
        if own:
            assert s["unit"] in ("cell", "term") and isinstance(s["exact"], bool)
            assert all(s[k] >= 0 for k in ("read", "written", "f32", "f64", "integer"))
            assert abs(sum(s["operations"].values()) - s["f32"] - s["f64"] - s["integer"]) < 1e-6
            assert s["bound"] in (None, "memory-bound", "compute-bound")
            assert (s["bound"] is None) == ("per_second" not in s)
            assert program["machine"] or not s["bound"]
        heard = [p["pass"] for p in s["passes"]]
        made = any((s["kernel"], s["statement"].removesuffix(part)) in names for part in MADE if s["statement"].endswith(part))
        all_of = {"sweep", "stage", "tile", "vectorise", "coarsen"} if made else set(PASSES) - SOME if own else {"fuse"}
        assert set(heard) - SOME == all_of, (s["statement"], heard)
        assert "gather" in heard or s["pattern"] != "scatter"
        assert heard == sorted(heard, key=PASSES.index)
        for p in s["passes"]:
            assert p["relieved"] in RELIEFS and (p["did"] or p["relieved"] is None) and p["text"]
            relief = f" ({p['relieved']})" if p["relieved"] else ""
            lines.append(f"{place}{p['pass']}{relief}: {'' if p['did'] else 'no: '}{p['text']}")
    assert len(lines) == len(text), (len(lines), len(text))
    for want, got in zip(lines, text):
        assert got.startswith(want), (want, got)
        if want.endswith(", "):
            rest = got[len(want):]
            assert re.fullmatch(r"(in the kernel of `\w+`|((memory|compute)-bound: )?(at least )?[\d.e+-]+ (B|KiB)( from caches)? and [\d.e+-]+ flop"
                                r"( and [\d.e+-]+ integer operations?)? a (cell|term)(, at most [\d.e+-]+ [GT](cell|term)/s on an? \S+)?)",
                                rest), rest
        else:
            assert want == got


for folder in sys.argv[1:]:
    with open(folder + "/said.txt", encoding="utf-8") as text, open(folder + "/said.json", encoding="utf-8") as program:
        try:
            judge(text.read().splitlines(), json.load(program))
        except Exception:
            print(folder)
            raise
