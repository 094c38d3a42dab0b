"""patc.bzl - patc_library(name, srcs, ...): the library of C or C++ of the kernels in these files, for Bazel.

A project has a copy of this file; patc(1), BUILD RECIPES, says how it is used.
"""

_SUFFIX = {"cpu": ".c", "cuda": ".cu", "hip": ".hip"}

def _sources_impl(ctx):
    codes, headers = [], []
    for source in ctx.files.srcs:
        stem = source.basename.rsplit(".", 1)[0]
        code = ctx.actions.declare_file("%s/%s%s" % (ctx.label.name, stem, _SUFFIX[ctx.attr.target]))
        header = ctx.actions.declare_file("%s/%s.h" % (ctx.label.name, stem))
        if code in codes:
            fail("two sources are called %s: give them libraries of their own" % source.basename)
        codes.append(code)
        headers.append(header)
        arguments = ctx.actions.args()
        arguments.add("--target=" + ctx.attr.target)
        arguments.add("-o", code)
        arguments.add(header, format = "--header=%s")
        arguments.add_all(ctx.attr.options)
        arguments.add(source)
        ctx.actions.run(
            executable = ctx.executable.patc,
            arguments = [arguments],
            inputs = [source] + ctx.files.uses,
            outputs = [code, header],
            mnemonic = "Patc",
            progress_message = "Compiling %s" % source.short_path,
        )
    return [
        DefaultInfo(files = depset(codes + headers)),
        OutputGroupInfo(code = depset(codes), headers = depset(headers)),
    ]

patc_sources = rule(
    implementation = _sources_impl,
    doc = "What patc writes of programs: the output groups `code` and `headers`.",
    attrs = {
        "srcs": attr.label_list(allow_files = [".pat"], mandatory = True, doc = "the programs"),
        "uses": attr.label_list(allow_files = True, doc = "files that the programs use"),
        "target": attr.string(values = ["cpu", "cuda", "hip"], default = "cpu"),
        "options": attr.string_list(doc = "options of patc"),
        "patc": attr.label(executable = True, cfg = "exec", allow_single_file = True, mandatory = True),
    },
)

def patc_library(name, srcs, target = "cpu", uses = [], options = [], patc = "@patc//:patc", library = None, **others):
    """A library of the kernels, whose dependents find the headers.

    Args:
      name: of the library.
      srcs: the programs, .pat.
      target: cpu, cuda or hip.
      uses: the files that the programs use.
      options: of patc.
      patc: the program; patc_repository makes the default.
      library: the rule that compiles: native.cc_library for cpu, for others that of a set of rules, as cuda_library.
      **others: of that rule, as visibility or copts.
    """
    if target not in _SUFFIX:
        fail("patc_library(%s): target is cpu, cuda or hip" % name)
    if not library and target != "cpu":
        fail("patc_library(%s): target %s needs library=, the rule that compiles %s" % (name, target, _SUFFIX[target]))
    patc_sources(name = name + "_patc", srcs = srcs, uses = uses, target = target, options = options, patc = patc)
    native.filegroup(name = name + "_code", srcs = [":%s_patc" % name], output_group = "code")
    native.filegroup(name = name + "_headers", srcs = [":%s_patc" % name], output_group = "headers")
    if target == "cpu":
        others["copts"] = ["-fopenmp"] + others.get("copts", [])
        others["linkopts"] = ["-fopenmp", "-lm"] + others.get("linkopts", [])
    (library or native.cc_library)(
        name = name,
        srcs = [":%s_code" % name],
        hdrs = [":%s_headers" % name],
        includes = [name + "_patc"],
        **others
    )

def _repository_impl(repository):
    path = repository.attr.path or repository.os.environ.get("PATC") or repository.which("patc")
    if not path:
        fail("patc is not in PATH: give patc_repository its path, or set PATC")
    repository.symlink(path, "patc")
    repository.file("BUILD.bazel", "exports_files([\"patc\"])\n")

patc_repository = repository_rule(
    implementation = _repository_impl,
    doc = "A repository with the installed program: when that changes, patc runs again.",
    attrs = {"path": attr.string(doc = "of the program; otherwise PATC, or the first one in PATH")},
    environ = ["PATC", "PATH"],
)
