#!/usr/bin/env python3
"""editors.py BUILD TOP - the files for editors have each word of the language, and none is a hole that was left.

The words of the scanner are in what `patc --list-words` lists, the listed ones in each file, as whole words; JSON is
well-formed, and the expressions of the grammar colour a line as they should."""
import json
import re
import subprocess
import sys

BUILD, TOP = sys.argv[1:3]
FILES = ["vim/syntax/patc.vim", "emacs/patc-mode.el", "vscode/syntaxes/patc.tmLanguage.json", "vscode/package.json"]
LINE = 'red: stencil a[i] = sum[k in 0..3](w[k] * f32(b[i+k])) boundary clamp where 1.5e-3 < c; // if'
COLOURS = {"red": "label", "stencil": "pattern", "sum": "fold", "in": "control", "f32": "type", "boundary": "clause",
           "clamp": "function", "where": "control", "1.5e-3": "numeric", "// if": "comment"}
errors = []


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def colours(grammar):
    """What is coloured of LINE: at each place the first rule that matches there."""
    rules = [(re.compile(r["match"]), r["name"]) for r in grammar["patterns"] if "match" in r and "name" in r]
    at, found = 0, {}
    while at < len(LINE):
        hits = [(m, name) for rule, name in rules if (m := rule.match(LINE, at)) and m.end() > at]
        if hits:
            found[hits[0][0].group()] = hits[0][1]
        at = hits[0][0].end() if hits else at + 1
    return found


listed = [line.split() for line in subprocess.run([f"{BUILD}/patc", "--list-words"], check=True, capture_output=True,
                                                  text=True).stdout.splitlines()]
words = {word for _, word in listed}
scanned = set(re.findall(r'^"(\w+)" +return', read(f"{TOP}/grammar/lex.l"), re.M))
scanned |= set(re.findall(r'"(\w+)"', re.search(r'^(.*)NAMED\(LITERAL\)', read(f"{TOP}/grammar/lex.l"), re.M)[1]))
errors += [f"--list-words has no {word}" for word in sorted(scanned - words)]
for name in FILES:
    text = read(f"{BUILD}/editors/{name}")
    if "package" not in name:
        errors += [f"{name} has no {word}" for kind, word in listed if not re.search(rf"\b{word}\b", text)]
    errors += [f"{name} has the hole {hole}" for hole in re.findall(r"@[A-Za-z]+\|?@", text)]
    if name.endswith(".json"):
        json.loads(text)
json.loads(read(f"{TOP}/editors/vscode/language-configuration.json"))
found = colours(json.loads(read(f"{BUILD}/editors/vscode/syntaxes/patc.tmLanguage.json")))
errors += [f"`{text}` is {found.get(text)}, not {want}" for text, want in COLOURS.items() if want not in found.get(text, "")]
print("\n".join(errors))
sys.exit(1 if errors else 0)
