"""manifest.py PATC SCHEMA TARGET FILE... - manifests of programs are valid, and say what C's compiler sees.

Prints C that includes the headers of all programs and asserts sizes, alignments, offsets, and the types of functions."""
import json
import os
import subprocess
import sys

import jsonschema

patc, schema, target, *files = sys.argv[1:]
with open(schema, encoding="utf-8") as f:
    schema = json.load(f)
jsonschema.Draft7Validator.check_schema(schema)
checker = jsonschema.Draft7Validator(schema)


def c_type(argument, mode):
    if not argument["pointer"]:
        return argument["c"]
    return ("const " if mode == "in" else "") + argument["c"] + " *"


def functions(kernel):
    sizes = ["int64_t"] * len(kernel["sizes"])
    arguments = [c_type(a, p["mode"]) for p in kernel["parameters"] for a in p["arguments"]]
    stream = ["void *", "size_t", "void *"]
    name = kernel["functions"]
    yield name["run"], "int", sizes + arguments + stream
    yield name["host"], "int", sizes + arguments
    yield name["workspace"], "size_t", sizes
    yield name["status"], "int", ["void *", "void *"]
    yield name["strerror"], "const char *", ["int"]


for path in files:
    name = os.path.basename(path)[:-4]
    subprocess.run([patc, "-Wno-all", "--target=" + target, "-o", name + ".text", "--header=" + name + ".h",
                    "--manifest=" + name + ".json", path], check=True)
    with open(name + ".json", encoding="utf-8") as f:
        m = json.load(f)
    checker.validate(m)
    assert m["target"] == target and m["header"] == name + ".h" and m["program"] == name + ".pat", m
    print('#include "%s.h"' % name)
    for s in m["structs"]:
        print("_Static_assert(sizeof(%s) == %d && _Alignof(%s) == %d, \"\");" % (s["c"], s["bytes"], s["c"], s["align"]))
        for field in s["fields"]:
            print("_Static_assert(offsetof(%s, %s) == %d, \"\");" % (s["c"], field["c"], field["offset"]))
    for status in m["statuses"]:
        print("_Static_assert(%s == %d, \"\");" % (status["name"], status["status"]))
    for k in m["kernels"]:
        for function, result, parameters in functions(k):
            print("%s%s(%s);" % (result + " ", function, ", ".join(parameters) or "void"))
        assert target == "cpu" or k["launches"], k["name"]
        sizes = {s["name"] for s in k["sizes"]}
        for p in k["parameters"]:
            for a in p["shape"]:
                assert all(t["size"] in sizes for t in a["terms"]), p
