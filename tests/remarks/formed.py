"""formed.py FOLDER... - the remarks of programs, said.txt (all), missed.txt and said.json: every line and every field is of its form,
the three agree, and each statement with a kernel of its own hears from every pass that concerns all."""
import json
import re
import sys

PASSES = ["bin", "gather", "separate", "fuse", "layout", "regularise", "sweep", "walk", "stage", "symmetric", "tile", "privatise", "vectorise", "coarsen", "time", "loop", "way", "cse", "hoist", "divide", "together"]
SOME = {"bin", "gather", "separate", "layout", "privatise", "walk", "symmetric", "time", "loop", "way", "divide", "together"}  # concern few statements; time, loop, together: the first of a repeat; divide: those that divide floats; way: those with a table of ways
OF_KERNELS = {"cse", "hoist"}
MADE = ["_far", "_near", "_rows"]  # of a wavefront by blocks: by pass_sweep.c, after the passes before it
RELIEFS = [None, "bandwidth", "contention", "balance", "regularity", "efficiency"]


def bytes_text(cost):
    return f"{cost / 1024:.3g} KiB" if cost >= 1024 else f"{cost:.3g} B"


def ranked(misses):
    """What is not done, in the order of a kernel's lines: what is known to cost something first."""
    known = [bool(cost) for cost, _ in misses]
    assert known == sorted(known, reverse=True), misses


def judge_missed(text, lines, kernels):
    """lines: (kernel, verdict, line) of all of them."""
    at = 0
    for kernel in kernels:
        for _, _, line in [x for x in lines if x[0] == kernel and x[1] is None]:
            assert text[at].startswith(line), (text[at], line)
            at += 1
        want = {line: verdict[0] for k, verdict, line in lines if k == kernel and verdict and verdict[1]}
        count = sum(1 for k, verdict, _ in lines if k == kernel and verdict and verdict[1])
        ranked([(want[line], line) for line in text[at:at + count]])
        at += count
    assert at == len(text), (at, len(text))


ACCESS = r"`\w+` (coalesced|broadcast|at one place|strided( by ([\d.]+ (B|KiB)|`\w+`))?|random|unknown)( \((up to )?[\d.]+ B moved a byte used\))?"
LIST = f"{ACCESS}(, {ACCESS})*"
KERNEL = re.compile(r"kernel of `\w+`(, `\w+`)*: \d+ threads a block, (no|(at least )?[\d.]+ (B|KiB) of) shared memory, (\d+ registers a thread, (nothing|\d+ bytes) spilled, )?\d+ blocks? a multiprocessor at most"
                    f"(; reads {LIST})?(; writes {LIST})?(; passes to functions {LIST})?"
                    r"(; data-dependent: \d+ (branch(es)?|loops?)( and \d+ loops?)?)?")
CAUSE = (r"strided cells of `\w+` waste (up to )?[\d.]+ (B|KiB) a (cell|term)|random places of `\w+`, \d+ B of memory each if no cache has them|atomic operations at random cells of `\w+`"
         r"|data decide how much is written|(blocks that share cells|blocks that fill tiles first|tiles that wait for the one before) reach [\d.]+ of a copy|[\d.e+]+ instructions a (cell|term)"
         r"|functions of several steps|bytes of `\w+` are turned one by one|[\d.]+ of the (cores|matrix units)' rate is reached|too few blocks: \d+ for \d+ multiprocessors|a launch takes [\d.]+ us|\d+ launches take [\d.]+ us")
EXPECTED = re.compile(r"not known: [^;]+(; at most [\d.]+ of the bound)?|(all|less than 0\.01|\d\.\d\d( to \d\.\d\d)?) of the bound "
                      rf"(at \d+ (cell|term)s?|from 2\^\d+ (cell|term)s on \(({CAUSE})\))(; the rest: ({CAUSE})(, ({CAUSE})){{0,2}})?")
LOOP = re.compile(r"_loop(_\d+)?$")     # all passes of a loop, by one block
KINDS = {"coalesced", "broadcast", "strided", "random", "unknown"}


def judge_kernels(text, program):
    """Lines of kernels; the others are given back."""
    told = [line for line in text if ": kernel of `" in line]
    assert len(told) == len(program["kernels"]), (len(told), len(program["kernels"]))
    names = {(s["kernel"], s["statement"]) for s in program["statements"]}
    for line, k in zip(told, program["kernels"]):
        start = f"{k.get('file', program['file'])}:{k['line']}:{k['column']}: remark: {k['name']}: "
        assert line.startswith(start) and KERNEL.fullmatch(line[len(start):]), line
        assert k["statements"] and all((k["kernel"], s) in names for s in k["statements"]), k
        assert line.count("`") == 2 * (len(k["statements"]) + len(k["accesses"]) + sum("scale" in a for a in k["accesses"])), line
        for a in k["accesses"]:
            assert a["way"] in ("read", "write", "function") and a["kind"] in KINDS and a["moved"] >= 1, a
            assert a["kind"] == "strided" or not ("stride" in a or "scale" in a), a
    return [line for line in text if line not in told]


