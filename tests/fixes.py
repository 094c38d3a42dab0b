#!/usr/bin/env python3
"""fixes.py PATC DIAG_DEF FILE... - what `patc --fix` writes is right.

Each wrong program, those of --explain and of the manual too, is copied and fixed; warnings count as errors.  Then the lines that were fixed
have fewer errors of that code than before, every other line is as before, what is said is what patc says of the file now, and
another --fix changes nothing.  Of each code that has fixes some program must be accepted after --fix.  The last line is how many codes
have fixes, at least LEAST."""
import os
import re
import subprocess
import sys
import tempfile

ERROR = re.compile(rb"^\S*?:(\d+):\d+: error\[(P\d+)\]", re.M)
FIXED = re.compile(rb"^\S*?:(\d+):\d+: fixed\[(P\d+)\]", re.M)
LEAST = 100


def explained(patc, table):
    for code in re.findall(r"^DIAG\((\d+),", open(table).read(), re.M):
        text = subprocess.run([patc, "--explain", "P%04d" % int(code)], capture_output=True).stdout
        wrong = re.search(rb"^This (?:fails|is warned of):\n\n(.*?)(?=^This (?:works|is not)|\Z)", text, re.M | re.S)
        if wrong:
            yield "--explain P%04d" % int(code), re.sub(rb"^    ", b"", wrong[1], flags=re.M)


def manual(folder):
    for page in sorted(os.listdir(folder)):
        text = open(os.path.join(folder, page), encoding="utf-8").read()
        for code, program in re.findall(r'^\.\\" example (P\d+)[^\n]*\n\.EX\n(.*?)^\.EE', text, re.M | re.S):
            for roff, plain in (("\\-", "-"), ("\\(ha", "^"), ("\\(ti", "~"), ("\\(dq", '"'), ("\\(aq", "'"), ("\\(ga", "`"), ("\\e", "\\")):
                program = program.replace(roff, plain)
            yield "%s %s" % (page, code), program.encode()


def fix(patc, target, path, *options):
    run = subprocess.run([patc, "--target=" + target, *options, path], capture_output=True)
    assert run.returncode in (0, 1), run.stderr
    return run.returncode, run.stderr


def faults(patc, name, text, work, applied, accepted):
    """What is wrong with the fixes of a program; the codes that have some."""
    path = os.path.join(work, "x.pat")
    warn = ["-Wall", "-Werror"] if "/warn/" in name or " P08" in name else []
    target = re.match(rb"// patc --target=(\w+)", text)
    target = target[1].decode() if target else "cuda"
    open(path, "wb").write(text)
    _, before = fix(patc, target, path, *warn, "-o", "/dev/null", "--header=/dev/null")
    status, said = fix(patc, target, path, *warn, "--fix")
    fixed = FIXED.findall(said)
    now = open(path, "rb").read()
    errors = re.sub(rb"^.*: fixed\[.*\n", b"", said, flags=re.M)
    left = ERROR.findall(errors)
    applied.update(code.decode() for _, code in fixed)
    if fixed and status == 0:
        accepted.update(code.decode() for _, code in fixed)
    for place in sorted(set(fixed)):
        if place in left and left.count(place) >= ERROR.findall(before).count(place):
            yield "line %s has its %s still" % (place[0].decode(), place[1].decode())
    lines, lines_now, changed = text.split(b"\n"), now.split(b"\n"), {int(line) for line, _ in fixed}
    if len(lines) != len(lines_now) or any((a != b) != (k in changed) for k, (a, b) in enumerate(zip(lines, lines_now), 1)):
        yield "other lines have changed than it says"
    if fix(patc, target, path, *warn, "-o", "/dev/null", "--header=/dev/null") != (status, errors):
        yield "it says something else of the fixed program than patc does"
    if b": fixed[" in fix(patc, target, path, *warn, "--fix")[1] or open(path, "rb").read() != now:
        yield "once more changes it again"


def main():
    patc, table, files = sys.argv[1], sys.argv[2], sys.argv[3:]
    top = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(table))))
    programs = [(path, open(path, "rb").read()) for path in files]
    programs += [*explained(patc, table), *manual(os.path.join(top, "man"))]
    bad, applied, accepted = 0, set(), set()
    with tempfile.TemporaryDirectory() as work:
        for name, text in programs:
            for fault in faults(patc, name, text, work, applied, accepted):
                bad += 1
                print("%s: --fix: %s" % (name, fault))
    for code in sorted(applied - accepted):
        bad += 1
        print("%s: no program is accepted after --fix" % code)
    codes = len(re.findall(r"^DIAG\(", open(table).read(), re.M))
    if len(applied) < LEAST:
        bad += 1
        print("%d codes have fixes, of at least %d" % (len(applied), LEAST))
    print("%d of %d codes have fixes" % (len(applied), codes))
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
