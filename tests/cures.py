#!/usr/bin/env python3
"""cures.py PATC FILE... - what a help recommends is no error again.

Of each error of a wrong program the help's code is put in its place: a pin instead of the refused one, or beside it;
`inout y` instead of `out y`; one pattern's name instead of another's; `i64(...)` around what is wrong.  Then fewer
errors must be left.  A help without code, or one that leaves something open (`...`), is not tried."""
import re
import subprocess
import sys

ERROR = re.compile(r"^\S*\.pat:(\d+):(\d+): error\[(P\d+)\]: (.*)$")
PINS = r"(?:no )?(?:fuse|stage|sweep|walk|tile|vector|coarsen|layout|gather|privatise|pack|regularise|symmetric)\b"


def errors_of(patc, target, text):
    run = subprocess.run([patc, "-target=" + target, "-o", "/dev/null", "--header=/dev/null", "x.pat"], input=text,
                         capture_output=True, text=True, cwd=WORK)
    assert run.returncode in (0, 1), run.stderr
    found, marks = [], None
    for line in run.stderr.split("\n"):
        match = ERROR.match(line)
        if match:
            found.append({"line": int(match[1]), "col": int(match[2]), "code": match[3], "text": match[4], "help": "", "long": 1})
        elif found and re.match(r"^ *\| *\^", line) and found[-1]["long"] == 1:
            found[-1]["long"] = line.count("^") + line.count("~")
        elif found and line.startswith("  help: "):
            found[-1]["help"] = line[8:]
    return found


def with_line(text, line, change):
    lines = text.split("\n")
    lines[line - 1] = change(lines[line - 1])
    return "\n".join(lines)


def changes(text, error):
    """The texts that follow the help, each with what was changed."""
    line, at, cure = error["line"], error["col"] - 1, error["help"]
    for code, too in re.findall(r"`(" + PINS + r"[^`]*)`( too)?", cure):
        here = text.split("\n")[line - 1]
        if not error["code"].startswith("P06") or not re.match(PINS, here[at:]):
            continue
        stop = at + re.search(r"[,;}]|$", here[at:]).start()
        own = here[at:stop] if too else ""
        yield code, with_line(text, line, lambda s: s[:at] + (own + ", " if own else "") + code + s[stop:])
    for code, old in re.findall(r"[Ww]rite `(\w+)` instead of `(\w+)`", cure):
        # the statement may have begun on a line before
        yield code, with_line(text, line, lambda s: re.sub(r"\b%s\b" % old, code, s, count=1))
    for name in re.findall(r"declare `inout (\w+)`", cure):
        # in the parameters of the kernel that the line is in
        start = text.rindex("kernel", 0, sum(len(l) + 1 for l in text.split("\n")[:line]))
        yield "inout", text[:start] + re.sub(r"\bout %s\b" % name, "inout " + name, text[start:], count=1)
    long = error["long"]
    for name in re.findall(r"convert explicitly: `(\w+)\(\.\.\.\)`", cure):
        yield name, with_line(text, line, lambda s: s[:at] + name + "(" + s[at:at + long] + ")" + s[at + long:])
    for guard in re.findall(r"guard it: `(.*?) \? .* : \.\.\.`", cure):
        yield guard, with_line(text, line, lambda s: s[:at] + "(" + guard + " ? " + s[at:at + long] + " : 0)" + s[at + long:])
    for clause in re.findall(r"(?:add|mask cells:|restrict with|say what stands outside,) `((?:where|boundary|for) [^`.]*(?:\.\.[^`]+)?)`", cure):
        word = clause.split()[0]
        stop = text.split("\n")[line - 1].find(";", at)
        if stop >= 0 and not re.search(r"\b%s\b" % word, text.split("\n")[line - 1][at:stop]):
            yield clause, with_line(text, line, lambda s: s[:stop] + " " + clause + s[stop:])


def main():
    patc, files = sys.argv[1], sys.argv[2:]
    tried = bad = 0
    for path in files:
        text = open(path, encoding="utf-8", errors="surrogateescape").read()
        if "\0" in text or any(0xd800 <= ord(c) < 0xe000 for c in text):
            continue
        target = re.match(r"// patc --target=(\w+)", text)
        target = target[1] if target else "cuda"
        write(text)
        before = errors_of(patc, target, None)
        for error in before:
            for code, changed in changes(text, error):
                tried += 1
                write(changed)
                after = errors_of(patc, target, None)
                # another code may be what the first one hid, but not of a pin
                same = [e for e in after if e["line"] == error["line"] and (e["code"] == error["code"] or e["code"].startswith("P06"))]
                if changed == text or len(after) >= len(before) and same:
                    bad += 1
                    print("%s:%d:%d %s: `%s` does not help: %s" % (path, error["line"], error["col"], error["code"], code,
                                                                  same[0]["text"] if same else "nothing changed"))
    print("%d cures tried, %d of them bad" % (tried, bad))
    return bad > 0 or tried < 40


def write(text):
    with open(WORK + "/x.pat", "w", encoding="utf-8") as out:
        out.write(text)


if __name__ == "__main__":
    import tempfile
    with tempfile.TemporaryDirectory() as WORK:
        sys.exit(main())
