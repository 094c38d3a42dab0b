#!/usr/bin/env python3
"""check.py PATC TOP FILE... - what patc --diagnostics=json and =sarif write.

Each document is valid under its schema and says what the text says: as many errors and warnings, with the same codes at
the same places.  A region lies in its file, and the edits of a program with one fix-it give what --fix writes."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse

import jsonschema

TEXT = re.compile(rb"^(.*?):(\d+):(\d+): (error|warning)\[(P\d+)\]: ", re.M)


def run(patc, form, words, work):
    command = 1 if words[0] in ("run", "test") else 0
    option = ["--diagnostics=" + form] if form else []
    return subprocess.run([patc, *words[:command], *option, *words[command:]], capture_output=True, cwd=work,
                          stdin=subprocess.DEVNULL)


def document(schema, data):
    value = json.loads(data.decode("utf-8"))
    jsonschema.Draft7Validator(schema).validate(value)
    return value


def of_sarif(one):
    """As (code, line, column) and so on, of a result."""
    place = one.get("locations", [{}])[0].get("physicalLocation", {}).get("region", {})
    return one["level"], one["ruleId"], place.get("startLine"), place.get("startColumn")


def inside(work, file, place):
    """The text of a region; no column is beyond the end of its line."""
    with open(os.path.join(os.fsencode(work), file), "rb") as f:
        lines = f.read().decode("utf-8", "replace").removeprefix("\ufeff").split("\n")
    assert place["startLine"] == place["endLine"] <= len(lines), place
    line = lines[place["startLine"] - 1].removesuffix("\r")
    assert 1 <= place["startColumn"] <= place["endColumn"] <= len(line) + 2, (place, line)
    return line[place["startColumn"] - 1:place["endColumn"] - 1]


def compare(patc, schemas, work, words):
    text, ours, sarif = (run(patc, form, words, work) for form in (None, "json", "sarif"))
    assert text.returncode == ours.returncode == sarif.returncode, "other exit statuses"
    assert text.stdout == ours.stdout == sarif.stdout, "another output"
    d, s = document(schemas[0], ours.stderr), document(schemas[1], sarif.stderr)["runs"][0]
    said = [(k.decode(), c.decode(), int(line), int(col)) for _, line, col, k, c in TEXT.findall(text.stderr)]
    told = [x for x in d["diagnostics"] if x["code"] and x["severity"] in ("error", "warning")]
    for x in told:
        if x["location"] and "startLine" in x["location"]:
            inside(work, os.fsencode(x["location"]["file"]), x["location"])
    got = [(x["severity"], x["code"], x["location"]["startLine"], x["location"]["startColumn"]) for x in told
           if x["location"] and "startLine" in x["location"]]
    assert got == said, (got, said)
    assert d["errors"] == sum(x["severity"] == "error" for x in d["diagnostics"])
    assert d["warnings"] == sum(x["severity"] == "warning" for x in d["diagnostics"])
    results = [of_sarif(x) for x in s["results"] if re.fullmatch("P[0-9]{4}", x["ruleId"])]
    assert [x for x in results if x[2]] == said, (results, said)
    for x in s["results"]:
        assert s["tool"]["driver"]["rules"][x["ruleIndex"]]["id"] == x["ruleId"], x
        for fix in x.get("fixes", []):
            for change in fix["artifactChanges"]:
                for r in change["replacements"]:
                    inside(work, urllib.parse.unquote_to_bytes(change["artifactLocation"]["uri"]), r["deletedRegion"])
    return d, s


def edited(work, d):
    """x.pat with the only edit of the document; None: it has another number of them."""
    edits = [e for x in d["diagnostics"] for e in x["edits"]]
    if len(edits) != 1:
        return None
    with open(os.path.join(work, "x.pat"), "rb") as f:
        text = f.read().decode("utf-8", "surrogateescape")
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    lines, place = text.removeprefix("\ufeff").split("\n"), edits[0]["location"]
    line = lines[place["startLine"] - 1]
    lines[place["startLine"] - 1] = line[:place["startColumn"] - 1] + edits[0]["text"] + line[place["endColumn"] - 1:]
    return mark + "\n".join(lines)


def fixed(patc, work, options, text):
    with open(os.path.join(work, "y.pat"), "wb") as f:
        f.write(text)
    run(patc, None, [*options, "--fix", "y.pat"], work)
    with open(os.path.join(work, "y.pat"), "rb") as f:
        return f.read().decode("utf-8")


def main():
    patc, top, files = sys.argv[1], sys.argv[2], sys.argv[3:]
    schemas = []
    for name in "man/diagnostics.schema.json", "tests/diagnostics/sarif.schema.json":
        with open(os.path.join(top, name), encoding="utf-8") as f:
            schemas.append(json.load(f))
        jsonschema.Draft7Validator.check_schema(schemas[-1])
    same = fixes = 0
    for path in files:
        with tempfile.TemporaryDirectory() as work:
            shutil.copy(path, os.path.join(work, "x.pat"))
            with open(path, "rb") as f:
                target = re.match(rb"// patc --target=(\w+)", f.read())
            options = ["--target=" + (target[1].decode() if target else "cuda"), "-Wall"]
            try:
                d, _ = compare(patc, schemas, work, [*options, "-o", "-", "x.pat"])
                new = edited(work, d)
                if new is not None and d["errors"] + d["warnings"] == 1:
                    fixes += 1
                    with open(path, "rb") as f:
                        whole = fixed(patc, work, options, f.read())
                    # what it uncovers may have a fix-it, too
                    assert whole in (new, fixed(patc, work, options, new.encode())), "--fix writes something else"
                same += 1
            except (AssertionError, ValueError, jsonschema.ValidationError) as e:
                print("%s: %s" % (path, str(e)[:400]))
    with tempfile.TemporaryDirectory() as work:
        others(patc, schemas, work)
    print("%d documents, %d of them with a fix-it alone" % (same, fixes))
    return same < len(files) or fixes < 10


def others(patc, schemas, work):
    """Odd names, other commands, no diagnostics, errors of the command."""
    with open(os.path.join(work, "right.pat"), "w", encoding="utf-8") as f:
        f.write("kernel f(x: f32[n], out y: f32[n]) { map y[i] = x[i]; }\ntest t { f(x = [1]) -> y = [2]; }\n")
    odd = os.path.join(os.fsencode(work), b"a\xff\t\xe2\x97\x8b %\"\\:.pat")
    with open(odd, "wb") as f:
        f.write("kernel f(x: f32[n], out y: f32[n]) { /* ○ ◇ \U0001f600 */ map y[i] = xx[i]; }\n".encode())
    d, s = compare(patc, schemas, work, ["-o", "-", "--header=h.h", "right.pat"])
    assert d["diagnostics"] == [] and s["results"] == [] and s["tool"]["driver"]["rules"] == []
    d, s = (document(schemas[k], run(patc, form, ["-o", "-", "--header=h.h", os.path.basename(odd)], work).stderr)
            for k, form in enumerate(("json", "sarif")))
    assert d["diagnostics"][0]["location"] == {"file": "a\ufffd\t○ %\"\\:.pat", "startLine": 1, "startColumn": 61,
                                               "endLine": 1, "endColumn": 66}, d
    place = s["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert urllib.parse.unquote_to_bytes(place) == os.path.basename(odd), place
    d, s = compare(patc, schemas, work, ["-o", "-", os.path.join(work, "right.pat"), "--remarks", "-Wall"])
    assert {x["severity"] for x in d["diagnostics"]} == {"remark"}, d
    assert {x["ruleId"] for x in s["results"]} == {"remark"} and {x["level"] for x in s["results"]} == {"note"}
    for words in (["test", "right.pat"], ["run", "right.pat", "x=[1,", "n=2"], ["run", "right.pat", "g"], ["none.pat"],
                  ["right.pat", "-Wnone"], ["right.pat", "-o", "no/such/folder.cu"]):
        d, s = (document(schemas[k], run(patc, form, words, work).stderr) for k, form in enumerate(("json", "sarif")))
        assert d["errors"] == 1, (words, d)
        usage = d["diagnostics"][0]["code"] is None
        assert s["runs"][0]["invocations"][0]["executionSuccessful"] != usage, (words, s)


if __name__ == "__main__":
    sys.exit(main())
