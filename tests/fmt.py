#!/usr/bin/env python3
"""fmt.py PATC COUNT FILE... - programs whose blanks are replaced at random, by other blanks, ends of lines and comments.

What patc fmt makes of them stays as it is when it is formatted again, and has no blanks at the ends of lines.  That it
has the same tokens and comments patc asserts itself."""
import random
import re
import subprocess
import sys

PATC, COUNT, FILES = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|"[^"\n]*"|[A-Za-z_]\w*|\d\w*(?:\.\d\w*)?(?:[eE][-+]?\d+\w*)?|<\.>|<>|[-+*/%&|^]='
                   r'|->|\.\.|<<|>>|[<>=!]=|&&|\|\||\S', re.S)
BLANKS = [
    [" "],
    [" "] * 9 + ["\n"],
    [" "] * 6 + ["\n", "\r\n\t"],
    [" ", "\n", "\t", "  ", "\n\n\n\t ", "        ", "\n    ", "\n\t\t     "],
    [" "] * 20 + [" /* c */ ", "/*x*/", " // e\n", "\n// own\n", "\n\t/* a\n\t   b\n c */\n", "\n   /* l */ "],
]


def fmt(text):
    done = subprocess.run([PATC, "fmt", "-"], input=text.encode(), capture_output=True)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


random.seed(1)
failures = parsed = 0
for n in range(COUNT):
    path = random.choice(FILES)
    with open(path, encoding="utf-8", errors="replace") as f:
        tokens = TOKEN.findall(f.read())
    blanks = random.choice(BLANKS)
    text = "".join(t + ("\n" if t.startswith("//") else "") + random.choice(blanks) for t in tokens)
    status, once, said = fmt(text)
    if status == 1:
        continue
    parsed += 1
    again = fmt(once)[1] if status == 0 else ""
    trails = re.search(r"[ \t]\n", re.sub(r"/\*.*?\*/", "/**/", once, flags=re.S))
    if status or again != once or trails:
        failures += 1
        print(f"{path}, text {n}: status {status}{', blanks at the end of a line' if trails else ''}\n{said}")
        print(next((f"- {a}\n+ {b}" for a, b in zip(once.splitlines(), again.splitlines()) if a != b), ""))
print(f"{parsed} of {COUNT} texts parse")
sys.exit(1 if failures or parsed < COUNT // 2 else 0)