def judge_expected(text, program):
    """Lines of what is expected, as they are in JSON; the others are given back."""
    told = [line for line in text if ": expected: " in line]
    want = []
    for s in program["statements"]:
        e = s.get("expected")
        assert e is None or s["bound"] and s["group"] == s["statement"], s
        if not e:
            continue
        want.append(f"{s.get('file', program['file'])}:{s['line']}:{s['column']}: remark: {s['statement']}: expected: {e['text']}")
        assert EXPECTED.fullmatch(e["text"]), e["text"]
        parts = [r["part"] for r in e["reasons"]]
        assert parts == sorted(parts, reverse=True) and all(0.02 <= p <= 1 for p in parts) and len(parts) <= 3, e
        assert ("low" in e) == ("from" in e or "at" in e) == (not e["text"].startswith("not known")), e
        assert "low" not in e or 0 <= e["low"] <= e["share"] <= 1.0001, e
    assert sorted(told) == sorted(want), [x for x in told + want if told.count(x) != want.count(x)]
    return [line for line in text if line not in told]


def judge(text, program, missed):
    assert sorted(program) == ["arch", "file", "kernels", "machine", "statements", "target"], sorted(program)
    text, missed = (judge_expected(judge_kernels(x, program), program) for x in (text, missed))
    assert program["target"] != "cpu" or not program["kernels"]
    assert program["machine"] is None or set(program["machine"]) == {"name", "copy", "read", "f32", "f64", "units", "reached"}
    lines, verdicts = [], []               # of a line: (kernel, None or (cost, missed), line)
    names = {(s["kernel"], s["statement"]) for s in program["statements"]}
    for s in program["statements"]:
        place = f"{s.get('file', program['file'])}:{s['line']}:{s['column']}: remark: {s['statement']}: "
        lines.append(place + s["pattern"] + ", ")
        if s["note"]:
            lines.append(f"{place}note: {s['note']}")
        verdicts += [(s["kernel"], None, line) for line in lines[len(verdicts):]]
        own = s["group"] == s["statement"]
        assert (s["kernel"], s["group"]) in names
        if own:
            assert s["unit"] in ("cell", "term") and isinstance(s["exact"], bool)
            assert all(s[k] >= 0 for k in ("read", "written", "f32", "f64", "integer", "united"))
            assert s["united"] <= s["f32"] + s["f64"] + s["integer"]
            assert abs(sum(s["operations"].values()) - s["f32"] - s["f64"] - s["integer"]) < 1e-6
            assert s["bound"] in (None, "memory-bound", "compute-bound")
            assert (s["bound"] is None) == ("per_second" not in s)
            assert program["machine"] or not s["bound"]
        heard = [p["pass"] for p in s["passes"]]
        made = any((s["kernel"], s["statement"].removesuffix(part)) in names for part in MADE if s["statement"].endswith(part))
        all_of = {"sweep", "stage", "tile", "vectorise", "coarsen"} if made else set(PASSES) - SOME if own else {"fuse"}
        if program["target"] != "cpu" and not any(k["kernel"] == s["kernel"] and s["statement"] in k["statements"] and not LOOP.search(k["name"]) for k in program["kernels"]):
            all_of -= OF_KERNELS           # one block always runs its loop: it has no kernel of its own
        assert set(heard) - SOME == all_of, (s["statement"], heard)
        assert "gather" in heard or s["pattern"] != "scatter"
        assert heard == sorted(heard, key=PASSES.index)
        for p in s["passes"]:
            assert p["relieved"] in RELIEFS and (p["did"] or p["relieved"] is None) and p["text"]
            relief = f" ({p['relieved']})" if p["relieved"] else ""
            assert not (p["did"] and p["missed"]) and (p["missed"] or "cost" not in p) and p.get("cost", 1) > 0
            start = f"{place}{p['pass']}{relief}: {'' if p['did'] else 'no: '}"
            if "cost" in p:
                start = f"{place}{p['pass']}: no ({bytes_text(p['cost'])} a cell): "
            lines.append(start + p["text"])
            verdicts.append((s["kernel"], None if p["did"] else (p.get("cost"), p["missed"]), lines[-1]))
    judge_missed(missed, verdicts, list(dict.fromkeys(s["kernel"] for s in program["statements"])))
    assert len(lines) == len(text), (len(lines), len(text))
    for want, got in zip(lines, text):
        assert got.startswith(want), (want, got)
        if want.endswith(", "):
            rest = got[len(want):]
            assert re.fullmatch(r"(in the kernel of `\w+`|((memory|compute)-bound: )?(at least )?[\d.e+-]+ (B|KiB)( from caches)? and [\d.e+-]+ flop"
                                r"( and [\d.e+-]+ integer operations?)? a (cell|term)( on matrix units)?(, [\d.e+-]+ operations a byte(, [\d.e+-]+ (B|KiB) of memory a cell)?)?(, at most [\d.e+-]+ [GT](cell|term)/s on an? \S+)?)",
                                rest), rest
        else:
            assert want == got


for folder in sys.argv[1:]:
    with open(folder + "/said.txt", encoding="utf-8") as text, open(folder + "/said.json", encoding="utf-8") as program, \
            open(folder + "/missed.txt", encoding="utf-8") as missed:
        try:
            judge(text.read().splitlines(), json.load(program), missed.read().splitlines())
        except Exception:
            print(folder)
            raise
