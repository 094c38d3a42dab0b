#!/usr/bin/env python3
"""lsp.py PATC - a client that asks patc lsp what an editor asks, and looks at the answers."""
import json
import os
import subprocess
import sys
import tempfile

PATC = sys.argv[1]
URI = "file:///tmp/with%20blank/a.pat"
GOOD = """// \N{GRINNING FACE}
const K: f32 = 2;
struct P { x, y: f32 }
fn twice(a: f32) -> f32 = K * a;
/* \N{GRINNING FACE} */ kernel blur(x: f32[n, m], inout y: f32[n, m]) {
\tlet t: f32[n, m];
\tfirst: stencil t[i, j] = twice(x[i-1, j]) boundary clamp;
\tmap y[i, j] = t[i, j];
}
"""
failures = []


class Server:
    def __init__(self, *options):
        self.process = subprocess.Popen([PATC, "lsp", *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.ids = 0

    def write(self, message):
        self.raw(json.dumps(message).encode())

    def raw(self, text):
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(text) + text)
        self.process.stdin.flush()

    def read(self):
        length = 0
        while (line := self.process.stdout.readline()) not in (b"\r\n", b""):
            length = int(line.split(b":")[1])
        return json.loads(self.process.stdout.read(length))

    def ask(self, method, **params):
        self.ids += 1
        self.write({"jsonrpc": "2.0", "id": self.ids, "method": method, "params": params})
        answer = self.read()
        assert answer["id"] == self.ids and answer["jsonrpc"] == "2.0", answer
        return answer.get("result") if "error" not in answer else answer

    def tell(self, method, **params):
        self.write({"jsonrpc": "2.0", "method": method, "params": params})

    def at(self, method, line, character, **params):
        return self.ask("textDocument/" + method, textDocument={"uri": URI}, position={"line": line, "character": character},
                        **params)

    def of(self, method, **params):
        return self.ask("textDocument/" + method, textDocument={"uri": URI}, **params)

    def show(self, text, first=False):
        """The diagnostics of a text."""
        if first:
            self.tell("textDocument/didOpen", textDocument={"uri": URI, "languageId": "patc", "version": 1, "text": text})
        else:
            self.tell("textDocument/didChange", textDocument={"uri": URI, "version": 2}, contentChanges=[{"text": text}])
        published = self.read()
        assert published["method"] == "textDocument/publishDiagnostics" and published["params"]["uri"] == URI, published
        return published["params"]["diagnostics"]

    def end(self):
        self.process.stdin.close()
        return self.process.wait()


def expect(name, got, want):
    if got != want:
        failures.append(f"{name}:\n  got    {got!r}\n  wanted {want!r}")


def has(name, text, part):
    if part not in (text or ""):
        failures.append(f"{name}: no {part!r} in {text!r}")


def span(line, first, last):
    return {"start": {"line": line, "character": first}, "end": {"line": line, "character": last}}


def starts(locations):
    return [(place["range"]["start"]["line"], place["range"]["start"]["character"]) for place in locations]


s = Server()
has("initialize", json.dumps(s.ask("initialize", processId=None, rootUri=None, capabilities={})), '"hoverProvider": true')
s.tell("initialized")
expect("a right program", s.show(GOOD, first=True), [])

# hover
expect("a parameter's shape", s.at("hover", 6, 32)["contents"]["value"], "x: f32[n, m]")
expect("its mode", s.at("hover", 7, 5)["contents"]["value"], "inout y: f32[n, m]")
expect("a let", s.at("hover", 6, 16), {"contents": {"kind": "plaintext", "value": "let t: f32[n, m]"}, "range": span(6, 16, 17)})
expect("a function", s.at("hover", 6, 28)["contents"]["value"], "fn twice(a: f32) -> f32 = K * a")
expect("a constant", s.at("hover", 3, 26)["contents"]["value"], "const K: f32 = 2")
expect("a kernel", s.at("hover", 4, 17)["contents"]["value"], "kernel blur(x: f32[n, m], inout y: f32[n, m])")
expect("a size", s.at("hover", 5, 12)["contents"]["value"], "n, first used in line 5")
statement = s.at("hover", 6, 9)["contents"]["value"]
for part in ["stencil: ", "B and ", "bound", "vectorise (bandwidth): "]:
    has("a statement", statement, part)
expect("a place without a name", s.at("hover", 0, 1), None)

# names
expect("a definition", s.at("definition", 6, 32), {"uri": URI, "range": span(4, 21, 22)})
expect("another's", s.at("definition", 3, 26), {"uri": URI, "range": span(1, 6, 7)})
expect("of a word", s.at("definition", 6, 9), None)
expect("references", starts(s.at("references", 5, 5, context={"includeDeclaration": True})), [(5, 5), (6, 16), (7, 15)])
expect("of an index", starts(s.at("references", 7, 7)), [(6, 18), (6, 34), (7, 7), (7, 17)])
expect("a parameter is its function's", starts(s.at("references", 3, 9)), [(3, 9), (3, 30)])
expect("symbols", [(x["name"], x["kind"]) for x in s.of("documentSymbol")],
       [("K", 14), ("P", 23), ("twice", 12), ("blur", 12)])
labels = [x["label"] for x in s.at("completion", 7, 1)]
for label in ["stencil", "f32", "sqrt", "kernel", "clamp", "boundary", "x", "t", "twice", "blur"]:
    has("completion", " ".join(labels), label)
expect("a name once", len(labels), len(set(labels)))
expect("none of another declaration", "a" in labels, False)

# another name
def renamed(line, character, name):
    answer = s.at("rename", line, character, newName=name)
    return answer["error"]["message"] if "error" in answer else sorted(starts(answer["changes"][URI]))


expect("a let renamed", renamed(6, 16, "u"), [(5, 5), (6, 16), (7, 15)])
expect("a size renamed", renamed(4, 28, "height"), [(4, 28), (4, 48), (5, 12)])
expect("a function renamed", renamed(6, 26, "double_it"), [(3, 3), (6, 26)])
expect("a name that is taken", renamed(6, 16, "x"), "`x` is already declared here")
expect("or a declaration's", renamed(6, 16, "twice"), "`twice` is already declared here")
expect("a word", renamed(6, 16, "kernel"), "`kernel` is a keyword of the language")
expect("no name", renamed(6, 16, "2x"), "`2x` is not a valid name")
expect("a field", renamed(2, 11, "z"), "fields of structs are not renamed: other structs may have the same ones")
expect("nothing to rename", renamed(6, 9, "z"), "there is no name here that this document declares")
cases = GOOD + """schedule blur for cuda { first: stage shared; }
test t { blur(x = [[1]], y = 0) -> y = [[2]]; }
"""
expect("a program with a schedule and a test", s.show(cases), [])
expect("a label of a schedule", renamed(6, 2, "one"), [(6, 1), (9, 25)])
expect("a parameter of cases", renamed(10, 25, "out_"), [(4, 41), (7, 5), (10, 25), (10, 35)])
walk = """fn walk(next: i32[n], most: i32) -> i32 {
\tvar at: i32 = 0;
\twhile at >= 0 at most most { at = next[at]; }
\treturn at + i32(n);
}
"""
expect("a function that reads an array", s.show(walk), [])
expect("the size of an array of a function", s.at("hover", 3, 17)["contents"]["value"], "n, first used in line 1")
expect("that size renamed", renamed(3, 17, "cells"), [(0, 18), (3, 17)])
expect("a variable called as a word", renamed(1, 5, "place"), [(1, 5), (2, 7), (2, 30), (2, 40), (3, 8)])
expect("another one", renamed(0, 22, "limit"), [(0, 22), (2, 23)])

# the kernels of statements
s.show(GOOD)
hints = s.of("inlayHint", range={"start": {"line": 6, "character": 0}, "end": {"line": 6, "character": 9}})
expect("a hint's place", [h["position"] for h in hints], [{"line": 6, "character": 58}])
has("its kernel", hints[0]["label"] if hints else "", "blur_first")

# errors and their cures
wrong = GOOD.replace("first: stencil", "first: map").replace("clamp;", "clamp; /* \N{GRINNING FACE} */ map y[i, j] = u;")
expect("errors", [(d["code"], d["range"]["start"]["line"]) for d in s.show(wrong)], [("P0302", 6), ("P0201", 6)])
expect("in UTF-16", s.show(GOOD.replace("kernel", "kern"))[0]["range"], span(4, 9, 13))
shifted = GOOD.replace("first: stencil", "first: map").replace(" boundary clamp", " for i in 1..n")
told = s.show(shifted)
expect("an error", [(d["code"], d["severity"], d["source"]) for d in told], [("P0319", 1, "patc")])
has("its help", told[0]["message"], "help: write `stencil` instead of `map`")
actions = s.of("codeAction", range=span(6, 0, 0), context={"diagnostics": told})
expect("a fix-it", [a["edit"]["changes"][URI] for a in actions], [[{"range": span(6, 8, 11), "newText": "stencil"}]])
expect("elsewhere there is none", s.of("codeAction", range=span(1, 0, 0), context={"diagnostics": []}), [])
expect("a program that is being written has names", s.show(GOOD + "kernel g(z: f32[n], inout w: f32[n]) { map w[i] = ") != [], True)
expect("a name there", s.at("hover", 9, 9)["contents"]["value"], "z: f32[n]")
expect("but no layout", s.of("formatting", options={}), [])

# layout
s.show("const A: i32=1;\nconst B: i32 = 2;")
edit = s.of("formatting", options={})
expect("formatted", edit, [{"range": {"start": {"line": 0, "character": 0}, "end": {"line": 2, "character": 0}},
                            "newText": "const A: i32 = 1;\nconst B: i32 = 2;\n"}])
s.show(edit[0]["newText"])
expect("then nothing changes", s.of("formatting", options={}), [])

# what is wrong
expect("an unknown method", s.ask("no/such")["error"]["code"], -32601)
expect("an unknown document", s.ask("textDocument/hover", textDocument={"uri": "file:///b.pat"}, position={}), None)
s.raw(b"{")
expect("no JSON", s.read()["error"]["code"], -32700)
s.raw(b"[1]")
expect("no method", s.read()["error"]["code"], -32600)
expect("a deep text", s.show("const A: i32 = " + "(" * 100000 + ";") != [], True)
expect("an empty text", s.show(""), [])
expect("a control character", [(d["code"], d["range"]) for d in s.show("// \x01")], [("P0007", span(0, 3, 4))])
s.tell("textDocument/didClose", textDocument={"uri": URI})
expect("a closed document has no errors", s.read()["params"], {"uri": URI, "diagnostics": []})
expect("shutdown", s.ask("shutdown"), None)
s.tell("exit")
expect("exit status", s.process.wait(), 0)

# a file that is used, remarks of a target
with tempfile.TemporaryDirectory() as folder:
    with open(os.path.join(folder, "ops.pat"), "w", encoding="utf-8") as f:
        f.write("fn f(a: f32) -> f32 = b;\n")
    with open(os.path.join(folder, "right file.pat"), "w", encoding="utf-8") as f:
        f.write("const C: f32 = 1;\nfn half(a: f32) -> f32 = a / 2;\n")
    s = Server("--target=cpu", "-I", folder)
    s.ask("initialize")
    told = s.show('use "ops.pat";\n', first=True)
    expect("an error there is at the beginning", [d["range"] for d in told], [span(0, 0, 0)])
    has("with its place", told[0]["message"], "ops.pat:1:23: ")
    s.show('use "right file.pat";\nkernel k(inout x: f32[n]) { map x[i] = half(x[i]) + C; }\n')
    place = s.at("definition", 1, 40)
    expect("the file of a definition", place["uri"], "file://" + folder + "/right%20file.pat")
    expect("its place", place["range"], span(1, 3, 7))
    expect("what it declares is not renamed", renamed(1, 40, "third"), "`half` is declared in another file")
    s.show(GOOD)
    has("the target's way", s.at("hover", 6, 9)["contents"]["value"], "first: stencil, 8 B and")
    expect("an end without shutdown", s.end(), 1)

print("\n".join(failures))
sys.exit(1 if failures else 0)
