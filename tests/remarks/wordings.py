"""wordings.py TOP FOLDER - every text that a pass can give as a remark occurs among those of FOLDER (said.txt,
*.said): a "why not" that no program reaches is either dead or untested."""
import pathlib
import re
import sys

SPEAKERS = {"remark_did", "remark_not", "str_print", "fuse_allowed", "no_tile", ""}   # "": returned or assigned
top, folder = map(pathlib.Path, sys.argv[1:])


def literals(source):
    """(text, name of the call it stands in) of every string, neighbours joined"""
    source = re.sub(r"/\*.*?\*/", " ", source, flags=re.S)
    source = re.sub(r"^#(.*\\\n)*.*$|'(\\.|[^'\\\n])'", "", source, flags=re.M)
    calls, text = [], None
    for token in re.finditer(r'"((?:[^"\\]|\\.)*)"|(\w+)?\s*([({])|([)}])|(\S)', source):
        string, name, opens, closes, _ = token.groups()
        if string is not None:
            text = (text or "") + string
            continue
        if text is not None:
            named = [c for c in calls if c not in (None, "if", "while", "for")]
            yield text, named[-1] if named else ""
            text = None
        if opens:
            calls.append((name or "") if opens == "(" else None)
            if opens == "{":
                calls[-1] = None
        elif closes:
            calls.pop()


files = sorted(top.glob("src/*/pass_*.c")) + [top / "src/pass/expect.c", top / "src/pass/expect_demand.c", top / "patterns/cells_shape.c", top / "patterns/cells_structs.c", top / "patterns/wavefront/separable.c"] + sorted(top.glob("patterns/*/*_lower.c"))
said = "\n".join(sorted({line.split(" remark: ")[-1] for p in [*folder.rglob("said.txt"), *folder.glob("*.said")]
                         for line in p.read_text(encoding="utf-8").splitlines()}))      # once: searching takes the time
ways = {}                                # tables of ways, wherever they are
for path in sorted(top.glob("patterns/**/*.c")):
    ways[path] = "".join(re.findall(r"^static const struct way .*?^};", path.read_text(encoding="utf-8"), flags=re.M | re.S))
missing = []
for path, source in [*((p, p.read_text(encoding="utf-8")) for p in files), *ways.items()]:
    for text, call in literals(source):
        if call not in SPEAKERS or " " not in text.strip() or len(text) < 12:
            continue
        pattern = re.sub(r"%(lld|\.?\d*[a-z])", "\0", text.replace("\\", "\\\\"))
        if not re.search(re.escape(pattern).replace("\0", ".*?").replace("\\\0", ".*?"), said):
            missing.append(f"{path.name}: {text}")
print("\n".join(missing))
sys.exit(bool(missing))
